/**
 * Compares the source's own open amount of an invoice with the facts that were read (S1), and reports what was received or
 * credited beyond the invoice's amount (S2). Pure.
 *
 * The source's own books may not have what another connection paid yet: its figure must be the open amount without some of
 * those payments, each counted whole. A payment that the source states itself counts always. An invoice that the source calls paid counts as paid on that basis alone only if no
 * payments were read that could tell more.
 */
import type { Allocated, Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { plural } from "../../core/Plural.ts"
import type { Attention } from "../model/Call.ts"
import type { Planning } from "../model/Connection.ts"
import type { Fact, OpenFigures, InvoiceFacts } from "../model/InvoiceFacts.ts"
import { settledOf } from "./Settled.ts"

export type { OpenFigures }

interface Sums {
  readonly asked: Decimal.Decimal
  readonly credited: Decimal.Decimal
  /** The part of that which was paid back. */
  readonly repaid: Decimal.Decimal
  readonly received: Decimal.Decimal
  readonly returned: Decimal.Decimal
  /** Payments of other connections: received less what went back. */
  readonly elsewhere: Decimal.Decimal
}

/** Whether the source itself states it, alone or beside others. */
const isStatedBy =
  ({ connection }: InvoiceFacts) =>
  ({ key, seen = [] }: Fact<Allocated>): boolean =>
    [key, ...seen.map((one) => one.key)].some((one) => one.startsWith(`${connection}/`))

/** Of more payments than this, only those up to a day are tried. */
const MOST_SUBSETS = 12

/** What the payments of other connections may have lowered the source's figure by: some of them, each whole. */
const someOf = (facts: InvoiceFacts): ReadonlyArray<Decimal.Decimal> => {
  const isOwn = isStatedBy(facts)
  const signed = [
    ...facts.payments.map((one) => ({ one, amount: one.amount })),
    ...facts.reversals.map((one) => ({ one, amount: -one.amount }))
  ]
  const others = signed
    .filter(({ one }) => !isOwn(one))
    .toSorted((a, b) => (a.one.document.date < b.one.document.date ? -1 : 1))
    .map(({ amount }) => amount)
  const some = new Set([0n])
  let sum = 0n
  for (const amount of others) {
    sum += amount
    const all = others.length > MOST_SUBSETS ? [sum] : [...some].map((one) => one + amount)
    for (const one of all) some.add(one)
  }
  return [...some]
}

const total = (all: ReadonlyArray<{ readonly amount: bigint }>) => Decimal.sum(all.map(({ amount }) => amount))

const sums = (facts: InvoiceFacts, { gross, net }: Invoice): Sums => {
  const { creditNotes, payments, reversals } = facts
  const isOwn = isStatedBy(facts)
  const [received, returned] = [total(payments.filter(isOwn)), total(reversals.filter(isOwn))]
  return {
    asked: gross ?? net ?? 0n,
    credited: total(creditNotes),
    repaid: total(creditNotes.filter(({ document }) => document.refunded === true)),
    received,
    returned,
    elsewhere: total(payments) - received - (total(reversals) - returned)
  }
}

/** Negative amounts only: the rest of an invoice that the source calls settled. */
const beyond = (amount: Decimal.Decimal) => Decimal.min(0n, amount)

/** The source's own open amount. If it states only what was paid, the rest. */
const said = ({ currency, stated = {} }: Invoice, { asked, credited }: Sums): Decimal.Decimal | undefined => {
  const { credited: its = credited, open, paid } = stated
  const says = open ?? (paid === undefined ? undefined : asked - paid - its)
  return says !== undefined && Currency.fits(says, currency) ? says : undefined
}

/** @param facts in the invoice's own currency */
export const of = (
  facts: InvoiceFacts,
  invoice: Invoice,
  { report_paid }: Pick<Planning, "report_paid">
): OpenFigures => {
  const its = sums(facts, invoice)
  const { asked, credited, elsewhere, received, repaid, returned } = its
  const all = asked - credited - received + returned - elsewhere
  const { lacking, settled } = settledOf(
    facts,
    invoice,
    all + paidOf(facts),
    report_paid === undefined ? {} : { report_paid }
  )
  const isByWord = invoice.status === "paid" && report_paid !== false
  const balance = isByWord ? (settled ? beyond(all) : lacking) : all
  const says = said(invoice, its)
  const { beforeReversals, paid } = invoice.stated ?? {}
  const own = asked - credited - received + (beforeReversals === true ? repaid : returned)
  const byWord = invoice.status === "paid" && paid === undefined && facts.hasPayments !== true
  const without = byWord ? beyond(own) : own
  if (says === undefined) return { balance, says, follows: without }
  const can = someOf(facts).map((some) => (byWord ? beyond(own - some) : own - some))
  const apart = (amount: Decimal.Decimal) => Decimal.abs(amount - says)
  return {
    balance,
    says,
    follows: can.reduce((nearest, one) => (apart(one) < apart(nearest) ? one : nearest), without)
  }
}

/**
 * T14 for what the source's own payments still count, although it went back, as others state, and nothing replaced it.
 *
 * @param balance due less received
 */
export const stillCounted = (facts: InvoiceFacts, balance: Decimal.Decimal): Decimal.Decimal => {
  const isOwn = isStatedBy(facts)
  const { payments, reversals } = facts
  const bounced = total(reversals.filter((one) => !isOwn(one) && one.document.type !== "refund"))
  const beyond = total(payments.filter(isOwn)) - total(reversals.filter(isOwn)) - paidOf(facts)
  const least = [bounced, beyond, balance].reduce((one, other) => Decimal.min(one, other))
  return least > 0n ? least : 0n
}

const paidOf = ({ payments, reversals }: InvoiceFacts) => total(payments) - total(reversals)

export const differs = ({ follows, says }: OpenFigures): boolean => says !== undefined && says !== follows

/** The calculation in words: `1,200.00 asked − 0.00 credited − 400.00 received (1 payment)`. */
const arithmetic = (facts: InvoiceFacts, invoice: Invoice): string => {
  const { asked, credited, elsewhere, received, returned } = sums(facts, invoice)
  const show = (amount: Decimal.Decimal) => Currency.group(Currency.format(amount, invoice.currency))
  const own = facts.payments.filter(isStatedBy(facts)).length
  const parts = [
    `${show(asked)} asked`,
    ...(credited === 0n ? [] : [`${show(credited)} credited`]),
    `${show(received)} received (${plural(own, "payment")})`,
    ...(elsewhere === 0n ? [] : [`${show(elsewhere)} of other connections`])
  ]
  return `${parts.join(" − ")}${returned === 0n ? "" : ` + ${show(returned)} that went back`}`
}

/** Both amounts, and the facts that one of them was calculated from. */
export const words = (facts: InvoiceFacts, invoice: Invoice, { follows, says }: OpenFigures): string => {
  const say = (amount: Decimal.Decimal) => Currency.say(amount, invoice.currency)
  return `the source says that ${say(says ?? 0n)} is open; the records that were read give ${say(follows)}: ${arithmetic(facts, invoice)}`
}

/** The usual cause of such a difference. */
const cause = (facts: InvoiceFacts, invoice: Invoice, { follows, says = 0n }: OpenFigures): string => {
  const { credited, received } = sums(facts, invoice)
  const { credited: itsCredit = 0n, paid = 0n } = invoice.stated ?? {}
  const { gross, net } = invoice
  if ((facts.foreign ?? []).length > 0) return "a fact of it is in another currency; state it in the invoice's currency"
  if (gross !== undefined && net !== undefined && Decimal.abs(says - follows) === Decimal.abs(gross - net))
    return "they are apart by the tax: check which columns are net and gross"
  if (says > follows)
    return "a payment or credit note of it is counted that the source does not count: check whether it belongs to another invoice, was read twice, or is newer than the balance; the next sync reads both again"
  if (itsCredit > credited && paid <= received)
    return "a credit note is not read, or is not allocated to it: allocate it in the source, or have credit notes read"
  if (received === 0n)
    return "payments are not read: check that payments and credit notes of this source are read at all, and which columns they come from"
  return "a payment or credit note is not read, not allocated to it, or in another currency: look for it in the source"
}

/** What a person does about too much that was received: a payment of another connection may have been matched with the wrong invoice. */
const overpaid = ({ payments }: InvoiceFacts, { currency }: Invoice): string => {
  const matched = payments.filter(({ how }) => how !== undefined).slice(0, MOST_NAMED)
  const keys = matched.map(
    ({ amount, document, key }) => `${Currency.say(amount, currency)} on ${document.date} (${key})`
  )
  return keys.length === 0
    ? "allocate the rest to another invoice or pay it back, and record that in the source; check that no payment was entered twice"
    : `if a payment is for another invoice: daybook match payments ask PAYMENT, one of ${keys.join(", ")}; otherwise allocate the rest to another invoice or pay it back, and record that in the source; check that no payment was entered twice`
}

/** So many payments are named. */
const MOST_NAMED = 5

/** @param overcredited what was credited beyond the invoice's amount is already reported */
export const attention = (
  facts: InvoiceFacts,
  invoice: Invoice,
  figures: OpenFigures,
  overcredited: boolean
): ReadonlyArray<Attention> => {
  const { key } = facts
  const { balance } = figures
  const found: Array<Attention> = []
  if (differs(figures))
    found.push({
      subject: key,
      fact: key,
      rule: "S1",
      why: words(facts, invoice, figures),
      todo: cause(facts, invoice, figures)
    })
  if (balance < 0n && !overcredited)
    found.push({
      subject: key,
      fact: key,
      rule: "S2",
      why: `${Currency.say(-balance, invoice.currency)} more was received than it asks for: ${arithmetic(facts, invoice)}`,
      todo: overpaid(facts, invoice)
    })
  return found
}
