/**
 * Validates the shape of a page before any of it is stored, because third-party connectors may be written without types.
 * A single bad record belongs among the quarantined ones; this is about pages that would leave the books with documents
 * that cannot be added up.
 */
import type { Page } from "./Connector.ts"
import { PAYOUT_PARTS } from "./Document.ts"
import { isDay } from "../core/wire/Day.ts"

export interface Problem {
  readonly where: string
  readonly why: string
}

type Loose = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null
const isText = (value: unknown): value is string => typeof value === "string"
const isFilled = (value: unknown): boolean => isText(value) && value !== ""
const isAmount = (value: unknown): boolean => typeof value === "bigint"
const day = (value: unknown): boolean => isText(value) && isDay(value)
const optional = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value)
const isCurrency = (value: unknown): boolean => isText(value) && /^[A-Z]{3}$/.test(value)
const oneOf =
  (...values: ReadonlyArray<string>) =>
  (value: unknown): boolean =>
    values.includes(value as string)
const listOf = (of: Shape) => (value: unknown) =>
  Array.isArray(value) && value.every((one) => wrong(one, of) === undefined)
const notBelowNothing = (value: unknown): boolean => typeof value === "bigint" && value >= 0n

/** For each member: a check, and a description of the valid values. */
type Shape = Readonly<Record<string, readonly [is: (value: unknown) => boolean, words: string]>>

/** The first member that is not valid. */
const wrong = (value: unknown, shape: Shape): string | undefined => {
  if (!isObject(value)) return "it is not an object"
  for (const member in shape) {
    const rule = shape[member]
    if (rule === undefined) continue
    const [is, words] = rule
    if (!is(value[member])) return `its ${member} is not ${words}`
  }
  return undefined
}

const amount = "an exact amount (a bigint at 10^-8)"
const shares: Shape[string] = [
  listOf({ invoice: [isFilled, ""], amount: [notBelowNothing, ""] }),
  `a list of { invoice, amount }, each amount ${amount} and not negative`
]
const id: Shape = { id: [isFilled, "a non-empty text"] }
const allocated: Shape = {
  ...id,
  date: [day, "a day like 2026-03-31"],
  currency: [optional(isCurrency), "three capital letters"],
  shares
}

const received: Shape = {
  ...allocated,
  unallocated: [optional(notBelowNothing), `${amount}, not negative`]
}

const isPositive = (value: unknown): boolean => typeof value === "bigint" && value > 0n
const ofOrder: Shape = {
  ...id,
  order: [isFilled, "the id of an order"],
  date: [day, "a day like 2026-03-31"],
  currency: [optional(isCurrency), "three capital letters"],
  lines: [
    listOf({ line: [isFilled, ""], quantity: [isPositive, ""] }),
    "a list of { line, quantity }, each quantity exact (a bigint at 10^-8) and positive"
  ]
}

const documents: Readonly<Record<string, Shape>> = {
  invoice: {
    ...id,
    number: [isText, "a text"],
    status: [oneOf("draft", "open", "paid", "void"), "draft, open, paid or void"],
    party: [(party) => isObject(party) && isText(party["name"]), "a party with a name"],
    currency: [isCurrency, "three capital letters"],
    issued: [day, "a day like 2026-03-31"],
    due: [day, "a day like 2026-03-31"],
    net: [optional(isAmount), amount],
    gross: [optional(isAmount), amount],
    schedule: [optional(listOf({ date: [day, ""], amount: [isAmount, ""] })), `a list of { date, amount }`]
  },
  payment: {
    ...received,
    reference: [optional(isText), "a text"],
    party: [
      optional((party) => isObject(party) && optional(isText)(party["id"]) && optional(isText)(party["name"])),
      "a payer with an id or a name, both text"
    ]
  },
  reversal: { ...received, type: [oneOf("chargeback", "refund", "error", "unknown", "other"), "a type of reversal"] },
  credit_note: allocated,
  payout: {
    ...id,
    date: [day, "a day like 2026-03-31"],
    currency: [isCurrency, "three capital letters"],
    amount: [isAmount, amount],
    status: [oneOf("pending", "paid", "failed"), "pending, paid or failed"],
    by: [isFilled, "a non-empty text"],
    items: [
      listOf({
        part: [oneOf(...PAYOUT_PARTS), ""],
        name: [isText, ""],
        count: [Number.isSafeInteger, ""],
        amount: [isAmount, ""]
      }),
      `a list of { part, name, count, amount }: part is ${PAYOUT_PARTS.join(", ")}, amount exact`
    ]
  },
  order: {
    ...id,
    number: [isText, "a text"],
    status: [oneOf("open", "closed", "cancelled"), "open, closed or cancelled"],
    currency: [isCurrency, "three capital letters"],
    placed: [day, "a day like 2026-03-31"],
    deferredPayment: [optional(isFilled), "a non-empty text"],
    serviceOrder: [optional(isFilled), "a non-empty text"],
    lines: [
      listOf({
        id: [isFilled, ""],
        type: [oneOf("product", "shipping", "fee", "discount"), ""],
        quantity: [isPositive, ""],
        gross: [isAmount, ""]
      }),
      "a list of { id, type, quantity, gross }: type is product, shipping, fee or discount, quantity positive, gross exact"
    ]
  },
  fulfilment: ofOrder,
  cancellation: ofOrder,
  return: ofOrder
}

