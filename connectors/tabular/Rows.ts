/**
 * Rows and the documents they become. Pure: what a table's data may look like is decided here, how it is read by the
 * connectors. A stream's settings are compiled against a file's header once; a row then costs no schema.
 *
 * A row whose id was there before in the file is never a second document: the same row again is told, another row
 * under the same id is quarantined. Here and nowhere else, because only within one file is there a first row to name;
 * what stands in two files is one document that moved, which is for the books to say.
 */
import type { Kind, OrderFact } from "../Document.ts"
import type { Batch } from "./Batch.ts"
import { context, type Decode, find, Unreadable } from "./Cells.ts"
import { invoices } from "./InvoiceRows.ts"
import { creditNotes, payments } from "./MoneyRows.ts"
import type * as Numerals from "./Numerals.ts"
import * as OrderRows from "./OrderRows.ts"
import * as Repeats from "./Repeats.ts"
import type {
  CreditNoteSettings,
  InvoiceSettings,
  OrderFactSettings,
  OrderStreamSettings,
  PaymentSettings,
  Stream,
  StreamSettings
} from "./Streams.ts"
import type { Columns, Row } from "./Row.ts"

const KINDS: Readonly<Record<Stream, Kind>> = {
  invoices: "invoice",
  payments: "payment",
  credit_notes: "credit_note",
  orders: "order",
  fulfilments: "fulfilment",
  cancellations: "cancellation",
  returns: "return"
}

/** Every column that the settings name, by the file's names. */
export const columnsOf = (settings: StreamSettings): ReadonlyArray<string> => [
  ...Object.values(settings.columns as Record<string, string>),
  ...Object.values("metadata" in settings ? (settings.metadata ?? {}) : {})
]

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
}

/** `invoices.csv:12` */
const line =
  (file: string) =>
  (row: Row): string =>
    `${file}:${row.line}`

/** Decodes rows into a batch. `last` says that no more come, so that what they began is ended. */
export type Compiled = (rows: ReadonlyArray<Row>, into: Batch, last?: boolean) => void

/** Rows of these streams are lines: those that follow each other under one id are one document. */
const compileOrders = (
  stream: Stream,
  settings: StreamSettings,
  { expected, file, mark, origin = line(file), table }: Within
): Compiled => {
  const within = context(settings, table.header, mark, table)
  const idAt = within.at("id")
  const asked = [...new Set(columnsOf(settings).map((column) => find(table.header, column)))]
  const kind = KINDS[stream]
  return OrderRows.joined({
    decode:
      kind === "order"
        ? OrderRows.orders(settings as OrderStreamSettings, within)
        : OrderRows.facts(kind as OrderFact["kind"], settings as OrderFactSettings, within),
    kind,
    origin,
    expected,
    idOf: (row) => within.cell(row, idAt),
    contentOf: (row) => contentOf(row, asked, table.header)
  })
}

/** Compiles the settings of a stream against a file's header. */
export const compile = (stream: Stream, settings: StreamSettings, within: Within): Compiled => {
  if (stream !== "invoices" && stream !== "payments" && stream !== "credit_notes") {
    return compileOrders(stream, settings, within)
  }
  const { expected, file, mark, origin: originOf = line(file), ownId, table } = within
  const cells = context(settings, table.header, mark, table)
  const decode: Decode =
    stream === "invoices"
      ? invoices(settings as InvoiceSettings, cells)
      : stream === "payments"
        ? payments(settings as PaymentSettings, cells, ownId)
        : creditNotes(settings as CreditNoteSettings, cells, ownId)
  const idAt = cells.at("id")
  const idColumn = (settings.columns as { readonly id: string }).id
  const asked = [...new Set(columnsOf(settings).map((column) => find(table.header, column)))]
  const repeats = Repeats.make(expected)
  const kind = KINDS[stream]
  return (rows, batch) => {
    batch.rows += rows.length
    for (const row of rows) {
      const origin = originOf(row)
      try {
        if (row.problem !== undefined) throw new Unreadable(row.problem)
        const content = contentOf(row, asked, table.header)
        const { documents, notices } = decode(row)
        const [own] = documents
        const first = repeats.add(own.kind, own.id, content, row.line)
        if (first < 0) {
          throw new Unreadable(
            `${JSON.stringify(own.id)} stands in line ${-first} already, with other content; that one was read (remove one of them, or give this one an id of its own)`,
            idColumn
          )
        }
        if (first > 0) {
          batch.notices.push({ origin, what: "the row stands there twice, the same in every column; it was read once" })
          continue
        }
        for (const document of documents) batch.read.push({ document, raw: row.raw, origin })
        if (notices !== undefined) for (const what of notices) batch.notices.push({ origin, what })
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause
        if (cause.date !== undefined) batch.badDates.push({ column: cause.field ?? "", text: cause.date })
        const id = row.problem === undefined ? cells.cell(row, idAt) : ""
        batch.quarantined.push({
          kind,
          origin,
          raw: row.raw,
          why: cause.why,
          ...(cause.field === undefined ? {} : { field: cause.field }),
          ...(id === "" ? {} : { id })
        })
      }
    }
  }
}

/**
 * A hash of all that is read of a row. Every character passes here, so this is also where one that no text has is
 * refused: all controls but tab, line feed, carriage return and next line.
 */
const contentOf = ({ cells }: Row, asked: ReadonlyArray<number>, header: ReadonlyArray<string>): number => {
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
        throw new Unreadable(`contains ${what}, which no text does; correct it, or set encoding`, header[index])
      }
      hash = Math.imul(hash ^ code, 0x85ebca77)
      hash ^= hash >>> 15
    }
  }
  return Repeats.mix(hash)
}
