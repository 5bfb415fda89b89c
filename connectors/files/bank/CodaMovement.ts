/** What a movement of CODA says: its records 2.1, 2.2 and 2.3, whose communication may be structured. */
import type { Decimal } from "../../../core/money/Decimal.ts"
import { present } from "../../Json.ts"
import { amountIn, columns, dayIn, trimmed } from "./Columns.ts"
import { type Entry, Fault, referenceIn } from "./Entry.ts"

/** Decimal places of every amount. */
export const PLACES = 3

/** A movement: its records 2.1, 2.2 and 2.3, and what records 3 add to it. */
export interface Movement {
  readonly line: number
  first: string
  second: string
  third: string
  more: string
}

export const signed = (sign: string, amount: Decimal): Decimal => {
  if (!/[01]/.test(sign)) throw new Fault("sign", `${JSON.stringify(sign)} is neither 0 (credit) nor 1 (debit)`)
  return sign === "1" ? -amount : amount
}

/** What the bank says of a debit that was not paid, by the digit of communication 127. */
const UNPAID: Readonly<Record<string, string>> = {
  "1": "technical reason",
  "2": "no reason stated",
  "3": "the debtor disagrees",
  "4": "the debtor's account"
}

/** A structured communication of type 101 or 102 (OGM, VCS): twelve digits. 127: a direct debit. */
interface Communication {
  readonly text: string
  readonly mandate?: string
  readonly unpaid?: string
}

const communication = ({ first, second, third }: Movement): Communication => {
  const text = `${columns(first, 63, 115)}${columns(second, 11, 63)}${columns(third, 83, 125)}`
  const whole = text.trim().replace(/\s+/g, " ")
  if (columns(first, 62, 62) !== "1") return { text: whole }
  const type = text.slice(0, 3)
  if (type === "101" || type === "102") return { text: text.slice(3, 15) }
  if (type !== "127") return { text: whole.slice(3).trim() }
  const [unpaid, mandate] = [UNPAID[text.slice(11, 12)], text.slice(47, 82).trim()]
  return { text: text.slice(82, 144).trim(), ...present({ unpaid, mandate: mandate === "" ? undefined : mandate }) }
}

/** Whether it returns a movement (record 2.2, and communication 127 again), and the ISO reason. */
const returned = ({ first, second, third }: Movement): { readonly is: boolean; readonly code?: string } => {
  const isDebit = columns(first, 62, 65) === "1127"
  const both = [columns(second, 113, 117), ...(isDebit ? [columns(third, 121, 125)] : [])]
  const found = both.find((one) => (isDebit ? /^[1-5](?:[A-Z0-9]{4}| {4})$/ : /^[1-5][A-Z]{2}\d{2}$/).test(one))
  const code = found?.slice(1).trim() ?? ""
  return { is: found !== undefined, ...(code === "" ? {} : { code }) }
}

export const entryOf = (movement: Movement, currency: string): Omit<Entry, "nth"> => {
  const { first, line, second, third } = movement
  const said = communication(movement)
  const back = returned(movement)
  const credit = signed(columns(first, 32, 32), 1n) > 0n
  const customer = referenceIn(trimmed(second, 64, 98))
  const name = trimmed(third, 48, 82)
  const account = trimmed(third, 11, 44).replaceAll(" ", "")
  const words = [said.text, customer ?? "", said.mandate ?? "", movement.more].filter((one) => one !== "")
  const text = [...new Set(words)].join(" ")
  const reversal = back.is || said.unpaid !== undefined
  return {
    line,
    raw: [first, second, third].filter((one) => one !== "").join("\n"),
    credit,
    amount: amountIn(columns(first, 33, 47), PLACES, currency, "amount"),
    currency,
    booked: true,
    ...present({
      day: dayIn(columns(first, 116, 121), "dmy") ?? dayIn(columns(first, 48, 53), "dmy"),
      reference: referenceIn(trimmed(first, 11, 31))
    }),
    reversal,
    code: columns(first, 55, 58),
    text,
    payer: present({ name: name === "" ? undefined : name, account: account === "" ? undefined : account }),
    ...(reversal ? { reason: present({ code: back.code, text: said.unpaid }) } : {}),
    ...(reversal && text !== "" ? { collected: { reference: text } } : {})
  }
}

/** The amount without the bank's charges: the detail of category 100 (gross). */
export const isGross = ({ first }: Movement): boolean =>
  columns(first, 54, 54) === "8" && columns(first, 59, 61) === "100"
