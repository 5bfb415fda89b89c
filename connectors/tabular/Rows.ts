/**
 * Turns rows into documents. Pure: this decides what a table's data may look like; the connectors decide how it is read. A
 * stream's settings are compiled against a file's header once, so that no schema runs per row.
 *
 * A row passes through four steps: the table's layout (cells filled down, totals, which rows are read), columns combined
 * from several others, joining with the other rows of its id, and decoding into documents.
 */
import type { Decimal } from "../../core/money/Decimal.ts"
import { plural } from "../../core/Plural.ts"
import type { OrderFact } from "../Document.ts"
import { AnotherTable } from "./AnotherTable.ts"
import type { Batch } from "./Batch.ts"
import { context, find, plainCell } from "./Cells.ts"
import * as Chosen from "./Chosen.ts"
import { reader } from "./DocumentRows.ts"
import * as Layout from "./Layout.ts"
import { unsettled } from "./MoneyRows.ts"
import * as OrderRows from "./OrderRows.ts"
import type { Row } from "./Row.ts"
import { askedOf, contentOf, KINDS, line, type Lines, type Reader, type Shaped, type Within } from "./RowReader.ts"
import * as RunningBalance from "./RunningBalance.ts"
import * as Shape from "./Shape.ts"
import * as Headings from "./Headings.ts"
import type * as Streams from "./Streams.ts"
import type { Stream } from "./Streams.ts"
import * as Totals from "./Totals.ts"
import { Unreadable } from "./Unreadable.ts"

export type { Within } from "./RowReader.ts"

/** A stream's settings, with those of its table's layout if it has any. */
export type Written = Streams.Written & Layout.Settings & { readonly lines?: Lines }

/** Every column named in the settings, by the file's names, each with the setting that names it. */
export const headingsOf = (settings: Written) => [...Headings.headingsOf(settings), ...Layout.headingsOf(settings)]

export const columnsOf = (settings: Written): ReadonlyArray<string> => [
  ...new Set(headingsOf(settings).map(({ heading }) => heading))
]

/** Decodes rows into a batch. `last` means that no more rows follow, so that unfinished documents are completed. */
export interface Compiled {
  (rows: ReadonlyArray<Row>, into: Batch, last?: boolean): void
  /** What the rows since the last call carry on to later ones, see `Totals.ts`. */
  readonly carried: () => Totals.Carried | undefined
  /** Goes on as if the rows that carried this had been read. */
  readonly skip: (carried: Totals.Carried) => void
}

/** For streams whose rows are lines: adjacent rows with one id are one document. */
const orderReader = (
  stream: Stream,
  { cells, header, settings }: Shaped,
  within: Within & Required<Pick<Within, "missed">>
): Reader => {
  const { expected, file, missed, origin = line(file) } = within
  const idAt = cells.at("id")
  const asked = askedOf(settings, header)
  const kind = KINDS[stream]
  return OrderRows.joined({
    decode:
      kind === "order"
        ? OrderRows.orders(settings as Streams.OrderStreamSettings, cells)
        : OrderRows.facts(kind as OrderFact["kind"], settings as Streams.OrderFactSettings, cells),
    kind,
    origin,
    expected,
    missed,
    idOf: (row) => cells.cell(row, idAt),
    contentOf: (row) => contentOf(row, asked, header)
  })
}

/** The amount of a row: of the document that it would be. */
const amountOf = ({ cells, settings }: Shaped) => {
  const columns = settings.columns as Readonly<Record<string, string | undefined>>
  const fields = ["gross", "net", "amount"].filter((field) => columns[field] !== undefined)
  return (row: Row): Decimal | undefined => {
    try {
      for (const field of fields) {
        const amount = cells.money(row, cells.at(field), columns[field], cells.currency(row))
        if (amount !== undefined) return amount
      }
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
    }
    return undefined
  }
}

/** Counts the rows with cells that were read as they are shown, and not as they are held. */
class Rounded {
  #rows = 0
  #example: Row["rounded"]

