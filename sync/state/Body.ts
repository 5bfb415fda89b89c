/**
 * Encodes documents for the state file: an array of the fields that every document of its kind has, followed by an object with
 * the fields that only some have.
 *
 *     [1,"INV-7","GBP","open","2026-01-05","2026-02-04","100","120","Acme Ltd","GB",{"number":"7"}]
 *
 * It is JSON, so that SQL can query it (`at`), in less than half the size of `Document.encode`. Amounts are decimals as text.
 * An invoice's number is left out if it equals the id. Equal documents have equal text.
 */
import * as Document from "../../connectors/Document.ts"
import type { Decimal } from "../../core/money/Decimal.ts"

/** The first element encodes the kind. Never change a code: existing files contain them. */
const CODES = {
  invoice: 1,
  payment: 2,
  reversal: 3,
  credit_note: 4,
  order: 5,
  fulfilment: 6,
  cancellation: 7,
  return: 8,
  payout: 9
} as const satisfies Readonly<Record<Document.Kind, number>>

const KINDS: ReadonlyMap<unknown, Document.Kind> = new Map(
  Object.entries(CODES).map(([kind, code]) => [code, kind as Document.Kind])
)

const FACT = ["date", "shares"]
const OF_ORDER = ["order", "date"]

/** The fields after kind, id and currency, by position. Null if a document lacks one. */
const PLACES: Readonly<Record<Document.Kind, ReadonlyArray<string>>> = {
  invoice: ["status", "issued", "due", "net", "gross", "party.name", "party.country"],
  payment: FACT,
  reversal: FACT,
  credit_note: FACT,
  payout: ["date", "amount"],
  order: [],
  fulfilment: OF_ORDER,
  cancellation: OF_ORDER,
  return: OF_ORDER
}

const FIRST = ["kind", "id", "currency"]

/** A field of a kind's documents, as SQL; null if not stated. */
export const at = (kind: Document.Kind, member: string, body = "body"): string => {
  const places = [...FIRST, ...PLACES[kind]]
  const place = places.indexOf(member)
  const path = place < 0 ? `$[${places.length}].${member}` : `$[${place}]`
  return `${body} ->> '${path}'`
}

/** Whether a body is of this kind, as SQL; in the same form as in the indexes. */
export const is = (kind: Document.Kind, body = "body"): string => `${body} GLOB '[[]${CODES[kind]},*'`

/** An invoice's number, as SQL. */
export const numberOfInvoice = (body = "body"): string =>
  `coalesce(${at("invoice", "number", body)}, ${at("invoice", "id", body)})`

type Loose = { [member: string]: unknown }

/** Written by hand, because it runs once for every row of a ledger and `Decimal.format` is slower. */
const decimal = (value: Decimal): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(9, "0")
  let end = digits.length
  const point = end - 8
  while (end > point && digits.charCodeAt(end - 1) === 48) end--
  const sign = value < 0n ? "-" : ""
  return end === point ? sign + digits.slice(0, point) : `${sign}${digits.slice(0, point)}.${digits.slice(point, end)}`
}

const amountOf = (text: string): Decimal => {
  const point = text.indexOf(".")
  return point < 0 ? BigInt(`${text}00000000`) : BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(8, "0"))
}

/** Prepares a value for JSON; faster than `JSON.stringify` with a replacer. */
const plain = (value: unknown): unknown => {
  if (typeof value === "bigint") return decimal(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  let made: Loose | undefined
  for (const name in value) {
    const before = (value as Loose)[name]
    const after = plain(before)
    if (after !== before) (made ??= { ...value })[name] = after
  }
  return made ?? value
}

/** The fields without a position of their own; undefined if there are none. */
const others = (of: object, placed: ReadonlySet<string>): Loose | undefined => {
  let found: Loose | undefined
  for (const name in of) {
    const value = (of as Loose)[name]
    if (value !== undefined && !placed.has(name)) (found ??= {})[name] = value
  }
  return found
}

const IN_PARTY: ReadonlySet<string> = new Set(["name", "country"])
const IN_INVOICE: ReadonlySet<string> = new Set([
  ...FIRST,
  ...["number", "status", "issued", "due", "net", "gross", "party"]
])
const IN_OTHERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(PLACES).map(([kind, places]) => [kind, new Set([...FIRST, ...places])])
)

