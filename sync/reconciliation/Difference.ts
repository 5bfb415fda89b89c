/**
 * A transaction or deferred payment as the service states it, beside what the ledger says of it: every difference in words, and the ledger
 * as it should be. Pure; `Audit.ts` reads the service and keeps what is decided here.
 */
import { Schema } from "effect"
import type { Transaction } from "../../core/insurance/Transactions.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { Day } from "../../core/wire/Day.ts"
import type { OrganisationId } from "../../core/wire/Ids.ts"
import type { Sight } from "../apply/DeferredPaymentReader.ts"
import type { Fields, Json, Posting, Told } from "../model/RemoteInvoice.ts"
import { isPaid, isReady, type OrderTold } from "../model/RemoteOrder.ts"
import { isPosting } from "../rules/Payments.ts"
import { equal, wire } from "../apply/ReadBack.ts"

/** A payment on the service (II 2.6). `details` is known where the payments were listed. */
export interface StatedPayment {
  readonly id: string
  readonly date: string | null
  readonly amount: Decimal.Decimal
  readonly details?: string | null
}

export interface Stated {
  readonly remote: string
  readonly subject: string
  readonly status: string
  readonly insured: boolean
  /** As the wire has it, amounts as text. */
  readonly body: Readonly<Record<string, unknown>>
  readonly payments: ReadonlyArray<StatedPayment>
}

/** One thing on which ledger and service do not agree; null where one of them has nothing. */
export interface Apart {
  readonly what: string
  readonly ledger: string | null
  readonly service: string | null
}

/** A transaction that names its owner, in place of one that holds it whole. */
export const unexpanded = (transaction: Transaction): Transaction => {
  const { owner } = transaction
  return owner === undefined || typeof owner === "string"
    ? transaction
    : { ...transaction, owner: String(owner["id"]) as OrganisationId }
}

export const stated = (transaction: Transaction, payments: ReadonlyArray<StatedPayment>): Stated => ({
  remote: transaction.id,
  subject: transaction.unique_id ?? "",
  status: transaction.status,
  insured: transaction.policy !== null && transaction.policy !== undefined,
  body: wire(transaction),
  payments
})

/** Whether the payments that the transaction itself lists are those of the ledger; only otherwise is more to be read. */
export const samePayments = (told: Told | undefined, payments: ReadonlyArray<StatedPayment> | undefined): boolean =>
  payments !== undefined &&
  payments.length === (told?.postings.length ?? 0) &&
  payments.every(({ amount, date, id }) => {
    const posting = told!.postings.find(({ remote }) => remote === id)
    return posting !== undefined && posting.amount === amount && posting.date === date
  })

const text = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value)

export const paymentText = ({
  amount,
  date
}: {
  readonly amount: Decimal.Decimal
  readonly date: string | null
}): string => `${Decimal.format(amount, 2)} on ${date ?? "no day"}`

export const differences = (told: Told, now: Stated): ReadonlyArray<Apart> => {
  const found: Array<Apart> = []
  const differ = (what: string, ledger: unknown, service: unknown) =>
    found.push({ what, ledger: text(ledger), service: text(service) })
  if (told.remote !== now.remote) differ("identifier", told.remote, now.remote)
  if (told.status !== now.status) differ("status", told.status, now.status)
  if (told.insured !== now.insured)
    differ("cover", told.insured ? "insured" : "not insured", now.insured ? "insured" : "not insured")
  for (const [name, value] of Object.entries(told.fields)) {
    const expected = told.stated?.[name] ?? value
    if (!equal(expected, now.body[name])) differ(name, expected, now.body[name])
  }
  for (const posting of told.postings) {
    const there = now.payments.find(({ id }) => id === posting.remote)
    if (there === undefined) differ(`payment ${posting.remote}`, paymentText(posting), null)
    else if (there.amount !== posting.amount || there.date !== posting.date)
      differ(`payment ${posting.remote}`, paymentText(posting), paymentText(there))
  }
  for (const payment of now.payments) {
    if (!told.postings.some(({ remote }) => remote === payment.id))
      differ(`payment ${payment.id}`, null, paymentText(payment))
  }
  return found
}

