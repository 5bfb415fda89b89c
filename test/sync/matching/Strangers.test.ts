/**
 * Money of payers who are no customers, which names nothing and has no invoice's amount: asked about together when the quarter is over, and
 * answered once for each payer. And money that the books have on account, about which nobody is asked twice.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Document } from "../../../connectors/Document.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { decideTogether, foresee } from "../../../sync/decisions/Together.ts"
import * as PaymentChoice from "../../../sync/decisions/PaymentChoice.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { BAKERY, books, debits, matches, needs, received, take } from "../Paying.ts"

const on = (day: string) => TestClock.setTime(Date.parse(day))
const memory = Database.layer({ file: ":memory:", mode: "write" })

/** The books have the first line. */
const HAD = [invoice(), payment("P1", "120.00", "2026-01-31")]
const FIRST = received("D1", { ...BAKERY, reference: "INV-1" })

const from = (id: string, name: string, reference: string, date: string, amount = "33.00") =>
  received(id, { party: { name }, reference, date, amount })

const run = (own: ReadonlyArray<Document>, others: ReadonlyArray<Document>) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, own)
    yield* take(debits, [FIRST, ...others])
    yield* Matching.run
    return needs(db).map((one) => one.slice(0, "debits/payment/D2 M3".length))
  })

const idsOf = (db: Database["Service"]) => AttentionStore.list(db).map(({ id }) => id)

const none = (ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const done = yield* db.transaction(() => PaymentChoice.chooseNone(db, ids, 0))
    yield* Matching.run
    return done
  })

const STRANGE = [
  from("D2", "Tax Office", "refund 2026", "2026-01-20"),
  from("D3", "Savings Bank", "interest", "2026-02-03"),
  from("D4", "Tax Office", "VAT", "2026-02-20", "44.00")
]

describe("what strangers pay", () => {
  it.effect("is asked about once the quarter is over in which the books might have had it", () =>
    Effect.gen(function* () {
      yield* on("2026-03-30")
      assert.deepStrictEqual(yield* run(HAD, STRANGE), [])
      yield* on("2026-04-01")
      assert.lengthOf(yield* run(HAD, STRANGE), 3)
    }).pipe(Effect.provide(memory))
  )

  it.effect(
    "is asked about as before where it names a number or is of a customer; of an invoice's amount it needs an answer of its own",
    () =>
      Effect.gen(function* () {
        const near = [
          from("D5", "Somebody", "order 4711", "2026-01-20"),
          from("D6", "Somebody", "thanks", "2026-01-20", "75.00"),
          received("D7", { ...BAKERY, reference: "thanks", date: "2026-01-20", amount: "12.00" })
        ]
        const own = [...HAD, invoice({ id: "I2", number: "INV-2", gross: "75.00", party: { name: "Otto" } })]
        yield* on("2026-02-26")
        assert.deepStrictEqual(yield* run(own, [...STRANGE, ...near]), ["debits/payment/D5 M3", "debits/payment/D7 M3"])
        const db = yield* Database
        const done = yield* none(idsOf(db))
        assert.match("why" in done ? done.why : "", /number \d+ needs an answer of its own: 33\.00 GBP/)
        assert.lengthOf(needs(db), 2, "nothing is saved")
        // Of what has an invoice's amount nobody is asked sooner, as the books may have it; but it needs an answer of its own.
        yield* on("2026-04-01")
        assert.lengthOf(yield* run(own, [...STRANGE, ...near]), 6)
        const foreseen = yield* db.read(() => foresee(db, [], { what: "none", ids: idsOf(db) }, 0))
        assert.deepStrictEqual([foreseen.items.length, foreseen.apart], [3, 3])
      }).pipe(Effect.provide(memory))
  )

  it.effect("is answered together, and for good of each payer: whatever is like it", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* on("2026-04-01")
      yield* run(HAD, STRANGE)
      const done = yield* none(idsOf(db))
      assert.deepStrictEqual(done, { payments: ["D2", "D3", "D4"].map((one) => `debits/payment/${one}`) })
      const later = [
        from("D8", "Tax Office", "trade tax", "2026-04-02", "7.00"),
        from("D9", "Tax Office", "INV-2", "2026-04-02", "7.50"),
        from("DA", "Tax Office", "thanks", "2026-04-02", "75.00")
      ]
      const own = [...HAD, invoice({ id: "I2", number: "INV-2", gross: "75.00", party: { name: "Otto" } })]
      yield* on("2026-09-01")
      const asks = yield* run(own, [...STRANGE, ...later])
      assert.deepStrictEqual(
        asks,
        ["debits/payment/D9 M2", "debits/payment/DA M3"],
        "one names an invoice, one has its amount"
      )
      // Its payer is a customer now.
      yield* run(
        [...own, invoice({ id: "I3", number: "INV-3", party: { name: "Tax Office" } })],
        [...STRANGE, ...later]
      )
      assert.include(needs(db).join(), "D8")
    }).pipe(Effect.provide(memory))
  )

  it.effect("is decided as it was shown, and what is no stranger's stays open", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* on("2026-04-01")
      yield* run(HAD, [...STRANGE, from("D5", "Somebody", "order 4711", "2026-01-20")])
      const several = { what: "none", ids: idsOf(db) } as const
      const shown = yield* db.read(() => foresee(db, [], several, 0))
      assert.deepStrictEqual([shown.items.length, shown.apart], [3, 1])
      assert.isUndefined(yield* db.transaction(() => decideTogether(db, [], several, "of another", 0)))
      assert.isDefined(yield* db.transaction(() => decideTogether(db, [], several, shown.digest, 0)))
      yield* Matching.run
      assert.deepStrictEqual(
        needs(db).map((one) => one.slice(0, "debits/payment/D5".length)),
        ["debits/payment/D5"]
      )
    }).pipe(Effect.provide(memory))
  )
})

