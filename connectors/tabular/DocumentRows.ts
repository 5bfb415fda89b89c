/**
 * Reads rows of invoices, payments and credit notes: each row separately, or several rows as lines of one document.
 *
 * A row never becomes a second document with an id that was in the file before: an identical row is reported, and a
 * different one is quarantined. This is checked here because only within one file is there a first row to name; an id in
 * two files is one document that moved, which the books handle.
 */
import type { Kind, Payment } from "../Document.ts"
import type { Batch } from "./Batch.ts"
import { type Context, type Decode, type Decoded, quarantined, storable, Unreadable } from "./Cells.ts"
import * as Grouped from "./Grouped.ts"
import { invoices } from "./InvoiceRows.ts"
import { creditNotes, payments } from "./MoneyRows.ts"
import { PaymentRests } from "./PaymentRests.ts"
import * as Repeats from "./Repeats.ts"
import type { Row } from "./Row.ts"
import { askedOf, contentOf, KINDS, line, type Lines, type Reader, type Shaped, type Within } from "./RowReader.ts"
import type * as Streams from "./Streams.ts"
import type { Stream } from "./Streams.ts"

const decoderOf = (
  stream: Stream,
  { cells, settings }: Shaped,
  { hasInvoices = false, ownId = false }: Pick<Within, "hasInvoices" | "ownId">
): Decode =>
  stream === "invoices"
    ? invoices(settings as Streams.InvoiceSettings, cells)
    : stream === "payments"
      ? payments(settings as Streams.PaymentSettings, cells, { hasInvoices, ownId })
      : creditNotes(settings as Streams.CreditNoteSettings, cells, ownId)

/** The last document, while it can still be taken back. */
interface Last {
  readonly batch: Batch
  readonly row: Row
  readonly own: string
  /** The range of its documents in the batch. */
  readonly from: number
  readonly to: number
}

/** Makes one document of the rows with one id, or says why that is impossible. */
class DocumentReader {
  readonly #kind: Kind
  readonly #cells: Context
  readonly #idAt: number
  readonly #idColumn: string
  readonly #origin: (row: Row) => string
  readonly #decode: Decode
  readonly #repeats: Repeats.Repeats
  readonly #missed: Within["missed"]
  readonly #rests: PaymentRests | undefined
  #last: Last | undefined

  constructor(stream: Stream, shaped: Shaped, within: Within) {
    const { expected, file, missed, origin = line(file) } = within
    this.#missed = missed
    this.#kind = KINDS[stream]
    this.#cells = shaped.cells
    this.#idAt = shaped.cells.at("id")
    this.#idColumn = (shaped.settings.columns as { readonly id: string }).id
    this.#origin = origin
    this.#decode = decoderOf(stream, shaped, within)
    this.#repeats = Repeats.make(expected)
    const hasRests = stream === "payments" && shaped.cells.at("total") >= 0
    if (hasRests)
      this.#rests = new PaymentRests(shaped.settings as Streams.PaymentSettings, shaped.cells, this.#repeats)
  }

