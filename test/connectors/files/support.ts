/**
 * Runs the files connector on files that a test writes: settings go through the connector's own schema, as they do
 * in the program, and what the pages say is collected.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Clock, Effect, Layer, Result, Schema, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as XLSX from "xlsx"
import type { Notice, Page, QuarantinedRecord, SourceError } from "../../../connectors/Connector.ts"
import type { Document, Kind } from "../../../connectors/Document.ts"
import { files } from "../../../connectors/files/Files.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { atEnd } from "../../support/AtEnd.ts"

export const FIXTURES = join(import.meta.dirname, "../../fixtures/files")

export const fixture = (name: string): string => readFileSync(join(FIXTURES, name), "utf8")

const layer = Layer.mergeAll(NodeServices.layer, FetchHttpClient.layer)

export type Contents = Readonly<Record<string, string | Uint8Array>>

/** Writes files into a folder, a new one unless given. */
export const write = (contents: Contents, into?: string): string => {
  const folder = into ?? mkdtempSync(join(tmpdir(), "daybook-files-"))
  if (into === undefined) atEnd(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

export type Bookmark = typeof files.bookmark.Type

export interface Outcome {
  readonly pages: ReadonlyArray<Page<Bookmark>>
  readonly documents: ReadonlyArray<Document>
  readonly origins: ReadonlyArray<string>
  readonly quarantined: ReadonlyArray<QuarantinedRecord>
  readonly notices: ReadonlyArray<Notice>
  readonly unchanged: ReadonlyArray<string>
  /** Of the last page. */
  readonly bookmark: Bookmark | undefined
  readonly error: SourceError | undefined
}

export interface Options {
  readonly after?: Bookmark | undefined
  /** As a preview: everything is read, and compared with what was known then. */
  readonly before?: Bookmark | undefined
  /** So many milliseconds from now. */
  readonly later?: number
  /** Stop after so many pages, as a program that dies does. */
  readonly pages?: number
  /** Told after every page, how many there were. */
  readonly onPage?: (pages: number) => void
}

/** Decodes settings; answers why they are refused otherwise. */
export const settings = (source: object) => Schema.decodeUnknownResult(files.settings)(source)

const decoded = (source: object): typeof files.settings.Type => Result.getOrThrow(settings(source))

/** Pulls from a folder, or from files that are written to a new one. */
export const pull = async (where: string | Contents, source: object, options: Options = {}): Promise<Outcome> => {
  const folder = typeof where === "string" ? where : write(where)
  const pages: Array<Page<Bookmark>> = []
  const stream = files.pull(decoded(source), options.after, {
    folder,
    ...(options.before === undefined ? {} : { before: options.before })
  })
  const result = await Effect.runPromise(
    (options.pages === undefined ? stream : Stream.take(stream, options.pages)).pipe(
      Stream.runForEach((page) =>
        Effect.sync(() => {
          const count = pages.push(page)
          options.onPage?.(count)
        })
      ),
      Effect.result,
      Effect.provide(layer),
      (pulling) =>
        Clock.clockWith((clock) =>
          Effect.provideService(pulling, Clock.Clock, {
            ...clock,
            currentTimeMillis: Effect.sync(() => clock.currentTimeMillisUnsafe() + (options.later ?? 0))
          })
        )
    )
  )
  return {
    pages,
    documents: pages.flatMap(({ read }) => read.map(({ document }) => document)),
    origins: pages.flatMap(({ read }) => read.map(({ origin }) => origin)),
    quarantined: pages.flatMap(({ quarantined }) => quarantined),
    notices: pages.flatMap(({ notices }) => notices ?? []),
    unchanged: pages.flatMap(({ unchanged }) => unchanged ?? []),
    bookmark: pages.at(-1)?.bookmark,
    error: Result.isFailure(result) ? result.failure : undefined
  }
}

/** What `daybook doctor` asks before anything is read. */
export const check = (folder: string, source: object) =>
  Effect.runPromise(files.check!(decoded(source), { folder }).pipe(Effect.result, Effect.provide(layer)))

/** Documents as JSON with amounts as people write them. */
export const plain = (documents: ReadonlyArray<Document>): unknown =>
  JSON.parse(JSON.stringify(documents, (_, value) => (typeof value === "bigint" ? Decimal.format(value, 2) : value)))

export const ids = (documents: ReadonlyArray<Document>, kind: Kind = "invoice"): ReadonlyArray<string> =>
  documents.filter((one) => one.kind === kind).map(({ id }) => id)

export const HEADER = "Invoice,Buyer,Country,Issued,Due,Net,Gross,State"

export const COLUMNS = {
  id: "Invoice",
  customer: "Buyer",
  customer_country: "Country",
  issued: "Issued",
  due: "Due",
  net: "Net",
  gross: "Gross",
  status: "State"
}

/** The settings of most tests: one file of invoices. */
export const invoices = (more: object = {}, path = "invoices.csv") => ({
  invoices: { path, columns: COLUMNS, currency: "GBP", statuses: { Sent: "open" }, ...more }
})

export const row = (id: string, net = "100.00", gross = "120.00") =>
  `${id},Acme Ltd,GB,2024-01-31,2024-03-01,${net},${gross},Sent`

/** A table of invoices as CSV. */
export const table = (...rows: ReadonlyArray<string>): string => [HEADER, ...rows].map((line) => `${line}\n`).join("")

export const payments = (more: object = {}, path = "payments.csv") => ({
  payments: {
    path,
    columns: { id: "Ref", invoice: "Invoice", date: "Date", amount: "Amount", type: "Type", provider_code: "Code" },
    currency: "GBP",
    ...more
  }
})

/** A workbook by another program than the one that reads it. */
export const workbook = (
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  { date1904 = false, sheet = "Invoices" }: { readonly date1904?: boolean; readonly sheet?: string } = {}
): Uint8Array => {
  const book = XLSX.utils.book_new()
  if (date1904) book.Workbook = { WBProps: { date1904 } }
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows as Array<Array<unknown>>), sheet)
  return XLSX.write(book, { type: "buffer", bookType: "xlsx", compression: true })
}

/** A cell with a day, as a serial number that is shown as a date. */
export const day = (serial: number, format = "yyyy-mm-dd") => ({ t: "n", v: serial, z: format })
