/**
 * The statement of a buyer's account, as it goes to the collections partner with an invoice (H4): what was invoiced, paid,
 * failed and credited, with the balance behind each entry. Pure: the same entries make the same bytes.
 *
 * Numbers and days are written as in the buyer's country. What the font cannot write is named, so that nobody is handed a
 * page with empty boxes in place of a name.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import { HEIGHT, type PageContent, type Line, type Text, WIDTH, widthOf, writePdf } from "./pdf/Pdf.ts"
import type { Font } from "./pdf/TrueType.ts"

/** One line of the account. */
export interface AccountEntry {
  readonly date: Day
  /** `Invoice INV-1`, `Payment`, `Payment returned`, `Credit note`. */
  readonly what: string
  readonly due?: Day
  /** Positive: the buyer owes more. Major units. */
  readonly amount: Decimal.Decimal
}

export interface AccountParty {
  readonly name: string
  /** Address, registration, VAT number; a line each. */
  readonly details: ReadonlyArray<string>
}

export interface AccountStatement {
  readonly seller: AccountParty
  readonly buyer: AccountParty & { readonly country?: string }
  readonly currency: string
  /** In the order of their days. */
  readonly entries: ReadonlyArray<AccountEntry>
}

/** Scripts that are joined or written from right to left: the font has letters of theirs, but setting them takes more. */
const SET_OTHERWISE = /[\p{M}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Lao}]/u

/** Marks of direction, and whatever else has no shape, show nothing and are left out. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")

const isWritable = (font: Font, one: string): boolean => !SET_OTHERWISE.test(one) && font.glyph(one) !== 0

/** What of the names in it cannot be written, or undefined where all can. */
export const unwritable = (font: Font, { buyer, entries, seller }: AccountStatement): string | undefined => {
  const texts = [seller.name, ...seller.details, buyer.name, ...buyer.details, ...entries.map(({ what }) => what)]
  const bad = texts.map(plain).find((text) => [...text].some((one) => !isWritable(font, one)))
  if (bad === undefined) return undefined
  const letters = [...new Set([...bad].filter((one) => !isWritable(font, one)))]
  return `"${bad}" cannot be written: the font has no way to set ${letters.slice(0, 10).join(" ")}`
}

/** The language that most speak there, with the digits and the calendar that every bank reads. */
const localeOf = (country: string | undefined): string => {
  try {
    const { language, region } = new Intl.Locale(`und-${country ?? "GB"}`).maximize()
    return `${language}-${region}-u-ca-gregory-nu-latn`
  } catch {
    return "en-GB"
  }
}

interface Formats {
  readonly amount: (amount: Decimal.Decimal) => string
  readonly day: (day: Day) => string
}

const formatsOf = ({ buyer, currency }: AccountStatement): Formats => {
  const locale = localeOf(buyer.country)
  const digits = Currency.decimals(currency)
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: Decimal.DECIMAL_PLACES }
  const numbers = new Intl.NumberFormat(locale, { ...fraction, useGrouping: "always" })
  const days = new Intl.DateTimeFormat(locale, { day: "2-digit", month: "2-digit", year: "numeric", timeZone: "UTC" })
  return {
    // As text, which it writes exactly.
    amount: (amount) => shown(numbers.format(Currency.format(amount, currency) as `${number}`)),
    day: (day) => shown(days.format(new Date(`${day}T00:00:00Z`)))
  }
}

/** Without marks of direction, which some locales write around digits. */
const shown = (text: string): string => text.replace(/[\u200e\u200f\u061c]/g, "")

const MARGIN = 56
const RIGHT = WIDTH - MARGIN
const SIZE = 9.5
const LINE_HEIGHT = 15
/** Where columns begin, or end where they hold amounts. */
const COLUMNS = { date: MARGIN, what: MARGIN + 72, due: MARGIN + 262, amount: RIGHT - 90, balance: RIGHT }
const TOP = HEIGHT - 72
const BOTTOM = 72

/** Cut to what fits, with a sign that it was. */
const fitted = (font: Font, text: string, width: number, size = SIZE): string => {
  if (widthOf(font, text, size) <= width) return text
  let short = [...text]
  while (short.length > 0 && widthOf(font, `${short.join("")}…`, size) > width) short = short.slice(0, -1)
  return `${short.join("")}…`
}

/** The lines that a text takes, broken between words where it has some. */
const wrapped = (font: Font, text: string, width: number, size: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ").filter((one) => one !== "")) {
    const last = lines.at(-1)
    const both = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(font, both, size) <= width) lines[lines.length - 1] = both
    else lines.push(fitted(font, word, width, size))
  }
  return lines
}

