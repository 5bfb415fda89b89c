/** How far a run has come, on a page that is open meanwhile: counts without a reload, of what its reader may see, and gone when it ends. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { lines } from "../../cli/page/Live.ts"
import * as RunCounts from "../../sync/library/RunCounts.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { books, configuration, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"
import { enter, PASSWORD } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const INVOICES = 1500

describe("a run that goes on", { timeout: 240_000 }, () => {
  it.live("is sent as counts, where they changed, until it ends", () =>
    Effect.gen(function* () {
      const db = { file: "books.db" }
      RunCounts.add(db, "books", { read: 3 })
      RunCounts.add(db, "books", { read: 4, of: 9 })
      const steps = [
        () => RunCounts.add(db, "books", { sent: 2 }),
        () => RunCounts.ended(db, { id: "books" }),
        () => {}
      ]
      const seen = yield* lines(
        Stream.never,
        () => true,
        () => RunCounts.going(db)
      ).pipe(
        Stream.filter((line) => line.startsWith("event: progress")),
        Stream.tap(() => Effect.sync(() => steps.shift()?.())),
        Stream.take(3),
        Stream.runCollect
      )
      assert.deepStrictEqual(
        seen.map((line) => JSON.parse(line.split("data: ")[1]!)),
        [[{ connection: "books", read: 7, sent: 0, of: 9 }], [{ connection: "books", read: 7, sent: 2, of: 9 }], []]
      )
      RunCounts.add(db, "others", { sent: 1 })
      assert.deepStrictEqual(RunCounts.going(db, ["books"]), [])
    })
  )

  it("is counted on the page", async ({ skip }) => {
    if (place === undefined) skip(MISSING)
    const there = await service()
    const { connections, ...rest } = configuration(there.url)
    const { payments: _, ...source } = connections[0]!.source
    const rows = Array.from(
      { length: INVOICES },
      (_, n) => `N-${n},Buyer ${n} Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent`
    )
    const here = books(there.url, {
      "daybook.config.json": JSON.stringify({
        ...rest,
        daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
        connections: [{ ...connections[0], source, every: "1 hour" }]
      }),
      "invoices.csv": `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${rows.join("\n")}\n`
    })
    const running = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
    const page = await enter(await open({ javaScriptEnabled: true }), running.url)
    await page.goto(`${running.url}/connections`)
    await page.waitForFunction("/^books: [\\d,]+ (read|sent)$/.test(document.getElementById('progress').textContent)")
    await page.waitForFunction("/ sent$/.test(document.getElementById('progress').textContent)")
    await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined)
    await page.waitForFunction("document.getElementById('progress').hidden")
  })
})
