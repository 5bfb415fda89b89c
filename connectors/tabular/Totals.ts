/**
 * Recognises total rows and the footers after them, which are not records. A total is compared with the rows above it, so
 * that a missing row, a row read twice, or a misread amount is noticed.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Kind } from "../Document.ts"
import type { Batch } from "./Batch.ts"
import { filledOf, type Row } from "./Row.ts"
import { amountAt, type Cells } from "./Shape.ts"
import { Missed } from "./Missed.ts"
import { Unreadable } from "./Unreadable.ts"

/** How a total begins in reports of accounting programs; "Total for Acme Ltd" is one. */
const TOTAL =
  /^(?:(?:grand|report|sub|net)[\s-]*)?(?:totals?|sum|summe|gesamt|gesamtsumme|gesamtergebnis|zwischensumme|endsumme|somme|sous-total|totaal|subtotaal|eindtotaal|totale|suma|soma|razem|summa|yhteensä|celkem|итого|всего|合計|合计)(?!\p{L})/iu

/** How a spreadsheet names the total of a group: "Acme Ltd Total", "Acme GmbH Ergebnis". */
const GROUP_TOTAL = /\s(?:totals?|gesamt|summe|ergebnis|totaal|totale|somme|suma)$/iu

/** A line about the balance of an account, as banks write it above and below the entries. */
const BALANCE =
  /^\W*(?:kontostand|(?:anfangs|end|schluss)(?:saldo|bestand)|(?:opening|closing|start(?:ing)?|end(?:ing)?|final) balance|balance (?:at|on|as of|brought|carried)|(?:solde|saldo)(?: \p{L}+)? (?:initial|inicial|final|précédent|anterior|iniziale|finale)|beginsaldo|eindsaldo)/iu

/** Nothing but that, perhaps with its day: "SALDO FINALE", "Solde au 31/01/2026". A payer writes what it is of. */
const BALANCE_ONLY =
  /^\W*(?:kontostand|(?:anfangs|end|schluss)(?:saldo|bestand)|(?:opening|closing|start(?:ing)?|end(?:ing)?|final) balance|(?:solde|saldo) (?:initial|inicial|final|précédent|anterior|iniziale|finale)|beginsaldo|eindsaldo|ingående saldo|utgående saldo|alkusaldo|loppusaldo|saldo (?:początkowe|końcowe)|(?:počáteční|konečný) zůstatek|algsaldo|lõppsaldo|(?:sākuma|beigu) atlikums|likutis (?:pradžiai|pabaigai)|(?:(?:debit|credit|total) )?turnover|käive|apgrozījums|apyvarta)(?: (?:am|at|on|as of|au|al|per|op|vom|zum|a))?[\d\s./:-]*\W*$/iu

/** An account's number, or a code of a currency, a side or a kind. */
const CODE = /^(?:[A-Z]{1,3}\d?|[A-Z]{2}\d{2}[A-Z\d ]{10,30})$/

/**
 * A row of an account that says nothing but what its balance was on a day, or what moved in all: it is not a movement. Statements of Swedbank in the
 * Baltic countries have both, in rows of type 10, 82 and 86 (the plugins of ofxstatement that read them).
 */
export const isBalanceLine = (cells: ReadonlyArray<string>): boolean => {
  const words = cells.filter((text) => /\p{L}/u.test(text) && !CODE.test(text.trim()))
  return words.length > 0 && words.every((text) => BALANCE_ONLY.test(text))
}

/** What programs print below a list. */
const FOOTER =
  /^(?:report |printed|generated|created|exported|page \d|end of|erstellt|gedruckt|seite \d|stand:?|pagina \d|généré|imprimé|édité|gegenereerd|afgedrukt)/iu

/** Whether the first cell of a row without date and number is such a line. */
export const isBesideText = (text: string): boolean => GROUP_TOTAL.test(text) || BALANCE.test(text) || FOOTER.test(text)

const isShortLine = (text: string): boolean => BALANCE.test(text.trim()) || FOOTER.test(text.trim())

/** Whether a row that begins with this text is a total. */
export const isTotalText = (text: string): boolean => TOTAL.test(text)

