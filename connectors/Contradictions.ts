/**
 * Finds records that contradict themselves, for every connector: a status against a balance, figures that do not add up, lines
 * that do not come to the total, a day that no business has. Which of both is right is unknown, and marking an invoice as paid
 * cannot be undone, so the document, or the record that it is made from, is quarantined with the reason.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Document, Invoice } from "./Document.ts"

export interface Contradiction {
  /** The member that contradicts another one. */
  readonly field: string
  readonly why: string
}

/** Figures of a record that its source adds up. Connectors state them, since documents have no lines of invoices. */
export interface Sum {
  readonly currency: string
  /** The member with the total. */
  readonly field: string
  readonly total: Decimal.Decimal
  /** What it is the sum of: `its lines`. */
  readonly of: string
  readonly parts: ReadonlyArray<Decimal.Decimal>
}

/** Why they do not add up; undefined if they do. Each figure may be rounded by itself, by at most one minor unit. */
export const unequal = ({ currency, field, of, parts, total }: Sum): Contradiction | undefined => {
  const sum = Decimal.sum(parts)
  const most = BigInt(parts.length + 1)
  if (Currency.toMinorOutward(Decimal.abs(total - sum), currency) <= most) return undefined
  const [all, said] = [sum, total].map((amount) => Currency.say(amount, currency))
  return { field, why: `${of} come to ${all}, and it says ${said}; correct one of both in the source` }
}

const OLDEST = "1970-01-01"
const NEWEST = "2200-01-01"

const days = (document: Document): ReadonlyArray<readonly [field: string, day: string | undefined]> => {
  if (document.kind === "order") return [["placed", document.placed]]
  if (document.kind !== "invoice") return [["date", document.date]]
  const { due, issued, paidOn, schedule = [] } = document
  return [
    ["issued", issued],
    ["due", due],
    ["paidOn", paidOn],
    ...schedule.map(({ date }) => ["schedule", date] as const)
  ]
}

const ofInvoice = ({ currency, gross, net, schedule, stated = {}, status }: Invoice): Contradiction | undefined => {
  const { credited, open, paid } = stated
  const say = (amount: Decimal.Decimal) => Currency.say(amount, currency)
  const amount = gross ?? net ?? 0n
  if (status === "paid" && open !== undefined && open > 0n)
    return {
      field: "status",
      why: `the source calls it paid, and says that ${say(open)} is open; correct one of both there`
    }
  if (amount >= 0n && open !== undefined && open > amount)
    return {
      field: "stated",
      why: `the source says that ${say(open)} is open of an invoice of ${say(amount)}; check which amounts are net and gross`
    }
  if (status === "paid" && amount > 0n && paid === 0n && credited === 0n)
    return {
      field: "status",
      why: "the source calls it paid, and says that nothing was paid or credited; correct one of both there"
    }
  const isWhole = (status === "open" || status === "paid") && open !== undefined && paid !== undefined
  if (isWhole && credited !== undefined && open + paid + credited !== amount)
    return {
      field: "stated",
      why: `the source's own figures do not add up: ${say(open)} open, ${say(paid)} paid and ${say(credited)} credited of ${say(amount)}; correct them there`
    }
  const sum = Decimal.sum((schedule ?? []).map((instalment) => instalment.amount))
  if (schedule !== undefined && schedule.length > 0 && sum !== amount)
    return {
      field: "schedule",
      why: `its instalments add up to ${say(sum)}, and it is of ${say(amount)}; correct one of both in the source`
    }
  return undefined
}

/** What contradicts what in a document; undefined if nothing does. */
export const contradiction = (document: Document): Contradiction | undefined => {
  for (const [field, day] of days(document))
    if (day !== undefined && (day < OLDEST || day > NEWEST))
      return { field, why: `is ${day}, which cannot be right; correct it in the source` }
  return document.kind === "invoice" ? ofInvoice(document) : undefined
}
