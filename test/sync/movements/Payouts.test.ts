/** Payouts of processors and the bank's lines: each cent is explained or named, and nobody is asked whose money they are. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Payment, Payout } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as PaymentStatement from "../../../sync/reconciliation/PaymentStatement.ts"
import * as Payouts from "../../../sync/reports/Payouts.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice } from "../../support/Documents.ts"
import { debits, matches, needs, received, take } from "../Paying.ts"

import { isOfBrand } from "../../../sync/model/PartyName.ts"
import { inMemory, payingOut as world, stripe } from "../PayingOut.ts"

type Db = Database["Service"]

const payout = (
  id: string,
  amount: string,
  more: Partial<Omit<Payout, "date">> & { readonly date?: string } = {}
): Payout => {
  const { date = "2026-02-02", ...rest } = more
  const items = [{ part: "collected", name: "charge", count: 1, amount: Decimal.of(amount) }] as const
  return {
    kind: "payout",
    id,
    currency: "GBP",
    amount: Decimal.of(amount),
    status: "paid",
    by: "Stripe",
    items,
    ...rest,
    date: Day.of(date)
  }
}

const STRIPE = { party: { name: "STRIPE PAYMENTS UK LTD" } }
const line = (id: string, amount: string, date: string, more: Partial<Payment> = {}) =>
  received(id, {
    amount,
    date,
    ...STRIPE,
    reference: "PAYOUT",
    ...more,
    ...(more.date === undefined ? { date } : {})
  } as never)

const TODAY = Day.of("2026-12-01")

/** What the report says of each payout: where it is, its lines, and why. */
const said = (db: Db, today = TODAY) =>
  Payouts.report(db, ["stripe"], today).payouts.map(
    ({ lines, payout, standing, why }) =>
      `${payout.slice(14)}: ${standing}${lines.length === 0 ? "" : ` as ${lines.map((one) => one.line.slice(15)).join(" and ")}`}${why === null ? "" : `, ${why}`}`
  )

/** The statement of the bank's lines: received, for invoices, payouts, and for none. */
const statement = (db: Db) =>
  PaymentStatement.statements(db, ["debits"]).map(({ differences, matched, notForInvoices, payouts, received }) => [
    received,
    matched,
    payouts,
    notForInvoices,
    differences.length
  ])