/** Payments on the service that carry no key of these books: somebody else reported them. */
export const foreign = (told: Told, { payments }: Stated): ReadonlyArray<StatedPayment> =>
  payments.filter(({ id }) => !told.postings.some(({ remote }) => remote === id))

const isDay = Schema.is(Day)

/**
 * The postings of a transaction from the payments that carry its facts' keys: `books/payment/P-1`, then `#2` and so on.
 * The second of a fact takes back the first, the third states it anew.
 */
const postings = (told: Told | undefined, now: Stated, payers: ReadonlyArray<string>): ReadonlyArray<Posting> =>
  now.payments.flatMap((payment): ReadonlyArray<Posting> => {
    const { amount, date, details, id } = payment
    if (!isDay(date)) return []
    const before = told?.postings.find((one) => one.remote === id)
    const key = before?.key ?? /^[^;]+/.exec(details ?? "")?.[0]
    if (key === undefined || !isPosting(before === undefined ? details : key, key)) return []
    const [, fact = "", n = "1"] = /^(.*?)(?:#(\d+))?$/.exec(key) ?? []
    // What the ledger has already is known, whoever paid.
    if (before === undefined && !payers.includes(fact.slice(0, fact.indexOf("/")))) return []
    return [{ key, fact, undo: Number(n) % 2 === 0, date, amount, remote: id }]
  })

const schedule = (value: unknown): Json =>
  (value as ReadonlyArray<{ readonly date: string; readonly amount: string }>).map(({ amount, date }) => ({
    date,
    amount
  }))

/**
 * The ledger as the service has it.
 *
 * @param sent the members that this connection sends: what the service adds by itself (a matched debtor) is not ours
 * @param payers the connections whose payments are for its invoices: itself, and what pays it
 */
export const adopt = (
  told: Told | undefined,
  now: Stated,
  sent: ReadonlyArray<string>,
  payers: ReadonlyArray<string>
): Told => {
  const names = told === undefined ? sent : Object.keys(told.fields)
  const fields: Record<string, Json> = {}
  for (const name of names) {
    const value = now.body[name] as Json | undefined
    // What was sent stays as it was written, where the service says the same in other words.
    if (told !== undefined && equal(told.fields[name]!, value)) fields[name] = told.fields[name]!
    else if (value !== null && value !== undefined)
      fields[name] = name === "scheduled_payments" ? schedule(value) : value
  }
  const paid = now.body["paid_date"]
  return {
    remote: now.remote,
    status: now.status,
    insured: now.insured,
    fields: fields as Fields,
    postings: postings(told, now, payers),
    ...(isDay(paid) ? { paidDate: paid } : {})
  }
}

const ORDER_MEMBERS = ["status", "open", "captured", "voided", "refunded", "expired"] as const

/** On what ledger and service do not agree of an order: of its deferred payment, or of whether there is one yet. */
export const orderDifferences = (told: OrderTold, { known, seen }: Sight): ReadonlyArray<Apart> => {
  const what = isPaid(told) ? "the deferred payment" : "the order"
  if (!known) return [{ what, ledger: told.remote, service: null }]
  if (seen === undefined) return []
  if (!isPaid(told)) return [{ what: "the deferred payment", ledger: null, service: seen.remote }]
  // What was sent since the service was last read leads to a status that only the service knows.
  const moved = told.stale && isReady(told) && isReady(seen)
  const names = ORDER_MEMBERS.filter((name) => told[name] !== seen[name] && !(moved && name === "status"))
  return names.map((name) => ({
    what: `${name} of ${told.remote}`,
    ledger: name === "status" ? told[name] : minor(told[name], told.currency),
    service: name === "status" ? seen[name] : minor(seen[name], seen.currency)
  }))
}

/** Minor units, in words. */
const minor = (units: string, currency: string): string =>
  Currency.say(Currency.ofMinor(BigInt(units), currency), currency)
