/** What channels are sent: shapes that Slack, Teams and mail servers take, signatures that hold, and nothing that is markup. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { post } from "../../../sync/alerts/channels/Post.ts"
import { slack, teams, webhook } from "../../../sync/alerts/channels/Posting.ts"
import { type AlertEntry, type AlertMessage, subjectOf, plainTextOf } from "../../../sync/alerts/Message.ts"
import { outside } from "../../../sync/library/ServiceClient.ts"
import { until } from "../../support/Daemon.ts"

const entry = (n: number, more: Partial<AlertEntry> = {}): AlertEntry => ({
  alert: n,
  kind: "failed",
  connection: "books",
  what: "began",
  title: `books: alert ${n}`,
  words: "the source did not answer",
  began: "2026-03-10T12:00:00.000Z",
  ended: null,
  ...more
})

const message = (alerts: ReadonlyArray<AlertEntry>, more = 0): AlertMessage => ({
  id: "0123456789abcdef",
  type: "daybook.alerts",
  alerts,
  more
})

/** What somebody who writes invoices might try. */
const EVIL = "<!channel> *b* [x](https://evil.example) & <https://evil.example|click>\r\nBcc: eve@evil.example\u0000"

describe("a message", () => {
  it("says in its subject what it is about, on one line", () => {
    assert.strictEqual(subjectOf(message([entry(1)])), "Daybook: books: alert 1")
    assert.strictEqual(subjectOf(message([entry(1), entry(2, { what: "over" })])), "Daybook: 1 alert, 1 resolved")
    assert.strictEqual(subjectOf(message([entry(1)], 30)), "Daybook: 31 alerts")
    assert.notMatch(subjectOf(message([entry(1, { title: EVIL })])), /[\r\n\0]/)
    assert.isAtMost(subjectOf(message([entry(1, { title: "x".repeat(5000) })])).length, 220)
  })

  it("says what is over, since when, and that a day passed", () => {
    const ended = "2026-03-11T07:30:00.000Z"
    assert.strictEqual(
      plainTextOf(message([entry(1, { what: "over", ended }), entry(2, { what: "passed", ended })])),
      "Resolved: books: alert 1\nIt is over (since 2026-03-10 12:00, until 2026-03-11 07:30 UTC).\n\n" +
        "Passed: books: alert 2\nThe day has passed, and nothing was done (since 2026-03-10 12:00, until 2026-03-11 07:30 UTC).\n\n" +
        "All of them: daybook alerts\n"
    )
  })
})

// biome-ignore lint/suspicious/noExplicitAny: what another program reads
type Any = any

describe("Slack", () => {
  it("gets blocks of plain text within its limits, and a notification without mentions", () => {
    const many = Array.from({ length: 40 }, (_, n) => entry(n, { title: EVIL, words: "w".repeat(5000) }))
    const body: Any = JSON.parse(slack(message(many, 2)).body)
    assert.isAtMost(body.blocks.length, 50)
    assert.notMatch(body.text, /[<>]/)
    for (const { text } of body.blocks) {
      assert.strictEqual(text.type, "plain_text")
      assert.isAtMost(text.text.length, 3000)
    }
    assert.strictEqual(body.blocks[0].type, "header")
    assert.isAtMost(body.blocks[0].text.text.length, 150)
  })
})

describe("Teams", () => {
  it("gets an adaptive card of text runs that is small enough, whatever there is to say", () => {
    const many = Array.from({ length: 40 }, (_, n) => entry(n, { title: EVIL, words: "ü".repeat(3000) }))
    const { body } = teams(message(many))
    assert.isAtMost(Buffer.byteLength(body), 28_000)
    const [{ content, contentType }]: Any = JSON.parse(body).attachments
    assert.strictEqual(contentType, "application/vnd.microsoft.card.adaptive")
    assert.strictEqual(content.type, "AdaptiveCard")
    for (const block of content.body) {
      assert.strictEqual(block.type, "RichTextBlock")
      for (const inline of block.inlines) assert.strictEqual(inline.type, "TextRun")
    }
    assert.match(body, /And \d+ more of this message/)
    assert.include(teams(message([entry(1)])).body, "the source did not answer")
  })
})

describe("a webhook", () => {
  it("is signed so that the lines on the page accept it, and nothing else", async () => {
    const page = readFileSync("sync/alerts/README.md", "utf8")
    const [, code = ""] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? []
    const { isFromDaybook } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
    const now = Date.parse("2026-03-10T12:00:00Z")
    for (const secret of ["a secret of 20 letters", `whsec_${Buffer.from("binary\0\xff").toString("base64")}`]) {
      const { body, headers } = webhook(message([entry(1)]), secret, now)
      assert.isTrue(isFromDaybook(headers, body, secret, now + 1000))
      assert.isFalse(isFromDaybook(headers, `${body} `, secret, now))
      assert.isFalse(isFromDaybook(headers, body, "another", now))
      assert.isFalse(isFromDaybook(headers, body, secret, now + 400_000))
      assert.isFalse(isFromDaybook({ ...headers, "webhook-id": "other" }, body, secret, now))
      assert.isFalse(isFromDaybook({}, body, secret, now))
      const read: Any = JSON.parse(body)
      assert.deepInclude(read, { id: "0123456789abcdef", type: "daybook.alerts", more: 0 })
      assert.deepInclude(read.alerts[0], { kind: "failed", connection: "books", what: "began" })
    }
  })
})

describe("an answer to a message", () => {
  it("is read so far as it may be long, and what is longer ends the connection", async () => {
    let [sent, open] = [0, 0]
    const server = createServer((_, response) => {
      open++
      response.on("close", () => open--)
      response.writeHead(200)
      const more = (): void => {
        // No more than a test can bear.
        while (sent < 200 * 2 ** 20 && !response.destroyed) {
          sent += 2 ** 16
          if (!response.write(Buffer.alloc(2 ** 16))) return void response.once("drain", more)
        }
      }
      more()
    })
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await Effect.runPromise(Effect.provide(post(url, slack(message([entry(1)]))), outside))
    await until("it is let go", () => (open === 0 ? true : undefined))
    assert.isBelow(sent, 100 * 2 ** 20)
    server.close()
  })
})
