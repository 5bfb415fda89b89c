/**
 * Names of months as files write them, in any language: whole, short, or as much of a name as leaves no doubt.
 */

const ENGLISH = "january february march april may june july august september october november december".split(" ")

/** Short forms that spreadsheets write and no list of names has. */
const MORE: Readonly<Record<string, Readonly<Record<string, number>>>> = { de: { mrz: 3 } }

const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f.]/g, "")
    .toLowerCase()
    .trim()

/** Each name of a language and its month; as a language writes it alone, and beside a day. */
const namesOf = (language: string): ReadonlyMap<string, number> => {
  const names = new Map<string, number>(Object.entries(MORE[language] ?? {}))
  for (const length of ["long", "short"] as const) {
    const alone = new Intl.DateTimeFormat([language, "en"], { month: length, timeZone: "UTC" })
    const beside = new Intl.DateTimeFormat([language, "en"], { day: "numeric", month: length, timeZone: "UTC" })
    for (let month = 1; month <= 12; month++) {
      const date = Date.UTC(2024, month - 1, 15)
      const part = beside.formatToParts(date).find(({ type }) => type === "month")
      for (const name of [alone.format(date), part?.value ?? ""]) {
        if (name !== "" && !names.has(fold(name))) names.set(fold(name), month)
      }
    }
  }
  return names
}

/** Three letters or more that only names of one month begin with. */
const byPrefix = (names: ReadonlyMap<string, number>, text: string): number => {
  if (text.length < 3) return 0
  const [found, ...others] = new Set([...names].flatMap(([name, month]) => (name.startsWith(text) ? [month] : [])))
  return others.length === 0 ? (found ?? 0) : 0
}

export interface Months {
  /** The part of a pattern that matches a name. */
  readonly pattern: string
  /** 1 to 12, or 0 for what is no month. */
  readonly month: (name: string) => number
}

const english = new Map(ENGLISH.map((name, n) => [name, n + 1]))

/** In English, and in another language where one is given, which goes first. */
export const months = (language: string | undefined): Months => {
  const own = language === undefined ? new Map<string, number>() : namesOf(language)
  // Names with figures in them, like those of Chinese, are matched as they are; the longer ones first.
  const figured = [...own.keys()].filter((name) => /\d/.test(name)).toSorted((a, b) => b.length - a.length)
  return {
    pattern: [...figured.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")), "[\\p{L}\\p{M}]{3,}\\.?"].join(
      "|"
    ),
    month: (name) => {
      const text = fold(name)
      // In English whatever begins with three letters of a month, like "Sept".
      return own.get(text) ?? (byPrefix(own, text) || byPrefix(english, text === "sept" ? "sep" : text))
    }
  }
}
