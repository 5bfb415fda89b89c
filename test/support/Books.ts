/**
 * Generates small random books, for property tests of histories.
 *
 * Two invoices, three payments, two reversals and two credit notes, with few days and few amounts, so that histories collide:
 * sums equal totals, and what one step states the next step edits, moves, deletes or restores.
 */
import { Arbitrary, Schema } from "effect"
import type { CreditNote, Document, Instalment, Invoice, Payment, Reversal } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Planning } from "../../sync/model/Connection.ts"
import type { InvoiceFacts } from "../../sync/model/InvoiceFacts.ts"
import { about, day, planning } from "./Documents.ts"

/** The source's documents at one moment. */
export interface Books {
  readonly documents: ReadonlyArray<Document>
  /** Invoices that were deleted in the source, which the books remember. */
  readonly deleted: ReadonlyArray<string>
  /** The company that a user chose for the parties without one. */
  readonly match: string | undefined
}

/** One step of a history. */
export interface Step {
  readonly books: Books
  /** The invoice for which cover was bought before the step. */
  readonly insure: string | undefined
  /** How many calls of its plan are sent before the next step; more than the plan has means all. */
  readonly made: number
}

export interface History {
  readonly planning: Planning
  readonly steps: ReadonlyArray<Step>
}

export const oneOf = <const A>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(Arbitrary.schema(Schema.Literals(values.map((_, i) => i))), (i) => values[i]!)

export const INVOICES = ["I1", "I2"] as const
const DAYS = [day("2026-01-01"), day("2026-01-15"), day("2026-02-28"), day("2026-03-31")] as const
const PARTIES = [
  { id: "c1", name: "Harbour Lane Bakery", country: "GB" },
  { id: "c1", name: "Harbour Lane Bakery Ltd", country: "GB", regnum: "10000000" },
  { id: "c1", name: "Harbour Lane Bakery", country: "GB", company: "co-1000" },
  { id: "c2", name: "Brightwater Foods", company: "co-1001" }
] as const

/** Hundredths of a unit, or whole units if the currency has no decimals: never more than two places. */
const amount = (n: number, currency: string): Decimal =>
  BigInt(n) * (Currency.decimals(currency) === 0 ? 10n ** 8n : 10n ** 6n)

/** Ways to split a total into instalments. */
const splits: ReadonlyArray<(total: number) => ReadonlyArray<number>> = [
  () => [],
  (total) => [total],
  (total) => [1, total - 1],
  (total) => [Math.floor(total / 3), Math.floor(total / 3), total - 2 * Math.floor(total / 3)]
]

const schedule = (total: number, split: number, currency: string): ReadonlyArray<Instalment> =>
  total < 3
    ? []
    : splits[split]!(total).map((part, i) => ({ date: DAYS[Math.min(i + 1, 3)]!, amount: amount(part, currency) }))

const invoices = (id: string, currency: string): Arbitrary.Arbitrary<Invoice> =>
  Arbitrary.all({
    status: oneOf("open", "open", "open", "paid", "draft", "void"),
    total: oneOf(100, 150, 300, 1, 0),
    amounts: oneOf("both", "both", "gross", "net"),
    split: oneOf(0, 1, 2, 3),
    due: oneOf(DAYS[2], DAYS[3]),
    party: oneOf<Invoice["party"]>(...PARTIES),
    number: oneOf("A-1", "A-1", "A-2"),
    paidOn: oneOf(undefined, DAYS[1]),
    note: oneOf(undefined, undefined, "north")
  }).pipe(
    Arbitrary.map(({ amounts, due, note, number, paidOn, party, split, status, total }): Invoice => {
      // In a currency with three decimals, the net amount is in whole hundredths only if it is given alone.
      const net = amounts === "net" || (amounts === "both" && currency !== "KWD")
      const gross = amounts !== "net"
      const instalments = schedule(total, split, currency)
      return {
        kind: "invoice",
        id,
        number,
        status,
        party,
        currency,
        issued: DAYS[0],
        due,
        ...(net ? { net: amount(gross ? total - Math.floor(total / 6) : total, currency) } : {}),
        ...(gross ? { gross: amount(total, currency) } : {}),
        ...(instalments.length === 0 ? {} : { schedule: instalments }),
        ...(paidOn !== undefined && status === "paid" ? { paidOn } : {}),
        ...(note === undefined ? {} : { metadata: { region: note } })
      }
    })
  )

type Shares = ReadonlyArray<{ readonly invoice: string; readonly amount: Decimal }>

