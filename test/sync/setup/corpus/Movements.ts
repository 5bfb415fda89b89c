/** Movements of one account that every bank's export here has, in its own layout, and what they come to. */
import { csv, day, english, french, german } from "../Exports.ts"
import type { SetupAnswers } from "../../../../sync/setup/Answers.ts"

export interface Movement {
  readonly on: string
  readonly who: string
  readonly iban: string
  readonly text: string
  /** Signed: money out is negative. */
  readonly amount: string
  readonly size: string
  readonly balance: string
  readonly isIn: boolean
}

const move = (on: string, who: string, iban: string, text: string, amount: string, balance: string): Movement => ({
  on,
  who,
  iban,
  text,
  amount,
  size: amount.replace("-", ""),
  balance,
  isIn: !amount.startsWith("-")
})

/** Two payments of buyers, one to a supplier, and one back to a buyer; the account begins with 1,000.00. */
export const MOVES: ReadonlyArray<Movement> = [
  move("2026-03-02", "Alder BV", "NL91ABNA0417164300", "Payment INV-2001", "1190.00", "2190.00"),
  move("2026-03-13", "Power and Light", "DE89370400440532013000", "Monthly bill 4711", "-75.50", "2114.50"),
  move("2026-03-16", "Beech and Sons", "BE68539007547034", "INV-2003 with thanks", "96.00", "2210.50"),
  move("2026-03-27", "Cherry Ltd", "FR1420041010050500013M02606", "Paid twice, back to you", "-40.00", "2170.50")
]

/** What buyers paid: 1,190.00 and 96.00. */
export const RECEIVED = { payment: [2, "1286.00"] } as const

/** An export, where its layout is from, and what it comes to. */
export interface Layout {
  readonly name: string
  /** Where the headings are from; see SOURCES.md. */
  readonly source: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  /** What a person is asked. */
  readonly answers?: SetupAnswers
  readonly sums: Readonly<Record<string, readonly [number, string]>>
  readonly open?: string
}

interface Bank {
  readonly name: string
  readonly source: string
  readonly file?: string
  readonly header: string
  readonly mark?: string
  readonly above?: ReadonlyArray<string>
  readonly row: (one: Movement) => ReadonlyArray<string>
  readonly newest?: boolean
  /** Rows after the movements, of which no money has come. */
  readonly more?: ReadonlyArray<ReadonlyArray<string>>
  readonly answers?: SetupAnswers
}

/** A bank's export of the movements. */
export const bank = ({
  above = [],
  answers,
  file = "bank.csv",
  header,
  mark = ",",
  more = [],
  name,
  newest = false,
  row,
  source
}: Bank): Layout => {
  const rows = newest ? MOVES.toReversed() : MOVES
  const head = header === "" ? "" : `${header}\r\n`
  return {
    name,
    source,
    files: { [file]: `${above.map((line) => `${line}\r\n`).join("")}${head}${csv([...rows.map(row), ...more], mark)}` },
    ...(answers === undefined ? {} : { answers }),
    sums: RECEIVED
  }
}

export { day, english, french, german }
