/**
 * A transfer for several invoices of which the books have a payment for each, and the books' payment for several invoices that came in as
 * several: the same money is counted once and nobody is asked, whatever is read first. What is not all of it is asked about.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Document, Payment } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { answer } from "../../../sync/decisions/Movements.ts"
import * as Choices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { invoiceFacts } from "../../../sync/plan/Facts.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment, reversal } from "../../support/Documents.ts"
import { back, BAKERY, books, debits, matches, needs, received, take } from "../Paying.ts"

const INVOICES = [
  invoice({ number: "INV-101" }),
  invoice({ id: "I2", number: "INV-102", gross: "60.00" }),
  invoice({ id: "I3", number: "INV-103", gross: "40.00" }),
  invoice({ id: "I4", number: "INV-104", gross: "77.00" })
]
const EACH = [
  payment("P1", { I1: "120.00" }, "2026-02-01"),
  payment("P2", { I2: "60.00" }, "2026-02-01"),
  payment("P3", { I3: "40.00" }, "2026-02-01")
]
const BATCH = payment("P9", { I1: "120.00", I2: "60.00", I3: "40.00" }, "2026-02-01")
const NAMES = "INV-101 INV-102 INV-103"
const came = (id: string, amount: string, reference: string, date = "2026-01-31"): Payment =>
  received(id, { ...BAKERY, amount, reference, date })

interface Step {
  readonly own?: ReadonlyArray<Document>
  readonly others?: ReadonlyArray<Document>
  readonly gone?: ReadonlyArray<Document>
}

const step = ({ gone = [], others = [], own = [] }: Step) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, own, gone)
    yield* take(debits, others)
    db.prepare("UPDATE bookmark SET reading = 0").run()
    yield* Matching.run
    assert.isUndefined(db.prepare("SELECT 1 FROM to_match").get(), "it comes to an end")
  })

/** What counts on each invoice, what waits there, and what a person is asked. */
const outcome = (steps: ReadonlyArray<Step>, after: Effect.Effect<void, unknown, Database> = Effect.void) =>
  Effect.gen(function* () {
    const db = yield* Database
    for (const one of steps) yield* step(one)
    yield* after
    const counts = ["I1", "I2", "I3", "I4"].map((id) => {
      const { payments, waiting = [] } = invoiceFacts(db, `books/invoice/${id}`)
      return [Decimal.format(Decimal.sum(payments.map(({ amount }) => amount)), 2), waiting.length]
    })
    return { counts, placed: matches(db), asks: needs(db) }
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

const ONCE = [
  ["120.00", 0],
  ["60.00", 0],
  ["40.00", 0],
  ["0.00", 0]
]

/** Everything at once, in two parts, and one by one. */
const orders = (own: ReadonlyArray<Document>, others: ReadonlyArray<Document>): ReadonlyArray<ReadonlyArray<Step>> => [
  [{ own: [...INVOICES, ...own], others }],
  [{ own: INVOICES }, { others }, { own }],
  [{ own: INVOICES }, ...others.map((one) => ({ others: [one] })), ...own.toReversed().map((one) => ({ own: [one] }))]
]

const settled: ReadonlyArray<readonly [what: string, own: ReadonlyArray<Document>, others: ReadonlyArray<Document>]> = [
  ["a transfer that names them", EACH, [came("D1", "220.00", NAMES)]],
  ["a transfer that names them in short", EACH, [came("D1", "220.00", "INV-101/02/03")]],
  ["a transfer that names none of them", EACH, [came("D1", "220.00", "January")]],
  [
    "booked on several days",
    [...EACH.slice(0, 2), payment("P3", { I3: "40.00" }, "2026-02-03")],
    [came("D1", "220.00", "January")]
  ],
  [
    "one booking that came as several, named",
    [BATCH],
    [came("D1", "120.00", "INV-101"), came("D2", "100.00", "INV-102, INV-103")]
  ],
  [
    "booked whole, of which a bank took a fee, named",
    EACH,
    [came("D1", "116.00", "INV-101"), came("D2", "100.00", "x")]
  ],
  [
    "booked whole, of which a bank took a fee, unnamed",
    EACH,
    [came("D1", "116.00", "x"), came("D2", "100.00", "INV-102 INV-103")]
  ],
  [
    "a line of a bank without a customer for all of a day",
    EACH,
    [{ ...came("D1", "220.00", "batch 77"), party: { name: "Own Company" } }]
  ],
  [
    "a line of a bank without any name for all of a day",
    EACH,
    [received("D1", { amount: "220.00", reference: "batch 77" })]
  ],
  [
    "one booking that came as several, unnamed",
    [BATCH],
    ["120.00", "60.00", "40.00"].map((one, n) => came(`D${n}`, one, "x"))
  ]
]

describe("money that one list states whole and the books in parts", () => {
  for (const [what, own, others] of settled)
    for (const [n, steps] of orders(own, others).entries())
      it.effect(`counts once: ${what}, order ${n + 1}`, () =>
        Effect.gen(function* () {
          const { asks, counts } = yield* outcome(steps)
          assert.deepStrictEqual(asks, [])
          assert.deepStrictEqual(counts, ONCE)
        })
      )

  it.effect("counts once where the bank says of how many it is, and the books have one or two more of that day", () =>
    Effect.gen(function* () {
      const line = (reference: string) => [{ ...came("D1", "220.00", reference), party: { name: "Own Company" } }]
      const cash = payment("P4", { I4: "77.00" }, "2026-02-01")
      const [more, of] = [
        ["77.00", 0],
        (text: string) => outcome([{ own: [...INVOICES, ...EACH, cash], others: line(text) }])
      ]
      const found = yield* of("SAMMLER ANZAHL 3")
      assert.deepStrictEqual([found.counts, found.asks], [[...ONCE.slice(0, 3), more], []])
      // The same where it is of one alone, and where somebody said of another such line whose it was.
      const one = [{ ...came("D2", "77.00", "SAMMLER ANZAHL 1"), party: { name: "Own Company" } }]
      const alone = yield* outcome([{ own: [...INVOICES, ...EACH, cash], others: one }])
      assert.deepStrictEqual([alone.counts[3], alone.asks], [more, []])
      const said = Effect.gen(function* () {
        const db = yield* Database
        const chosen = Choices.choose(db, "debits/payment/D2", [{ invoice: "INV-104" }], 0)
        assert.notProperty(chosen, "why")
        yield* Matching.run
      })
      const theirs = invoice({ id: "I4", number: "INV-104", gross: "77.00", party: { name: "Otto Ltd" } })
      const other = { own: [...INVOICES.slice(0, 3), theirs, ...EACH], others: [...line("SAMMLER ANZAHL 3"), ...one] }
      const after = yield* outcome([other], said)
      assert.deepStrictEqual([after.counts, after.asks], [[...ONCE.slice(0, 3), more], []])
      for (const text of ["SAMMLER", "SAMMLER ANZAHL 2"]) assert.lengthOf((yield* of(text)).asks, 1, text)
    })
  )

  it.effect("counts once whatever is decided again together, of several lines of one day", () =>
    Effect.gen(function* () {
      const ids = ["1", "2", "3", "4", "5", "6", "7"]
      const own = ids.map((n) => invoice({ id: `I${n}`, number: `INV-${n}`, gross: `${n}0.00` }))
      const entry = (n: string) => payment(`P${n}`, { [`I${n}`]: `${n}0.00` }, "2026-02-01")
      const line = (id: string, amount: string, count: number) => ({
        ...came(id, amount, `SAMMLER ANZAHL ${count}`),
        party: { name: "Own Company" }
      })
      const stranger = received("D3", { amount: "7.77", party: { name: "Tax Office" } })
      const again = Effect.gen(function* () {
        Choices.choose(yield* Database, "debits/payment/D3", [], 0)
        yield* Matching.run
      })
      const first = { own: [...own, ...ids.slice(0, 3).map(entry)], others: [line("D1", "60.00", 3), stranger] }
      const second = { own: ids.slice(3).map(entry), others: [line("D2", "220.00", 4)] }
      const { asks } = yield* outcome([first, second], again)
      assert.deepStrictEqual(asks, [])
    })
  )

  it.effect("counts once where a bank took its fee of another payment of that day", () =>
    Effect.gen(function* () {
      const others = [
        { ...came("D1", "220.00", "batch 77"), party: { name: "Own Company" } },
        came("D2", "73.00", "INV-104")
      ]
      const own = [...EACH, payment("P4", { I4: "77.00" }, "2026-02-01")]
      const { asks, counts } = yield* outcome([{ own: [...INVOICES, ...own], others }])
      assert.deepStrictEqual([counts.slice(0, 3), asks], [ONCE.slice(0, 3), []])
    })
  )

  it.effect("of two such transfers, one is asked about, whether they name the invoices or not", () =>
    Effect.gen(function* () {
      for (const text of [NAMES, "January"]) {
        const others = [came("D1", "220.00", text), came("D2", "220.00", text, "2026-02-02")]
        for (const steps of orders(EACH, others)) {
          const { asks, counts } = yield* outcome(steps)
          assert.deepStrictEqual(counts, ONCE)
          assert.lengthOf(asks, text === NAMES ? 1 : 2, `${text}: ${asks.join("\n")}`)
        }
      }
    })
  )

  it.effect("counts once where the bank cut the text and it names only some of it", () =>
    Effect.gen(function* () {
      for (const steps of orders(EACH, [came("D1", "220.00", "Invoice INV-101 INV-102 INV-1")])) {
        const { asks, counts } = yield* outcome(steps)
        assert.deepStrictEqual([counts, asks], [ONCE, []])
      }
    })
  )

  it.effect(
    "is asked about where the books do not have all of it, where it is too far apart, or where a person said otherwise",
    () =>
      Effect.gen(function* () {
        const late = EACH.map((one) => ({ ...one, date: "2026-03-05" as Payment["date"] }))
        for (const text of ["INV-101", "January"]) {
          const { asks } = yield* outcome([{ own: [...INVOICES, ...EACH], others: [came("D1", "88.00", text)] }])
          assert.lengthOf(asks, 1, text)
        }
        for (const text of [NAMES, "January"]) {
          const others = [came("D1", "220.00", text)]
          const cases = [
            [{ own: [...INVOICES, ...EACH.slice(0, 2), payment("P3", { I3: "39.00" }, "2026-02-01")], others }],
            [{ own: [...INVOICES, ...late], others }],
            [
              {
                own: [
                  ...INVOICES,
                  ...EACH,
                  reversal("R2", { I2: "60.00" }, "error", { payment: "P2", date: "2026-02-02" })
                ],
                others
              }
            ]
          ]
          for (const steps of cases) {
            const { asks, counts } = yield* outcome(steps)
            assert.equal(
              counts.reduce((sum, [, waiting]) => sum + Number(waiting), asks.length),
              1,
              text
            )
          }
          const apart = Effect.gen(function* () {
            const db = yield* Database
            yield* db.transaction(() =>
              answer(db, { payment: "debits/payment/D1", like: ["books/payment/P2"] }, { same: undefined }, 0)
            )
            yield* Matching.run
          })
          assert.lengthOf((yield* outcome([{ own: [...INVOICES, ...EACH], others }], apart)).asks, 1, text)
        }
      })
  )

  it.effect("is asked about again once the books take one of its payments away, and what they state is believed", () =>
    Effect.gen(function* () {
      for (const text of [NAMES, "January"]) {
        const { asks, counts } = yield* outcome([
          { own: [...INVOICES, ...EACH], others: [came("D1", "220.00", text)] },
          { gone: [payment("P2", { I2: "60.00" }, "2026-02-01")] }
        ])
        // A transfer that names its invoices says itself what it is for.
        assert.lengthOf(asks, text === NAMES ? 0 : 1, text)
        assert.deepStrictEqual(counts, text === NAMES ? ONCE : ONCE.with(1, ["0.00", 0]))
      }
    })
  )

  it.effect("takes what goes back of it to the same invoices, and a part of it to a person", () =>
    Effect.gen(function* () {
      const lists = [NAMES, "January"].flatMap((text) => orders(EACH, [came("D1", "220.00", text)]))
      for (const steps of lists) {
        const all = yield* outcome([...steps, { others: [back("B1", "D1", { amount: "220.00" })] }])
        const returned = all.placed.filter((one) => one.startsWith("B1"))
        assert.deepStrictEqual(returned, ["B1 → I1 120.00", "B1 → I2 60.00", "B1 → I3 40.00"])
        const part = yield* outcome([...steps, { others: [back("B1", "D1", { amount: "50.00" })] }])
        assert.match(
          part.asks.join("\n"),
          /^debits\/reversal\/B1 M5: [^\n]*part of a payment for several invoices went back[^\n]*$/
        )
      }
    })
  )

  it.effect("where it may be the same, the item names the answers that end it", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const booked = payment("P1", { I1: "120.00" }, "2026-02-25")
      yield* step({ own: [...INVOICES, booked], others: [came("D1", "120.00", "INV-101")] })
      const todo = db.prepare("SELECT todo FROM attention WHERE closed IS NULL AND rule = 'V1'").pluck().all()
      assert.match(
        todo.join("\n"),
        /^say whether it is the same money: [^\n]*--same-as KEY, or --apart[^\n]*--invoice[^\n]*$/
      )
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )
})
