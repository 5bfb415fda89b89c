/**
 * Rows and the documents they become. Pure: what a file's data may look like is decided here, how its bytes are read
 * next door. A stream's settings are compiled against a file's header once; a row then costs no schema.
 */
import type { Notice, Read, SetAside } from "../Connector.ts"
import type { Kind } from "../Document.ts"
import { context, type Decode, find, Unreadable } from "./Cells.ts"
import { invoices } from "./InvoiceRows.ts"
import { creditNotes, payments } from "./MoneyRows.ts"
import type * as Numerals from "./Numerals.ts"
import type { CreditNoteSettings, InvoiceSettings, PaymentSettings, Stream, StreamSettings } from "./Settings.ts"
import { CONTROL, type Row, type Table } from "./Table.ts"

const KINDS: Readonly<Record<Stream, Kind>> = { invoices: "invoice", payments: "payment", credit_notes: "credit_note" }

/** A row with this may have a control character: as such, or escaped in JSON. */
const SUSPICIOUS = new RegExp(`${CONTROL.source}|\\\\(?:u00|[bf])`)

/** Every column that the settings name, by the file's names. */
export const columnsOf = (settings: StreamSettings): ReadonlyArray<string> => [
  ...Object.values(settings.columns as Record<string, string>),
  ...Object.values("metadata" in settings ? (settings.metadata ?? {}) : {})
]

export interface Batch {
  readonly read: Array<Read>
  readonly setAside: Array<SetAside>
  readonly notices: Array<Notice>
  /** What failed as a date, of which column: for telling a wrong format from a wrong row. */
  readonly badDates: Array<{ readonly column: string; readonly text: string }>
}

/** Compiles the settings of a stream against a file's header. */
export const compile = (
  stream: Stream,
  settings: StreamSettings,
  { file, mark, table }: { readonly file: string; readonly mark: Numerals.Mark | undefined; readonly table: Table }
): ((rows: ReadonlyArray<Row>) => Batch) => {
  const within = context(settings, table.header, mark, table)
  const decode: Decode =
    stream === "invoices"
      ? invoices(settings as InvoiceSettings, within)
      : stream === "payments"
        ? payments(settings as PaymentSettings, within)
        : creditNotes(settings as CreditNoteSettings, within)
  const idAt = within.at("id")
  const asked = new Set(columnsOf(settings).map((column) => find(table.header, column)))
  const refuseControls = (row: Row) => {
    for (const index of asked) {
      const found = CONTROL.exec(row.cells[index] ?? "")
      if (found === null) continue
      const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")
      const name = code === "0000" ? "a NUL byte" : `a control character (U+${code})`
      throw new Unreadable(`contains ${name}, which no text does; correct it, or set encoding`, table.header[index])
    }
  }
  const kind = KINDS[stream]
  return (rows) => {
    const batch: Batch = { read: [], setAside: [], notices: [], badDates: [] }
    for (const row of rows) {
      const origin = `${file}:${row.line}`
      try {
        if (row.problem !== undefined) throw new Unreadable(row.problem)
        if (SUSPICIOUS.test(row.raw)) refuseControls(row)
        const { documents, notice } = decode(row)
        for (const document of documents) batch.read.push({ document, raw: row.raw, origin })
        if (notice !== undefined) batch.notices.push({ origin, what: notice })
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause
        if (cause.date !== undefined) batch.badDates.push({ column: cause.field ?? "", text: cause.date })
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
