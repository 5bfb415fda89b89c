/**
 * Writes the statement of a buyer's account, which goes to the collections partner with an invoice (H4): what was invoiced,
 * paid, failed and credited, with the balance after each entry. Pure: the same entries give the same bytes.
 *
 * Numbers and days are written as in the buyer's country.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { type Formats, formatsOf } from "./pdf/Formats.ts"
import {
  BOTTOM,
  fitted,
  MARGIN,
  MIDDLE,
  numbered,
  party,
  type Party,
  tidied,
  RIGHT,
  type OpenPage,
  SIZE,
  TOP,
  typeset
} from "./pdf/Layout.ts"
import { type PageContent, type Text, writePdf } from "./pdf/Pdf.ts"
import type { Typesetter } from "./pdf/Typesetting.ts"

/** One line of the account. */
export interface AccountEntry {
  readonly date: Day.Day
  /** `Invoice INV-1`, `Payment`, `Payment returned`, `Credit note`. */
  readonly what: string
  readonly due?: Day.Day
  /** Positive: the buyer owes more. Major units. */
  readonly amount: Decimal.Decimal
}

export interface AccountStatement {
  readonly seller: Party
  readonly buyer: Party & { readonly country?: string }
  readonly currency: string
  /** Sorted by day. */
  readonly entries: ReadonlyArray<AccountEntry>
  /** For the customer: the day of which it is, and what of the balance was due before. Major units. */
  readonly asOf?: { readonly day: Day.Day; readonly overdue: Decimal.Decimal }
}

const LINE_HEIGHT = 15
/** The left edges of columns; right edges for amounts. */
const COLUMNS = { date: MARGIN, what: MARGIN + 72, due: MARGIN + 262, amount: RIGHT - 90, balance: RIGHT }

const headings = (y: number, currency: string): ReadonlyArray<Text> => [
  { x: COLUMNS.date, y, size: 8, text: "Date", bold: true },
  { x: COLUMNS.what, y, size: 8, text: "Entry", bold: true },
  { x: COLUMNS.due, y, size: 8, text: "Due", bold: true },
  { x: COLUMNS.amount, y, size: 8, text: `Amount (${currency})`, bold: true, right: true },
  { x: COLUMNS.balance, y, size: 8, text: `Balance (${currency})`, bold: true, right: true }
]

const row = (setter: Typesetter, y: number, entry: AccountEntry, balance: Decimal.Decimal, formats: Formats) => {
  const { amount, date, due, what } = entry
  const width = COLUMNS.due - COLUMNS.what - 10
  return [
    { x: COLUMNS.date, y, size: SIZE, text: formats.day(date) },
    { x: COLUMNS.what, y, size: SIZE, text: fitted(setter, tidied(what), width, { size: SIZE }) },
    ...(due === undefined ? [] : [{ x: COLUMNS.due, y, size: SIZE, text: formats.day(due) }]),
    { x: COLUMNS.amount, y, size: SIZE, text: formats.amount(amount), right: true },
    { x: COLUMNS.balance, y, size: SIZE, text: formats.amount(balance), right: true }
  ]
}

/** The top of the first page, and where the entries begin. */
const opening = (setter: Typesetter, { asOf, buyer, currency, seller }: AccountStatement) => {
  const title: Text = { x: MARGIN, y: TOP, size: 18, text: "Statement of account", bold: true }
  const parties = [
    ...party(setter, "Seller", seller, MARGIN, TOP - 36),
    ...party(setter, "Buyer", buyer, MIDDLE, TOP - 36)
  ]
  const dated =
    asOf === undefined
      ? []
      : [{ x: MARGIN, y: TOP - 16, size: SIZE, text: `As of ${formatsOf(buyer.country, currency).day(asOf.day)}` }]
  return { texts: [title, ...dated, ...parties], y: Math.min(...parties.map(({ y }) => y)) - 34 }
}

/** The entries, page by page; each page repeats the headings. */
const sheetsOf = (setter: Typesetter, statement: AccountStatement): ReadonlyArray<OpenPage> => {
  const { currency, entries } = statement
  const formats = formatsOf(statement.buyer.country, currency)
  const begin = opening(setter, statement)
  let sheet: OpenPage = { texts: [...begin.texts], rules: [] }
  const sheets = [sheet]
  let y = begin.y
  const head = () => {
    sheet.texts.push(...headings(y, currency))
    sheet.rules.push({ from: MARGIN, to: RIGHT, y: y - 5 })
    y -= LINE_HEIGHT + 4
  }
  const room = (lines: number) => {
    if (y - LINE_HEIGHT * lines > BOTTOM) return
    sheets.push((sheet = { texts: [], rules: [] }))
    y = TOP
    head()
  }
  head()
  let balance = 0n
  for (const entry of entries) {
    room(1)
    balance += entry.amount
    sheet.texts.push(...row(setter, y, entry, balance, formats))
    y -= LINE_HEIGHT
  }
  const { asOf } = statement
  room(asOf === undefined ? 2 : 3)
  sheet.rules.push({ from: MARGIN, to: RIGHT, y: y + 9 })
  const total = `${formats.amount(balance)} ${currency}`
  sheet.texts.push({ x: MARGIN, y: y - 6, size: 11, text: "Open balance", bold: true })
  sheet.texts.push({ x: RIGHT, y: y - 6, size: 11, text: total, bold: true, right: true })
  if (asOf !== undefined) {
    const late = `${formats.amount(asOf.overdue)} ${currency}`
    sheet.texts.push({ x: MARGIN, y: y - 22, size: SIZE, text: "Of that overdue" })
    sheet.texts.push({ x: RIGHT, y: y - 22, size: SIZE, text: late, right: true })
  }
  return sheets
}

/** The pages of the statement. */
export const pagesOf = (setter: Typesetter, statement: AccountStatement): ReadonlyArray<PageContent> =>
  numbered(sheetsOf(setter, statement))

/** The date of an account without entries. */
const NO_DAY = Day.of("2000-01-01")

/** The document as a file; or the text that cannot be written. */
export const statementPdf = async (statement: AccountStatement): Promise<Buffer | { readonly why: string }> => {
  const { country, name } = statement.buyer
  const done = await typeset((setter) => pagesOf(setter, statement), country)
  if ("why" in done) return done
  const day = statement.asOf?.day ?? statement.entries.at(-1)?.date ?? NO_DAY
  return writePdf(done.setter, { title: `Statement of account: ${tidied(name)}`, day }, done.pages)
}

/** The balance after the last entry. */
export const balanceOf = ({ entries }: AccountStatement): Decimal.Decimal =>
  Decimal.sum(entries.map(({ amount }) => amount))
