/**
 * Finds documents that cannot be stored faithfully, so that only they are quarantined and the rest of their page is kept:
 * text that would become ambiguous once stored, texts that are far too long for what they are, and amounts that their currency
 * cannot hold; and documents that contradict themselves (`Contradictions.ts`).
 *
 * An unpaired surrogate has no UTF-8 form. Storage replaces each with the same character, so two ids that differ only there
 * would become one.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import { grouped } from "../core/Plural.ts"
import { contradiction } from "./Contradictions.ts"
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
  if (document.kind === "payout") return [["id", document.id]]
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
  if (document.kind === "payout") return [["amount", document.amount]]
  const rest: Priced = ["unallocated", document.kind === "credit_note" ? undefined : document.unallocated]
  const shares = document.shares.flatMap(
    (share): ReadonlyArray<Priced> => [
      ["amount", share.amount],
      ["net", "net" in share ? (share.net as Decimal.Decimal) : undefined]
    ]
  )
  return [rest, ...shares]
}

/**
 * The longest name, and the longest text of several sentences, in characters: all are shown in lists, and sent. Ids and numbers
 * of records are compared, and may be longer.
 */
const LONGEST_NAME = 500
const LONGEST_ID = 1 << 17
const LONGEST_TEXT = 10_000
const TEXTS: ReadonlySet<string> = new Set(["address", "description", "details", "metadata", "reference"])
const IDS: ReadonlySet<string> = new Set(["id", "invoice", "line", "number", "order", "payment"])
const PEOPLE: ReadonlySet<string> = new Set(["party", "buyer"])

const mostOf = (name: string, of: string, most: number): number =>
  TEXTS.has(name) ? LONGEST_TEXT : IDS.has(name) && !PEOPLE.has(of) ? LONGEST_ID : most

/** What is kept of a record that cannot be read, in characters. */
const LONGEST_RAW = 20_000
const LONGEST_WHY = 1000

/** The first text in a document that is too long. */
const longText = (value: unknown, field: string, most: number): Defect | undefined => {
  if (typeof value === "string") {
    if (value.length <= most) return undefined
    return {
      field,
      why: `has ${grouped(value.length)} characters, and at most ${grouped(most)} are taken; shorten it in the source`
    }
  }
  if (typeof value !== "object" || value === null) return undefined
  for (const name in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[name]
    if (typeof inner !== "string" && typeof inner !== "object") continue
    const found =
      name.length > LONGEST_NAME
        ? longText(name, field, LONGEST_NAME)
        : longText(inner, field === "" ? name : `${field}.${name}`, mostOf(name, field, most))
    if (found !== undefined) return found
  }
  return undefined
}

/** The most lines of an order or of its facts: each is stored, planned with and sent, while others wait. */
const MOST_LINES = 10_000

const manyLines = (document: Document.Document): Defect | undefined => {
  const count = "lines" in document ? document.lines.length : 0
  return count > MOST_LINES
    ? {
        field: "lines",
        why: `there are ${grouped(count)}, and at most ${grouped(MOST_LINES)} are taken; split it in the source`
      }
    : undefined
}

/** The limit that no real amount reaches. */
const TOO_LARGE = 10n ** 23n

/** The first defect of a document, or undefined. */
export const defect = (document: Document.Document): Defect | undefined => {
  const many = manyLines(document)
  if (many !== undefined) return many
  for (const [field, text] of names(document)) {
    if (text !== undefined && !text.isWellFormed())
      return {
        field,
        why: `${JSON.stringify(text)} contains half of a surrogate pair, which cannot be stored; correct it in the source`
      }
  }
  const long = longText(document, "", LONGEST_NAME)
  if (long !== undefined) return long
  const { currency } = document
  for (const [field, amount] of amounts(document)) {
    if (amount === undefined) continue
    if (Decimal.abs(amount) >= TOO_LARGE)
      return { field, why: "has more than 15 digits before the point; correct it in the source" }
    if (currency !== undefined && !Currency.fits(amount, currency))
      return {
        field,
        why: `${Decimal.format(amount)} has more decimal places than ${currency} allows; correct the amount or the currency`
      }
  }
  return contradiction(document)
}

const asQuarantined = ({ document, origin, raw }: Read, { field, why }: Defect): QuarantinedRecord => ({
  kind: document.kind,
  origin,
  raw,
  field,
  why,
  id: document.id.toWellFormed()
})

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)} …` : text)

/** Shortens what is kept of a record. A shortened id would be that of another document. */
const shortened = (record: QuarantinedRecord): QuarantinedRecord => {
  const { field, id, origin, raw, why, ...rest } = record
  if (raw.length <= LONGEST_RAW && why.length <= LONGEST_WHY && (id?.length ?? 0) <= LONGEST_ID) return record
  return {
    ...rest,
    origin: cut(origin, LONGEST_NAME),
    raw: cut(raw, LONGEST_RAW),
    why: cut(why, LONGEST_WHY),
    ...(field === undefined ? {} : { field: cut(field, LONGEST_NAME) }),
    ...(id === undefined || id.length > LONGEST_ID ? {} : { id })
  }
}

/** Moves documents with a defect to the page's quarantined records. */
export const sorted = <A extends Page<unknown>>(page: A): A => {
  const bad = new Map<Read, Defect>()
  for (const one of page.read) {
    const found = defect(one.document)
    if (found !== undefined) bad.set(one, found)
  }
  // An id that could never have been stored cannot be deleted.
  const deleted = page.deleted?.filter(({ id }) => id.isWellFormed())
  if (bad.size === 0 && page.quarantined.length === 0 && deleted?.length === page.deleted?.length) return page
  return {
    ...page,
    read: bad.size === 0 ? page.read : page.read.filter((one) => !bad.has(one)),
    quarantined: [...page.quarantined, ...[...bad].map(([one, why]) => asQuarantined(one, why))].map(shortened),
    ...(deleted === undefined ? {} : { deleted })
  }
}
