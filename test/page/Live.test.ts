/** How far a run has come: counts, of what their reader may see, and gone when it ends. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { lines } from "../../cli/page/Live.ts"
import * as RunCounts from "../../sync/library/RunCounts.ts"

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
})
