/** Builds the message to a channel, as a value and as text, from the alerts that it is about. Pure. */
import { plural } from "../../core/Plural.ts"
import type { AlertKind } from "../model/AlertSettings.ts"
import type { Head } from "../state/chain/Entry.ts"

/** One alert in a message. Instants are ISO 8601 in UTC. */
export interface AlertEntry {
  readonly alert: number
  /** `tenant`: about one of many, for who operates them. */
  readonly kind: AlertKind | "tenant"
  /** Null: the alert is about the machine. */
  readonly connection: string | null
  /** It began or became more urgent; it is over; its deadline passed. */
  readonly what: "began" | "over" | "passed"
  readonly title: string
  readonly words: string
  readonly began: string
  readonly ended: string | null
}

export interface AlertMessage {
  /** The same in every repetition. */
  readonly id: string
  readonly type: "daybook.alerts" | "daybook.test"
  /** Those that began, latest first; then those that are over. */
  readonly alerts: ReadonlyArray<AlertEntry>
  /** How many more there are than are listed. */
  readonly more: number
  /** The daemon's page, if configured. */
  readonly page?: string
  /** The latest entry of the chain of what was written, so that it is known elsewhere. */
  readonly chain?: Head
}

/** How many alerts one message lists. */
export const MOST_LISTED = 40

const LONGEST_TITLE = 200
const LONGEST_WORDS = 1000

/** Shortens a text to one line of limited length: text from others may contain anything. */
const cut = (text: string, longest: number): string =>
  text.length > longest
    ? `${text
        .slice(0, longest - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, "")}…`
    : text

const line = (text: string): string => text.replace(/[\u0000-\u001F\u007F\u2028\u2029]+/g, " ").trim()

const paragraph = (text: string): string => text.replace(/[\u0000-\u0009\u000B-\u001F\u007F]+/g, " ").trim()

export const headlineOf = ({ title, what }: AlertEntry): string => {
  const short = cut(line(title), LONGEST_TITLE)
  return what === "over" ? `Resolved: ${short}` : what === "passed" ? `Passed: ${short}` : short
}

export const wordsOf = ({ began, ended, what, words }: AlertEntry): string => {
  if (what === "began") return cut(paragraph(words), LONGEST_WORDS)
  const when = `since ${began.slice(0, 16).replace("T", " ")}`
  const until = ended === null ? "" : `, until ${ended.slice(0, 16).replace("T", " ")} UTC`
  return what === "over"
    ? `It is over (${when}${until}).`
    : `The day has passed, and nothing was done (${when}${until}).`
}

/** The subject line, or the first line of a chat message. */
export const subjectOf = ({ alerts, more, type }: AlertMessage): string => {
  if (type === "daybook.test") return "Daybook: a test of this channel"
  const [first] = alerts
  if (first !== undefined && alerts.length + more === 1) return `Daybook: ${headlineOf(first)}`
  const over = alerts.filter(({ what }) => what === "over").length
  const rest = alerts.length + more - over
  const said = [...(rest > 0 ? [plural(rest, "alert")] : []), ...(over > 0 ? [`${over} resolved`] : [])]
  return `Daybook: ${said.join(", ")}`
}

export const TEST_WORDS = "This is a test. Alerts of Daybook arrive here."

/** The lines after the listed alerts. */
export const closing = ({ chain, more, page }: AlertMessage): ReadonlyArray<string> => [
  ...(more > 0 ? [`And ${plural(more, "more alert", "more alerts")}.`] : []),
  page === undefined ? "All of them: daybook alerts" : `All of them: ${page.replace(/(?<!\/)\/+$/, "")}/alerts`,
  ...(chain === undefined ? [] : [`Chain: ${chain.entry}:${chain.hash}`])
]

/** As plain text. */
export const plainTextOf = (message: AlertMessage): string => {
  if (message.type === "daybook.test") return `${TEST_WORDS}\n`
  const each = message.alerts.map((one) => [headlineOf(one), wordsOf(one)].filter((text) => text !== "").join("\n"))
  return `${[...each, closing(message).join("\n")].join("\n\n")}\n`
}
