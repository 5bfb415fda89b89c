/**
 * Reads month names in any language: complete, abbreviated, or any unambiguous beginning.
 */

const ENGLISH = "january february march april may june july august september october november december".split(" ")

/** Abbreviations that spreadsheets write and that are missing from lists of month names. */
const MORE: Readonly<Record<string, Readonly<Record<string, number>>>> = { de: { mrz: 3 } }

const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f.]/g, "")
    .toLowerCase()
    .trim()

/** Each month name of a language, both as written alone and beside a day. */
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

/** The month of which the text, of at least three letters, is an unambiguous beginning. */
const byPrefix = (names: ReadonlyMap<string, number>, text: string): number => {
  if (text.length < 3) return 0
  const [found, ...others] = new Set([...names].flatMap(([name, month]) => (name.startsWith(text) ? [month] : [])))
  return others.length === 0 ? (found ?? 0) : 0
}

export interface Months {
  /** The part of a pattern that matches a name. */
  readonly pattern: string
  /** 1 to 12, or 0 if it is not a month. */
  readonly month: (name: string) => number
}

const english = new Map(ENGLISH.map((name, n) => [name, n + 1]))

/** Month names in English, and in another language if given, which takes precedence. */
export const months = (language: string | undefined): Months => {
  const own = language === undefined ? new Map<string, number>() : namesOf(language)
  // Names with digits in them, as in Chinese, are matched literally; longer ones first.
  const figured = [...own.keys()].filter((name) => /\d/.test(name)).toSorted((a, b) => b.length - a.length)
  return {
    pattern: [...figured.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")), "[\\p{L}\\p{M}]{3,}\\.?"].join(
      "|"
    ),
    month: (name) => {
      const text = fold(name)
      // In English, any beginning of three letters or more is accepted, and also "Sept".
      return own.get(text) ?? (byPrefix(own, text) || byPrefix(english, text === "sept" ? "sep" : text))
    }
  }
}
