/**
 * The situations that lives must reach: everything that can happen, with its neighbours, in each setting; and those in which people once
 * found something. Each is counted.
 */
import { FINDINGS } from "./mistakes/Findings.ts"
import { FAULTS } from "./truth/Faults.ts"
import { ZONES } from "./Values.ts"

interface Told {
  readonly id: string
  readonly kind: string
}

/** What can happen to money. */
const MONEY = [
  "invoice",
  "issued late",
  "gross edited",
  "due edited",
  "row unreadable",
  "row readable again",
  "voided",
  "deleted",
  "credit note",
  "customer balance",
  "payout",
  "named",
  "a text without a number",
  "no text",
  "another customer's number in the text",
  "a month in the text",
  "a short number in the text",
  "another payer",
  "another customer pays",
  "cash",
  "booked",
  "booked: wrong date",
  "booked: wrong amount",
  "booked: wrong invoice",
  "booked: on account",
  "booked: again",
  "booked: twice",
  "booked: unreadable",
  "corrected: wrong date",
  "corrected: wrong amount",
  "corrected: wrong invoice",
  "corrected: on account",
  "entry deleted",
  "entered again",
  "entered twice",
  "second entry deleted",
  "debit",
  "debit booked",
  "debit booked when charged",
  "debit fails late",
  "chargeback",
  "refund",
  "failed debit deleted",
  "money of nobody's",
  "backup",
  "backup restored",
  "second server",
  "pays removed",
  "connection removed",
  "statement does not add up",
  "paid by hand on the service"
]

/** What can happen to an order. */
const ORDERS = [
  "sale",
  "sale, partly by gift card",
  "parcel",
  "cancel",
  "return",
  "return for store credit",
  "return for nothing",
  "refund for no goods",
  "label",
  "swap",
  "exchange",
  "complete",
  "cancel rest",
  "failed",
  "ends: complete",
  "ends: cancelled",
  "return after the end",
  "an order paid by card",
  "an order paid by cheque",
  "the plugin loses a call"
]

/** What meets on one invoice or order. */
const TOGETHER: ReadonlyArray<readonly [string, string]> = [
  ["debit fails late", "debit booked when charged"],
  ["debit fails late", "debit booked"],
  ["debit fails late", "failed debit deleted"],
  ["chargeback", "debit booked"],
  ["refund", "debit booked"],
  ["credit note", "debit"],
  ["credit note", "debit fails late"],
  ["credit note", "booked"],
  ["credit note", "refund"],
  ["row unreadable", "booked"],
  ["row unreadable", "debit fails late"],
  ["voided", "booked"],
  ["deleted", "booked"],
  ["issued late", "booked"],
  ["gross edited", "booked"],
  ["due edited", "named"],
  ["another customer's number in the text", "booked"],
  ["a month in the text", "booked: twice"],
  ["a text without a number", "booked: on account"],
  ["another payer", "booked: again"],
  ["no text", "booked: wrong invoice"],
  ["named", "booked: wrong date"],
  ["named", "booked: wrong amount"],
  ["named", "booked: unreadable"],
  ["swap", "ends: complete"],
  ["swap", "parcel"],
  ["exchange", "ends: complete"],
  ["exchange", "return after the end"],
  ["label", "parcel"],
  ["return for nothing", "return"],
  ["return for nothing", "ends: complete"],
  ["return for store credit", "return after the end"],
  ["sale, partly by gift card", "return"],
  ["sale, partly by gift card", "exchange"],
  ["cancel", "complete"],
  ["cancel", "parcel"],
  ["cancel rest", "parcel"],
  ["refund for no goods", "cancel"],
  ["complete", "return for store credit"],
  ["complete", "return"]
]

const FILES = ["apart", "overlapping", "interim", "formats"]
const REFERENCES = ["unique", "restarting", "none"]

/** Settings, as a life's own words have them. */
const SETTINGS = [
  ...["camt", "mt940", "csv"].flatMap((format) =>
    REFERENCES.flatMap((one) => FILES.map((files) => `format ${format}, references ${one}, files ${files}`))
  ),
  "files notified",
  ...ZONES.map((zone) => `zone ${zone}`),
  ...["balance", "paid", "status", "none"].flatMap((word) =>
    ["same", "apart", "colliding"].map((ids) => `word ${word}, ids ${ids}`)
  ),
  ...["xero", "stripe", "quickbooks", "odoo"].map((program) => `program ${program}`),
  "rolling true",
  ...["xero", "zoho", "quickbooks", "freeagent", "sage accounting", "sage 50", "lexware", "sevdesk"].map(
    (program) => `export ${program}`
  ),
  ...["sparkasse", "dkb", "n26"].map((bank) => `export ${bank}`),
  "api gocardless, linked true",
  "api gocardless, linked false",
  "api csv, linked true",
  "api csv, linked false",
  "api paypal, linked true",
  "api paypal, linked false",
  ...["shopify", "magento", "woocommerce", "bigcommerce", "files"].map((kind) => `kind ${kind}`),
  "decimals 4",
  "plugin true",
  "authorised a cent more",
  "authorised a cent less"
]

const together = (pair: readonly [string, string]): string => pair.join(" with ")

const found = ({ from, name }: (typeof FINDINGS)[number]): string => `found in ${from}: ${name}`

const SITUATIONS: ReadonlyArray<string> = [
  ...FAULTS,
  ...MONEY,
  ...ORDERS,
  ...TOGETHER.map(together),
  ...SETTINGS,
  ...FINDINGS.map(found)
]

/** The invoice or order that something is about. */
const subjectOf = (id: string): string => /INV-\d+|\d{4,6}/.exec(id)?.[0] ?? id

/** The situations that a life came to. */
export const reachedBy = (setting: string, story: ReadonlyArray<Told>): ReadonlySet<string> => {
  const kinds = Map.groupBy(story, ({ id }) => subjectOf(id))
  const met = TOGETHER.filter((pair) =>
    [...kinds.values()].some((those) => pair.every((kind) => those.some((one) => one.kind === kind)))
  )
  const known = new Set(SITUATIONS)
  const happened = new Set(story.map(({ kind }) => kind))
  const back = FINDINGS.filter(
    ({ needs = [], where }) => setting.includes(where) && needs.every((kind) => happened.has(kind))
  )
  const single = story.map(({ kind }) => kind).filter((kind) => known.has(kind))
  return new Set([
    ...single,
    ...met.map(together),
    ...SETTINGS.filter((one) => setting.includes(one)),
    ...back.map(found)
  ])
}

export const neverReached = (reached: ReadonlySet<string>): ReadonlyArray<string> =>
  SITUATIONS.filter((one) => !reached.has(one))
