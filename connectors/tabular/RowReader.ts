/**
 * Defines what all row readers share: their input, and the hash that identifies a row's content.
 */
import type * as CountryNames from "../../core/wire/CountryNames.ts"
import { KINDS as ALL, type Kind } from "../Document.ts"
import type { Batch } from "./Batch.ts"
import { type Context, find, Unreadable } from "./Cells.ts"
import type { Choice } from "./Chosen.ts"
import type * as Numerals from "./Numerals.ts"
import * as Repeats from "./Repeats.ts"
import type { Columns, Row } from "./Row.ts"
import * as Headings from "./Headings.ts"
import type { Stream, StreamSettings } from "./Streams.ts"

export const KINDS: Readonly<Record<Stream, Kind>> = {
  invoices: "invoice",
  payments: "payment",
  credit_notes: "credit_note",
  orders: "order",
  fulfilments: "fulfilment",
  cancellations: "cancellation",
  returns: "return"
}

/** The kinds of documents that tables become: negative payments are reversals. Payouts are reported by processors only. */
export const TABLE_KINDS: ReadonlyArray<Kind> = ALL.filter(
  (kind) => kind === "reversal" || Object.values(KINDS).includes(kind)
)

/** How rows with one id are combined into one document. */
export type Lines = "sum" | "same" | { readonly sum: ReadonlyArray<string> }

export interface Within {
  /** The table's name. */
  readonly file: string
  /** A row's origin; by default its line. */
  readonly origin?: (row: Row) => string
  readonly table: Columns
  readonly mark: Numerals.Mark | undefined
  /** Whether each row has its own id, and stays the same document even if its invoice changes. */
  readonly ownId?: boolean
  /** The estimated number of rows. */
  readonly expected: number
  /** Country codes by name, in the settings' language. */
  readonly countries?: CountryNames.Lookup | undefined
  /** For dates without a year: the year, and the month in which it begins. */
  readonly year?: { readonly year: number; readonly month: number } | undefined
  /** Whether the payments stand beside their invoices, so that each of them must name one. */
  readonly hasInvoices?: boolean
  /** What the other streams of this table choose; set if this stream reports the rows that none of them reads. */
  readonly others?: ReadonlyArray<Choice> | undefined
  /** Called with rows that yield no document, because they are quarantined or were read before. */
  readonly missed?: (rows: ReadonlyArray<Row>) => void
}

/** `invoices.csv:12` */
export const line =
  (file: string) =>
  (row: Row): string =>
    `${file}:${row.line}`

/** Takes the rows that are records. */
export type Reader = (rows: ReadonlyArray<Row>, into: Batch, last: boolean) => void

/** The indexes of the columns that are used. */
export const askedOf = (settings: StreamSettings, header: ReadonlyArray<string>): ReadonlyArray<number> => [
  ...new Set(Headings.headingsOf(settings).map(({ heading }) => find(header, heading)))
]

export interface Shaped {
  readonly settings: StreamSettings
  readonly header: ReadonlyArray<string>
  readonly cells: Context
}

/**
 * A hash of all cells of a row that are used. Because every character passes through here, this also rejects characters that
 * do not occur in text: all control characters but tab, line feed, carriage return and next line.
 */
export const contentOf = ({ cells }: Row, asked: ReadonlyArray<number>, header: ReadonlyArray<string>): number => {
  let hash = 0
  for (const index of asked) {
    const cell = cells[index]
    hash = Math.imul((hash << 13) | (hash >>> 19), 0x9e3779b1) ^ index
    if (cell === undefined) continue
    for (let n = 0; n < cell.length; n++) {
      const code = cell.charCodeAt(n)
      if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || (code >= 127 && code < 160 && code !== 133)) {
        const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`
        const what = code === 0 ? "a NUL byte" : `a control character (${name})`
        throw new Unreadable(`contains ${what}, which is not valid in text; correct it, or set encoding`, header[index])
      }
      hash = Math.imul(hash ^ code, 0x85ebca77)
      hash ^= hash >>> 15
    }
  }
  return Repeats.mix(hash)
}
