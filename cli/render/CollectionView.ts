/** Renders collections for people and programs: what would be handed over, what is missing, and who confirmed it. */
import * as Currency from "../../core/money/Currency.ts"
import * as Instant from "../../core/wire/Instant.ts"
import { plural } from "../../core/Plural.ts"
import type { CollectionView } from "../../sync/collections/Collecting.ts"
import type { Json } from "../../sync/model/RemoteInvoice.ts"
import type { CollectionRow } from "../../sync/reports/CollectionList.ts"
import { instant } from "./Instants.ts"
import type { Output } from "./Output.ts"
import { headings, table } from "./Table.ts"

type Looks = Pick<Output, "style" | "width">

/** The two declarations, in the words in which a person is asked for them. */
export const DECLARATIONS = {
  confirm_correct: "What is shown here, with its documents, is correct and complete.",
  collections_terms_acceptance: "I accept the terms of the collections partner for this invoice."
} as const

/** Readable names for the fields of a collection. */
const LABELS: Readonly<Record<string, string>> = {
  creditor_contact_name: "Your contact",
  creditor_contact_email: "Your email",
  creditor_contact_phone: "Your phone",
  debtor_address: "Buyer's address",
  debtor_postcode: "Buyer's postcode",
  debtor_city: "Buyer's city",
  debtor_country: "Buyer's country",
  debtor_contact_name: "Buyer's contact",
  debtor_contact_email: "Buyer's email",
  debtor_contact_phone: "Buyer's phone",
  debtor_website: "Buyer's website",
  bank_account_name: "Account holder",
  bank_account_sortcode: "Sort code",
  bank_account_number: "Account number",
  bank_account_email: "Account email",
  collect_fees_from_debtor: "Fees from the buyer",
  partial_payment: "Received so far",
  other_invoices: "Other overdue invoices",
  disputed: "Disputed",
  reasons: "Why it is disputed",
  comments: "Comments",
  actions_taken: "Done so far"
}

/** A field's value in words; a secret is only named. */
const inWords = (value: Json): string => {
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "object" && value !== null && "env" in value) return `from ${String(value.env)}, not shown`
  return typeof value === "string" ? value : JSON.stringify(value)
}

export interface FieldRow {
  readonly name: string
  readonly value: string
  /** It is the service's: filled in by itself, or written there by others. */
  readonly prefilled: boolean
}

const isThere = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== ""

/** The invoice's terms and amounts as they are declared, in reading order. */
export const termRows = (view: CollectionView): ReadonlyArray<readonly [name: string, value: string]> => {
  const { credited, currency, due, gross, issued, net, received, regnum } = view
  const money = (amount: string) => `${Currency.group(amount)} ${currency}`
  return [
    ...(regnum === undefined ? [] : [["Buyer's registration number", regnum] as const]),
    ["Issued", issued],
    ["Due", due],
    ...(net === null ? [] : [["Net", money(net)] as const]),
    ...(gross === null ? [] : [["Gross", money(gross)] as const]),
    ...(/[1-9]/.test(credited) ? [["Credited", money(credited)] as const] : []),
    ...(/[1-9]/.test(received) ? [["Received", money(received)] as const] : [])
  ]
}

/** What would be handed over and what a person said about it, in reading order. */
export const fieldRows = ({
  fields,
  prefilled,
  word
}: Pick<CollectionView, "fields" | "prefilled" | "word">): ReadonlyArray<FieldRow> =>
  Object.entries(LABELS).flatMap(([member, name]): ReadonlyArray<FieldRow> => {
    const own = (word?.isVoid === false ? word.fields[member] : undefined) ?? fields[member]
    if (own !== undefined && isThere(own)) return [{ name, value: inWords(own), prefilled: false }]
    const filled = prefilled[member]
    return filled !== undefined && isThere(filled) ? [{ name, value: inWords(filled), prefilled: true }] : []
  })

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 2 ** 20
      ? `${Math.ceil(bytes / 1024)} kB`
      : `${(bytes / 2 ** 20).toFixed(1).replace(/\.0$/, "")} MB`

/** `prood_order`, as the service spells it, is a proof of order. */
export const typeText = (type: string): string => type.replace(/^proo[df]_/, "proof of ").replaceAll("_", " ")

export const windowText = ({ daysLeft, windowEnds }: Pick<CollectionView, "windowEnds" | "daysLeft">): string => {
  if (windowEnds === undefined || daysLeft === undefined) return ""
  if (daysLeft < 0) return `the window closed on ${windowEnds}`
  const left = daysLeft === 0 ? "today" : daysLeft === 1 ? "one day is left" : `${daysLeft} days are left`
  return `the window to hand it over closes on ${windowEnds}: ${left}`
}

export const command = ({ number, subject }: Pick<CollectionView, "number" | "subject">): string =>
  `daybook collect ${/^[\w./-]+$/.test(number) ? number : JSON.stringify(subject)}`

/** What is said while the outcome of a handover is not known. */
export const UNKNOWN = "Whether it was handed over is not known yet: the next run finds out."

