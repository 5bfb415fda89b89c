/**
 * Rows and the documents they become. Pure: what a file's data may look like is decided here, how its bytes are read
 * next door. A stream's settings are compiled against a file's header once; a row then costs no schema.
 */
import type { Notice, Read, SetAside } from "../Connector.ts"
import type { Kind } from "../Document.ts"
import { context, type Decode, Unreadable } from "./Cells.ts"
import { invoices } from "./InvoiceRows.ts"
import { creditNotes, payments } from "./MoneyRows.ts"
import type * as Numerals from "./Numerals.ts"
import type { CreditNoteSettings, InvoiceSettings, PaymentSettings, Stream, StreamSettings } from "./Settings.ts"
import type { Row } from "./Table.ts"

const KINDS: Readonly<Record<Stream, Kind>> = { invoices: "invoice", payments: "payment", credit_notes: "credit_note" }

export interface Batch {
  readonly read: Array<Read>
  readonly setAside: Array<SetAside>
  readonly notices: Array<Notice>
  /** Rows that failed on a date, and rows that did not fail: for telling a wrong format from a wrong row. */
  badDates: number
}

/** Compiles the settings of a stream against a file's header. */
export const compile = (
  stream: Stream,
  settings: StreamSettings,
  {
    file,
    header,
    mark,
    typed
  }: {
    readonly file: string
    readonly header: ReadonlyArray<string>
    readonly mark: Numerals.Mark
    readonly typed: boolean
  }
): ((rows: ReadonlyArray<Row>) => Batch) => {
  const within = context(settings, header, mark, typed)
  const decode: Decode =
    stream === "invoices"
      ? invoices(settings as InvoiceSettings, within)
      : stream === "payments"
        ? payments(settings as PaymentSettings, within)
        : creditNotes(settings as CreditNoteSettings, within)
  const idAt = within.at("id")
  const kind = KINDS[stream]
  return (rows) => {
    const batch: Batch = { read: [], setAside: [], notices: [], badDates: 0 }
    for (const row of rows) {
      const origin = `${file}:${row.line}`
      try {
        if (row.problem !== undefined) throw new Unreadable(row.problem)
        const { documents, notice } = decode(row)
        for (const document of documents) batch.read.push({ document, raw: row.raw, origin })
        if (notice !== undefined) batch.notices.push({ origin, what: notice })
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause
        if (cause.date) batch.badDates++
        const id = row.problem === undefined ? within.cell(row, idAt) : ""
        batch.setAside.push({
          kind,
          origin,
          raw: row.raw,
          why: cause.why,
          ...(cause.field === undefined ? {} : { field: cause.field }),
          ...(id === "" ? {} : { id })
        })
      }
    }
    return batch
  }
}
