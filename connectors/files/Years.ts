/**
 * Finds the year for dates without one: as configured, or from a line above the file's headings. DATEV writes the first day
 * of the business year there: `20260101`.
 */
import type { Facts } from "../Bytes.ts"
import { misconfigured } from "./Failures.ts"
import { lines } from "../Lines.ts"
import type { File } from "./Listing.ts"

export interface Year {
  readonly year: number
  /** The month in which the year begins. */
  readonly month: number
}

/** Throws a `SourceError` if the file does not state the year. */
export const of = async (file: File, { encoding, mark }: Facts): Promise<Year | undefined> => {
  const { place, settings } = file
  const { year } = settings
  if (year === undefined) return undefined
  if (typeof year === "number") return { year, month: 1 }
  const text = file.ending === ".xlsx" ? undefined : await lineOf({ path: file.path, encoding, mark }, year.line)
  const cells = (text ?? "").split(settings.separator ?? /[;,\t|]/)
  const cell = (cells[year.cell - 1] ?? "").replaceAll('"', "").trim()
  const [, said, month = "01"] = /^(\d{4})(?:-?(\d{2})(?:-?\d{2})?)?$/.exec(cell) ?? []
  if (said === undefined || Number(month) < 1 || Number(month) > 12) {
    throw misconfigured(
      `${file.name} has no year in cell ${year.cell} of line ${year.line}, but ${JSON.stringify(cell)}`,
      `correct source.${place}.year`
    )
  }
  return { year: Number(said), month: Number(month) }
}

const lineOf = async (source: Parameters<typeof lines>[0], wanted: number): Promise<string | undefined> => {
  for await (const batch of lines(source)) {
    const found = batch.find(({ number }) => number === wanted)
    if (found !== undefined) return found.text
    if ((batch.at(-1)?.number ?? 0) > wanted) return undefined
  }
  return undefined
}
