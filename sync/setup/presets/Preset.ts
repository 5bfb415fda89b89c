/** What a preset says of the exports of one program. */
import type { FoundTable, Proposal } from "../Tables.ts"

export interface Preset {
  /** What `--preset` calls it. */
  readonly name: string
  /** What a person calls it. */
  readonly title: string
  /** Headings that it has, whatever their case and order. */
  readonly needs: ReadonlyArray<string>
  /** What must stand above the headings. */
  readonly above?: RegExp
  readonly streams: ReadonlyArray<Proposal> | ((table: FoundTable) => ReadonlyArray<Proposal>)
}