describe("what the books have on account", () => {
  const again = received("D2", { ...BAKERY, reference: "INV-1", date: "2026-02-03" })
  const account = payment("P2", {}, "2026-02-04", { unallocated: FIRST.unallocated!, ...BAKERY })

  it.effect("is asked about by the books' item alone, as long as they have it so", () =>
    Effect.gen(function* () {
      yield* on("2026-06-01")
      assert.deepStrictEqual(yield* run([...HAD, account], [again]), ["books/payment/P2 P10"])
      yield* on("2026-08-01")
      assert.lengthOf(yield* run([...HAD, account], [again]), 1)
      const two = received("D3", { ...BAKERY, reference: "INV-1", date: "2026-02-05" })
      assert.lengthOf(yield* run([...HAD, account], [again, two]), 2, "the books have one of them")
    }).pipe(Effect.provide(memory))
  )

  it.effect("is theirs under a name that a bank cut", () =>
    Effect.gen(function* () {
      const party = { name: "Harbour Lane Bakery & Co. Ltd" }
      const cut = received("D2", { party: { name: "HARBOUR LANE BAKERY & CO. L" }, reference: "x", date: "2026-02-03" })
      yield* on("2026-06-01")
      assert.deepStrictEqual(yield* run([...HAD, { ...account, party }], [cut]), ["books/payment/P2 P10"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("is what its invoice received once they have it for one", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const second = invoice({ id: "I2", number: "INV-2" })
      yield* on("2026-06-01")
      yield* run([...HAD, second, account], [again])
      yield* run([...HAD, second, payment("P2", { I2: "120.00" }, "2026-02-04")], [again])
      assert.deepStrictEqual(matches(db), [])
      assert.lengthOf(db.prepare("SELECT 1 FROM sighting WHERE leader IS NOT NULL").all(), 2)
    }).pipe(Effect.provide(memory))
  )
})