const cases: ReadonlyArray<{
  readonly name: string
  readonly payouts: ReadonlyArray<Payout>
  readonly lines: ReadonlyArray<Payment>
  readonly says: ReadonlyArray<string>
}> = [
  {
    name: "by what it says, whenever it comes and whatever else has its amount",
    payouts: [payout("po_1AbC23", "90.00")],
    lines: [line("L1", "90.00", "2026-02-02"), line("L2", "90.00", "2026-02-20", { reference: "po 1abc23" })],
    says: ["po_1AbC23: arrived as L2"]
  },
  {
    name: "by its end-to-end id",
    payouts: [payout("po_1AbC23", "90.00", { references: ["TRACE-778899"] })],
    lines: [line("L1", "90.00", "2026-02-20", { trace: "TRACE-778899", reference: "hello" })],
    says: ["po_1AbC23: arrived as L1"]
  },
  {
    name: "not by a longer number that has its own in it",
    payouts: [payout("po_1AbC23", "90.00", { references: ["ACME-123"] })],
    lines: [line("L1", "80.00", "2026-02-02", { party: { name: "Nobody" }, reference: "ACME-1234" })],
    says: ["po_1AbC23: in transit, the bank was read up to 2026-02-02"]
  },
  {
    name: "of one reference on all of them, by amount",
    payouts: ["90.00", "91.00"].map((amount, n) =>
      payout(`po_${n}`, amount, { references: ["ACME-2024"], date: `2026-02-0${n + 2}` })
    ),
    lines: [
      line("L1", "91.00", "2026-02-03", { reference: "ACME-2024" }),
      line("L2", "90.00", "2026-02-04", { reference: "ACME-2024" })
    ],
    says: ["po_1: arrived as L1", "po_0: arrived as L2"]
  },
  {
    name: "by amount from four days after its arrival no more",
    payouts: [payout("po_a", "90.00"), payout("po_b", "70.00")],
    lines: [line("L1", "90.00", "2026-02-06"), line("L2", "70.00", "2026-02-07")],
    says: ["po_a: arrived as L1", "po_b: missing, missing since 2026-02-02"]
  },
  {
    name: "of equal amounts in the order of days",
    payouts: [payout("po_a", "90.00"), payout("po_b", "90.00", { date: "2026-02-03" })],
    lines: [line("L1", "90.00", "2026-02-04"), line("L2", "90.00", "2026-02-03")],
    says: ["po_b: arrived as L1", "po_a: arrived as L2"]
  },
  {
    name: "several in one line",
    payouts: [payout("po_a", "90.00"), payout("po_b", "70.00", { date: "2026-02-03" })],
    lines: [line("L1", "160.00", "2026-02-04")],
    says: ["po_b: arrived as L1, one line with 1 more", "po_a: arrived as L1, one line with 1 more"]
  },
  {
    name: "one in several lines",
    payouts: [payout("po_a", "90.00")],
    lines: [line("L1", "50.00", "2026-02-03"), line("L2", "40.00", "2026-02-04")],
    says: ["po_a: arrived as L1 and L2, in 2 lines"]
  },
  {
    name: "less the bank's charge, which is named",
    payouts: [payout("po_a", "90.00"), payout("po_b", "40.00", { date: "2026-03-02" })],
    lines: [line("L1", "87.50", "2026-02-03"), line("L2", "40.00", "2026-03-03")],
    says: ["po_a: arrived as L1, short by 2.50 GBP", "po_b: arrived as L2"]
  },
  {
    name: "less a charge only if its payer is the processor: others have such names",
    payouts: [payout("po_a", "90.00"), payout("po_b", "40.00", { date: "2026-03-02" })],
    lines: [line("L1", "87.50", "2026-02-03", { party: { name: "Lena Stripe" } }), line("L2", "40.00", "2026-03-03")],
    says: ["po_a: missing, missing since 2026-02-02", "po_b: arrived as L2"]
  },
  {
    name: "never with a difference that no bank charges",
    payouts: [payout("po_a", "90.00"), payout("po_b", "40.00", { date: "2026-03-02" })],
    lines: [line("L1", "60.00", "2026-02-03"), line("L2", "40.00", "2026-03-03")],
    says: ["po_a: missing, missing since 2026-02-02", "po_b: arrived as L2"]
  },
  {
    name: "in the currency in which it arrives",
    payouts: [payout("po_a", "90.00", { settled: { currency: "EUR", amount: Decimal.of("104.13") } })],
    lines: [line("L1", "90.00", "2026-02-03"), line("L2", "104.13", "2026-02-03", { currency: "EUR" })],
    says: ["po_a: arrived as L2"]
  },
  {
    name: "not if it failed, or is taken from the bank",
    payouts: [payout("po_a", "90.00", { status: "failed" }), payout("po_b", "-5.00")],
    lines: [line("L1", "90.00", "2026-02-03")],
    says: [
      "po_a: failed, it did not arrive, and is back in the balance",
      "po_b: taken, the processor takes it from the bank account"
    ]
  }
]

describe("a payout", () => {
  for (const { lines, name, payouts, says } of cases)
    it.effect(`is tied to the bank's line ${name}`, () =>
      inMemory(
        Effect.map(world(payouts, lines), (db) => assert.deepStrictEqual(said(db).toSorted(), [...says].toSorted()))
      )
    )

  it.effect("is in transit until the bank was read past its days", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* world(
          [payout("po_a", "90.00")],
          [line("L1", "1.00", "2026-02-05", { party: { name: "Tax office" } })]
        )
        assert.deepStrictEqual(said(db, Day.of("2026-02-05")), ["po_a: in transit, due on 2026-02-02"])
        assert.deepStrictEqual(said(db), ["po_a: in transit, the bank was read up to 2026-02-05"])
        yield* take(debits, [line("L2", "1.00", "2026-02-09", { party: { name: "Tax office" } })])
        yield* Matching.run
        assert.deepStrictEqual(said(db), ["po_a: missing, missing since 2026-02-02"])
      })
    )
  )

  it.effect("has no bank where none is read", () =>
    inMemory(
      Effect.map(world([payout("po_a", "90.00")], []), (db) =>
        assert.deepStrictEqual(said(db), ["po_a: no bank, no bank's lines in GBP are read"])
      )
    )
  )
})

