/**
 * What webhooks say is to be read again: once for each thing, whatever the copies.
 */
import { assert, describe, it } from "@effect/vitest"
import * as WebhookQueue from "../../../sync/pull/WebhookQueue.ts"
import { at, HOUR, machine } from "../Machine.ts"

describe("the webhook queue", () => {
  const delivery = (about: string, event: string, digest?: string) => ({
    about,
    event,
    ...(digest === undefined ? {} : { digest })
  })

  it("are one for each thing, whatever the copies and their order; what is delivered again while it is read is read again", async () => {
    const made = await machine("2026-06-01T00:00:00Z", [])
    const { db } = made
    const now = at("2026-06-01T00:00:00Z")
    assert.strictEqual(
      WebhookQueue.enqueue(db, "books", [delivery("source:a", "e1"), delivery("source:b", "e2")], now),
      2
    )
    assert.strictEqual(
      WebhookQueue.enqueue(db, "books", [delivery("source:b", "e2"), delivery("source:a", "e1")], now),
      0
    )
    assert.strictEqual(WebhookQueue.enqueue(db, "debits", [delivery("source:a", "e1")], now), 1)
    const waiting = WebhookQueue.waiting(db, "books", 10)
    assert.deepStrictEqual(
      waiting.map(({ about }) => about),
      ["source:a", "source:b"]
    )
    assert.strictEqual(WebhookQueue.enqueue(db, "books", [delivery("source:b", "e3")], now), 1)
    WebhookQueue.done(db, "books", waiting)
    assert.deepStrictEqual(WebhookQueue.waiting(db, "books", 10), [{ about: "source:b", n: 2 }])
    assert.strictEqual(WebhookQueue.count(db), 2)
    await made.close()
  })

  it("by content: a copy costs nothing, a change and a change back are queued, and old ones are forgotten", async () => {
    const made = await machine("2026-06-01T00:00:00Z", [])
    const { db } = made
    const take = (digest: string, now: number) =>
      WebhookQueue.enqueue(db, "books", [delivery("service:k", "k", digest)], now)
    assert.deepStrictEqual(
      [take("A", 0), take("A", 5), take("B", 6), take("A", 7), take("A", 8), take("A", HOUR)],
      [1, 0, 1, 1, 0, 1]
    )
    WebhookQueue.forget(db, 30 * 24 * HOUR)
    assert.strictEqual(db.prepare("SELECT count(*) FROM delivery").pluck().get(), 0)
    await made.close()
  })
})