const ofInvoice = (invoice: Document.Invoice): string => {
  const { currency, due, gross, id, issued, net, number, party, status } = invoice
  const more = others(invoice, IN_INVOICE)
  const ofParty = others(party, IN_PARTY)
  const placed = [
    CODES.invoice,
    id,
    currency,
    status,
    issued,
    due,
    net === undefined ? null : decimal(net),
    gross === undefined ? null : decimal(gross),
    party.name,
    party.country ?? null
  ]
  // True for nearly all invoices of a table.
  if (number === id && ofParty === undefined && more === undefined) return JSON.stringify(placed)
  const rest = {
    ...(number === id ? undefined : { number }),
    ...(ofParty === undefined ? undefined : { party: ofParty }),
    ...more
  }
  return JSON.stringify([...placed, plain(rest)])
}

/** Encodes a document. */
export const write = (document: Document.Document): string => {
  if (document.kind === "invoice") return ofInvoice(document)
  const placed: Array<unknown> = [CODES[document.kind], document.id, document.currency ?? null]
  for (const name of PLACES[document.kind]) placed.push(plain((document as unknown as Loose)[name] ?? null))
  const more = others(document, IN_OTHERS.get(document.kind) ?? IN_PARTY)
  if (more !== undefined) placed.push(plain(more))
  return JSON.stringify(placed)
}

const revive = (of: Loose, ...names: ReadonlyArray<string>): void => {
  for (const name of names) {
    const value = of[name]
    if (typeof value === "string") of[name] = amountOf(value)
  }
}

const each = (all: unknown, ...names: ReadonlyArray<string>): void => {
  if (all !== undefined && all !== null) for (const one of all as ReadonlyArray<Loose>) revive(one, ...names)
}

const reviveState = (state: Loose): void => {
  revive(state, ...Document.STATE_SUMS)
  each(state["lines"], "left", "back", "still", "unsure")
  for (const side of ["own", "others"]) revive(state[side] as Loose, "received", "given")
}

const invoiceOf = (placed: ReadonlyArray<unknown>): Document.Document => {
  const [, id, currency, status, issued, due, net, gross, name, country, more] = placed
  const { number = id, party, ...rest } = (more ?? {}) as Loose
  each(rest["schedule"], "amount")
  if (rest["stated"] !== undefined) revive(rest["stated"] as Loose, "open", "paid", "credited")
  const invoice: Loose = { kind: "invoice", id, number, status }
  const who: Loose = { name }
  if (country !== null) who["country"] = country
  invoice["party"] = party === undefined ? who : { ...(party as Loose), ...who }
  invoice["currency"] = currency
  invoice["issued"] = issued
  invoice["due"] = due
  if (net !== null) invoice["net"] = amountOf(net as string)
  if (gross !== null) invoice["gross"] = amountOf(gross as string)
  return Object.assign(invoice, rest) as unknown as Document.Document
}

const kindBy = (code: unknown, what: string): Document.Kind => {
  const kind = KINDS.get(code)
  if (kind === undefined) throw new RangeError(`a document of an unknown kind: ${what}`)
  return kind
}

/** The kind of the document that a body is of. */
export const kindOf = (body: string): Document.Kind => kindBy(Number(body.slice(1, body.indexOf(","))), body)

/** The document of a body whose JSON was parsed. */
export const of = (placed: ReadonlyArray<unknown>): Document.Document => {
  const kind = kindBy(placed[0], JSON.stringify(placed[0]))
  if (kind === "invoice") return invoiceOf(placed)
  const [, id, currency] = placed
  const document: Loose = { kind, id }
  const places = PLACES[kind]
  if (currency !== null) document["currency"] = currency
  for (const [n, name] of places.entries()) {
    const value = placed[FIRST.length + n]
    if (value !== null) document[name] = value
  }
  Object.assign(document, placed[FIRST.length + places.length])
  revive(document, "amount", "unallocated")
  each(document["shares"], "amount", "net")
  each(document["items"], "amount")
  if (document["instructed"] !== undefined) revive(document["instructed"] as Loose, "amount")
  if (document["settled"] !== undefined) revive(document["settled"] as Loose, "amount")
  each(document["lines"], "gross", "quantity")
  if (document["totals"] !== undefined) revive(document["totals"] as Loose, ...Document.ORDER_TOTALS)
  const also = document["also"] as Loose | undefined
  if (also !== undefined) each(also["lines"], "gross", "quantity")
  for (const one of [document, also]) if (one?.["state"] !== undefined) reviveState(one["state"] as Loose)
  return document as unknown as Document.Document
}

/** Decodes a document; `text` is the result of `write`. */
export const read = (text: string): Document.Document => of(JSON.parse(text) as ReadonlyArray<unknown>)
