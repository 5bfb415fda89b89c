/** What a payer sent in the invoice's currency and the bank exchanged: that amount says which invoice it is for, and nobody is asked. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { inWorld } from "../InWorld.ts"
import { books, debits, matches, needs, received, take } from "../Paying.ts"

const TERN = { party: { name: "Tern & Sons" } }
const IN_DOLLARS = invoice({ id: "I1", number: "INV-101", gross: "1000.00", currency: "USD", ...TERN })
const OTHER = invoice({ id: "I2", number: "INV-102", gross: "250.00", currency: "USD", ...TERN })

const line = (sent: string, reference: string, currency = "USD") => ({
  ...received("D1", { amount: "790.12", reference, date: "2026-01-31", ...TERN }),
  instructed: { currency, amount: Decimal.of(sent) }
})

const outcome = (one: ReturnType<typeof line>, own: ReadonlyArray<ReturnType<typeof payment>> = []) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, [IN_DOLLARS, OTHER, ...own])
    yield* take(debits, [one])
    yield* Matching.run
    const { payments, waiting = [] } = invoiceFacts(db, "books/invoice/I1")
    return {
      counts: payments.map(({ amount, seen = [] }) => [Decimal.format(amount, 2), seen.length]),
      waits: waiting.length,
      placed: matches(db),
      asked: needs(db).length
    }
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

describe("a payment that a bank exchanged", () => {
  it.effect("is for what its text names, where that is what was sent", () =>
    Effect.gen(function* () {
      const found = yield* outcome(line("1000.00", "INV-101"))
      assert.deepStrictEqual(found, { counts: [["1000.00", 0]], waits: 0, placed: ["D1 → I1 1000.00"], asked: 0 })
      assert.deepStrictEqual((yield* outcome(line("1250.00", "INV-101 INV-102"))).placed, [
        "D1 → I1 1000.00",
        "D1 → I2 250.00"
      ])
    })
  )

  it.effect("is asked about where it is another amount or another customer's, or names nothing", () =>
    Effect.gen(function* () {
      const others = [line("900.00", "INV-101"), line("1000.00", "thanks"), line("1000.00", "INV-101", "CHF")]
      const foreign = { ...line("1000.00", "INV-101"), party: { name: "Otto Ltd" } }
      for (const one of [...others, foreign]) {
        const { asked, placed } = yield* outcome(one)
        assert.deepStrictEqual([asked, placed], [1, []])
      }
    })
  )

  it.effect("is the books' payment of that amount in that currency, and counts once", () =>
    Effect.gen(function* () {
      const entry = { ...payment("P1", { I1: "1000.00" }, "2026-02-02"), currency: "USD" }
      for (const text of ["INV-101", "thanks"]) {
        const { asked, counts, waits } = yield* outcome(line("1000.00", text), [entry])
        assert.deepStrictEqual([counts, waits, asked], [[["1000.00", 1]], 0, 0], text)
      }
    })
  )
})

describe("a payment that a bank exchanged and that is reported", () => {
  it("stays where it is once the books have it, too late to be sure that it is the same", () =>
    inWorld({ pays: true }, async (world) => {
      world.documents = [IN_DOLLARS]
      world.payments = [{ ...line("1000.00", "INV-101"), date: Day.of("2026-01-01") }]
      const counts = async () => {
        for (let n = 0; n < 2; n++) await world.sync()
        const ended = await world.life(
          Effect.flatMap(Database, (db) => db.read(() => invoiceFacts(db, "books/invoice/I1").payments))
        )
        return ended._tag === "Success" ? ended.value.map(({ amount, key }) => [key, Decimal.format(amount, 2)]) : []
      }
      assert.deepStrictEqual(await counts(), [["debits/payment/D1", "1000.00"]])
      world.documents = [IN_DOLLARS, { ...payment("P1", { I1: "1000.00" }, "2026-02-05"), currency: "USD" }]
      assert.deepStrictEqual(await counts(), [["debits/payment/D1", "1000.00"]])
    })())
})

describe("a payment that a bank exchanged without a word", () => {
  const own = (id: string, amount: string, date = "2026-01-30") => ({
    ...payment(id, { [id.replace("P", "I")]: amount }, date),
    currency: "USD"
  })
  const came = (id: string, amount: string, date = "2026-01-31", party = TERN.party) =>
    received(id, { amount, date, reference: "thanks", party })
  const bills = [IN_DOLLARS, OTHER, { ...OTHER, id: "I3", number: "INV-103" }]

  /** What is asked of each, once a person has said of the first of them what it pays. */
  const placed = (
    lines: ReadonlyArray<ReturnType<typeof came>>,
    entries = [own("P1", "1000.00"), own("P2", "250.00")]
  ) =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* take(books, [...bills, ...entries])
      yield* take(debits, lines)
      yield* Matching.run
      assert.lengthOf(needs(db), lines.length, "nothing is known of the rate")
      yield* db.transaction(() =>
        MatchChoices.choose(db, "debits/payment/D1", [{ invoice: "I1", amount: Decimal.of("1000.00") }], 0)
      )
      yield* Matching.run
      const { payments, waiting = [] } = invoiceFacts(db, "books/invoice/I1")
      assert.deepStrictEqual(
        [payments.map(({ seen = [] }) => seen.length), waiting],
        [[1], []],
        "nobody is asked twice"
      )
      return { db, asks: unplaced(db) }
    })

  /** What is asked once the books had time to enter it. */
  const unplaced = (db: Database["Service"]) =>
    db
      .prepare(
        "SELECT substr(d.key, 16) FROM matching m JOIN document d ON d.id = m.document WHERE m.why IS NOT NULL ORDER BY 1"
      )
      .pluck()
      .all()

  const inMemory = <A, E>(work: Effect.Effect<A, E, Database>) =>
    Effect.provide(work, Database.layer({ file: ":memory:", mode: "write" }))

  it.effect("is what the books have of its payer at about the rate of one that a person placed", () =>
    inMemory(
      Effect.gen(function* () {
        const { asks, db } = yield* placed([came("D1", "790.12"), came("D2", "200.50")])
        assert.deepStrictEqual(asks, [])
        const { payments } = invoiceFacts(db, "books/invoice/I2")
        assert.deepStrictEqual(
          payments.map(({ amount, key, seen = [] }) => [key, Decimal.format(amount, 2), seen.map((one) => one.key)]),
          [["books/payment/P2", "250.00", ["debits/payment/D2"]]]
        )
      })
    )
  )

  it.effect("is so though the books have it later", () =>
    inMemory(
      Effect.gen(function* () {
        const { asks, db } = yield* placed([came("D1", "790.12"), came("D2", "200.50")], [own("P1", "1000.00")])
        assert.deepStrictEqual(asks, ["D2"])
        yield* take(books, [own("P2", "250.00")])
        yield* Matching.run
        assert.deepStrictEqual(unplaced(db), [])
      })
    )
  )

  it.effect("is asked about at another rate, weeks apart, of another payer, and where two may be it", () =>
    inMemory(
      Effect.gen(function* () {
        const late = came("D3", "200.50", "2026-03-20")
        const others = [came("D2", "230.00"), late, came("D4", "200.50", "2026-01-31", { name: "Otto Ltd" })]
        const { asks, db } = yield* placed([came("D1", "790.12"), ...others])
        assert.deepStrictEqual(asks, ["D2", "D3", "D4"])
        yield* take(books, [own("P3", "255.00", "2026-01-29")])
        yield* take(debits, [came("D5", "200.50")])
        yield* Matching.run
        assert.deepStrictEqual(unplaced(db), ["D2", "D3", "D4", "D5"])
      })
    )
  )
})
