/**
 * Compares a transaction or deferred payment as the service states it with the ledger: every difference in words, and the
 * corrected ledger entry. Pure; `Audit.ts` reads the service and stores the result.
 */
import { Schema } from "effect"
import type { Transaction } from "../../core/insurance/Transactions.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { Day } from "../../core/wire/Day.ts"
import type { OrganisationId } from "../../core/wire/Ids.ts"
import type { PaymentReading } from "../apply/DeferredPaymentReader.ts"
import type { Fields, Json, ReportedPayment, RemoteInvoice } from "../model/RemoteInvoice.ts"
import { isPaid, isReady, type RemoteOrder } from "../model/RemoteOrder.ts"
import { isPosting } from "../rules/Payments.ts"
import { equal, onWire, wire } from "../apply/ReadBackValues.ts"

/** A payment on the service (II 2.6). `details` is known if the payments were listed. */
export interface ServicePayment {
  readonly id: string
  readonly date: string | null
  readonly amount: Decimal.Decimal
  readonly details?: string | null
}

export interface ServiceTransaction {
  readonly id: string
  readonly subject: string
  readonly status: string
  readonly insured: boolean
  /** In the format of the wire, with amounts as text. */
  readonly body: Readonly<Record<string, unknown>>
  /** One member of it: of most transactions, few are looked at. */
  readonly member: (name: string) => unknown
  readonly payments: ReadonlyArray<ServicePayment>
}

/** One difference between ledger and service; null if one of them has nothing. */
export interface FieldDifference {
  readonly what: string
  readonly ledger: string | null
  readonly service: string | null
}

/** Fields that are always compared, whatever the books would send. */
export const ALWAYS = [
  "unique_id",
  "number",
  "currency",
  "gross_amount",
  "issue_date",
  "due_date",
  "scheduled_payments"
]

/** The connection that a transaction's key names. */
export const nameIn = ({ unique_id: key }: Transaction): string => key?.slice(0, key.indexOf("/")) ?? ""

/** A transaction with its owner's identifier in place of the expanded owner. */
export const unexpanded = (transaction: Transaction): Transaction => {
  const { owner } = transaction
  return owner === undefined || typeof owner === "string"
    ? transaction
    : { ...transaction, owner: String(owner["id"]) as OrganisationId }
}

export const serviceTransaction = (
  transaction: Transaction,
  payments: ReadonlyArray<ServicePayment>
): ServiceTransaction => {
  let body: ServiceTransaction["body"] | undefined
  return {
    id: transaction.id,
    subject: transaction.unique_id ?? "",
    status: transaction.status,
    insured: transaction.policy !== null && transaction.policy !== undefined,
    get body() {
      return (body ??= wire(transaction))
    },
    member: (name) => (Object.hasOwn(transaction, name) ? onWire(transaction[name]) : undefined),
    payments
  }
}

/** The payments that a transaction lists. */
export const listed = (payments: Transaction["payments"]): ReadonlyArray<ServicePayment> | undefined =>
  payments?.map(({ amount, date, id }) => ({ id, amount, date: date ?? null }))

/** Whether the payments listed in the transaction match the ledger; only if not, more must be read. */
export const samePayments = (
  remote: RemoteInvoice | undefined,
  payments: ReadonlyArray<ServicePayment> | undefined
): payments is ReadonlyArray<ServicePayment> =>
  payments !== undefined &&
  payments.length === known(remote).length &&
  payments.every(({ amount, date, id }) => {
    const before = known(remote).find((one) => one.id === id)
    return before !== undefined && before.amount === amount && before.date === date
  })

/** The payments on a transaction that the ledger knows of: those that were reported, and those of others. */
const known = (remote: RemoteInvoice | undefined): ReadonlyArray<Pick<ServicePayment, "id" | "date" | "amount">> => [
  ...(remote?.postings ?? []),
  ...(remote?.others ?? []).map(({ amount, ...one }) => ({ ...one, amount: Decimal.of(amount) }))
]

const text = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value)

export const paymentText = ({
  amount,
  date
}: {
  readonly amount: Decimal.Decimal
  readonly date: string | null
}): string => `${Decimal.format(amount, 2)} on ${date ?? "no day"}`

export const differences = (remote: RemoteInvoice, now: ServiceTransaction): ReadonlyArray<FieldDifference> => {
  const found: Array<FieldDifference> = []
  const differ = (what: string, ledger: unknown, service: unknown) =>
    found.push({ what, ledger: text(ledger), service: text(service) })
  if (remote.id !== now.id) differ("identifier", remote.id, now.id)
  if (remote.status !== now.status) differ("status", remote.status, now.status)
  if (remote.insured !== now.insured)
    differ("cover", remote.insured ? "insured" : "not insured", now.insured ? "insured" : "not insured")
  for (const [name, value] of Object.entries(remote.fields)) {
    const expected = remote.stated?.[name] ?? value
    const stated = now.member(name)
    if (!equal(expected, stated)) differ(name, expected, stated)
  }
  for (const posting of known(remote)) {
    const there = now.payments.find(({ id }) => id === posting.id)
    if (there === undefined) differ(`payment ${posting.id}`, paymentText(posting), null)
    else if (there.amount !== posting.amount || there.date !== posting.date)
      differ(`payment ${posting.id}`, paymentText(posting), paymentText(there))
  }
  for (const payment of now.payments) {
    if (!known(remote).some((one) => one.id === payment.id)) differ(`payment ${payment.id}`, null, paymentText(payment))
  }
  return found
}

