/** What a page works out of the books is worked out again once they change, and not before. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { rememberedSteps } from "../../cli/page/Remembered.ts"
import { Database } from "../../sync/state/Database.ts"

describe("a plan that is shown", () => {
  it.effect("is planned again after a write, with the next minute, or for another connection, and not otherwise", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const write = db.transaction(() => void db.prepare("UPDATE state SET clean = 1 - clean").run())
      let [times, size] = [0, 1]
      let meanwhile: Effect.Effect<unknown, unknown, never> = Effect.void
      const planned = rememberedSteps(
        (_, connection: { readonly id: string }) =>
          Effect.andThen(
            Effect.suspend(() => meanwhile),
            Effect.sync(() => ({ id: connection.id, time: ++times, size }))
          ),
        (value) => value.size < 5
      )
      const [books, shop] = [{ id: "books" }, { id: "shop" }]
      const time = (of: { readonly id: string }) => Effect.map(planned(db, of), (value) => value.time)
      assert.deepStrictEqual([yield* time(books), yield* time(books)], [1, 1])
      assert.deepStrictEqual([yield* time(shop), yield* time(books)], [2, 1])
      yield* write
      assert.deepStrictEqual([yield* time(books), yield* time(books)], [3, 3])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([yield* time(books), yield* time(books)], [4, 4])
      // What was read in part before a write and in part after it is shown once, and not kept.
      meanwhile = write
      yield* write
      assert.deepStrictEqual([yield* time(books), yield* time(books)], [5, 6])
      meanwhile = Effect.void
      size = 5
      assert.deepStrictEqual([yield* time(books), yield* time(books)], [7, 8])
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )
})