const read: Shape = {
  document: [isObject, "a document"],
  raw: [isText, "a text"],
  origin: [isText, "a text"]
}
const malformed: Shape = {
  kind: [(kind) => isText(kind) && kind in documents, "a kind of document"],
  raw: [isText, "a text"],
  origin: [isText, "a text"],
  why: [isText, "a text"],
  field: [optional(isText), "a text"],
  id: [optional(isText), "a text"]
}
const stated: Shape = {
  list: [isFilled, "a non-empty text"],
  what: [oneOf("total", "closing balance", "left out"), "total, closing balance or left out"],
  column: [isText, "a text"],
  currency: [isCurrency, "three capital letters"],
  amount: [isAmount, amount],
  read: [isAmount, amount],
  at: [isText, "a text"]
}
const notice: Shape = { origin: [isText, "a text"], what: [isText, "a text"] }

/** What is wrong with a document, or undefined. */
export const unfit = (value: unknown): string | undefined =>
  isObject(value) ? document(value) : "it is not a document"

const document = (value: Loose): string | undefined => {
  const shape = isText(value["kind"]) ? documents[value["kind"]] : undefined
  if (shape === undefined) return `its kind is not one of ${Object.keys(documents).join(", ")}`
  const member = wrong(value, shape)
  if (member !== undefined) return member
  return shape === documents["invoice"] && value["net"] === undefined && value["gross"] === undefined
    ? "it has neither net nor gross"
    : undefined
}

/** What is wrong with a page, or undefined. */
export const problem = (page: Page<unknown>): Problem | undefined => {
  if (!isObject(page) || !Array.isArray(page.read) || !Array.isArray(page.quarantined))
    return { where: "a page", why: "it has no lists read and quarantined" }
  const { scan } = page
  if (scan !== undefined && !isFilled(scan.name)) return { where: "a page", why: "its scan has no name" }
  for (const one of page.read) {
    const why = wrong(one, read) ?? document(one.document as unknown as Loose)
    if (why !== undefined) return { where: origin(one), why }
  }
  for (const one of page.deleted ?? []) {
    if (!isObject(one) || !isFilled(one.id) || !(one.kind in documents))
      return { where: "a page", why: "what it calls deleted has no kind and id" }
  }
  for (const id of page.complete ?? [])
    if (!isFilled(id)) return { where: "a page", why: "what it calls complete is not the id of an order or an invoice" }
  for (const one of page.quarantined) {
    const why = wrong(one, malformed)
    if (why !== undefined) return { where: origin(one), why: `quarantined, but ${why}` }
  }
  for (const one of page.notices ?? []) {
    const why = wrong(one, notice)
    if (why !== undefined) return { where: origin(one), why: `a notice, but ${why}` }
  }
  for (const one of page.stated ?? []) {
    const why = scan === undefined ? "the page has no scan that it is of" : wrong(one, stated)
    if (why !== undefined) return { where: "a stated total", why }
  }
  return undefined
}

const origin = (one: unknown): string => (isObject(one) && isText(one["origin"]) ? one["origin"] : "a record")
