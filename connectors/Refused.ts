/** Says that a file, or a record of one, cannot be used. What a person is told always ends with what gets past it. */
import { followedBy } from "./SourceError.ts"

/** What gets past a record that its program wrote wrongly. */
const CORRECT = "correct it in the program that wrote it, and export it again"

/** A file that is damaged, or only a part of one. */
export const AGAIN = "get it again from where it was made"

export const told = (why: string, advice = CORRECT): string => followedBy(why, advice)

export class Refused extends Error {
  /** The member that is wrong or missing. */
  readonly field: string | undefined
  /** The first and the last line of what is wrong, where the file has several documents. */
  lines: readonly [first: number, last: number] | undefined
  /** @param advice what to do: a setting, an answer, or where to get the file */
  constructor(why: string, field?: string, advice = CORRECT) {
    super(told(why, advice))
    this.field = field
  }
}
