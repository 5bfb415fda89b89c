/**
 * Alerts as people get them: from a daemon that is killed as it sends, over a mail server and a webhook of the test, each
 * once; and what the command line says of them.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { readFileSync } from "node:fs"
import { books, configuration, failed, lines, NOWHERE, ofType, useCommand } from "../support/Cli.ts"
import { channelsTo, mailbox, once, plain, receiver, SECRETS } from "../support/AlertDesk.ts"
import { lateDesk } from "../support/CoverDesk.ts"
import { startDaemon, until } from "../support/Daemon.ts"

useCommand()

const TITLES = [
  "broken: a run failed",
  "shop: the authorisation was lost",
  "books/invoice/INV-1: the window for collections closes"
]

/** What a person sees of it, and a test that they send. */
const onThePage = async (url: string) => {
  const signIn = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ password: SECRETS.PAGE_PASSWORD })
  })
  const cookie = signIn.headers.get("set-cookie")!.split(";")[0]!
  const page = await (await fetch(`${url}/alerts`, { headers: { cookie } })).text()
  for (const title of TITLES) assert.include(page, title)
  const form = /name="form" value="([^"]+)"/.exec(page)![1]!
  const test = (channel: string) =>
    fetch(`${url}/alerts/test`, { method: "POST", headers: { cookie }, body: new URLSearchParams({ form, channel }) })
  assert.include(await (await test("office")).text(), "office took the test message")
  assert.strictEqual((await test("nowhere")).status, 404)
}

describe("a daemon with alerts", () => {
  it("that is killed as it sends: an expired token, a failed run and a deadline arrive, each once", {
    timeout: 300_000
  }, async () => {
    const desk = await lateDesk()
    const expired = await receiver((response) => void response.writeHead(401).end("{}"))
    const { mails, port } = await mailbox()
    let killed = false
    // The first message is taken, and its sender dies before it hears of that.
    const pager = await receiver((response) => {
      if (killed) response.writeHead(204).end()
      else process.kill(daemon.child.pid!, "SIGKILL")
    })
    const config = JSON.parse(readFileSync(desk.path("daybook.config.json"), "utf8"))
    const { cover: _, ...books } = config.connections[0]
    const invoices = { ...books.source.invoices, path: "nowhere.csv" }
    desk.write(
      "daybook.config.json",
      JSON.stringify({
        ...config,
        connections: [
          { ...config.connections[0], every: "1 hour" },
          { ...books, id: "broken", source: { ...books.source, invoices }, every: "1 hour" },
          {
            ...books,
            id: "shop",
            source: { connector: "stripe", key: { env: "STRIPE_KEY" }, url: expired.url },
            every: "1 hour"
          }
        ],
        daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
        alerts: {
          channels: channelsTo(port, pager.url),
          rules: [
            { on: "failed", times: 1, connections: ["broken"] },
            { on: "authorisation" },
            { on: "deadline", days: [366] }
          ]
        }
      })
    )
    const daemon = await startDaemon(desk.folder, { env: SECRETS })
    assert.deepStrictEqual(await daemon.ended, [null, "SIGKILL"])
    killed = true
    const second = await startDaemon(desk.folder, { env: SECRETS })
    const arrived = (title: string) =>
      once(pager.posted).some(({ body }) => body.alerts.some((one) => one.title.startsWith(title))) &&
      mails.some(({ text }) => plain(text).includes(title))
    await until("all of them arrive", () => (TITLES.every(arrived) ? true : undefined))
    // And nothing waits: it was told once.
    const listed = () => desk.run("alerts", "--json")
    const rest = await until("the queue is empty", async () => {
      const [summary] = ofType(await listed(), "summary")
      return summary?.["waiting"] === 0 ? summary : undefined
    })
    assert.deepInclude(rest, { waiting: 0, givenUp: 0 })
    for (const title of TITLES) {
      const posts = once(pager.posted).flatMap(({ body }) => body.alerts.filter((one) => one.title.startsWith(title)))
      assert.deepStrictEqual(posts.length, 1, title)
      const texts = once(mails).filter(({ text }) => plain(text).includes(title))
      assert.strictEqual(texts.length, 1, title)
    }
    await onThePage(second.url)
    assert.isTrue(pager.posted.every(({ signed }) => signed))
    assert.isAbove(pager.posted.length, once(pager.posted).length, "what was under way was sent again")
    assert.deepStrictEqual(await second.stop(), [3, null])
    const all = [daemon.text(), second.text(), ...mails.map(({ text }) => text), JSON.stringify(pager.posted)].join()
    for (const secret of Object.values(SECRETS).slice(0, 4)) assert.notInclude(all, secret)
  })
})

