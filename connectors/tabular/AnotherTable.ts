/**
 * Reports of several tables in one file: below the rows stands another row of headings, and what follows has another meaning. What
 * programs of small firms write of a period is like that (invoices, then expenses: see the corpus of layouts).
 */
import { plural } from "../../core/Plural.ts"
import type { Kind } from "../Document.ts"
import type { Batch } from "./Batch.ts"
import { filledOf, type Row } from "./Row.ts"

/** Fewer words are a title, or a note. */
const LEAST = 3

const plain = (text: string): string => text.trim().toLowerCase()

/** What a row of headings is: the same ones again, as on each page of a report, or those of another table. */
export const headingsIn = (header: ReadonlyArray<string>) => {
  const own = new Set(header.map(plain).filter((text) => text !== ""))
  return ({ cells, raw }: Row): "same" | "other" | undefined => {
    // A record has a number or a day.
    if (/\d/.test(raw)) return undefined
    const texts = filledOf(cells).map(plain)
    const known = texts.filter((text) => own.has(text)).length
    if (texts.length < LEAST || known < 2 || known * 2 < texts.length) return undefined
    if (header.every((text, n) => plain(text) === plain(cells[n] ?? ""))) return "same"
    // Headings of items below their document, in columns of their own, are among the headings.
    return known === texts.length ? undefined : "other"
  }
}

/** The rows of another table, below those of this one; undefined if there are none. */
export const below = (header: ReadonlyArray<string>, rows: ReadonlyArray<Row>): ReadonlyArray<Row> | undefined => {
  const kindOf = headingsIn(header)
  const end = rows.findIndex((row) => kindOf(row) === "other")
  return end < 0 ? undefined : rows.slice(end)
}

interface Of {
  readonly header: ReadonlyArray<string>
  readonly file: string
  readonly kind: Kind
  readonly origin: (row: Row) => string
  /** The configuration says that they are left out. */
  readonly isLeftOut: boolean
}

/** Sets aside the rows of another table. */
export class AnotherTable {
  readonly #of: Of
  readonly #kindOf: (row: Row) => "same" | "other" | undefined
  #first: Row | undefined
  #rows = 0

  constructor(of: Of) {
    this.#of = of
    this.#kindOf = headingsIn(of.header)
  }

  get began(): boolean {
    return this.#first !== undefined
  }

  /** Whether a row is none of this table's: of another, or its own headings once more. */
  takes(row: Row, batch: Batch): boolean {
    const kind = this.#kindOf(row)
    if (kind === "other") this.#first ??= row
    if (this.#first === undefined) {
      if (kind === "same")
        batch.notices.push({ origin: this.#of.origin(row), what: "the row was skipped: it has the headings once more" })
      return kind === "same"
    }
    if (filledOf(row.cells).length > 0) this.#rows++
    return true
  }

  end({ notices, quarantined }: Batch): void {
    const [first, { file, header, isLeftOut, kind, origin }] = [this.#first, this.#of]
    if (first === undefined) return
    const foreign = filledOf(first.cells).find((text) => !header.some((own) => plain(own) === plain(text)))
    const named = foreign === undefined ? "" : `, like ${JSON.stringify(foreign)}`
    const said = `line ${first.line} has the headings of another table${named}`
    if (isLeftOut)
      notices.push({ origin: file, what: `${plural(this.#rows, "row")} left out, as the configuration says: ${said}` })
    else
      quarantined.push({
        kind,
        origin: origin(first),
        raw: first.raw,
        why: `${said}: ${plural(this.#rows, "row")} from there on are not read. Save them as a file of their own, or set "other_tables": "leave_out"`
      })
  }
}