/** For one column: the sum of the rows so far, and at each total. */
interface Sum {
  readonly heading: string
  readonly at: number
  now: Decimal.Decimal
  /** What totals state for all rows up to a point, by the sum of the rows at that point. */
  readonly before: Map<Decimal.Decimal, Decimal.Decimal>
  /** What the last total states for all rows above it, and their sum. */
  last?: { readonly amount: Decimal.Decimal; readonly rows: Decimal.Decimal; readonly at: string }
  readonly missed: Missed
  /** Whether one of its rows could not be read. */
  unknown: boolean
  /** The sum when `carried` was last called. */
  told: Decimal.Decimal
}

/** What some rows mean for a total below them: the sums of the columns, and the currencies. */
export interface Carried {
  readonly sums: ReadonlyArray<string>
  readonly currencies: ReadonlyArray<string>
}

export interface Of {
  readonly kind: Kind
  /** The table's name. */
  readonly file: string
  readonly cells: Cells
  /** The number of its headings. */
  readonly width: number
  /** Headings whose totals are compared. */
  readonly amounts: ReadonlyArray<string>
  /** The column of the date that a document needs. */
  readonly dateAt: number
  /** Whether lines about the account's balance are compared with the amounts. */
  readonly hasBalances: boolean
  /** The column of the id; -1 if it is made of several. */
  readonly idAt: number
  readonly origin: (row: Row) => string
}

const filled = ({ cells }: Row): ReadonlyArray<string> => filledOf(cells)

/** Tells totals and footers from records, and adds up the records. */
class Totals {
  readonly #of: Of
  readonly #sums: ReadonlyArray<Sum>
  readonly #currencies = new Set<string>()
  /** Those since `carried` was last called. */
  readonly #latest = new Set<string>()
  #seen = false