describe("daybook alerts", () => {
  const deskWith = async (alerts: object | undefined) => {
    const { connections, service } = configuration(NOWHERE)
    return books(NOWHERE, {
      "daybook.config.json": JSON.stringify({ service, connections, ...(alerts === undefined ? {} : { alerts }) })
    })
  }

  it("tests each channel, or one, and says what it answered", async () => {
    const { mails, port } = await mailbox()
    const pager = await receiver((response, n) => void response.writeHead(n === 1 ? 204 : 410).end())
    const here = await deskWith({ channels: channelsTo(port, pager.url) })
    const run = (...args: ReadonlyArray<string>) => here.runWith({ env: SECRETS }, "alerts", ...args)
    const first = await run("test", "--json")
    assert.deepStrictEqual(
      [first.status, ...lines(first)],
      [0, { type: "tested", channel: "office", sent: true }, { type: "tested", channel: "pager", sent: true }]
    )
    assert.match(mails[0]!.text, /^Subject: Daybook: a test of this channel\r$/m)
    assert.match(mails[0]!.id, /^<[0-9a-f-]{36}@acme\.example>$/)
    assert.strictEqual(pager.posted[0]!.body.type, "daybook.test")
    const second = await run("test", "pager")
    assert.deepStrictEqual([second.status, second.stdout], [1, "BAD  pager  it answered 410\n"])
    assert.match(
      failed(await run("test", "pagr"), 2),
      /there is no channel "pagr" in alerts\.channels; did you mean "pager"\?/
    )
    const wrong = await here.runWith({ env: { ...SECRETS, SMTP_PASSWORD: "other" } }, "alerts", "test", "office")
    assert.match(wrong.stdout, /^BAD {2}office {2}the mail server does not accept user and password \(535\)\n$/)
    const without = await deskWith(undefined)
    assert.match(
      failed(await without.run("alerts", "test"), 2),
      /there are no channels for alerts; write them in alerts\.channels/
    )
  })

  it("lists what was given up, and has it sent again", async () => {
    const here = await deskWith({ channels: channelsTo(1, NOWHERE) })
    await here.run("pull")
    const db = new Sqlite(here.path("daybook.db"))
    db.exec(`
      INSERT INTO alert (kind, connection, cause, stage, title, words, began)
        VALUES ('failed', 'books', 'books', 0, 'books: 3 runs in a row failed', 'no file', 1773144000000);
      INSERT INTO alert_message (key, channel, connections, body, made, attempts, why)
        VALUES ('k', 'pager', '["books"]', '{"type":"daybook.test","alerts":[],"more":0}', 1773144000000, 24, 'it answered 503');
    `)
    const listed = await here.run("alerts")
    assert.strictEqual(listed.status, 3)
    assert.include(listed.stdout, "2026-03-10 12:00  failed  books: 3 runs in a row failed")
    assert.match(listed.stdout, /1 {2}pager +24 {2}given up +Daybook: a test of this channel +it answered 503/)
    assert.match(failed(await here.run("alerts", "retry", "7"), 2), /no message 7 waits to be sent/)
    const retried = await here.run("alerts", "retry", "--json")
    assert.deepStrictEqual(lines(retried), [{ type: "retried", ids: [1] }])
    assert.strictEqual(db.prepare("SELECT next IS NOT NULL AND attempts = 0 FROM alert_message").pluck().get(), 1)
    db.close()
  })
})