const wordText = ({ sent, unknown, withdrawn, word }: CollectionView, { style }: Looks): ReadonlyArray<string> => {
  const lines: Array<string> = []
  if (withdrawn !== undefined)
    lines.push("", style.yellow(`${withdrawn.who} took the confirmation back at ${instant(withdrawn.at)} UTC`))
  if (word !== undefined) {
    const said = `Confirmed by ${word.who} at ${instant(word.at)} UTC`
    lines.push("", word.isVoid ? style.yellow(`${said}; something changed since, so that it counts no more`) : said)
  }
  if (unknown === true) lines.push("", style.yellow(UNKNOWN))
  if (sent !== undefined)
    lines.push("", style.green(sent === "" ? "It was handed over." : `Handed over on ${sent.slice(0, 10)}.`))
  return lines
}

export const one = (view: CollectionView, out: Looks): string => {
  const { buyer, currency, documents, lacking, number, open, policy } = view
  const { style, width } = out
  const window = windowText(view)
  const files = [
    ...documents.map(({ name, origin, size, type }) => [typeText(type), name, sizeText(size), origin]),
    ...view.others.map(({ description, type }) => [
      typeText(type),
      description,
      "",
      "attached on the service by others"
    ])
  ]
  return [
    `${style.bold(number)}  ${buyer}, ${Currency.group(open)} ${currency} open`,
    `Policy ${policy.number ?? policy.id}: ${policy.status}${policy.since === undefined ? "" : ` since ${policy.since}`}${window === "" ? "" : `; ${window}`}`,
    "",
    style.bold("What would be handed over"),
    table(
      [{ title: "" }, { title: "", flexible: true }],
      [
        ...termRows(view),
        ...fieldRows(view).map(({ name, prefilled, value }) => [name, prefilled ? `${value} (on the service)` : value])
      ],
      { style, width }
    ).replace(/^[^\n]*\n/, ""),
    "",
    style.bold(`Documents (${files.length})`),
    ...(files.length === 0
      ? ["  none"]
      : [
          table(
            [{ title: "Type" }, { title: "Name", flexible: true }, { title: "Size", right: true }, { title: "From" }],
            files,
            { style, width }
          )
        ]),
    ...(lacking.length === 0
      ? []
      : ["", style.yellow(`Missing (${lacking.length})`), ...lacking.map((one) => `  ${one}`)]),
    ...wordText(view, out)
  ].join("\n")
}

/** What to do next. */
export const next = (view: CollectionView, refused: boolean): string => {
  if (view.unknown === true) return ""
  if (view.closed !== undefined) return `\nIt cannot be handed over: ${view.closed}.`
  if (view.lacking.length > 0) return "\nIt can be confirmed once nothing is missing."
  const begun = refused ? "Nothing was confirmed." : "Complete."
  return `\n${begun} To hand it over: ${command(view)} --confirm (digest ${view.digest.slice(0, 12)})`
}

/** What became of handing it over. */
export const ended = ({ closed, sent, subject, unknown }: CollectionView): string => {
  if (sent !== undefined) return `${subject} was handed over.`
  if (unknown === true) return `Whether ${subject} was handed over is not known yet: the next run finds out.`
  return closed === undefined
    ? `${subject} was not handed over; daybook explain ${subject} says why.`
    : `${subject} was not handed over: ${closed}.`
}

/** The policy's status in words; after a handover, until it is read again, that it was handed over. */
export const statusText = ({ sent, status, unknown }: Pick<CollectionRow, "sent" | "status" | "unknown">): string => {
  if (status !== "late_can_handover") return status.replaceAll("_", " ")
  if (unknown) return "may have been handed over"
  return sent === null ? "can be handed over" : "handed over"
}

export const list = (all: ReadonlyArray<CollectionRow>, { style, width }: Looks): string => {
  if (all.length === 0) return "No insured invoice is late enough to be handed over."
  const rows = all.map((one) => {
    const { confirmed, currency, daysLeft, name, number, open, recovered, sent, windowEnds } = one
    return [
      number,
      name,
      `${Currency.group(open)} ${currency}`,
      statusText(one),
      windowEnds === null || daysLeft === null ? "" : `${windowEnds} (${plural(daysLeft, "day")})`,
      confirmed ?? "",
      sent === null ? "" : sent.slice(0, 10),
      recovered === null ? "" : `${Currency.group(recovered)} ${currency}`
    ]
  })
  return [
    table(headings("Invoice, ~Buyer, >Open, Policy, Window closes, Confirmed by, Sent, >Recovered"), rows, {
      style,
      width
    }),
    style.dim("\nLook at one: daybook collect INVOICE")
  ].join("\n")
}

/** For programs. */
export const record = ({ documents, withdrawn, word, ...view }: CollectionView) => ({
  type: "collection",
  ...view,
  ...(withdrawn === undefined ? {} : { withdrawn: { ...withdrawn, at: Instant.fromEpochMillis(withdrawn.at) } }),
  documents: documents.map(({ read, ...file }) => ({ ...file, read: Instant.fromEpochMillis(read) })),
  word: word === undefined ? null : { ...word, at: Instant.fromEpochMillis(word.at) }
})