  add({ rounded }: Row): void {
    if (rounded === undefined) return
    this.#rows++
    this.#example ??= rounded
  }

  end(file: string, { notices }: Batch): void {
    if (this.#example === undefined) return
    const [shown, held] = this.#example
    const what = `cells hold more digits than they show, in ${plural(this.#rows, "row")}: they were read as shown, like ${shown} for ${held}`
    notices.push({ origin: file, what })
  }
}

interface Readers extends Pick<Totals.Of, "file" | "origin" | "width"> {
  readonly cells: Shaped["cells"]
  readonly raw: Shape.Cells
}

const totalsOf = (stream: Stream, { columns }: Written, { cells, file, origin, raw, width }: Readers): Totals.Of => ({
  kind: KINDS[stream],
  file,
  cells: raw,
  // The running balances of a statement have no meaningful sum.
  amounts: Layout.amountsOf(stream === "payments" ? { ...columns, balance: [] } : columns),
  width,
  hasBalances: stream === "payments" && "balance" in columns,
  idAt: typeof (columns as { readonly id: unknown }).id === "string" ? cells.at("id") : -1,
  dateAt: Math.max(cells.at("issued"), cells.at("date"), cells.at("placed")),
  origin
})

/** Compiles a stream's settings against a file's header. */
export const compile = (stream: Stream, written: Written, within: Within): Compiled => {
  const { file, mark, origin = line(file), others, table } = within
  const basic = { find: (heading: string) => find(table.header, heading), cell: plainCell(written), mark }
  const raw: Shape.Cells = { ...basic, currency: Shape.currencyOf(written, basic) }
  const shape = Shape.compile(written, table.header, raw)
  const cells = context(shape.settings, shape.header, within)
  const shaped: Shaped = { settings: shape.settings, header: shape.header, cells }
  const isOrder = stream !== "invoices" && stream !== "payments" && stream !== "credit_notes"
  const broken = new Set<number>()
  const missed = (rows: ReadonlyArray<Row>) => {
    for (const row of rows) {
      // A line that could not be parsed was never added to the totals.
      if (broken.has(row.line)) continue
      totals.missed(row)
      balance.missed(row)
    }
  }
  const read = isOrder
    ? orderReader(stream, shaped, { ...within, missed })
    : reader(stream, shaped, { ...within, missed }, written.lines)
  const fill = Layout.filler(written.fill_down ?? [], raw)
  const totals = Totals.make(totalsOf(stream, written, { cells, file, origin, raw, width: table.header.length }))
  const balance = RunningBalance.make(shape.settings as Streams.PaymentSettings, cells, { file, origin })
  const state = unsettled(stream, shape.settings, cells)
  const chosen = Chosen.make(
    written,
    { kind: KINDS[stream], file, origin, others, amount: amountOf(shaped), state },
    raw
  )
  const isLeftOut = written.other_tables === "leave_out"
  const another = new AnotherTable({ header: table.header, file, kind: KINDS[stream], origin, isLeftOut })
  const rounded = new Rounded()
  const decode = (rows: ReadonlyArray<Row>, into: Batch, last = false) => {
    const records: Array<Row> = []
    for (const one of rows) {
      if (one.problem !== undefined) broken.add(one.line)
      if (another.takes(one, into)) continue
      rounded.add(one)
      const row = fill(one)
      if (row === undefined || totals.kindOf(row, into) !== "record") continue
      const made = shape.row(row)
      if (stream === "payments") balance.row(made, into)
      const taken = chosen.takes(made)
      if (taken !== undefined) records.push(taken)
    }
    into.rows += rows.length - records.length
    read(records, into, last)
    if (!last) return
    chosen.end(into)
    if (others !== undefined) {
      another.end(into)
      rounded.end(file, into)
    }
    totals.end(into)
    balance.end(into)
  }
  return Object.assign(decode, {
    carried: () => (another.began ? undefined : totals.carried()),
    skip: (carried: Totals.Carried) => totals.skip(carried)
  })
}
