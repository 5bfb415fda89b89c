/**
 * Declares the settings of files: where they are and how they are written, in addition to what their columns mean.
 */
import { Schema } from "effect"
import { extname } from "node:path"
import { FORMATS } from "./bank/Formats.ts"
import * as Layout from "../tabular/Layout.ts"
import type * as Rows from "../tabular/Rows.ts"
import { isSettledOnce } from "../tabular/Settled.ts"
import { hasYear } from "../tabular/DateFormats.ts"
import * as Streams from "../tabular/Streams.ts"

const maybe = Schema.optionalKey

/** File name extensions of tables. */
export const TABLES = [".csv", ".tsv", ".xlsx", ".jsonl"]

const each = Streams.streams({
  /** A file, a folder or a glob, relative to the configuration's folder. */
  path: Streams.said('where the file is, like "invoices.csv"'),
  /** Detected from the header line by default. */
  separator: maybe(Schema.Literals([",", ";", "\t", "|"])),
  /** Detected from the bytes by default. */
  encoding: maybe(
    Schema.Literals(["utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1250", "iso-8859-2", "latin1"])
  ),
  /** For workbooks: the sheet's name; by default the first one. */
  sheet: maybe(Schema.NonEmptyString),
  /** The line with the column names, counted from 1; lines above it are skipped. 0 if it has none. Not for JSON Lines. */
  header_row: maybe(
    Schema.Int.check(
      Schema.isBetween(
        { minimum: 0, maximum: 1000 },
        { message: "write the number of a line, from 1 to 1000, or 0 if no line has headings" }
      )
    )
  ),
  /** Largest unpacked size of a workbook in megabytes; 2048 by default. */
  unpacked_limit: maybe(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 1 << 20 }, { message: "write megabytes, a whole number like 4096" })
    )
  ),
  /** `true`: its oldest records leave it as new ones come; `false`: what left was deleted. By default, that is learnt. */
  window: maybe(Schema.Boolean),
  /** For several files that each are a complete export: only the newest is read, by the date in its name. */
  files: maybe(Schema.Literal("newest")),
  ...Layout.SETTINGS
})

/** One, or a list: documents of one kind may be in several files, or in several layouts. */
const some = <S extends Schema.Top>(schema: S) =>
  maybe(
    Schema.Union([
      schema,
      Schema.Array(schema).check(Schema.isMinLength(1, { message: "leave it out, or write at least one" }))
    ])
  )

const { columns, ...payments } = each.payments.fields

/** Rejects column settings for bank files, which describe themselves. */
const isOneOf = Schema.makeFilter((settings: object) => {
  const one = settings as { readonly columns?: unknown; readonly format?: unknown; readonly path: string }
  if (one.columns === undefined)
    return one.format !== undefined || !TABLES.includes(extname(one.path).toLowerCase())
      ? true
      : { path: ["columns"], issue: `is missing; write which column is which, like { "id": "Invoice" }` }
  const other = ["format", "accounts", "rejects"].find((name) => name in settings)
  return other === undefined
    ? true
    : { path: [other], issue: "is for bank statements, and columns is for tables; leave one of them out" }
})

/** Payments are rows of a table, or entries of bank statements. */
const Payments = Schema.Struct({
  ...payments,
  columns: maybe(columns),
  /** For bank files; detected from their beginning by default. */
  format: maybe(Schema.Literals(FORMATS)),
  /** For bank files: the accounts to read; all by default. */
  accounts: maybe(Schema.Array(Schema.NonEmptyString)),
  /** For pain.002: refused debits are reversals, because the books count a debit as paid once it is handed in. */
  rejects: maybe(Schema.Literal("reversal"))
}).check(hasYear, isOneOf)

export type BankSettings = Pick<typeof Payments.Type, "accounts" | "encoding" | "format" | "rejects">

export const Settings = Schema.Struct({
  invoices: some(each.invoices),
  payments: some(Payments),
  credit_notes: some(each.credit_notes),
  orders: some(each.orders),
  fulfilments: some(each.fulfilments),
  cancellations: some(each.cancellations),
  returns: some(each.returns)
}).check(Streams.named, isSettledOnce)
export type Settings = typeof Settings.Type

/** The settings of one file, folder or glob. */
export type StreamSettings = Rows.Written & {
  readonly path: string
  readonly separator?: string
  readonly encoding?: (typeof each)["invoices"]["Type"]["encoding"]
  readonly sheet?: string
  readonly header_row?: number
  readonly unpacked_limit?: number
  readonly window?: boolean
  readonly files?: "newest"
}

export interface Entry {
  readonly stream: Streams.Stream
  readonly settings: StreamSettings
  /** Its path within `source`: `invoices`, `payments[1]`. */
  readonly place: string
  /** Present for bank statements, absent for tables. */
  readonly bank?: BankSettings
  /** The name of its scans: `invoices`, with a number from the second entry of a list on. */
  readonly part: string
}

/** Every configured file, folder or glob, in reading order. */
export const entries = (settings: Settings): ReadonlyArray<Entry> =>
  Streams.STREAMS.flatMap((stream) => {
    const one = settings[stream] as StreamSettings | ReadonlyArray<StreamSettings> | undefined
    if (one === undefined) return []
    const bankOf = (settings: StreamSettings) =>
      settings.columns === undefined ? { bank: settings as BankSettings } : {}
    if (!Array.isArray(one)) {
      const settings = one as StreamSettings
      return [{ stream, settings, ...bankOf(settings), place: stream, part: stream }]
    }
    return (one as ReadonlyArray<StreamSettings>).map((settings, n) => ({
      stream,
      settings,
      ...bankOf(settings),
      place: `${stream}[${n}]`,
      part: n === 0 ? stream : `${stream}.${n + 1}`
    }))
  })
