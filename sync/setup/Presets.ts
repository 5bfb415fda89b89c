/**
 * Defines known exports, one row each: the headings that identify an export, and what its columns mean. What varies between
 * exports (date format, currency, states, the line of the headings) is detected in the file.
 */
import type { Glance } from "../../connectors/tabular/Glance.ts"
import { accounting } from "./presets/Accounting.ts"
import type { Preset } from "./presets/Preset.ts"
import { processors } from "./presets/Processors.ts"
import { quickbooks } from "./presets/QuickBooks.ts"
import { sales } from "./presets/Sales.ts"
import { squash } from "./Vocabulary.ts"

export type { Preset }

export const PRESETS: ReadonlyArray<Preset> = [...accounting, ...quickbooks, ...sales, ...processors]

/** The preset with these headings; if there are several, the one that requires the most of them. */
export const presetOf = (cells: ReadonlyArray<string>, { top }: Pick<Glance, "top">): Preset | undefined => {
  const there = new Set(cells.map(squash))
  return PRESETS.filter(
    ({ above, needs }) =>
      needs.every((one) => [one].flat().some((heading) => there.has(squash(heading)))) &&
      (above === undefined || top.some((row) => above.test(row.cells[0] ?? "")))
  ).toSorted((a, b) => b.needs.length - a.needs.length)[0]
}
