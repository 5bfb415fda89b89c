/**
 * Lists as streams: every item once whatever the page size, and an end even where the service has none.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { Client, pages } from "../../core/Client.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import { ServiceError } from "../../core/ServiceError.ts"

let sandbox: Awaited<ReturnType<typeof startSandbox>>
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
})
afterAll(() => sandbox.close())

const connect = (key: string) =>
  Layer.build(Client.layer({ url: sandbox.url, key: Redacted.make(key) })).pipe(
    Effect.map((services) => Context.get(services, Client))
  )

describe("pages", () => {
  it.live("all items of the sandbox, across pages", () =>
    Effect.gen(function* () {
      const client = yield* connect("sandbox-key")
      const before = (yield* client.users.list({ query: { limit: 1 } })).count
      for (let i = 0; i < 5; i++) {
        const registered = "2024-02-29T12:00:00.000000Z"
        yield* client.users.create({ payload: { email: `someone-${i}@example.com`, name: "Someone", registered } })
      }
      for (const limit of [1, 2, before + 5, 100]) {
        const all = yield* Stream.runCollect(pages((query) => client.users.list({ query }), limit))
        assert.strictEqual(all.length, before + 5, `${limit} at a time`)
        assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
      }
    })
  )

  /** A service with items 0 to total - 1 that sends `most` at a time, and claims `count` of them. */
  const service = (total: number, most: number, count = total, clamped = false) => {
    const offsets: Array<number> = []
    const list = ({ limit, offset }: { readonly limit: number; readonly offset: number }) =>
      Effect.suspend(() => {
        offsets.push(offset)
        const size = Math.min(limit, most)
        const from = clamped ? Math.min(offset, Math.max(0, total - size)) : offset
        const results = Array.from({ length: Math.max(0, Math.min(size, total - from)) }, (_, i) => ({
          id: from + i,
          amount: 1n
        }))
        const more = clamped || from + results.length < total
        return Effect.succeed({ count, next: more ? "https://elsewhere.example/" : null, previous: null, results })
      })
    return { list, offsets }
  }

  it.live("every item once, in order, whatever the sizes", () =>
    Effect.gen(function* () {
      for (const total of [0, 1, 2, 9, 10, 11, 30]) {
        for (const [limit, most] of [
          [1, 1],
          [10, 10],
          [10, 3],
          [100, 7]
        ] as const) {
          const all = yield* Stream.runCollect(pages(service(total, most).list, limit))
          assert.deepStrictEqual(
            all.map(({ id }) => id),
            Array.from({ length: total }, (_, i) => i)
          )
        }
      }
    })
  )

  it.live("a service that repeats its last page for ever comes to an end", () =>
    Effect.gen(function* () {
      for (const count of [5, 6, 1_000_000]) {
        const { list, offsets } = service(5, 10, count, true)
        const all = yield* Stream.runCollect(pages(list, 5))
        assert.strictEqual(all.length, 5)
        assert.isAtMost(offsets.length, 2)
      }
    })
  )

  it.live("nothing more is asked for than is taken", () =>
    Effect.gen(function* () {
      const { list, offsets } = service(1000, 10)
      yield* Stream.runCollect(Stream.take(pages(list, 10), 15))
      assert.isAtMost(offsets.length, 3)
    })
  )

  it.live("a failure on the way is the stream's own", () =>
    Effect.gen(function* () {
      const client = yield* connect("wrong")
      const error = yield* Effect.flip(Stream.runCollect(pages((query) => client.users.list({ query }))))
      assert.instanceOf(error, ServiceError)
      assert.strictEqual(error.operation, "users.list")
    })
  )
})
