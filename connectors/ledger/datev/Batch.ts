/**
 * Reads DATEV's EXTF files: posting batches (category 21), of which the postings with customers are kept, and lists of customers
 * (category 16). The first line says which it is, the year, the length of accounts, the currency and the chart of accounts.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { facts } from "../../Bytes.ts"
import type { Party } from "../../Document.ts"
import { type Line, lines } from "../../Lines.ts"
import type { ListedFile } from "../../Listed.ts"
import { told } from "../../Refused.ts"
import { brokenIn, cellsOf } from "./Cells.ts"
import { Oddities, type Period } from "./Oddities.ts"

/** A posting with a customer. */
export interface Posting {
  readonly file: string
  readonly line: number
  readonly raw: string
  readonly customer: string
  /** The account on the other side. */
  readonly other: string
  readonly day: Day.Day
  /** What the customer owes more; negative for less. An inverted posting (Generalumkehr) has its sign turned already. */
  readonly amount: Decimal.Decimal
  readonly isInverted: boolean
  readonly currency: string
  /** The document: Belegfeld 1. */
  readonly ref: string
  readonly ref2: string
  readonly text: string
  readonly due: Day.Day | undefined
  /** A discount that closes the document together with the payment. */
  readonly discount: Decimal.Decimal
  /** Sachverhalt: 31 interest on arrears, 40 dunning fee. */
  readonly matter: string
}

export interface Refusal {
  readonly line: number
  readonly raw: string
  readonly why: string
  readonly field?: string
}

export interface Batch {
  readonly file: ListedFile
  readonly digest: string
  /** When it was written, as text that sorts. */
  readonly created: string
  readonly chart: "03" | "04"
  /** How many postings with customers it has, and of which days. */
  readonly count: number
  readonly from: string
  readonly to: string
  /** What is odd about it. */
  readonly said: ReadonlyArray<string>
  readonly refused: ReadonlyArray<Refusal>
  readonly customers: ReadonlyMap<string, Party>
}

/** `"EXTF";700;21;…`, also `DTVF`. */
export const isExtf = (head: string): boolean => /^\uFEFF?"?(?:EXTF|DTVF)"?;\d+;"?(?:16|21)"?;/.test(head)

/** Amounts have two decimals: without them, a comma may be lost. */
const WRITTEN = /^(?:\d{1,10}|\d{1,3}(?:\.\d{3})+),\d\d$/

const amountOf = (text: string, currency: string): Decimal.Decimal | undefined => {
  if (!WRITTEN.test(text)) return undefined
  const value = Decimal.parse(text.replaceAll(".", "").replace(",", "."))
  return typeof value === "string" || !Currency.fits(value, currency) ? undefined : value
}

/** `TTMM` or `TMM`, of the year that begins on a day. */
const dayOf = (text: string, year: Day.Day): Day.Day | undefined => {
  const [, day, month] = /^(\d{1,2})(\d{2})$/.exec(text) ?? []
  for (const more of [0, 1]) {
    const made = Day.make(Number(year.slice(0, 4)) + more, Number(month), Number(day))
    if (made !== undefined && made >= year) return made
  }
  return undefined
}

/** `TTMMJJJJ`, or `TTMMJJ` as it is written into Belegfeld 2. */
const dueOf = (text: string): Day.Day | undefined => {
  const [, day, month, year = ""] = /^(\d{2})(\d{2})(\d{2}|\d{4})$/.exec(text) ?? []
  return day === undefined
    ? undefined
    : Day.make(Number(year.length === 2 ? `20${year}` : year), Number(month), Number(day))
}

/** Belegfeld 2 is taken for a due day only if it is one within a year. */
const LONGEST_DAYS = 366

const isDue = (due: Day.Day | undefined, issued: Day.Day): due is Day.Day =>
  due !== undefined && due >= issued && Day.between(issued, due) <= LONGEST_DAYS

/** Customers' accounts are one digit longer than others and begin with 1 to 6; those of suppliers begin with 7 to 9. */
const isCustomer = (account: string, length: number): boolean =>
  account.length === length + 1 && /^[1-6]\d+$/.test(account)

/** Accounts have as many digits as the first line says, and one more for customers and suppliers; zeros in front may be left out. */
const isAccount = (account: string, length: number): boolean =>
  /^\d+$/.test(account) && (account.length <= length || (account.length === length + 1 && account[0] !== "0"))

interface Head {
  readonly category: string
  readonly created: string
  /** The day that the year begins with. */
  readonly year: Day.Day | undefined
  readonly period: Period
  readonly length: number
  readonly currency: string
  readonly chart: string
}

const dayIn = (text = ""): Day.Day | undefined =>
  Day.make(Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6)))

