/** Alerts of `daybook sync` from a crontab, and of `sync` of the library: over a mail server and a webhook of the test. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect, Exit, Scope } from "effect"
import { type Config, Daybook } from "../../sync/library/Daybook.ts"
import { daemonLock } from "../../sync/state/DaemonLock.ts"
import { channelsTo, mailbox, once, plain, receiver, SECRETS } from "../support/AlertDesk.ts"
import { books, configuration, INVOICES, KEY, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

describe("daybook sync with alerts, without a daemon", () => {
  const deskOf = async (port: number, url: string) => {
    const there = await service()
    const { connections, service: settings } = configuration(there.url)
    const { source, ...rest } = connections[0]!
    const { payments: _, ...alone } = source
    const late = { ...rest, id: "late", source: { ...alone, invoices: { ...source.invoices, path: "late.csv" } } }
    const config = {
      service: settings,
      connections: [{ ...rest, source }, late],
      alerts: {
        channels: channelsTo(port, url),
        rules: [
          { on: "failed", times: 2 },
          { on: "attention", to: ["office"] }
        ]
      }
    }
    const here = books(there.url, { "daybook.config.json": JSON.stringify(config) })
    return {
      config,
      here,
      sync: (...args: ReadonlyArray<string>) => here.runWith({ env: SECRETS }, "sync", "--yes", ...args)
    }
  }

  it("has people told once of what the runs found, tries again what did not arrive, and says when it is over", async () => {
    const { mails, port } = await mailbox()
    const pager = await receiver((response, n) => void response.writeHead(n === 1 ? 503 : 204).end())
    const { config, here, sync } = await deskOf(port, pager.url)
    const texts = () => mails.map(({ text }) => plain(text)).join()

    assert.strictEqual((await sync()).status, 2)
    assert.include(texts(), "INV-9")
    assert.notInclude(texts(), "in a row")
    const second = await sync("--json")
    assert.match(texts(), /late: 2 runs in a row failed/)
    const became = ofType(second, "alert").toSorted((a, b) => (String(a["channel"]) < String(b["channel"]) ? -1 : 1))
    assert.deepStrictEqual(became, [
      { type: "alert", channel: "office", outcome: "sent" },
      { type: "alert", channel: "pager", outcome: "again", why: "it answered 503" }
    ])
    assert.include(second.stderr, "an alert did not reach pager: it answered 503; the next run tries it again")
    const before = mails.length
    const third = await sync()
    assert.notInclude(third.stdout, "Alerted")
    assert.lengthOf(mails, before)

    // Its time has come, and what failed is mended.
    const db = new Sqlite(here.path("daybook.db"))
    db.exec("UPDATE alert_message SET next = 1 WHERE sent IS NULL")
    db.close()
    here.write("late.csv", INVOICES.replaceAll("INV-", "LATE-"))
    const fourth = await sync()
    assert.include(fourth.stdout, "Alerted pager.")
    const titles = once(pager.posted.slice(1)).flatMap(({ body }) =>
      body.alerts.map(({ title, what }) => `${what}: ${title}`)
    )
    assert.deepStrictEqual(titles.toSorted(), [
      "began: late: 2 runs in a row failed",
      "over: late: 3 runs in a row failed"
    ])

    // The same over the library, and its event.
    here.write("late.csv", "nothing that has headings")
    const { folder } = here
    const daybook = await Daybook.open(config as unknown as Config, {
      folder,
      state: here.path("daybook.db"),
      environment: { ...SECRETS, SERVICE_KEY: KEY }
    })
    const events: Array<unknown> = []
    daybook.on("alert", (event) => void events.push(event))
    for (let n = 0; n < 2; n++) await daybook.sync().catch(() => undefined)
    await daybook.close()
    assert.deepInclude(events, { type: "alert", channel: "pager", outcome: "sent" })
  })

  it("leaves it to a daemon that works on the same file", async () => {
    const { port } = await mailbox()
    const pager = await receiver((response) => void response.writeHead(204).end())
    const { here, sync } = await deskOf(port, pager.url)
    const lock = await Effect.runPromise(Scope.make())
    await Effect.runPromise(Scope.provide(daemonLock(here.path("daybook.db")), lock))
    assert.notInclude((await sync()).stdout, "Alerted")
    await Effect.runPromise(Scope.close(lock, Exit.void))
    assert.include((await sync()).stdout, "Alerted office.")
  })
})
