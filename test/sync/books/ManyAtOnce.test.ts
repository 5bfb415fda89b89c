/** A page of many documents leaves the books as pages of one each do, though some are there and some come twice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Intake } from "../../../sync/books/DocumentStore.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"

const read = (document: ReturnType<typeof invoice> | ReturnType<typeof payment>, n: number) => ({
  document,
  raw: `${n}`,
  origin: `b.csv:${n}`
})

/** In one scan "a" before: 7, 8, and 60. Then "b": 120 records, of which some are those, and some come again or changed. */
const BEFORE = ["7", "8", "60"].map((id, n) => read(invoice({ id }), n))
const LATER = Array.from({ length: 120 }, (_, n) =>
  n % 10 === 9
    ? read(payment(`P${n}`, { [`${n}`]: "5.00" }), n)
    : read(invoice({ id: `${n % 110 === 3 ? 2 : n}`, ...(n === 8 || n === 113 ? { gross: "7.00" } : {}) }), n)
)

const EDITED = read(invoice({ id: "20", gross: "9.00" }), 20)

const stored = (size: number) =>
  Effect.gen(function* () {
    const db = yield* Database
    const intake = new Intake(db, "books")
    const scan = (name: string, n: number, of: number) => ({ name, begins: n === 0, ends: n + size >= of })
    yield* intake.keep({ read: BEFORE, quarantined: [], bookmark: null, scan: scan("a", 0, 0) }, undefined)
    for (let n = 0; n < LATER.length; n += size) {
      const page = { read: LATER.slice(n, n + size), quarantined: [], bookmark: null }
      yield* intake.keep({ ...page, scan: scan("b", n, LATER.length) }, undefined)
    }
    // Read again: most are as they were, one came twice with nothing new, one twice with something, one is gone.
    const again = [...LATER.slice(0, 55), LATER[3]!, ...LATER.slice(55, 119), EDITED, LATER[20]!]
    for (let n = 0; n < again.length; n += size) {
      const page = { read: again.slice(n, n + size), quarantined: [], bookmark: null }
      yield* intake.keep({ ...page, scan: scan("b", n, again.length) }, undefined)
    }
    const tables = [
      "SELECT key, scan, n, deleted, body FROM document ORDER BY key",
      "SELECT d.key, v.n, v.deleted, v.body FROM version v JOIN document d ON d.id = v.document ORDER BY 1, 2",
      "SELECT invoice, d.key FROM allocation a JOIN document d ON d.id = a.document ORDER BY 1, 2",
      "SELECT subject, n FROM changed ORDER BY 1",
      "SELECT * FROM control ORDER BY 1, 2"
    ].map((sql) => db.prepare(sql).raw().all())
    return { counts: intake.counts, tables }
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

describe("a page of many documents", () => {
  it.effect("is stored as if each had come alone", () =>
    Effect.gen(function* () {
      const alone = yield* stored(1)
      assert.deepInclude(alone.counts, { read: 245, changed: 6, deleted: 1 })
      for (const size of [7, 50, 51, 60, 120]) assert.deepStrictEqual(yield* stored(size), alone, `pages of ${size}`)
    })
  )
})
