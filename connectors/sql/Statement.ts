/**
 * Builds the statements that are sent: checks the configured query and wraps it as a table that pages are read from. Pure.
 * The transaction is read-only as well; the check exists to report mistakes early.
 */
import type { Dialect } from "./Driver.ts"

/** Keywords with which a change can begin. */
const CHANGES = /^(?:insert|update|delete|merge|replace)$/i

/** Comments, quoted names, dollar-quoted texts, words, and any other single character. */
const REST = /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\$(\w*)\$[\s\S]*?\$\1\$|[A-Za-z_]\w*|\S/.source
/** Two tokenisers: with standard text literals, and with backslash escapes as in MySQL. */
const TOKENS = [`'(?:[^']|'')*'|${REST}`, String.raw`'(?:[^'\\]|''|\\[\s\S])*'|${REST}`].map(
  (one) => new RegExp(one, "g")
)

/** Why a text is not a single SELECT; undefined if it is one for every database. */
export const notOne = (query: string): string | undefined => {
  const wrong = TOKENS.map((pattern) => refused(query.match(pattern) ?? []))
  return wrong.includes(undefined) ? undefined : wrong[0]
}

const refused = (tokens: ReadonlyArray<string>): string | undefined => {
  let depth = 0
  let ended = false
  let first: string | undefined
  for (const token of tokens) {
    if (/^\/\*M?!/.test(token)) return "remove comments that begin with /*!: a database would run them"
    if (/^(?:--|\/\*)/.test(token)) continue
    if (ended) return "write one statement only; another follows the semicolon"
    if (token === ";") ended = true
    else if (token === "(") depth++
    else if (token === ")" && --depth < 0) return "it closes a bracket that was never opened"
    if (first === undefined && token !== "(") {
      first = token.toLowerCase()
      if (first !== "select" && first !== "with") return "write one SELECT: Daybook only reads"
    }
    // A column may be named update, but such a word must not be where a change could begin.
    if (/^into$/i.test(token) || (first === "with" && CHANGES.test(token)))
      return `remove ${token.toUpperCase()}: Daybook only reads`
  }
  if (first === undefined) return "is empty; write one SELECT"
  return depth > 0 ? "it opens a bracket that is never closed" : undefined
}

/** The query as a subquery. The line break ends a comment at its end. */
const bare = (query: string): string => query.replace(/(?<![;\s])[;\s]+$/, "")

export interface Part {
  readonly where?: string
  readonly order?: ReadonlyArray<string>
  readonly none?: boolean
}

/** The name of a column of the query. */
export const column = ({ quote }: Dialect, name: string): string => `daybook_rows.${quote(name)}`

export const select = (query: string, { none = false, order = [], where }: Part): string =>
  [
    `SELECT * FROM (\n${bare(query)}\n) AS daybook_rows`,
    ...(where === undefined ? [] : [`WHERE ${where}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(", ")}`]),
    ...(none ? ["LIMIT 0"] : [])
  ].join(" ")
