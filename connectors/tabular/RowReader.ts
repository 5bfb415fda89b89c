/**
 * What readers of rows have in common: what they are given, and the hash of a row by which it is known again.
 */
import type * as CountryNames from "../../core/wire/CountryNames.ts"
import type { Kind } from "../Document.ts"
import type { Batch } from "./Batch.ts"
import { type Context, find, Unreadable } from "./Cells.ts"
import type * as Numerals from "./Numerals.ts"
import * as Repeats from "./Repeats.ts"
import type { Columns, Row } from "./Row.ts"
import * as Streams from "./Streams.ts"
import type { Stream, StreamSettings } from "./Streams.ts"
import type * as Where from "./Where.ts"

export const KINDS: Readonly<Record<Stream, Kind>> = {
  invoices: "invoice",
  payments: "payment",
  credit_notes: "credit_note",
  orders: "order",
  fulfilments: "fulfilment",
  cancellations: "cancellation",
  returns: "return"
}

/** How rows of one id are lines of one document. */
export type Lines = "sum" | "same" | { readonly sum: ReadonlyArray<string> }

export interface Within {
  /** What the table is called. */
  readonly file: string
  /** Where a row stands; its line unless given. */
  readonly origin?: (row: Row) => string
  readonly table: Columns
  readonly mark: Numerals.Mark | undefined
  /** Each row has an id of its own, and stays the same document when it comes to be about another invoice. */
  readonly ownId?: boolean
  /** Rows that the file has, about. */
  readonly expected: number
  /** Names of countries in the settings' language. */
  readonly countries?: CountryNames.Lookup | undefined
  /** For dates without one: the year, and the month that it begins with. */
  readonly year?: { readonly year: number; readonly month: number } | undefined
  /** Which rows other streams read of this table, where this one says of the rows that none of them reads. */
  readonly others?: ReadonlyArray<Where.Where | undefined> | undefined
  /** Told of rows that give no document, as they are quarantined or were there before. */
  readonly missed?: (rows: ReadonlyArray<Row>) => void
}

/** `invoices.csv:12` */
export const line =
  (file: string) =>
  (row: Row): string =>
    `${file}:${row.line}`

/** Takes rows that are records, in the shape in which they are read. */
export type Reader = (rows: ReadonlyArray<Row>, into: Batch, last: boolean) => void

/** The columns that are asked for, where they stand. */
export const askedOf = (settings: StreamSettings, header: ReadonlyArray<string>): ReadonlyArray<number> => [
  ...new Set(Streams.headingsOf(settings).map(({ heading }) => find(header, heading)))
]

export interface Shaped {
  readonly settings: StreamSettings
  readonly header: ReadonlyArray<string>
  readonly cells: Context
}

/**
 * A hash of all that is read of a row. Every character passes here, so this is also where one that no text has is
 * refused: all controls but tab, line feed, carriage return and next line.
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
