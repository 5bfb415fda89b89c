/** The texts that lists are searched by. */
import { grouped } from "../../core/Plural.ts"

/** Longer than every number, name and key. */
export const LONGEST_SEARCH = 1000

/** What to do about a text that is too long to be searched for; undefined if it is not. */
export const tooLong = (text: string): string | undefined =>
  text.length > LONGEST_SEARCH
    ? `a search text has at most ${grouped(LONGEST_SEARCH)} characters, and this one has ${grouped(text.length)}; search for a part of it`
    : undefined

/** For `LIKE :… ESCAPE '\\'`: what contains this text. SQLite reads a pattern up to a NUL, which is in no text of a source. */
export const containing = (text: string): string => `%${text.replaceAll("\0", "\ufffd").replace(/[\\%_]/g, "\\$&")}%`