const shares = (currency: string, ...amounts: ReadonlyArray<number>): Arbitrary.Arbitrary<Shares> =>
  Arbitrary.all({ amount: oneOf(...amounts), to: oneOf("I1", "I1", "I1", "I2", "both") }).pipe(
    Arbitrary.map(({ amount: n, to }) =>
      (to === "both" ? INVOICES : [to]).map((invoice) => ({ invoice, amount: amount(n, currency) }))
    )
  )

/** A document that exists in half of the books. */
const sometimes = <A>(one: Arbitrary.Arbitrary<A>): Arbitrary.Arbitrary<A | undefined> =>
  Arbitrary.map(Arbitrary.all([one, oneOf(true, false)]), ([document, there]) => (there ? document : undefined))

const payments = (id: string, currency: string): Arbitrary.Arbitrary<Payment> =>
  Arbitrary.map(
    Arbitrary.all({ date: oneOf(...DAYS), shares: shares(currency, 50, 100, 150, 1), bank: oneOf(true, false) }),
    ({ bank, date, shares }): Payment => ({ kind: "payment", id, date, shares, ...(bank ? { method: "bank" } : {}) })
  )

const reversals = (id: string, currency: string): Arbitrary.Arbitrary<Reversal> =>
  Arbitrary.map(
    Arbitrary.all({
      date: oneOf(...DAYS),
      shares: shares(currency, 50, 100, 1),
      payment: oneOf("P1", "P2", undefined, "nobody"),
      type: oneOf("chargeback", "refund", "error", "unknown", "other"),
      details: oneOf(undefined, "account closed")
    }),
    ({ date, details, payment, shares, type }): Reversal => ({
      kind: "reversal",
      id,
      date,
      shares,
      type,
      ...(payment === undefined ? {} : { payment }),
      ...(details === undefined ? {} : { details, providerCode: "AC04" })
    })
  )

const creditNotes = (id: string, currency: string): Arbitrary.Arbitrary<CreditNote> =>
  Arbitrary.map(
    Arbitrary.all({ date: oneOf(...DAYS), shares: shares(currency, 50, 33, 1, 200) }),
    ({ date, shares }): CreditNote => ({ kind: "credit_note", id, date, shares })
  )

const books = (currency: string): Arbitrary.Arbitrary<Books> =>
  Arbitrary.all({
    first: invoices("I1", currency),
    second: sometimes(invoices("I2", currency)),
    payments: Arbitrary.all(["P1", "P2", "P3"].map((id) => sometimes(payments(id, currency)))),
    reversals: Arbitrary.all(["R1", "R2"].map((id) => sometimes(reversals(id, currency)))),
    creditNotes: Arbitrary.all(["C1", "C2"].map((id) => sometimes(sometimes(creditNotes(id, currency))))),
    deleted: oneOf<ReadonlyArray<string>>([], [], [], [], ["I1"]),
    match: oneOf(undefined, undefined, "co-1002")
  }).pipe(
    Arbitrary.map(({ creditNotes, first, deleted, match, payments, reversals, second }) => ({
      documents: [first, second, ...payments, ...reversals, ...creditNotes].filter((one) => one !== undefined),
      deleted,
      match
    }))
  )

const plannings: Arbitrary.Arbitrary<Planning> = Arbitrary.map(
  Arbitrary.all({
    drafts: oneOf(true, true, false),
    report_paid: oneOf(true, true, false),
    creditor: oneOf(true, false)
  }),
  ({ creditor, drafts, report_paid }) => ({
    ...planning,
    scope: { drafts },
    report_paid,
    ...(creditor ? { creditor: { name: "Seller Ltd", country: "GB" } } : {})
  })
)

/** Up to three states of one source, each applied in part or completely before the next. */
export const histories: Arbitrary.Arbitrary<History> = Arbitrary.flatMap(
  oneOf("GBP", "GBP", "JPY", "KWD"),
  (currency) =>
    Arbitrary.all({
      planning: plannings,
      steps: Arbitrary.array(
        Arbitrary.all({
          books: books(currency),
          insure: oneOf(undefined, undefined, "I1", "I2"),
          made: oneOf(99, 99, 0, 1, 2, 3)
        }),
        { minLength: 1, maxLength: 3 }
      )
    })
)

/** The facts about each invoice. */
export const subjects = ({ documents, deleted, match }: Books): ReadonlyArray<InvoiceFacts> =>
  INVOICES.map((id) => {
    const said = about(documents, id)
    return {
      ...said,
      deleted: said.invoice !== undefined && deleted.includes(id),
      ...(match === undefined ? {} : { match })
    }
  })
