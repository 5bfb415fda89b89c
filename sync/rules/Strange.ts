/**
 * Detects what is unusual about the calls for one invoice: signs of mistakes in sources, mappings and data entry that would move
 * money. It changes no call; guards stop a run because of it (`plan/Guards.ts`).
 *
 * Pure and without a clock, like the rules: days are passed on, to be compared with today by the guards.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import { bodyOf, type InvoiceCall } from "../model/Call.ts"
import type { Guard } from "../model/Guard.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import { currencyOn, dueOn, receivedOn, type RemoteInvoice } from "../model/RemoteInvoice.ts"

/** One oddity. `alone`: a single one stops a run; otherwise only many do. */
export interface Oddity {
  readonly guard: Guard
  readonly alone: boolean
  /** In words that follow the document's key. */
  readonly why: string
}

/** A day that is about to be sent. */
export interface SentDay {
  readonly day: Day
  readonly what: "issued" | "due" | "paid"
}

export interface Strange {
  readonly oddities: ReadonlyArray<Oddity>
  readonly days: ReadonlyArray<SentDay>
}

/**
 * @param after what the service holds after the calls
 * @param twin another invoice with the same number, if this one is new or has a new number
 */
export const strange = (
  { invoice }: InvoiceFacts,
  before: RemoteInvoice | undefined,
  after: RemoteInvoice | undefined,
  calls: ReadonlyArray<InvoiceCall>,
  twin?: string
): Strange => {
  const oddities: Array<Oddity> = []
  if (after === undefined) {
    if (before !== undefined && calls.length > 0) oddities.push(...deletedThoughPaid(before))
    return { oddities, days: [] }
  }
  if (invoice !== undefined) {
    const stated = invoice.gross ?? invoice.net ?? 0n
    oddities.push(...overpaid(stated, after, calls), ...settledAtZero(after, calls))
    if (before !== undefined) oddities.push(...lowered(stated, before, after), ...otherCurrency(before, after, calls))
    if (twin !== undefined)
      oddities.push({ guard: "G10", alone: true, why: `has the number ${invoice.number}, which ${twin} has as well` })
  }
  return { oddities, days: calls.flatMap(daysOf) }
}

const say = (amount: Decimal, remote: RemoteInvoice): string => Currency.say(amount, currencyOn(remote))

/** G2: more was received than the invoice ever asked for. Payments made before a credit note are no reason for doubt. */
const overpaid = (stated: Decimal, after: RemoteInvoice, calls: ReadonlyArray<InvoiceCall>): ReadonlyArray<Oddity> => {
  const received = receivedOn(after)
  if (received <= stated || !calls.some((call) => "posting" in call && call.posting.amount > 0n)) return []
  const why = `is about ${say(stated, after)}, and ${say(received, after)} would be received on it`
  return [{ guard: "G2", alone: received > 2n * stated, why }]
}

/** G3: marked as paid though nothing was due. */
const settledAtZero = (after: RemoteInvoice, calls: ReadonlyArray<InvoiceCall>): ReadonlyArray<Oddity> =>
  dueOn(after) === 0n && calls.some(({ operation }) => operation === "transactions.paid")
    ? [{ guard: "G3", alone: false, why: `would be marked as paid with ${say(0n, after)} due` }]
    : []

/** G4: its own amount is less than half of what the service has. Reductions by credit notes are explained and do not count. */
const lowered = (stated: Decimal, before: RemoteInvoice, after: RemoteInvoice): ReadonlyArray<Oddity> => {
  const held = dueOn(before)
  if (before.status === "draft" || currencyOn(before) !== currencyOn(after)) return []
  if (dueOn(after) >= held || 2n * stated >= held) return []
  return [
    { guard: "G4", alone: true, why: `would be lowered from ${say(held, before)} to ${say(dueOn(after), after)}` }
  ]
}

/** G5: the same amount in another currency. */
const otherCurrency = (
  before: RemoteInvoice,
  after: RemoteInvoice,
  calls: ReadonlyArray<InvoiceCall>
): ReadonlyArray<Oddity> => {
  if (currencyOn(before) === currencyOn(after) || dueOn(before) !== dueOn(after) || dueOn(after) === 0n) return []
  if (!calls.some((call) => bodyOf(call)?.["currency"] !== undefined)) return []
  return [
    { guard: "G5", alone: true, why: `would change from ${say(dueOn(before), before)} to ${say(dueOn(after), after)}` }
  ]
}

/** G6: money was received on it, or it is paid. */
const deletedThoughPaid = (before: RemoteInvoice): ReadonlyArray<Oddity> => {
  const received = receivedOn(before)
  if (before.status !== "paid" && received <= 0n) return []
  const what = before.status === "paid" ? "is paid" : `has ${say(received, before)} received on it`
  return [{ guard: "G6", alone: true, why: `would be deleted, though it ${what}` }]
}

const MEMBERS = [
  ["issue_date", "issued"],
  ["due_date", "due"],
  ["paid_date", "paid"]
] as const

const daysOf = (call: InvoiceCall): ReadonlyArray<SentDay> => {
  const days: Array<SentDay> = "posting" in call ? [{ day: call.posting.date, what: "paid" }] : []
  const body = bodyOf(call)
  if (body === undefined) return days
  for (const [member, what] of MEMBERS) {
    const day = body[member]
    if (typeof day === "string") days.push({ day: day as Day, what })
  }
  return days
}
