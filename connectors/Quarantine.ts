/**
 * What is wrong with one document, so that it is quarantined and the rest of its page is kept: text that cannot be
 * distinguished once it is stored, and amounts that their own currency cannot hold.
 *
 * Half of a surrogate pair has no form in UTF-8. Whatever stores such text puts the same replacement in its place, and
 * two ids that differ only there become one.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Page, QuarantinedRecord, Read } from "./Connector.ts"
import * as Document from "./Document.ts"

export interface Defect {
  /** The member to blame. */
  readonly field: string
  readonly why: string
}

type Named = readonly [field: string, text: string | undefined]
type Priced = readonly [field: string, amount: Decimal.Decimal | undefined]

/** Text that becomes part of a key, or is compared with such. */
const names = (document: Document.Document): ReadonlyArray<Named> => {
  if (Document.isAllocated(document)) {
    const payment: Named = ["payment", document.kind === "reversal" ? document.payment : undefined]
    return [["id", document.id], payment, ...document.shares.map(({ invoice }): Named => ["invoice", invoice])]
  }
  if (Document.isOrderFact(document)) {
    return [["id", document.id], ["order", document.order], ...document.lines.map(({ line }): Named => ["line", line])]
  }
  if (document.kind === "invoice")
    return [
      ["id", document.id],
      ["party.id", document.party.id]
    ]
  const { buyer, deferredPayment, lines, serviceOrder } = document
  return [
    ["id", document.id],
    ["number", document.number],
    ["deferredPayment", deferredPayment],
    ["serviceOrder", serviceOrder],
    ["buyer.id", buyer?.id],
    ["buyer.email", buyer?.email],
    ...lines.map(({ id }): Named => ["line", id])
  ]
}

/** Every amount of money in it. */
const amounts = (document: Document.Document): ReadonlyArray<Priced> => {
  if (document.kind === "invoice") {
    const { gross, net, schedule = [] } = document
    return [["net", net], ["gross", gross], ...schedule.map(({ amount }): Priced => ["schedule", amount])]
  }
  if (document.kind === "order") return document.lines.map(({ gross }): Priced => ["gross", gross])
  if (Document.isOrderFact(document)) return [["amount", "amount" in document ? document.amount : undefined]]
  const rest: Priced = ["unallocated", document.kind === "credit_note" ? undefined : document.unallocated]
  const shares = document.shares.flatMap(
    (share): ReadonlyArray<Priced> => [
      ["amount", share.amount],
      ["net", "net" in share ? (share.net as Decimal.Decimal) : undefined]
    ]
  )
  return [rest, ...shares]
}

/** More than any amount has. */
const TOO_LARGE = 10n ** 23n

/** What is wrong with it, or undefined. */
export const defect = (document: Document.Document): Defect | undefined => {
  for (const [field, text] of names(document)) {
    if (text !== undefined && !text.isWellFormed())
      return {
        field,
        why: `${JSON.stringify(text)} contains half of a surrogate pair, which cannot be stored; correct it in the source`
      }
  }
  const { currency } = document
  for (const [field, amount] of amounts(document)) {
    if (amount === undefined) continue
    if (Decimal.abs(amount) >= TOO_LARGE) return { field, why: "has more than 15 digits before the point" }
    if (currency !== undefined && !Currency.fits(amount, currency))
      return {
        field,
        why: `${Decimal.format(amount)} has more decimal places than ${currency} allows; correct the amount or the currency`
      }
  }
  return undefined
}

const asQuarantined = ({ document, origin, raw }: Read, { field, why }: Defect): QuarantinedRecord => ({
  kind: document.kind,
  origin,
  raw,
  field,
  why,
  id: document.id.toWellFormed()
})

/** The page, with documents that have such a defect among the records that could not be read. */
export const sorted = <A extends Page<unknown>>(page: A): A => {
  const bad = new Map<Read, Defect>()
  for (const one of page.read) {
    const found = defect(one.document)
    if (found !== undefined) bad.set(one, found)
  }
  // What could never be stored cannot be deleted.
  const deleted = page.deleted?.filter(({ id }) => id.isWellFormed())
  if (bad.size === 0 && deleted?.length === page.deleted?.length) return page
  return {
    ...page,
    read: page.read.filter((one) => !bad.has(one)),
    quarantined: [...page.quarantined, ...[...bad].map(([one, why]) => asQuarantined(one, why))],
    ...(deleted === undefined ? {} : { deleted })
  }
}
