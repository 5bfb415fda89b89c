/**
 * Compares what two parts of a source state of one document. A part may be a copy that was written at some time and then stays,
 * like a file: an archive beside a current export, one export a day. Pure.
 */
import type { Copy } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"

/** Whether one copy was written later than another; undefined if they do not say. */
export const isLater = ({ asOf }: Copy, { asOf: other }: Copy): boolean | undefined =>
  asOf === undefined || other === undefined || asOf === other ? undefined : asOf > other

/** Changes as time goes on, without anybody correcting anything. */
const PROGRESS: ReadonlySet<string> = new Set(["status", "stated", "paidOn"])

/** Says nothing about the document itself. */
const LEFT_OUT: ReadonlySet<string> = new Set(["kind", "id", "metadata"])

type Loose = Readonly<Record<string, unknown>>

const text = (value: unknown): string => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one))

const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The members that both state, and state differently. What only one of them states contradicts nothing. */
const membersApart = (one: Loose, other: Loose): ReadonlyArray<string> =>
  Object.keys(one).filter((name) => {
    const [a, b] = [one[name], other[name]]
    if (LEFT_OUT.has(name) || a === undefined || b === undefined) return false
    return isObject(a) && isObject(b) ? membersApart(a, b).length > 0 : text(a) !== text(b)
  })

export const apart = (one: Document.Document, other: Document.Document): ReadonlyArray<string> =>
  membersApart(one as unknown as Loose, other as unknown as Loose)

/** Whether a newer copy may differ in these members from an older one without contradicting it. */
export const isProgress = (members: ReadonlyArray<string>): boolean => members.every((one) => PROGRESS.has(one))

const WORDS: Readonly<Record<string, string>> = {
  party: "customer",
  shares: "what it is allocated to",
  instructed: "what was sent",
  stated: "what the source says is open or paid",
  unallocated: "amount",
  trace: "end-to-end id"
}

const said = (document: Document.Document, member: string): string => {
  const value = (document as unknown as Loose)[member]
  if (typeof value === "bigint") return Currency.say(value, document.currency)
  if (isObject(value) && typeof value["name"] === "string") return value["name"]
  if (isObject(value) && typeof value["currency"] === "string" && typeof value["amount"] === "bigint")
    return Currency.say(value["amount"], value["currency"])
  if (member === "shares")
    return (value as ReadonlyArray<Document.Share>)
      .map(({ amount, invoice }) => `${Currency.say(amount, document.currency)} of ${invoice}`)
      .join(", ")
  if (isObject(value))
    return Object.entries(value)
      .map(([name, one]) => `${name} ${typeof one === "bigint" ? Currency.say(one, document.currency) : text(one)}`)
      .join(", ")
  return typeof value === "string" ? value : text(value)
}

interface Said {
  readonly document: Document.Document
  readonly origin: string
}

/** How many members are named. */
const MOST_NAMED = 3

/** What a person reads about two parts that contradict one another. */
export const contradiction = (one: Said, other: Said): string => {
  const members = apart(one.document, other.document)
  const named = members.slice(0, MOST_NAMED).map((member) => {
    const [a, b] = [one, other].map(({ document, origin }) => `${said(document, member)} (${origin})`)
    return `${WORDS[member] ?? member} ${a}, ${b}`
  })
  const more = members.length > MOST_NAMED ? ` and ${members.length - MOST_NAMED} more` : ""
  return `two files state ${one.document.id} differently: ${named.join("; ")}${more}. Correct it in one of them or take it out of one, or put the date of each export into its file's name`
}

const dayOf = (document: Document.Document): string | undefined => ("date" in document ? document.date : undefined)

/** A payment is not dated anew by more than this. */
const SAME_DAYS = 10

const isIn = ({ asOf, from }: Copy, day: string): boolean =>
  asOf !== undefined && from !== undefined && from <= day && day <= asOf

/**
 * Whether payments with one id in two files are two payments, because ids begin anew in each file: each is dated within the
 * period of its own file, or both their days and what they are for differ.
 */
export const isAnother = (
  one: { readonly document: Document.Document; readonly copy: Copy },
  other: { readonly document: Document.Document; readonly copy: Copy }
): boolean => {
  if (!Document.isAllocated(one.document)) return false
  const [a, b] = [dayOf(one.document), dayOf(other.document)]
  if (a === undefined || b === undefined || a === b) return false
  if (isIn(one.copy, a) && isIn(other.copy, b) && !isIn(one.copy, b) && !isIn(other.copy, a)) return true
  const isNear = Day.addDays(Day.of(a), -SAME_DAYS) <= b && b <= Day.addDays(Day.of(a), SAME_DAYS)
  return !isNear && apart(one.document, other.document).some((member) => member !== "date")
}