const headOf = (row: string): Head => {
  const cells = cellsOf(row)
  return {
    category: cells[2] ?? "",
    created: cells[5] ?? "",
    year: dayIn(cells[12]),
    period: { from: dayIn(cells[14]), to: dayIn(cells[15]) },
    length: Number(cells[13]),
    currency: /^[A-Z]{3}$/.test(cells[21] ?? "") ? (cells[21] ?? "") : "EUR",
    chart: cells[26] ?? ""
  }
}

const squash = (text: string): string => text.toLowerCase().replace(/[^a-zäöüß0-9]/g, "")

/** Finds a cell by the beginning of its heading. */
type Cell = (...headings: ReadonlyArray<string>) => string

const cellIn =
  (names: ReadonlyMap<string, number>, cells: ReadonlyArray<string>): Cell =>
  (...headings) => {
    for (const heading of headings) {
      const found = cells[names.get(heading) ?? -1]
      if (found !== undefined && found !== "") return found
    }
    return ""
  }

const partyOf = (cell: Cell): Party => {
  const id = cell("konto")
  const person = `${cell("vornameadressatentypnatürlperson")} ${cell("nameadressatentypnatürlperson")}`.trim()
  const name = cell("nameadressatentypunternehmen") || person || cell("nameadressatentypkeineangabe") || `Debitor ${id}`
  const [land, vatLand, vat] = [cell("land"), cell("euland"), cell("euustidnr")]
  const country = [land, vatLand].find((one) => /^[A-Z]{2}$/.test(one))
  return {
    id,
    name,
    ...(country === undefined ? {} : { country }),
    ...(vat === "" ? {} : { vat: /^[A-Z]{2}/.test(vat) ? vat : `${vatLand}${vat}` })
  }
}

type Found = Posting | Refusal | undefined

/** Accounts, and whether the first one is the customer's; undefined if neither is. */
const sidesOf = (
  cell: Cell,
  { length }: Head
): readonly [customer: string, other: string, isOwn: boolean] | undefined => {
  const [account, contra] = [cell("konto"), cell("gegenkontoohnebuschlüssel", "gegenkonto")]
  if (isCustomer(account, length)) return [account, contra, true]
  return isCustomer(contra, length) ? [contra, account, false] : undefined
}

/** The first cell that is not what its column is for, and why. */
const wrongIn = (cell: Cell, head: Head): readonly [field: string, why: string] | undefined => {
  for (const [field, text] of [
    ["Konto", cell("konto")],
    ["Gegenkonto", cell("gegenkontoohnebuschlüssel", "gegenkonto")]
  ] as const)
    if (!isAccount(text, head.length))
      return [
        field,
        `${JSON.stringify(text)} is neither an account of ${head.length} digits nor a customer's or supplier's of ${head.length + 1}`
      ]
  for (const [field, is] of [
    ["Soll/Haben-Kennzeichen", /^[SH]$/i],
    ["Generalumkehr", /^[01]?$/],
    ["Fälligkeit", /^(?:\d{2}\d{2}\d{4})?$/]
  ] as const) {
    const text = cell(squash(field))
    if (!is.test(text)) return [field, `${JSON.stringify(text)} is nothing that DATEV writes there`]
  }
  return undefined
}

const postingOf = (file: string, { number, text: raw }: Line, cell: Cell, head: Head): Found => {
  const bad = (field: string, why: string): Refusal => ({ line: number, raw, field, why: told(why) })
  const wrong = wrongIn(cell, head)
  if (wrong !== undefined) return bad(...wrong)
  const sides = sidesOf(cell, head)
  if (sides === undefined) return undefined
  const [customer, other, isOwn] = sides
  const currency = cell("wkzumsatz") || head.currency
  if (!Currency.isCurrency(currency))
    return bad("WKZ Umsatz", `${JSON.stringify(currency)} is not a currency of ISO 4217, like EUR`)
  const [umsatz, discount] = [cell("umsatzohnesollhabenkz"), cell("skonto") || "0,00"].map((text) =>
    amountOf(text, currency)
  )
  const isNone = (text: string) =>
    `${JSON.stringify(text)} is not an amount in ${currency} with two decimals, as 119,00`
  if (umsatz === undefined) return bad("Umsatz", isNone(cell("umsatzohnesollhabenkz")))
  if (discount === undefined) return bad("Skonto", isNone(cell("skonto")))
  const day = head.year && dayOf(cell("belegdatum"), head.year)
  if (day === undefined)
    return bad("Belegdatum", `${JSON.stringify(cell("belegdatum"))} is not a day of the year from ${head.year}`)
  const isInverted = cell("generalumkehr") === "1"
  const owes = (cell("sollhabenkennzeichen").toUpperCase() === "S") === isOwn ? umsatz : -umsatz
  const second = dueOf(cell("belegfeld2"))
  return {
    file,
    line: number,
    raw,
    customer,
    other,
    day,
    amount: isInverted ? -owes : owes,
    isInverted,
    currency,
    ref: cell("belegfeld1").replace(/^0$/, ""),
    ref2: cell("belegfeld2"),
    text: cell("buchungstext"),
    due: dueOf(cell("fälligkeit")) ?? dueOf(cell("zugeordnetefälligkeit")) ?? (isDue(second, day) ? second : undefined),
    discount,
    matter: cell("sachverhalt")
  }
}