/** Payments on the service without a key of these books: somebody else reported them. */
export const foreign = (remote: RemoteInvoice, { payments }: ServiceTransaction): ReadonlyArray<ServicePayment> =>
  payments.filter(({ id }) => !remote.postings.some((one) => one.id === id))

const isDay = Schema.is(Day)

/**
 * The postings of a transaction, from the payments that carry its facts' keys: `books/payment/P-1`, then `#2` and so on. The
 * second posting for a fact reverses the first, the third reports it again.
 */
const postings = (
  remote: RemoteInvoice | undefined,
  now: ServiceTransaction,
  payers: ReadonlyArray<string>
): ReadonlyArray<ReportedPayment> =>
  now.payments.flatMap((payment): ReadonlyArray<ReportedPayment> => {
    const { amount, date, details, id } = payment
    if (!isDay(date)) return []
    const before = remote?.postings.find((one) => one.id === id)
    const key = before?.key ?? /^[^;]+/.exec(details ?? "")?.[0]
    if (key === undefined || !isPosting(before === undefined ? details : key, key)) return []
    const [, fact = "", n = "1"] = /^(.*?)(?:#(\d+))?$/.exec(key) ?? []
    // What the ledger already has is known, whichever connection paid.
    if (before === undefined && !payers.includes(fact.slice(0, fact.indexOf("/")))) return []
    return [{ key, fact, undo: Number(n) % 2 === 0, date, amount, id }]
  })

const schedule = (value: unknown): Json =>
  (value as ReadonlyArray<{ readonly date: string; readonly amount: string }>).map(({ amount, date }) => ({
    date,
    amount
  }))

/**
 * The ledger entry according to the service.
 *
 * @param sent the fields that this connection sends: fields that the service adds (a matched debtor) are not ours
 * @param payers the connections whose payments are for its invoices: itself, and those that pay for it
 */
export const ledgerFrom = (
  remote: RemoteInvoice | undefined,
  now: ServiceTransaction,
  sent: ReadonlyArray<string>,
  payers: ReadonlyArray<string>
): RemoteInvoice => {
  const names = remote === undefined ? sent : Object.keys(remote.fields)
  const fields: Record<string, Json> = {}
  for (const name of names) {
    const value = now.body[name] as Json | undefined
    // Keeps the text that was sent if the service states the same value in another format.
    const sent = remote?.fields[name]
    if (sent !== undefined && equal(sent, value)) fields[name] = sent
    else if (value !== null && value !== undefined)
      fields[name] = name === "scheduled_payments" ? schedule(value) : value
  }
  const paid = now.body["paid_date"]
  const own = postings(remote, now, payers)
  const others = now.payments.flatMap(({ amount, date, id }) =>
    own.some((one) => one.id === id) ? [] : [{ id, date, amount: Decimal.format(amount) }]
  )
  return {
    kind: "invoice",
    id: now.id,
    status: now.status,
    insured: now.insured,
    fields: fields as Fields,
    postings: own,
    ...(others.length === 0 ? {} : { others }),
    ...(isDay(paid) ? { paidDate: paid } : {}),
    // The list does not show it; what is known of this transaction's cover stays until it is read.
    ...(remote?.id === now.id && remote.cover !== undefined ? { cover: remote.cover } : {})
  }
}

const ORDER_MEMBERS = ["status", "open", "captured", "voided", "refunded", "expired"] as const

/** The differences of an order between ledger and service: in its deferred payment, or in whether there is one yet. */
export const orderDifferences = (
  remote: RemoteOrder,
  { known, payment }: PaymentReading
): ReadonlyArray<FieldDifference> => {
  const what = isPaid(remote) ? "the deferred payment" : "the order"
  if (!known) return [{ what, ledger: remote.id, service: null }]
  if (payment === undefined) return []
  if (!isPaid(remote)) return [{ what: "the deferred payment", ledger: null, service: payment.id }]
  // What was sent since the service was last read leads to a status that only the service knows.
  const moved = remote.stale && isReady(remote) && isReady(payment)
  const names = ORDER_MEMBERS.filter((name) => remote[name] !== payment[name] && !(moved && name === "status"))
  return names.map((name) => ({
    what: `${name} of ${remote.id}`,
    ledger: name === "status" ? remote[name] : minor(remote[name], remote.currency),
    service: name === "status" ? payment[name] : minor(payment[name], payment.currency)
  }))
}

/** Minor units, in words. */
const minor = (units: string, currency: string): string =>
  Currency.say(Currency.ofMinor(BigInt(units), currency), currency)