  read({ content, fault, row, rows }: Grouped.Group, batch: Batch): void {
    try {
      if (fault !== undefined) throw fault
      const decoded = this.#decode(row)
      for (const document of decoded.documents) storable(document)
      const [own] = decoded.documents
      const first = this.#repeats.add(own.kind, own.id, content, row.line)
      if (first === 0) {
        this.#rests?.add(row, own as Payment)
        return this.#keep(decoded, row, batch)
      }
      if (first > 0) {
        this.#missed?.(rows)
        const what = "the row appears twice, the same in every column; it was read once"
        return void batch.notices.push({ origin: this.#origin(row), what })
      }
      if (this.#takesBack(own.id, row, batch)) return
      throw new Unreadable(
        `${JSON.stringify(own.id)} already appears in line ${-first} with different content; that one was read (remove one of them, or give this one its own id)`,
        this.#idColumn
      )
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      this.#quarantine(rows, cause, batch)
    }
  }

  /** After the last row: what payments leave that are for several invoices. */
  finish(batch: Batch): void {
    for (const rest of this.#rests?.finish() ?? []) {
      const { id, row } = rest
      if ("fault" in rest) this.#quarantine([row], rest.fault, batch)
      else if (this.#repeats.add(this.#kind, id, 0, row.line) === 0)
        batch.read.push({ document: rest.document, raw: row.raw, origin: this.#origin(row) })
      else
        this.#quarantine(
          [row],
          new Unreadable("has a row without an invoice, and more is left; correct one of both", this.#idColumn),
          batch
        )
    }
  }

  #keep({ documents, notices }: Decoded, row: Row, batch: Batch): void {
    const from = batch.read.length
    for (const document of documents) batch.read.push({ document, raw: row.raw, origin: this.#origin(row) })
    this.#last = { batch, row, own: documents[0].id, from, to: batch.read.length }
    if (notices !== undefined) for (const what of notices) batch.notices.push({ origin: this.#origin(row), what })
  }

  /** Different adjacent rows with one id are lines, or a mistake: the first alone would be incomplete, so it is taken back. */
  #takesBack(own: string, row: Row, batch: Batch): boolean {
    const last = this.#last
    if (last?.own !== own || last.batch !== batch || last.to !== batch.read.length) return false
    batch.read.splice(last.from)
    const why = `${JSON.stringify(own)} stands in line ${last.row.line} and in line ${row.line} with different contents, and neither was read; set lines to "sum" if each is a line of it, to "same" if each repeats the whole, or remove one of them`
    this.#quarantine([last.row, row], new Unreadable(why, this.#idColumn), batch)
    this.#last = undefined
    return true
  }

  #quarantine(rows: ReadonlyArray<Row>, { date, field, why }: Unreadable, batch: Batch): void {
    if (date !== undefined) batch.badDates.push({ column: field ?? "", text: date })
    this.#missed?.(rows)
    for (const row of rows) {
      const isIdRead = row.problem === undefined && row.faults?.has(this.#idAt) !== true
      const id = isIdRead ? this.#cells.cell(row, this.#idAt) : ""
      if (id !== "") this.#rests?.misses(id)
      batch.quarantined.push(quarantined({ kind: this.#kind, origin: this.#origin(row), raw: row.raw, why }, field, id))
    }
  }
}

/** Reads rows separately, or those of one id as lines of one document. */
export const reader = (stream: Stream, shaped: Shaped, within: Within, lines: Lines | undefined): Reader => {
  const { cells, header, settings } = shaped
  const asked = askedOf(settings, header)
  const documents = new DocumentReader(stream, shaped, within)
  const hash = (row: Row) => contentOf(row, asked, header)
  if (lines === undefined) {
    return (rows, batch, last) => {
      batch.rows += rows.length
      for (const row of rows) documents.read(alone(row, hash), batch)
      if (last) documents.finish(batch)
    }
  }
  const idAt = cells.at("id")
  const aboutAt = stream === "invoices" || within.ownId === true ? -1 : cells.at("invoice")
  const fields = lines === "same" ? [] : lines === "sum" ? ["net", "gross", "tax_amount", "amount"] : lines.sum
  let batch: Batch
  const groups = Grouped.make(
    {
      sum: fields.map(cells.at).filter((index) => index >= 0),
      // A column of the id may be unreadable: such a row is handled separately, and quarantined.
      keyOf: (row) => {
        const id = row.faults?.has(idAt) === true ? "" : cells.cell(row, idAt)
        return id === "" || aboutAt < 0 ? id : `${id}\n${cells.cell(row, aboutAt)}`
      },
      contentOf: hash,
      header,
      asked,
      amount: (row, index) => cells.money(row, index, header[index], cells.currency(row))
    },
    (group) => documents.read(group, batch)
  )
  return (rows, into, last) => {
    batch = into
    batch.rows += rows.length
    for (const row of rows) groups.add(row)
    if (!last) return
    groups.finish()
    documents.finish(batch)
  }
}

const alone = (row: Row, hash: (row: Row) => number): Grouped.Group => {
  try {
    if (row.problem !== undefined) throw new Unreadable(row.problem)
    return { rows: [row], row, content: hash(row) }
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause
    return { rows: [row], row, content: 0, fault: cause }
  }
}