  constructor(of: Of) {
    this.#of = of
    this.#sums = [...new Set(of.amounts)].map((heading) => ({
      heading,
      at: of.cells.find(heading),
      now: 0n,
      before: new Map([[0n, 0n]]),
      missed: new Missed(),
      unknown: false,
      told: 0n
    }))
  }

  kindOf(row: Row, batch: Batch): "record" | "total" | "footer" {
    if (this.#isBeside(row)) {
      const [first = ""] = filled(row)
      if (!GROUP_TOTAL.test(first)) {
        batch.notices.push({
          origin: this.#of.origin(row),
          what: isBalanceLine(row.cells)
            ? "the row says what the balance of the account was, and moves nothing"
            : `${JSON.stringify(first)} is not a record: the row has neither a date nor a number`
        })
        return "footer"
      }
    }
    if (this.#isTotal(row)) {
      this.#seen = true
      this.#compare(row, batch)
      return "total"
    }
    if (this.#seen && filled(row).length === 1) {
      batch.notices.push({
        origin: this.#of.origin(row),
        what: "the row was skipped as a footer: it has a single cell and is below a total"
      })
      return "footer"
    }
    if (row.problem === undefined) this.#add(row)
    else for (const sum of this.#sums) sum.unknown = true
    return "record"
  }

  #isTotal(row: Row): boolean {
    const { cells, dateAt } = this.#of
    const date = dateAt < 0 ? "" : cells.cell(row, dateAt)
    // The label of a total may be in the date column, if that is the first.
    if (date !== "" && !isTotalText(date)) return false
    const [first] = filled(row)
    return first !== undefined && (isTotalText(first) || (GROUP_TOTAL.test(first) && this.#isBeside(row)))
  }

  /** A line about the rows: it has neither a date nor a number of its own. */
  #isBeside(row: Row): boolean {
    // With fewer cells than the headings, it is a line of its own: "Kontostand;31.03.2026;;;2.170,50;EUR".
    if (row.problem !== undefined) return row.cells.length < this.#of.width && isShortLine(row.cells[0] ?? "")
    const { cells, dateAt, idAt } = this.#of
    const [first] = filled(row)
    if (!this.#of.hasBalances && isBalanceLine(row.cells)) return true
    if (first === undefined || !isBesideText(first) || (this.#of.hasBalances && BALANCE.test(first))) return false
    const texts = [dateAt, idAt].filter((at) => at >= 0).map((at) => cells.cell(row, at))
    return texts.every((text) => text === "" || text === first) && (dateAt >= 0 || idAt >= 0)
  }

  #compare(row: Row, batch: Batch): void {
    const wrong = this.#sums.flatMap((sum) => {
      const stated = this.#amountIn(row, sum, batch)
      if (stated === undefined) return []
      // The total of a group of rows, of several groups, or of all.
      const exactly = sum.before.get(sum.now - stated)
      const before = exactly ?? nearest(sum, stated)
      sum.last = { amount: before + stated, rows: sum.now, at: this.#of.origin(row) }
      sum.missed.reach(row.line)
      if (sum.unknown || exactly !== undefined) return []
      return [{ ...sum, stated }]
    })
    for (const { before, last, now } of this.#sums)
      if (!before.has(now)) before.set(now, last?.rows === now ? last.amount : now)
    if (this.#currencies.size > 1) {
      const what = `the total was not compared: the rows above it are in ${[...this.#currencies].join(", ")}`
      return void batch.notices.push({ origin: this.#of.origin(row), what })
    }
    const [currency] = this.#currencies
    for (const { heading, now, stated } of wrong) {
      const why = `the total says ${Currency.say(stated, currency)}, and the rows above it come to ${Currency.say(now, currency)}: a row is missing or was misread (export the file again; check columns, decimal and where)`
      this.#quarantine(row, heading, why, batch)
    }
  }

  /** The amount that a total row states for a column; undefined if none. */
  #amountIn(row: Row, { at, heading }: Sum, batch: Batch): Decimal.Decimal | undefined {
    const { cells } = this.#of
    try {
      return amountAt(row, at, heading, cells)
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      if (/\d/.test(cells.cell(row, at))) this.#quarantine(row, heading, `of a total ${cause.why}`, batch)
      return undefined
    }
  }

  #add(row: Row): void {
    const { cells } = this.#of
    const currency = cells.currency(row)
    if (currency !== undefined) this.#currencies.add(currency)
    if (currency !== undefined) this.#latest.add(currency)
    for (const sum of this.#sums) {
      try {
        sum.now += amountAt(row, sum.at, sum.heading, cells) ?? 0n
      } catch (cause) {
        if (!(cause instanceof Unreadable)) throw cause
        sum.unknown = true
      }
    }
  }

  /** What the rows since the last call carry on; undefined after a total, or if one of them could not be read. */
  carried(): Carried | undefined {
    const isPlain = !this.#seen && this.#sums.every(({ unknown }) => !unknown)
    const sums = this.#sums.map(({ now, told }) => Decimal.format(now - told))
    const currencies = [...this.#latest]
    for (const sum of this.#sums) sum.told = sum.now
    this.#latest.clear()
    return isPlain ? { sums, currencies } : undefined
  }

  /** Goes on as if the rows that carried this had been read. */
  skip({ currencies, sums }: Carried): void {
    for (const currency of currencies) this.#currencies.add(currency)
    for (const [n, sum] of this.#sums.entries()) {
      sum.now += Decimal.of(sums[n] ?? "0")
      sum.told = sum.now
    }
  }

  /** A row that yielded no document: its amount is in the total, but was not read. */
  missed(row: Row): void {
    const { cells } = this.#of
    for (const sum of this.#sums) {
      try {
        sum.missed.add(row.line, amountAt(row, sum.at, sum.heading, cells) ?? 0n)
      } catch (cause) {
        // It is not in the sum of the rows either.
        if (!(cause instanceof Unreadable)) throw cause
      }
    }
  }

  /** No more rows follow. A total over several currencies is ignored. */
  end({ stated }: Batch): void {
    const [currency, ...others] = this.#currencies
    if (currency === undefined || others.length > 0) return
    for (const { heading, last, missed } of this.#sums) {
      if (last === undefined) continue
      const { amount, at, rows } = last
      const read = rows - missed.sum
      stated.push({
        kind: this.#of.kind,
        list: this.#of.file,
        what: "total",
        column: heading,
        currency,
        amount,
        read,
        at
      })
    }
  }

  #quarantine(row: Row, field: string, why: string, batch: Batch): void {
    const { kind, origin } = this.#of
    batch.quarantined.push({ kind, origin: origin(row), raw: row.raw, field, why })
  }
}

/** For a total that does not match: what totals state up to the point from which its rows most likely begin. */
const nearest = ({ before, now }: Sum, stated: Decimal.Decimal): Decimal.Decimal => {
  let nearest = { from: 0n, said: 0n }
  for (const [from, said] of before)
    if (Decimal.abs(now - from - stated) < Decimal.abs(now - nearest.from - stated)) nearest = { from, said }
  return nearest.said
}

export const make = (of: Of) => new Totals(of)
