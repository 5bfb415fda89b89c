/**
 * Defines known exports, one row each: the headings that identify an export, and what its columns mean. What varies between
 * exports (date format, currency, states, the line of the headings) is detected in the file.
 */
import type { Glance } from "../../connectors/tabular/Glance.ts"
import { accounting } from "./presets/Accounting.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import type { Preset } from "./presets/Preset.ts"
import { processors } from "./presets/Processors.ts"
import { quickbooks } from "./presets/QuickBooks.ts"
import { sales } from "./presets/Sales.ts"
import type { FoundTable, Proposal } from "./Tables.ts"
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

const CONDITIONS = ["where", "leave_out", "negative"]

/** A heading as this table writes it: programs change capitals, spaces and signs in their headings, not the words. */
const heading = (name: string, header: ReadonlyArray<string>): string =>
  find(header, name) >= 0 ? name : (header.find((cell) => squash(cell) === squash(name)) ?? name)

/** A setting with the table's headings. Those of a condition are names of members, those of an expression are texts. */
const asWritten = (setting: string, value: unknown, header: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return heading(value, header)
  if (Array.isArray(value)) return value.map((one) => asWritten(setting, one, header))
  if (value === null || typeof value !== "object") return value
  const isCondition = CONDITIONS.includes(setting)
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) =>
      isCondition ? [heading(name, header), one] : [name, asWritten(name, one, header)]
    )
  )
}

/** What a preset makes of a table, with the table's own headings. */
export const streamsOf = ({ streams }: Preset, table: FoundTable): ReadonlyArray<Proposal> =>
  (typeof streams === "function" ? streams(table) : streams).map((stream) => {
    const named = Object.entries(stream).filter(([setting]) => setting === "columns" || CONDITIONS.includes(setting))
    const written = named.map(([setting, one]) => [setting, asWritten(setting, one, table.header)])
    return { ...stream, ...Object.fromEntries(written) }
  })