/** A party's name and what else is known of it, from `y` down. */
const party = (
  font: Font,
  label: string,
  { details, name }: AccountParty,
  x: number,
  y: number
): ReadonlyArray<Text> => {
  const width = (RIGHT - MARGIN) / 2 - 16
  const names = wrapped(font, plain(name), width, 11)
  const rest = details.flatMap((one) => wrapped(font, plain(one), width, SIZE))
  return [
    { x, y, size: 8, text: label },
    ...names.map((text, n): Text => ({ x, y: y - 15 * (n + 1), size: 11, text, bold: true })),
    ...rest.map((text, n): Text => ({ x, y: y - 15 * names.length - 14 * (n + 1), size: SIZE, text }))
  ]
}

const headings = (y: number, currency: string): ReadonlyArray<Text> => [
  { x: COLUMNS.date, y, size: 8, text: "Date", bold: true },
  { x: COLUMNS.what, y, size: 8, text: "Entry", bold: true },
  { x: COLUMNS.due, y, size: 8, text: "Due", bold: true },
  { x: COLUMNS.amount, y, size: 8, text: `Amount (${currency})`, bold: true, right: true },
  { x: COLUMNS.balance, y, size: 8, text: `Balance (${currency})`, bold: true, right: true }
]

const row = (font: Font, y: number, entry: AccountEntry, balance: Decimal.Decimal, formats: Formats) => {
  const { amount, date, due, what } = entry
  const width = COLUMNS.due - COLUMNS.what - 10
  return [
    { x: COLUMNS.date, y, size: SIZE, text: formats.day(date) },
    { x: COLUMNS.what, y, size: SIZE, text: fitted(font, plain(what), width) },
    ...(due === undefined ? [] : [{ x: COLUMNS.due, y, size: SIZE, text: formats.day(due) }]),
    { x: COLUMNS.amount, y, size: SIZE, text: formats.amount(amount), right: true },
    { x: COLUMNS.balance, y, size: SIZE, text: formats.amount(balance), right: true }
  ]
}

/** What stands above the entries of the first page, and where they begin. */
const opening = (font: Font, { buyer, seller }: AccountStatement) => {
  const title: Text = { x: MARGIN, y: TOP, size: 18, text: "Statement of account", bold: true }
  const parties = [
    ...party(font, "Seller", seller, MARGIN, TOP - 36),
    ...party(font, "Buyer", buyer, (MARGIN + RIGHT) / 2, TOP - 36)
  ]
  return { texts: [title, ...parties], y: Math.min(...parties.map(({ y }) => y)) - 34 }
}

interface Sheet {
  readonly texts: Array<Text>
  readonly rules: Array<Line>
}

/** The entries, page by page; each page repeats the headings. */
const sheetsOf = (font: Font, statement: AccountStatement): ReadonlyArray<Sheet> => {
  const { currency, entries } = statement
  const formats = formatsOf(statement)
  const begin = opening(font, statement)
  let sheet: Sheet = { texts: [...begin.texts], rules: [] }
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
    sheet.texts.push(...row(font, y, entry, balance, formats))
    y -= LINE_HEIGHT
  }
  room(2)
  sheet.rules.push({ from: MARGIN, to: RIGHT, y: y + 9 })
  const total = `${formats.amount(balance)} ${currency}`
  sheet.texts.push({ x: MARGIN, y: y - 6, size: 11, text: "Open balance", bold: true })
  sheet.texts.push({ x: RIGHT, y: y - 6, size: 11, text: total, bold: true, right: true })
  return sheets
}

/** The pages of the statement, each with its number. */
export const pagesOf = (font: Font, statement: AccountStatement): ReadonlyArray<PageContent> => {
  const sheets = sheetsOf(font, statement)
  return sheets.map(({ rules, texts }, n) => {
    const text = `Page ${n + 1} of ${sheets.length}`
    return { rules, texts: [...texts, { x: RIGHT, y: 40, size: 8, text, right: true }] }
  })
}

export const statementPdf = (font: Font, statement: AccountStatement): Buffer =>
  writePdf(font, `Statement of account: ${plain(statement.buyer.name)}`, pagesOf(font, statement))

/** What is open at the end. */
export const balanceOf = ({ entries }: AccountStatement): Decimal.Decimal =>
  Decimal.sum(entries.map(({ amount }) => amount))
