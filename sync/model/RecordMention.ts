/**
 * Whether a record that could not be read may be about an invoice: its text names the invoice, its buyer, or what is open of it,
 * however a bank or a person writes that: `inv 1` for INV-1, a company without its legal form, `1.000,00`, `1000` or cents.
 */
import { normal } from "./MatchText.ts"
import { nameWithoutForm } from "./PartyName.ts"

export interface Mentioned {
  /** The invoice's number and id. */
  readonly numbers: ReadonlyArray<string>
  readonly buyer: string
  /** What is open, as `1000.00`. */
  readonly open: string
}

/** Shorter ones are in every text. */
const SHORTEST = 3

/** What separates the fields of a record keeps apart what is in them. */
const fieldsOf = (record: string): ReadonlyArray<string> => record.split(/[,;|\t\n"]/u)

const hasNumber = (record: string, number: string): boolean => {
  const wanted = normal(number)
  if (number !== "" && record.includes(number)) return true
  return wanted.length >= SHORTEST && fieldsOf(record).some((field) => normal(field).includes(wanted))
}

const hasName = (record: string, name: string): boolean => {
  const bare = normal(nameWithoutForm(name))
  const wanted = bare.length >= SHORTEST ? bare : normal(name)
  return wanted.length >= SHORTEST && normal(nameWithoutForm(record)).includes(wanted)
}

/** An amount with any sign between its thousands and before its decimals, without decimals that are nothing, or in cents. */
const hasAmount = (record: string, amount: string): boolean => {
  const [whole = "0", decimals = ""] = amount.split(".")
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, "[.,'’\\s]?")
  const rest = decimals.replace(/(?<!0)0+$/, "")
  const ends = rest === "" ? "(?:[.,]0+)?(?!\\d|\\.[1-9])" : `[.,]${rest}0*(?!\\d)`
  const cents = `${whole}${decimals}`.replace(/^0+/, "")
  return new RegExp(`(?<!\\d)(?:${thousands}${ends}|${cents}(?!\\d))`, "u").test(record)
}

/** A record without text, such as a whole file, may be about anything. */
export const mayMention = (record: string, { buyer, numbers, open }: Mentioned): boolean =>
  record.trim() === "" ||
  numbers.some((number) => hasNumber(record, number)) ||
  hasName(record, buyer) ||
  hasAmount(record, open)
