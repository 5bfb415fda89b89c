/** Tables as programs export them: separated by commas, or as in countries whose amounts have a comma. */
import { type Day, iso, major, type Minor } from "../Values.ts"

export interface Writing {
  readonly separator: "," | ";"
  /** Every cell in quotes. */
  readonly quoted?: true
  /** Amounts have a comma, and with `grouped` a point for thousands. */
  readonly comma?: true
  readonly grouped?: true
  /** A mark of the encoding at the beginning. */
  readonly marked?: true
  /** As Daybook's setting has it: `dd.MM.yyyy`. */
  readonly dates: string
}

export const PLAIN: Writing = { separator: ",", dates: "yyyy-MM-dd" }

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

export const dated = (day: Day, { dates }: Writing): string => {
  const [year = "", month = "", of = ""] = iso(day).split("-")
  return dates
    .replace("yyyy", year)
    .replace("yy", year.slice(2))
    .replace("MMM", MONTHS[Number(month) - 1]!)
    .replace("MM", month)
    .replace("dd", of)
}

export const amountIn = (minor: Minor, { comma, grouped }: Writing): string => {
  if (comma !== true) return major(minor)
  const [whole = "", part = ""] = major(minor).split(".")
  return `${grouped === true ? whole.replaceAll(/(?<=\d)(?=(\d{3})+$)/g, ".") : whole},${part}`
}

/** What Daybook is told of how a table is written, where it would take something else. */
export const settingsOf = (writing: Writing): object => ({
  ...(writing.dates === PLAIN.dates ? {} : { date_format: writing.dates }),
  ...(writing.comma === true ? { decimal: "," } : {})
})

export const csv = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  { marked, quoted, separator }: Writing = PLAIN
): string => {
  const cell = (value: string): string =>
    quoted === true || value.includes(separator) || /["\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  return `${marked === true ? "\uFEFF" : ""}${[head, ...rows].map((row) => row.map(cell).join(separator)).join("\n")}\n`
}
