/** Writes a month's closing statement as pages to print and to sign: accounts, customers, differences, and what was read late. Pure. */
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import { plural } from "../../core/Plural.ts"
import {
  BOTTOM,
  fitted,
  MARGIN,
  numbered,
  type OpenPage,
  RIGHT,
  SIZE,
  tidied,
  TOP,
  typeset,
  wrapped
} from "../collections/pdf/Layout.ts"
import { writePdf } from "../collections/pdf/Pdf.ts"
import type { Typesetter } from "../collections/pdf/Typesetting.ts"
import { remarks, type MonthReport, type Roll } from "../reports/CloseReport.ts"

const LINE = 14
const SMALL = 8
/** How wide an amount may be. */
const AMOUNT = 100
/** How many rows of a table are printed: the workbook beside it has all. */
const MOST = 300

const ROLL: ReadonlyArray<readonly [keyof Roll, string]> = [
  ["opening", "Opening balance"],
  ["invoices", "+ invoices"],
  ["creditNotes", "- credit notes"],
  ["payments", "- payments"],
  ["reversals", "+ reversals"],
  ["closing", "= closing balance"]
]

/** Where columns begin; of amounts, where they end. */
interface PrintColumn {
  readonly title: string
  readonly at: number
  readonly right?: true
}

class Printer {
  readonly sheets: Array<OpenPage> = [{ texts: [], rules: [] }]
  readonly #setter: Typesetter
  #y = TOP

  constructor(setter: Typesetter) {
    this.#setter = setter
  }

  get #sheet(): OpenPage {
    return this.sheets.at(-1) as OpenPage
  }

  /** Begins a new page if these lines do not fit on this one. Returns whether it did. */
  #room(lines: number): boolean {
    if (this.#y - LINE * lines > BOTTOM) return false
    this.sheets.push({ texts: [], rules: [] })
    this.#y = TOP
    return true
  }

  line(text: string, { bold = false, size = SIZE }: { readonly bold?: boolean; readonly size?: number } = {}): void {
    for (const part of wrapped(this.#setter, tidied(text), RIGHT - MARGIN, { size, bold })) {
      this.#room(1)
      this.#sheet.texts.push({ x: MARGIN, y: this.#y, size, text: part, bold })
      this.#y -= Math.max(LINE, size * 1.4)
    }
  }

  gap(): void {
    this.#y -= LINE
  }

  #head(columns: ReadonlyArray<PrintColumn>): void {
    for (const { at, right = false, title } of columns)
      this.#sheet.texts.push({ x: at, y: this.#y, size: SMALL, text: title, bold: true, right })
    this.#sheet.rules.push({ from: MARGIN, to: RIGHT, y: this.#y - 4 })
    this.#y -= LINE
  }

  /** A table with its title. Below a row is what has no room in it, and its cells beyond the columns. */
  table(
    title: string,
    columns: ReadonlyArray<PrintColumn>,
    rows: ReadonlyArray<ReadonlyArray<string>>,
    more = 0
  ): void {
    if (rows.length === 0) return
    this.gap()
    this.#room(4)
    this.line(title, { bold: true })
    this.#head(columns)
    for (const cells of rows.slice(0, MOST)) {
      if (this.#room(2)) this.#head(columns)
      const below: Array<string> = []
      for (const [n, { at, right = false }] of columns.entries()) {
        const next = columns[n + 1]
        const room = (next === undefined ? RIGHT : next.right === true ? next.at - AMOUNT : next.at) - at - 6
        const cell = tidied(cells[n] ?? "")
        // An amount is never cut.
        const text = right ? cell : fitted(this.#setter, cell, room, { size: SIZE })
        if (text !== cell) below.push(cell)
        this.#sheet.texts.push({ x: at, y: this.#y, size: SIZE, text, right })
      }
      this.#y -= LINE
      for (const text of [...below, ...cells.slice(columns.length)]) this.line(text, { size: SMALL })
    }
    const left = Math.max(0, rows.length - MOST) + more
    if (left > 0) this.line(`and ${plural(left, "more row")}: the workbook has them`, { size: SMALL })
  }
}

const money = (amount: string | null): string => (amount === null ? "not stated" : Currency.group(amount))

const [FIRST, SECOND, THIRD] = [RIGHT - 220, RIGHT - 110, RIGHT]
const CURRENCY = FIRST - 140
const SIDES: ReadonlyArray<PrintColumn> = [
  { title: "Source says", at: FIRST, right: true },
  { title: "Books", at: SECOND, right: true },
  { title: "Service", at: THIRD, right: true }
]

const named = (title: string): ReadonlyArray<PrintColumn> => [
  { title, at: MARGIN },
  { title: "Currency", at: CURRENCY },
  ...SIDES
]

const heading = (page: Printer, report: MonthReport): void => {
  const { closed, first, last, month } = report
  page.line(`Closing statement ${month}`, { bold: true, size: 18 })
  page.line(`${first} to ${last}`)
  for (const { at, connection, who } of closed) page.line(`${connection} was closed by ${who} on ${at.slice(0, 10)}`)
  if (closed.length === 0) page.line("Nobody closed it.")
  for (const words of remarks(report)) page.line(words)
}

const accounts = (page: Printer, report: MonthReport): void => {
  for (const { books, connection, currency, service, source } of report.accounts)
    page.table(
      `${connection}, ${currency}`,
      [{ title: "", at: MARGIN }, ...SIDES],
      ROLL.map(([part, words]) => [
        words,
        part === "closing" ? money(source) : "",
        money(books[part]),
        money(service[part])
      ])
    )
  page.table(
    "Closing balances of customers",
    named("Customer"),
    report.customers.map(({ books, currency, customer, service, source }) => [
      customer,
      currency,
      money(source),
      money(books.closing),
      money(service.closing)
    ])
  )
}

const differences = (page: Printer, report: MonthReport): void =>
  page.table(
    "Differences",
    named("Document"),
    report.differences.map(({ books, currency, customer, decided, document, service, source, why }) => {
      const said = decided.map(({ at, what, who }) => `${at.slice(0, 10)} ${who ?? ""}: ${what}`)
      const below = [`${customer}: ${why}`, ...said].join("; ")
      return [document, currency, money(source), money(books), money(service), below]
    }),
    report.more
  )

const late = (page: Printer, report: MonthReport): void =>
  page.table(
    "Read late: of earlier months, after the month before was closed",
    [
      { title: "Document", at: MARGIN },
      { title: "Date", at: CURRENCY + 25 },
      { title: "Read", at: CURRENCY + 85 },
      { title: "Was", at: SECOND, right: true },
      { title: "Is", at: THIRD, right: true }
    ],
    report.late.map(({ currency, date, document, now, read, was }) => [
      document,
      date,
      read.slice(0, 10),
      `${money(was)} ${currency}`,
      `${money(now)} ${currency}`
    ]),
    report.moreLate
  )

const print = (setter: Typesetter, report: MonthReport): ReadonlyArray<OpenPage> => {
  const page = new Printer(setter)
  for (const part of [heading, accounts, differences, late]) part(page, report)
  const { chain } = report
  page.gap()
  if (chain !== undefined) page.line(`Latest entry of the chain: ${chain.entry}:${chain.hash}`, { size: SMALL })
  return page.sheets
}

/** The statement as a file; or the text that cannot be written. */
export const statementPdf = async (report: MonthReport): Promise<Buffer | { readonly why: string }> => {
  const done = await typeset((setter) => numbered(print(setter, report)), undefined)
  if ("why" in done) return done
  return writePdf(done.setter, { title: `Closing statement ${report.month}`, day: Day.of(report.last) }, done.pages)
}
