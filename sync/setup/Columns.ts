/**
 * Detects the role of each column of a table, by its heading and its contents. A guess may choose between columns, but drops
 * none: if a column whose heading is known fits best, it is used however many of its cells do not fit; those are quarantined,
 * or asked about. What is not used is named, with the reason.
 */
import * as Numerals from "../../connectors/tabular/Numerals.ts"
import * as Currencies from "../../connectors/tabular/Currencies.ts"
import { formatOf, shareOfDates } from "./DateFormats.ts"
import { areWords, filledOf, type FoundTable, headingAt } from "./Tables.ts"
import { invoiceStateOf, isBesideTaxed, isNothing, rolesOf, type Role, yesOrNo } from "./Vocabulary.ts"

/** How many values of a column are examined. */
const LOOKED = 2000

export type Assigned = Partial<Readonly<Record<Role, number>>>

/** A column that is not used, and why. */
export interface UnusedColumn {
  readonly heading: string
  readonly why: string
}

export interface AssignedColumns {
  readonly at: Assigned
  /** The heading as a configuration names it. */
  readonly heading: (role: Role) => string | undefined
  /** The language of most headings. */
  readonly language: string
}

export const DATES: ReadonlyArray<Role> = ["issued", "date", "paid_on", "due"]
export const AMOUNTS: ReadonlyArray<Role> = [
  "net",
  "tax",
  "gross",
  "amount",
  "paid",
  "balance",
  "paid_in",
  "paid_out",
  "refunded",
  "applied",
  "unallocated",
  "foreign",
  "home",
  "fee"
]
/** Columns of few words, whatever these are: unknown ones are asked about. */
const WORDS: ReadonlyArray<Role> = ["status", "type", "direction"]

export const isAmount = (text: string): boolean =>
  typeof Numerals.parse(text, ".", undefined) !== "string" || typeof Numerals.parse(text, ",", undefined) !== "string"

/** A rate of tax, as `19 %`. */
const isPercent = (text: string): boolean => /\d\s*%$/.test(text) && isAmount(text.replace(/\s*%$/, ""))

const share = (values: ReadonlyArray<string>, fits: (value: string) => boolean): number =>
  values.length === 0 ? 0 : values.filter(fits).length / values.length

const isNumber = (value: string): boolean => /^\d+$/.test(value)

/** Days since 1900, as workbooks count them, of this century. */
const isSerial = (value: string): boolean => /^[34]\d{4}(\.\d+)?$/.test(value)

/** How many of a column's cells fit a role, from 0 to 1. */
const fitOf = (role: Role, values: ReadonlyArray<string>, { glance }: Pick<FoundTable, "glance">): number => {
  const said = values.filter((value) => !isNothing(value))
  // An empty column says nothing, and drops nothing.
  if (said.length === 0) return 0
  if (DATES.includes(role)) return Math.max(shareOfDates(said), glance.typed ? share(said, isSerial) : 0)
  if (AMOUNTS.includes(role)) return share(said, role === "tax" ? (one) => isAmount(one) || isPercent(one) : isAmount)
  const distinct = [...new Set(said)]
  switch (role) {
    case "currency":
      return share(distinct, (value) => Currencies.parse(value) !== undefined || Currencies.within(value).length > 0)
    case "status":
    case "type":
    case "direction": {
      const most = Math.max(30, said.length / 4)
      return formatOf(said) === undefined &&
        distinct.length <= most &&
        share(distinct, (one) => /[.,]\d\d$/.test(one)) < 0.5
        ? 1
        : 0
    }
    case "terms":
      return distinct.length < 30 && formatOf(said) === undefined ? 1 : 0
    case "party":
      return formatOf(said) === undefined ? share(said, (value) => /\p{L}/u.test(value)) : 0
    case "country":
    case "text":
      return 1 - share(said, isAmount)
    // A column that only marks credit notes (yes, no) does not number them.
    case "credit":
      return said.every((value) => yesOrNo(value) !== undefined) ? 0 : 1
    // An id, and not a sentence.
    case "payment":
      return 1 - share(said, (value) => /\s/.test(value))
    case "vat":
      return 1 - share(said, isPercent)
    case "exchange":
      return share(said, (value) => /^\d+([.,]\d+)?$/.test(value))
    default:
      return formatOf(said) === undefined || share(said, isNumber) > 0.9 ? 1 : 0
  }
}

/** A column fits a role if at least so many of its cells do. */
const FITS: Partial<Readonly<Record<Role, number>>> = { party: 0.5, country: 0.1, text: 0.1, currency: 0.01 }
const LEAST = 0.2

