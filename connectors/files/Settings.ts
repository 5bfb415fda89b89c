/**
 * What a configuration says of files: where they are and how they are written, beside what their columns mean.
 */
import { Schema } from "effect"
import { extname } from "node:path"
import { FORMATS } from "./bank/Formats.ts"
import * as Layout from "../tabular/Layout.ts"
import type * as Rows from "../tabular/Rows.ts"
import * as Streams from "../tabular/Streams.ts"

const maybe = Schema.optionalKey

/** How the names of tables end. */
export const TABLES = [".csv", ".tsv", ".xlsx", ".jsonl"]

const each = Streams.streams({
  /** A file, a folder or a glob, relative to the configuration's folder. */
  path: Streams.said('where the file is, like "invoices.csv"'),
  /** Found from the header line unless given. */
  separator: maybe(Schema.Literals([",", ";", "\t", "|"])),
  /** Found from the bytes unless given. */
  encoding: maybe(Schema.Literals(["utf-8", "utf-16le", "utf-16be", "windows-1252", "latin1"])),
  /** Of a workbook: the name of the sheet; the first one unless given. */
  sheet: maybe(Schema.NonEmptyString),
  /** The line that names the columns, counted from 1; what stands above it is passed over. Not for JSON Lines. */
  header_row: maybe(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "write the number of a line, from 1 to 1000" })
    )
  ),
  /** Megabytes that a workbook may have when it is unpacked; 2048 unless given. */
  unpacked_limit: maybe(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 1 << 20 }, { message: "write megabytes, a whole number like 4096" })
    )
  ),
  ...Layout.SETTINGS
})

/** One, or a list of them, where documents of one kind are in several files, or are written in several ways. */
const some = <S extends Schema.Top>(schema: S) =>
  maybe(
    Schema.Union([
      schema,
      Schema.Array(schema).check(Schema.isMinLength(1, { message: "leave it out, or write at least one" }))
    ])
  )

const { columns, ...payments } = each.payments.fields

/** What a table says in columns, a bank's file says by itself. */
const isOneOf = Schema.makeFilter((settings: object) => {
  const one = settings as { readonly columns?: unknown; readonly format?: unknown; readonly path: string }
  if (one.columns === undefined)
    return one.format !== undefined || !TABLES.includes(extname(one.path).toLowerCase())
      ? true
      : { path: ["columns"], issue: `is missing; write which column is which, like { "id": "Invoice" }` }
  const other = ["format", "accounts"].find((name) => name in settings)
  return other === undefined
    ? true
    : { path: [other], issue: "is for bank statements, and columns is for tables; leave one of them out" }
})

/** Payments are rows of a table, or entries of a bank's statements. */
const Payments = Schema.Struct({
  ...payments,
  columns: maybe(columns),
  /** Of a bank's files; found from their beginning unless given. */
  format: maybe(Schema.Literals(FORMATS)),
  /** Of a bank's files: the accounts that are read; all of them unless given. */
  accounts: maybe(Schema.Array(Schema.NonEmptyString))
}).check(Streams.hasYear, isOneOf)

export type BankSettings = Pick<typeof Payments.Type, "accounts" | "encoding" | "format">

export const Settings = Schema.Struct({
  invoices: some(each.invoices),
  payments: some(Payments),
  credit_notes: some(each.credit_notes),
  orders: some(each.orders),
  fulfilments: some(each.fulfilments),
  cancellations: some(each.cancellations),
  returns: some(each.returns)
}).check(Streams.named)
export type Settings = typeof Settings.Type

/** What is said of one file, folder or glob. */
export type StreamSettings = Rows.Written & {
  readonly path: string
  readonly separator?: string
  readonly encoding?: (typeof each)["invoices"]["Type"]["encoding"]
  readonly sheet?: string
  readonly header_row?: number
  readonly unpacked_limit?: number
}

export interface Entry {
  readonly stream: Streams.Stream
  readonly settings: StreamSettings
  /** `invoices`, `payments[1]`: where it stands in `source`. */
  readonly place: string
  /** Where it is bank statements, and no tables. */
  readonly bank?: BankSettings
  /** What its scans are called, `invoices`; the second and later of a list with their number. */
  readonly part: string
}

/** Every file, folder or glob that is named, in the order in which they are read. */
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
