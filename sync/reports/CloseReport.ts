/** What a month's closing statement says, declared once for the command, the library and the HTTP interface. */
import { Schema } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import { grouped, plural } from "../../core/Plural.ts"

const money = (description: string) => Schema.String.annotate({ description })
const named = (identifier: string, description?: string) => ({
  identifier,
  ...(description === undefined ? {} : { description })
})

/** The month's sums: all but the balances are positive. */
export const Roll = Schema.Struct({
  opening: Schema.String,
  invoices: Schema.String,
  creditNotes: Schema.String,
  payments: Schema.String,
  reversals: Schema.String,
  closing: Schema.String
}).annotate(named("MonthSums", "opening + invoices - creditNotes - payments + reversals = closing"))
export type Roll = typeof Roll.Type

const sides = {
  connection: Schema.String,
  currency: Schema.String,
  books: Roll,
  service: Roll,
  source: Schema.NullOr(money("The closing balance by the source's own word; null if it states none")),
  unchecked: Schema.Int.annotate({
    description: "How many invoices have no balance stated by the source; the books' stands for it"
  })
}

export const MonthAccount = Schema.Struct(sides).annotate(named("MonthAccount"))
export type MonthAccount = typeof MonthAccount.Type

const CustomerAccount = Schema.Struct({
  ...sides,
  party: Schema.String.annotate({ description: "The customer's id in the source, or else name and country" }),
  customer: Schema.String
}).annotate(named("MonthOfCustomer"))

export const MonthDifference = Schema.Struct({
  document: Schema.String,
  connection: Schema.String,
  currency: Schema.String,
  customer: Schema.String,
  source: Schema.NullOr(money("What is open on the last day by the source's own word; null: it does not say it")),
  books: Schema.String,
  service: Schema.String,
  why: Schema.String,
  decided: Schema.Array(
    Schema.Struct({ at: Schema.String, who: Schema.NullOr(Schema.String), what: Schema.String })
  ).annotate({ description: "What people decided about it" })
}).annotate(named("MonthDifference"))
export type MonthDifference = typeof MonthDifference.Type

export const Late = Schema.Struct({
  document: Schema.String,
  connection: Schema.String,
  currency: Schema.String,
  date: Schema.String,
  was: money("What it added to what is open, as it was known when the month before was closed"),
  now: money("What it adds as it is known now"),
  read: Schema.String.annotate({ description: "When it was read as it is now" })
}).annotate(named("ReadLate"))
export type Late = typeof Late.Type

const Balances = Schema.Struct({ books: Schema.String, service: Schema.String })

export const Moved = Schema.Struct({
  connection: Schema.String,
  currency: Schema.String,
  closed: Balances,
  opens: Balances,
  late: money("How much of what the books open with otherwise was read late"),
  rest: money("How much is otherwise: matched with other invoices, or by another connection, currency or setting")
}).annotate(named("MonthMoved", "A month that opens with something else than the month before was closed at"))
export type Moved = typeof Moved.Type

export const Unmatched = Schema.Struct({
  connection: Schema.String,
  currency: money("Empty where the documents state none"),
  payments: Schema.Int,
  amount: money("What of them is for no known invoice")
}).annotate(named("UnmatchedOfMonth"))
export type Unmatched = typeof Unmatched.Type

export const MonthClosed = Schema.Struct({
  connection: Schema.String,
  at: Schema.String,
  who: Schema.String,
  digest: Schema.String.annotate({ description: "SHA-256 of the statement that was shown" })
}).annotate(named("MonthClosed"))
export type MonthClosed = typeof MonthClosed.Type

/** A month, such as `2026-10`. */
export const MonthName = Schema.String.check(Schema.isPattern(/^\d{4}-(?:0[1-9]|1[0-2])$/)).annotate({
  description: "A month",
  examples: ["2026-10"]
})

export const MonthReport = Schema.Struct({
  month: Schema.String,
  first: Schema.String,
  last: Schema.String,
  closed: Schema.Array(MonthClosed),
  accounts: Schema.Array(MonthAccount),
  customers: Schema.Array(CustomerAccount),
  differences: Schema.Array(MonthDifference),
  more: Schema.Int.annotate({ description: "How many more differences there are than the first thousand" }),
  late: Schema.Array(Late).annotate({
    description: "What was read of earlier months after the month before was closed"
  }),
  moreLate: Schema.Int,
  moved: Schema.Array(Moved),
  unmatched: Schema.Array(Unmatched).annotate({
    description: "Payments and credit notes until the last day of which the books have no invoice; they are in no sum"
  }),
  unplanned: Schema.Array(Schema.String).annotate({
    description:
      "Connections with invoices of which no plan was carried out yet, so that their scope is not known; they are in no sum"
  }),
  quarantined: Schema.Int.annotate({ description: "How many records could not be read; their amounts are in no sum" }),
  chain: Schema.optionalKey(Schema.Struct({ entry: Schema.Int, hash: Schema.String }))
}).annotate(named("MonthReport"))
export type MonthReport = typeof MonthReport.Type

/** How the month opens otherwise than the month before was closed. */
const moves = ({ closed, connection, currency, late, opens, rest }: Moved): string => {
  const say = ({ books, service }: Moved["closed"]) =>
    books === service ? Currency.group(books) : `${Currency.group(books)} (service ${Currency.group(service)})`
  const isSome = (amount: string) => /[1-9]/.test(amount)
  const parts = [
    ...(isSome(late) ? [`${Currency.group(late)} was read late`] : []),
    ...(isSome(rest)
      ? [`${Currency.group(rest)} is matched otherwise, or by another connection, currency or setting`]
      : [])
  ]
  const why = parts.length === 0 ? "" : ` In the books, ${parts.join(", and ")}.`
  return `${connection}, ${currency}: the month before was closed at ${say(closed)}, and this one opens with ${say(opens)}.${why}`
}

/** What is in no sum or in no list, and what is otherwise than it was closed, in words: beside every form of the statement. */
export const remarks = ({
  accounts,
  differences,
  late,
  more,
  moreLate,
  moved,
  quarantined,
  unmatched,
  unplanned
}: MonthReport): ReadonlyArray<string> => {
  const unstated = accounts.reduce((sum, { unchecked }) => sum + unchecked, 0)
  const listed = (what: string, first: number, rest: number) =>
    rest === 0 ? [] : [`Of ${grouped(first + rest)} ${what} only the first ${grouped(first)} are listed.`]
  return [
    ...unplanned.map(
      (one) => `${one}: none of its plans was carried out yet. Its invoices are in no sum, and it cannot be closed.`
    ),
    ...moved.map(moves),
    ...unmatched.map(
      ({ amount, connection, currency, payments }) =>
        `${connection}: ${plural(payments, "payment or credit note", "payments or credit notes")} of ${`${Currency.group(amount)} ${currency}`.trim()} in all ${payments === 1 ? "waits" : "wait"} for an invoice, and ${payments === 1 ? "is" : "are"} in no sum.`
    ),
    ...(quarantined > 0 ? [`${plural(quarantined, "record")} could not be read; their amounts are in no sum.`] : []),
    ...(unstated > 0
      ? [`The source states no balance of ${plural(unstated, "invoice")}; the books' stands for it.`]
      : []),
    ...listed("differences", differences.length, more),
    ...listed("documents that were read late", late.length, moreLate)
  ]
}
