/**
 * Finds documents that cannot be stored faithfully, so that only they are quarantined and the rest of their page is kept:
 * text that would become ambiguous once stored, and amounts that their currency cannot hold.
 *
 * An unpaired surrogate has no UTF-8 form. Storage replaces each with the same character, so two ids that differ only there
 * would become one.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Page, QuarantinedRecord, Read } from "./Connector.ts"
import * as Document from "./Document.ts"

export interface Defect {
  /** The member that is wrong. */
  readonly field: string
  readonly why: string
}

type Named = readonly [field: string, text: string | undefined]
type Priced = readonly [field: string, amount: Decimal.Decimal | undefined]

/** Texts that become part of a key, or are compared with such texts. */
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

/** Every amount in a document. */
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

/** The limit that no real amount reaches. */
const TOO_LARGE = 10n ** 23n

/** The first defect of a document, or undefined. */
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

/** Moves documents with a defect to the page's quarantined records. */
export const sorted = <A extends Page<unknown>>(page: A): A => {
  const bad = new Map<Read, Defect>()
  for (const one of page.read) {
    const found = defect(one.document)
    if (found !== undefined) bad.set(one, found)
  }
  // An id that could never have been stored cannot be deleted.
  const deleted = page.deleted?.filter(({ id }) => id.isWellFormed())
  if (bad.size === 0 && deleted?.length === page.deleted?.length) return page
  return {
    ...page,
    read: page.read.filter((one) => !bad.has(one)),
    quarantined: [...page.quarantined, ...[...bad].map(([one, why]) => asQuarantined(one, why))],
    ...(deleted === undefined ? {} : { deleted })
  }
}
