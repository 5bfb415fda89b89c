/** What the text of a payment says beside the numbers of invoices: dates, numbers of customers, typing errors, short forms. Pure. */
import type { Day } from "../../core/wire/Day.ts"
import { type Name, words } from "./Rules.ts"

/** Shorter ends of numbers would be found in other texts by chance. */
const SHORTEST = 4

/** Whether a payer wrote this number, with or without what all numbers begin with. */
export const isEndOf = (typed: string, whole: string): boolean => typed.length >= SHORTEST && whole.endsWith(typed)

/** Whether one number was typed for another: one digit is another one, or two neighbours changed places. */
export const isTypo = (typed: string, whole: string): boolean => {
  // Payers leave out what all numbers begin with.
  const number = whole.slice(-typed.length)
  if (typed === number || typed.length !== number.length || typed.length < SHORTEST) return false
  const apart = [...typed].flatMap((digit, at) => (digit === number[at] ? [] : [at]))
  const [first, second, more] = apart
  if (first === undefined || more !== undefined) return false
  const isDigit = (at: number) => /[0-9]/.test(typed[at] ?? "") && /[0-9]/.test(number[at] ?? "")
  if (second === undefined) return isDigit(first)
  return second === first + 1 && typed[first] === number[second] && typed[second] === number[first]
}

/**
 * Whether a text names another invoice than the one with this number: both are the same letters and about as many other digits. Far
 * fewer are a year, or the number written in short: `RE 2026`, `RE-26-71`.
 */
export const isAnother = (named: string, number: string): boolean => {
  const [its, other] = [number, named].map((one) => /^(\p{L}{2,})\d+$/u.exec(one)?.[1])
  if (its === undefined || its !== other || named === number || Math.abs(named.length - number.length) > 1) return false
  return !isTypo(named, number) && !isEndOf(named, number)
}

const CENTURY = 2000
/** A date that a payer writes is not further from the payment than this. */
const NEAR_YEARS = 2

/** Whether digits alone can be a year, a month or a date about the payment's day: `2026`, `202611`, `20261103`, `031126`. */
export const isDate = (name: string, day: Day): boolean => {
  if (!/^(\d{4}|\d{6}|\d{8})$/.test(name)) return false
  const paid = Number(day.slice(0, 4))
  const at = (from: number, to: number) => Number(name.slice(from, to))
  const isYear = (year: number) => Math.abs((year < 100 ? CENTURY + year : year) - paid) <= NEAR_YEARS
  const isMonth = (month: number) => month >= 1 && month <= 12
  const isDay = (of: number) => of >= 1 && of <= 31
  if (name.length === 4) return isYear(at(0, 4))
  if (name.length === 8) {
    return (
      (isYear(at(0, 4)) && isMonth(at(4, 6)) && isDay(at(6, 8))) ||
      (isYear(at(4, 8)) && isMonth(at(2, 4)) && isDay(at(0, 2))) ||
      (isYear(at(4, 8)) && isMonth(at(0, 2)) && isDay(at(2, 4)))
    )
  }
  return (
    (isYear(at(0, 4)) && isMonth(at(4, 6))) ||
    (isYear(at(2, 6)) && isMonth(at(0, 2))) ||
    (isYear(at(0, 2)) && isMonth(at(2, 4)) && isDay(at(4, 6))) ||
    (isYear(at(4, 6)) && isMonth(at(2, 4)) && isDay(at(0, 2))) ||
    (isYear(at(4, 6)) && isMonth(at(0, 2)) && isDay(at(2, 4)))
  )
}

/** Words before a number that is not an invoice's: a customer, a contract, an account, a mandate, a tax number, a claim. */
const OTHER_NUMBER =
  /^(KUNDE|KUNDEN|KUNDENNR|KUNDENNUMMER|KDNR|KD|KNR|CUSTOMER|CUST|CLIENT|CLIENTE|KLANT|KLANTNR|VERTRAG|VERTRAGSNR|CONTRACT|CONTRAT|ACCOUNT|ACCT|KONTO|MANDAT|MANDATE|MREF|STNR|STEUERNR|SCHADEN|SCHADENNR|CLAIM|POLICY|VSNR|CRED)$/
const NUMBER = /^(NR|NO|NUMBER|NUMMER|ID|REF)$/

/** Whether the words before a number say that it is another one than an invoice's. */
export const isOtherNumber = (text: string, { from }: Name): boolean => {
  const all = words(text)
  const [before = "", first = ""] = [all[from - 1], all[from - 2]]
  return OTHER_NUMBER.test(before) || (NUMBER.test(before) && OTHER_NUMBER.test(first))
}

/** What stands between a number and the last digits of the next: `1047/51`, `1047, 51 und 52`. */
const NEXT = /^\s*(?:[/,+&;]|(?:UND|AND|U|ET|Y)\b\.?)\s*(\d+)(?![\d%]|[.,]\d)/

/** The last digits of the numbers that follow one in short. */
export const shortEnds = (text: string, { name }: Name): ReadonlyArray<string> => {
  const digits = /(?<!\d)\d+$/.exec(name)?.[0].length ?? 0
  const upper = text.normalize("NFKD").toUpperCase()
  const written = new RegExp(`${[...name].join("[^\\p{L}\\p{N}]*")}(?![\\p{L}\\p{N}])`, "u").exec(upper)
  if (digits < 2 || written === null) return []
  const found: Array<string> = []
  let rest = upper.slice(written.index + written[0].length)
  for (let next = NEXT.exec(rest); next !== null; next = NEXT.exec(rest)) {
    const [all, last = ""] = next
    if (last.length >= digits) break
    found.push(last)
    rest = rest.slice(all.length)
  }
  return found
}

/** The numbers that follow one in short: its last digits are others. */
export const shortForms = (text: string, name: Name): ReadonlyArray<string> =>
  shortEnds(text, name).map((last) => `${name.name.slice(0, -last.length)}${last}`)

/** Whether the payer says that a credit note was deducted: the books may not have it. */
export const namesCreditNote = (text: string): boolean =>
  /\b(gutschrift|gutschr|credit ?note|avoir|nota de cr[eé]dito|nota di credito|creditnota|kreditnota)\b/i.test(text)
