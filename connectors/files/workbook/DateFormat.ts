/** Which formats of numbers show dates or times, and which day a number is in such a format. */

/** Formats that a workbook need not spell out: dates, times, and those of East Asian calendars. */
const BUILT_IN: ReadonlyArray<readonly [from: number, to: number]> = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58]
]

/** @param code as the workbook spells it out, if it does */
export const isDateFormat = (id: number, code: string | undefined): boolean => {
  if (code === undefined || code === "") return BUILT_IN.some(([from, to]) => id >= from && id <= to)
  // Texts, escaped characters, fillers; then colours, conditions and currencies, but not hours beyond a day.
  const bare = code.replace(/"[^"]*"|\\.|[_*]./g, "")
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return true
  const shown = bare.replace(/\[[^[\]]*\]/g, "").toLowerCase()
  if (/^\s*(?:general|@)\s*$/.test(shown)) return false
  return /[yd]|m{3}|am\/pm|a\/p|(?<![a-z])[hs]{1,2}(?![a-z])/.test(shown)
}

const DAY_MS = 86_400_000

/** The day before day 1 of a system. */
const BEFORE_1900 = Date.UTC(1899, 11, 31)
const BEFORE_1904 = Date.UTC(1904, 0, 1)

/** The 1900 system counts 29 February 1900, which the calendar does not have, as day 60. */
const NO_DAY = 60

/** As text, with the time where it has one; empty if it is none. */
export const dateOf = (serial: number, is1904: boolean): string => {
  const days = !is1904 && serial >= NO_DAY ? serial - 1 : serial
  const at = new Date((is1904 ? BEFORE_1904 : BEFORE_1900) + Math.round(days * DAY_MS))
  if (Number.isNaN(at.getTime())) return ""
  return at
    .toISOString()
    .replace(/T00:00:00.000Z$/, "")
    .replace(/(?:\.000)?Z$/, "")
}