/** Charts differ in where revenue is: 8000 or 4000. */
const chartOf = ({ chart }: Head, has8000: boolean): "03" | "04" =>
  chart === "03" || chart === "04" ? chart : has8000 ? "03" : "04"

/** What no column is named. */
const VALUE = /^(?:[\d.,]+|[SH])$/

/** Takes the lines of a file, the first of which says what it is. */
class Reading {
  readonly refused: Array<Refusal> = []
  readonly customers = new Map<string, Party>()
  count = 0
  from = ""
  to = ""
  #has8000 = false
  #width = 0
  #names: ReadonlyMap<string, number> | undefined
  #isOver = false
  readonly #oddities = new Oddities()
  readonly #head: Head
  readonly #file: ListedFile
  readonly #put: (posting: Posting) => void

  constructor(head: Head, file: ListedFile, put: (posting: Posting) => void) {
    this.#head = head
    this.#file = file
    this.#put = put
  }

  take(line: Line): void {
    if (this.#isOver) return
    const cells = cellsOf(line.text)
    if (this.#names === undefined) return this.#columns(line, cells)
    const cell = cellIn(this.#names, cells)
    if (this.#head.category === "16") this.customers.set(cell("konto"), partyOf(cell))
    else this.#row(line, cells, cell)
  }

  #columns(line: Line, cells: ReadonlyArray<string>): void {
    const { category, length, year } = this.#head
    this.#width = cells.length
    const names = new Map(cells.map((cell, n) => [squash(cell), n] as const).toReversed())
    this.#names = names
    const isNamed =
      !cells.some((cell) => VALUE.test(cell)) &&
      names.has("konto") &&
      (category === "16" || names.has("sollhabenkennzeichen"))
    const why = !isNamed
      ? "the second line does not name the columns"
      : category !== "16" && year === undefined
        ? "the first line does not say on which day the year begins (cell 13)"
        : length >= 4 && length <= 8
          ? undefined
          : "the first line does not say how many digits accounts have, from 4 to 8 (cell 14)"
    if (why === undefined) return
    this.refused.push({
      line: line.number,
      raw: line.text,
      why: told(`${why}; nothing of the file is used`, "export it again")
    })
    this.#isOver = true
  }

  #row(line: Line, cells: ReadonlyArray<string>, cell: Cell): void {
    const { number, text: raw } = line
    this.#oddities.row(number, cells.length, this.#width)
    const refuse = (why: string) => this.refused.push({ line: number, raw, why: told(why, "export the file again") })
    const broken = brokenIn(raw)
    if (broken !== undefined) return void refuse(broken)
    // A text with a line end in it, or a line that was cut off.
    const more = cells.slice(this.#width)
    if (cells.length < Math.min(this.#names?.size ?? 0, 14) || more.length > 1 || (more[0] ?? "") !== "")
      return void refuse(`it has ${cells.length} cells, and the second line names ${this.#width}`)
    const found = postingOf(this.#file.name, line, cell, this.#head)
    if (found === undefined) return
    if ("why" in found) return void this.refused.push(found)
    this.#put(found)
    this.count++
    const { day, other } = found
    this.#oddities.posting(number, day, this.#head.period)
    if (this.from === "" || day < this.from) this.from = day
    if (day > this.to) this.to = day
    this.#has8000 ||= other.startsWith("8")
  }

  get chart(): Batch["chart"] {
    return chartOf(this.#head, this.#has8000)
  }

  get said(): ReadonlyArray<string> {
    const { category, length, period } = this.#head
    if (category === "16" || this.#isOver) return []
    const none = `none of its postings is with a customer, whose account has ${length + 1} digits`
    return [...this.#oddities.said(period), ...(this.#oddities.rows > 0 && this.count === 0 ? [none] : [])]
  }
}

/** @param put takes its postings. Undefined if it is not an EXTF file. */
export const readBatch = async (file: ListedFile, put: (posting: Posting) => void): Promise<Batch | undefined> => {
  const { digest, encoding, mark } = await facts(file.path)
  let [head, reading]: [Head | undefined, Reading | undefined] = [undefined, undefined]
  for await (const batch of lines({ path: file.path, encoding, mark }))
    for (const line of batch) {
      if (line.text.trim() === "") continue
      if (reading !== undefined) reading.take(line)
      else if (!isExtf(line.text)) return undefined
      else reading = new Reading((head = headOf(line.text)), file, put)
    }
  if (head === undefined || reading === undefined) return undefined
  const { chart, count, customers, from, refused, said, to } = reading
  return { file, digest, created: head.created, chart, count, from, to, said, refused, customers }
}
