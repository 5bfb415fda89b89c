/**
 * Computes the fields that a transaction should have: those of an invoice after its credit notes, in the format of the wire
 * (II 2.5).
 *
 * A credit note lowers the net and gross amounts; it is not a payment. If it does not state its net amount, the invoice's net is
 * lowered in proportion, rounded to the currency's decimals and at most two. The schedule is lowered by the same amount, starting
 * with the last instalment, so that it still adds up to the gross.
 */
import type { Instalment, Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Planning } from "../model/Connection.ts"
import type { Fields, Json } from "../model/RemoteInvoice.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"

/** The amount of an invoice after its credit notes. Decimals in major units. */
export interface Due {
  readonly net: Decimal.Decimal | undefined
  readonly gross: Decimal.Decimal | undefined
  /** The amount to be paid: gross, or net if there is no gross amount. */
  readonly total: Decimal.Decimal
  readonly credited: Decimal.Decimal
  /** The credit notes exceed the invoice. */
  readonly overcredited: boolean
}

export const due = ({ creditNotes }: InvoiceFacts, invoice: Invoice): Due => {
  const total = invoice.gross ?? invoice.net ?? 0n
  const credited = Decimal.sum(creditNotes.map((fact) => fact.amount))
  const left = credited > total ? 0n : total - credited
  let { gross, net } = invoice
  if (gross !== undefined) gross = left
  if (net !== undefined && credited > 0n) {
    // Credit notes without a net amount are prorated together, so that rounding does not add up over many small ones.
    let unsaid = 0n
    for (const { document } of creditNotes) {
      for (const share of document.shares) {
        if (share.invoice !== invoice.id) continue
        if (share.net === undefined) unsaid += share.amount
        else net -= share.net
      }
    }
    if (invoice.net !== undefined && unsaid > 0n && total > 0n) {
      // A calculated share has no more decimals than the service accepts, even if the currency has more.
      const places = Math.min(2, Currency.decimals(invoice.currency))
      net -= Decimal.divide(Decimal.multiply(invoice.net, unsaid), total, places)
    }
    if (net < 0n || left === 0n) net = 0n
    if (gross === undefined) net = left
  }
  return { net, gross, total: left, credited, overcredited: credited > total }
}

/** The schedule (II 4, Amend rules): it adds up to the total, and its last day is the due date. */
export const schedule = (invoice: Invoice, { credited, total }: Due): ReadonlyArray<Instalment> => {
  const stated = invoice.schedule ?? []
  const last = stated.at(-1)
  if (last === undefined) return [{ date: invoice.due, amount: total }]
  let left = credited
  const lowered = stated.toReversed().map(({ date, amount }) => {
    const taken = Decimal.min(left, amount)
    left -= taken
    return { date, amount: amount - taken }
  })
  const kept = lowered.toReversed().filter(({ amount }) => amount > 0n)
  return kept.length > 0 ? kept : [{ date: last.date, amount: total }]
}

const money = (amount: Decimal.Decimal): string => Decimal.format(amount, 2)

/** The fields of an insured transaction that can be amended (II 4). */
export const AMENDABLE = ["net_amount", "gross_amount", "issue_date", "due_date", "scheduled_payments"]

/** All fields that this invoice's transaction should have. */
export const fields = (facts: InvoiceFacts, invoice: Invoice, { creditor }: Planning): Fields => {
  const amounts = due(facts, invoice)
  const instalments = schedule(invoice, amounts)
  const lastDay = (instalments.at(-1)?.date ?? invoice.due) as Day
  const { party } = invoice
  const company = facts.match ?? party.company
  return {
    unique_id: facts.key,
    number: invoice.number,
    ...(company === undefined
      ? present({
          debtor_name: party.name,
          debtor_country: party.country,
          debtor_regnum: party.regnum,
          debtor_address: party.address
        })
      : { debtor: company }),
    ...(creditor === undefined
      ? {}
      : creditor.company === undefined
        ? present({
            creditor_name: creditor.name,
            creditor_country: creditor.country,
            creditor_regnum: creditor.regnum,
            creditor_address: creditor.address
          })
        : { creditor: creditor.company }),
    currency: invoice.currency,
    ...(amounts.net === undefined ? {} : { net_amount: money(amounts.net) }),
    ...(amounts.gross === undefined ? {} : { gross_amount: money(amounts.gross) }),
    issue_date: invoice.issued,
    due_date: lastDay,
    scheduled_payments: instalments.map(({ date, amount }) => ({ date, amount: money(amount) })),
    metadata: { connection: facts.connection, source_id: invoice.id, ...invoice.metadata }
  }
}

const present = (members: Readonly<Record<string, string | undefined>>): Fields => {
  const found: Record<string, string> = {}
  for (const name in members) {
    const value = members[name]
    if (value !== undefined) found[name] = value
  }
  return found
}

/** JSON with the keys of objects sorted, so that only different values are a difference. */
const canonical = (value: Json): string =>
  JSON.stringify(value, (_, one) =>
    one !== null && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one
  )

const isSame = (one: Json, other: Json): boolean => {
  if (one === other) return true
  // Text, numbers and the like are the same value or are not.
  if (typeof one !== "object" || typeof other !== "object") return false
  return JSON.stringify(one) === JSON.stringify(other) || canonical(one) === canonical(other)
}

/** The fields of `wanted` that have another value in `held`; a removed field is null. */
export const differences = (wanted: Fields, held: Fields): Fields => {
  const changed: Record<string, Json> = {}
  for (const name in wanted) {
    const value = wanted[name] ?? null
    if (!isSame(value, held[name] ?? null)) changed[name] = value
  }
  for (const name in held) if (!Object.hasOwn(wanted, name) && (held[name] ?? null) !== null) changed[name] = null
  return changed
}