describe("a bank's line that is a payout", () => {
  const open = invoice({ id: "A-1", number: "A-1", gross: "90.00" })

  it.effect("is asked about by nobody, settled, and in a column of its own", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* world([payout("po_a", "90.00")], [line("L1", "90.00", "2026-02-03")], [open])
        assert.deepStrictEqual([needs(db), matches(db)], [[], []])
        assert.deepStrictEqual(statement(db), [["90.00", "0.00", "90.00", "0.00", 0]])
      })
    )
  )

  it.effect("is so as well if the payout is read after it, and no more once the payout is gone", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* world([], [line("L1", "90.00", "2026-02-03")], [open])
        assert.lengthOf(needs(db), 1)
        yield* take(stripe, [payout("po_a", "90.00")])
        yield* Matching.run
        assert.deepStrictEqual([needs(db), said(db)], [[], ["po_a: arrived as L1"]])
        yield* take(stripe, [], [payout("po_a", "90.00")])
        yield* Matching.run
        assert.lengthOf(needs(db), 1)
      })
    )
  )

  it.effect("is not what a customer paid, of whatever amount and day", () =>
    inMemory(
      Effect.gen(function* () {
        const party = { name: "Harbour Lane Bakery" }
        const db = yield* world(
          [payout("po_a", "90.00"), payout("po_b", "70.00")],
          [
            line("L1", "90.00", "2026-02-03", { party, reference: "thank you" }),
            line("L2", "70.00", "2026-02-03", { party: { name: "Somebody" }, reference: "A-2" })
          ],
          [open, invoice({ id: "A-2", number: "A-2", gross: "70.00", party: { name: "Quay Books" } })]
        )
        assert.deepStrictEqual(matches(db), ["L1 → A-1 90.00", "L2 → A-2 70.00"])
        assert.deepStrictEqual(said(db), [
          "po_a: in transit, the bank was read up to 2026-02-03",
          "po_b: in transit, the bank was read up to 2026-02-03"
        ])
      })
    )
  )

  it.effect("stays where a person put it", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* world([], [line("L1", "90.00", "2026-02-03")], [open])
        db.raw.exec(`INSERT INTO choice VALUES ('debits/payment/L1', '[["books/invoice/A-1","9000000000"]]', 0)`)
        yield* take(stripe, [payout("po_a", "90.00")])
        yield* Matching.run
        assert.deepStrictEqual(said(db), ["po_a: in transit, the bank was read up to 2026-02-03"])
      })
    )
  )

  it.effect("that no payout explains is told, and not asked about", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* world(
          [payout("po_a", "90.00")],
          [
            line("L1", "90.00", "2026-02-03"),
            line("L2", "12.00", "2026-02-03"),
            line("L3", "12.00", "2026-02-03", { party: { name: "Lena Stripe" } })
          ],
          [open]
        )
        assert.deepStrictEqual(
          needs(db).map((one) => one.slice(0, 17)),
          ["debits/payment/L3"]
        )
        assert.deepStrictEqual(Payouts.report(db, ["stripe"], TODAY).lines, [
          { line: "debits/payment/L2", date: Day.of("2026-02-03"), currency: "GBP", amount: "12.00" }
        ])
      })
    )
  )

  for (const name of ["Pinstripe Design", "Stripe Miller", "Bakers on Stripe Street", "A. Stripes"])
    it.effect(`is not what ${name} paid, who is not known yet: somebody is asked`, () =>
      inMemory(
        Effect.gen(function* () {
          const paid = line("L2", "88.00", "2026-02-03", { party: { name }, reference: "thank you" })
          const db = yield* world([payout("po_a", "90.00")], [paid], [open])
          assert.lengthOf(needs(db), 1)
          assert.deepStrictEqual(Payouts.report(db, ["stripe"], TODAY).lines, [])
          assert.deepStrictEqual(said(db), ["po_a: in transit, the bank was read up to 2026-02-03"])
        })
      )
    )

  it("is of a processor whose companies have names of their own, and of nobody whose name is like them", () => {
    const own = [
      ["Stripe", "STRIPE PAYMENTS UK LTD"],
      ["Stripe", "Stripe Technology Europe, Limited"],
      ["PayPal", "PayPal (Europe) S.à r.l. et Cie, S.C.A."],
      ["Mollie", "Stichting Mollie Payments"],
      ["Mollie", "Mollie B.V."],
      ["Adyen", "ADYEN N.V."],
      ["GoCardless", "GoCardless SAS"]
    ] as const
    assert.deepStrictEqual(
      own.filter(([brand, name]) => !isOfBrand(name, brand)),
      []
    )
    const others = [
      ["Mollie", "Mollie Smith"],
      ["Stripe", "Pinstripe Ltd"],
      ["Stripe", "Payments Europe Ltd"],
      ["Adyen", "Adyengo Services"]
    ] as const
    assert.deepStrictEqual(
      others.filter(([brand, name]) => isOfBrand(name, brand)),
      []
    )
  })

  it.effect("is of the owner of its connection only", () =>
    inMemory(
      Effect.gen(function* () {
        const db = yield* Database
        db.raw.exec(
          `INSERT INTO source (connection, owner) VALUES ('stripe', 'organisation a'), ('debits', 'organisation b')`
        )
        yield* world([payout("po_a", "90.00")], [line("L1", "90.00", "2026-02-03")], [open])
        assert.deepStrictEqual(said(db), ["po_a: no bank, no bank's lines in GBP are read"])
        assert.lengthOf(needs(db), 1)
      })
    )
  )
})
