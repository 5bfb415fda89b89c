/** Defines a preset: what is known about the exports of one program. */
import type { FoundTable, Proposal } from "../Tables.ts"

export interface Preset {
  /** The name for `--preset`. */
  readonly name: string
  /** The name for people. */
  readonly title: string
  /** The required headings, in any case and order; of a list, any one. */
  readonly needs: ReadonlyArray<string | ReadonlyArray<string>>
  /** A pattern that must match above the headings. */
  readonly above?: RegExp
  readonly streams: ReadonlyArray<Proposal> | ((table: FoundTable) => ReadonlyArray<Proposal>)
}