interface Candidate {
  readonly role: Role
  readonly at: number
  readonly score: number
  readonly language: string
}

/** What a heading may stand for as well: "Zahlungsziel" is a number of days or the day itself, "Payment received" a day or an amount. */
const TURNED: Partial<Readonly<Record<Role, Role>>> = { terms: "due", paid_on: "paid", paid: "paid_on" }

/** The roles of a heading, as its cells have them: all of them are days, or amounts. */
const turned = (
  meant: ReadonlyArray<ReturnType<typeof rolesOf>[number]>,
  values: ReadonlyArray<string>
): ReadonlyArray<ReturnType<typeof rolesOf>[number]> => {
  const said = values.filter((value) => !isNothing(value))
  if (said.length === 0) return meant
  const areDays = said.every((value) => /\D/.test(value)) && shareOfDates(said) === 1
  const areAmounts = !areDays && share(said, isAmount) === 1 && shareOfDates(said) < 1
  return meant.flatMap((one) => {
    const role = TURNED[one.role]
    const isOther = role !== undefined && (role === "paid" ? areAmounts : areDays)
    return isOther && !meant.some((other) => other.role === role) ? [{ ...one, role }] : [one]
  })
}

/** What a heading that fits its cells is worth more than one that does not. */
const FIT_SCORE = 30
const RATE_SCORE = 20
/** A heading that is known as it stands. */
const KNOWN_SCORE = 86

const candidates = (table: FoundTable): ReadonlyArray<Candidate> =>
  table.header.flatMap((heading, at) => {
    const meant = rolesOf(heading)
    if (meant.length === 0 || table.header.indexOf(heading) !== at) return []
    const values = filledOf(table.rows.slice(0, LOOKED), at)
    const isNet = isBesideTaxed(heading, table.header)
    return turned(meant, values).flatMap((found) => {
      const one = isNet && found.role === "gross" ? { ...found, role: "net" as const } : found
      const fit = fitOf(one.role, values, table)
      // "% IVA" is the rate beside "IVA".
      const rate = one.role === "tax" && (heading.includes("%") || values.some(isPercent)) ? RATE_SCORE : 0
      // "Inc-Tax Price" is of one piece, beside "Inc-Tax Total".
      const piece = one.score < KNOWN_SCORE && PER_PIECE.test(heading) ? RATE_SCORE : 0
      return fit < (FITS[one.role] ?? LEAST)
        ? []
        : [{ ...one, at, score: one.score - FIT_SCORE * (1 - fit) - rate - piece }]
    })
  })

/** The language that most headings are in; English if several are equally likely. */
export const languageOf = (header: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>([["en", 0.5]])
  for (const heading of header)
    for (const language of new Set(rolesOf(heading).map(({ language }) => language)))
      if (language !== "") counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

export const withHeadings = (
  { header }: Pick<FoundTable, "header">,
  at: Assigned,
  language: string
): AssignedColumns => ({
  at,
  language,
  heading: (role) => (at[role] === undefined ? undefined : headingAt(header, at[role]))
})

export const assign = (table: FoundTable): AssignedColumns => {
  const language = languageOf(table.header)
  const found = candidates(table)
    .map((one) => ({ ...one, score: one.score + (one.language === language ? 3 : 0) }))
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
  const at: Partial<Record<Role, number>> = {}
  const taken = new Set<number>()
  for (const one of found) {
    if (at[one.role] !== undefined || taken.has(one.at)) continue
    at[one.role] = one.at
    taken.add(one.at)
  }
  paired(table, at, taken, "paid_in", "paid_out")
  paired(table, at, taken, "paid_out", "paid_in")
  byValues(table, at, taken)
  byStates(table, at, language)
  return withHeadings(table, at, language)
}

/** Of two columns for the two ways of money, one may be empty, and is not in the next month. */
const paired = (
  table: FoundTable,
  at: Partial<Record<Role, number>>,
  taken: ReadonlySet<number>,
  known: Role,
  missing: Role
): void => {
  if (at[known] === undefined || at[missing] !== undefined) return
  const empty = table.header.findIndex(
    (heading, n) =>
      !taken.has(n) && rolesOf(heading).some(({ role }) => role === missing) && filledOf(table.rows, n).length === 0
  )
  if (empty >= 0) at[missing] = empty
}

/** A column that has nothing but numbers of invoices of the other tables names these, whatever it is called; if no known one does. */
export const naming = (table: FoundTable, columns: AssignedColumns, numbers: ReadonlySet<string>): AssignedColumns => {
  const { at, language } = columns
  const names = (n: number | undefined): boolean => {
    const texts = n === undefined ? [] : filledOf(table.rows, n)
    return texts.length > 0 && texts.every((text) => numbers.has(text))
  }
  if (numbers.size === 0 || at.balance !== undefined || [at.invoice, at.document, at.original].some(names))
    return columns
  const found = table.header.findIndex((_, n) => names(n))
  if (found < 0) return columns
  const others = Object.entries(at).filter(([, n]) => n !== found)
  return withHeadings(table, { ...Object.fromEntries(others), invoice: found }, language)
}

/** Headings of what one piece costs, and of how many there are. */
export const PER_PIECE =
  /\b(unit|each|per|piece|qty|quantity)\b|price|rate|einzel|st[uü]ck|preis|menge|prix|unitaire|quantit|prijs|stuks|aantal|precio|unidad|cantidad|prezzo|unitario/iu

/** A column that says what became of each invoice is read as that, whatever it is called: "Règlement" with "réglé" and "non réglé". */
const byStates = (table: FoundTable, at: Partial<Record<Role, number>>, language: string): void => {
  if (at.status !== undefined || at.due === undefined) return
  // "Règlement" may be the number of a payment elsewhere; here it says whether there was one.
  const own = Object.entries(at).filter(([role]) => role !== "payment" && role !== "method" && role !== "text")
  const used = new Set(own.map(([, n]) => n))
  const found = table.header.findIndex((_, n) => {
    const texts = used.has(n) ? [] : [...new Set(filledOf(table.rows, n))]
    const states = texts.map((text) => invoiceStateOf(text, language))
    const known = states.filter((state) => state !== undefined)
    return areWords(texts) && known.includes("paid") && known.length * 2 >= texts.length
  })
  if (found < 0) return
  for (const role of ["payment", "method", "text"] as const) if (at[role] === found) delete at[role]
  at.status = found
}

/** Finds a date or an amount without a known heading, if the table has only one such column. */
const byValues = (
  { header, rows }: FoundTable,
  at: Partial<Record<Role, number>>,
  taken: ReadonlySet<number>
): void => {
  const free = header.flatMap((heading, n) => {
    const values = filledOf(rows.slice(0, LOOKED), n)
    return heading === "" || PER_PIECE.test(heading) || taken.has(n) || values.length * 2 < rows.length
      ? []
      : [{ n, values }]
  })
  if (DATES.every((role) => at[role] === undefined)) {
    const dates = free.filter(({ values }) => values.some((one) => /\D/.test(one)) && formatOf(values) !== undefined)
    const [date] = dates
    if (date !== undefined && dates.length === 1) at.date = date.n
  }
  if (AMOUNTS.every((role) => at[role] === undefined)) {
    const amounts = free.filter(
      ({ values }) => share(values, isAmount) >= 0.9 && values.some((one) => /[.,]\d{2}\b/.test(one))
    )
    const [amount] = amounts
    if (amount !== undefined && amounts.length === 1) at.amount = amount.n
  }
}

const NOT: Partial<Readonly<Record<Role, string>>> = { currency: "currencies", party: "names", country: "countries" }

/** The columns that a table's proposals do not use, and why. */
export const unusedOf = (
  table: FoundTable,
  { at, heading }: AssignedColumns,
  used: ReadonlySet<string>
): ReadonlyArray<UnusedColumn> =>
  table.header.flatMap((name, n) => {
    const own = headingAt(table.header, n)
    const values = filledOf(table.rows.slice(0, LOOKED), n)
    if (used.has(own) || values.length === 0) return []
    const meant = rolesOf(name)
    const [best] = meant
    if (name === "") return [{ heading: own, why: "it has no heading" }]
    if (table.header.indexOf(name) !== n)
      return [{ heading: own, why: `an earlier column is called ${JSON.stringify(name)} too` }]
    if (best === undefined) return [{ heading: own, why: "its heading is not known" }]
    const fitting = meant.filter(({ role }) => fitOf(role, values, table) >= (FITS[role] ?? LEAST))
    if (fitting.length === 0) {
      const what = DATES.includes(best.role)
        ? "dates"
        : AMOUNTS.includes(best.role)
          ? "amounts"
          : (NOT[best.role] ?? `what ${JSON.stringify(best.role)} would be`)
      return [{ heading: own, why: `its cells are not ${what}, like ${JSON.stringify(values[0])}` }]
    }
    const other = fitting.flatMap(({ role }) => (at[role] === undefined || at[role] === n ? [] : [heading(role) ?? ""]))
    return [
      {
        heading: own,
        why: other[0] === undefined ? "nothing needs it" : `${JSON.stringify(other[0])} is used for the same`
      }
    ]
  })

export { WORDS }
