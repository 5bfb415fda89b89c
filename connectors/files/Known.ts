/** Which files were read, and as what: the bookmark of the connector `files`. */
import { Schema } from "effect"
import { Day } from "../../core/wire/Day.ts"
import type { BankFiles } from "./BankFiles.ts"
import { Summary } from "./bank/Survey.ts"
import * as Looks from "../Looks.ts"

/** For each part (`invoices/2024.csv`): a digest of the content and of the settings that it was read with. */
export const Bookmark = Schema.Struct({
  files: Schema.Record(Schema.String, Schema.String),
  /** For each part: the file's attributes when that digest was computed. */
  looks: Schema.optionalKey(Schema.Record(Schema.String, Looks.Look)),
  /** For each part that is a bank file: the summary that other files need. */
  banks: Schema.optionalKey(Schema.Record(Schema.String, Summary)),
  /** For each part that is an export of a list which others have too: the latest day in it. */
  latest: Schema.optionalKey(Schema.Record(Schema.String, Day)),
  /** For each place in the settings: the headings that its tables have had. */
  headings: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String)))
})
export type Bookmark = typeof Bookmark.Type

/** A bookmark lists every file that was read, so it is made again only when there are this many times fewer new ones. */
const SHARE = 16

/** Tables whose headings are values, like days, have ever new ones. */
const MOST_HEADINGS = 300

export class Known {
  readonly files: Record<string, string>
  readonly looks: Record<string, Looks.Look>
  readonly #banks: BankFiles
  readonly #before: Bookmark["headings"]
  #headings: Record<string, ReadonlyArray<string>>
  /** The order of several exports of a list, see `Newest.ts`. */
  latest: Readonly<Record<string, Day>>
  #done: number
  #later = 0
  /** As it was made last. Until it is made again, an interrupted pull reads the latest files again. */
  bookmark: Bookmark

  constructor(after: Bookmark | undefined, banks: BankFiles) {
    this.files = { ...after?.files }
    this.looks = { ...after?.looks }
    this.#banks = banks
    this.#before = after?.headings
    this.#headings = { ...after?.headings }
    this.latest = after?.latest ?? {}
    this.#done = Object.keys(this.files).length
    this.bookmark = this.last()
  }

  /** Whether files were read that the latest bookmark does not have. */
  get isBehind(): boolean {
    return this.#later > 0
  }

  /** Which of a table's headings no table of its place had when it was last read. */
  appeared(place: string, header: ReadonlyArray<string>): ReadonlyArray<string> {
    const before = this.#before?.[place]
    const all = [...new Set([...(this.#headings[place] ?? []), ...header.filter((one) => one !== "")])]
    this.#headings = { ...this.#headings, [place]: all.slice(0, MOST_HEADINGS) }
    return before === undefined || all.length > MOST_HEADINGS
      ? []
      : header.filter((one) => one !== "" && !before.includes(one))
  }

  forget(parts: ReadonlyArray<string>): void {
    for (const part of parts) for (const known of [this.files, this.looks]) delete known[part]
    if (parts.length > 0) this.last()
  }

  /** After one more file. */
  next(): Bookmark {
    this.#done++
    this.#later++
    return this.#later * SHARE < this.#done ? this.bookmark : this.last()
  }

  /** With everything that is known by now. */
  last(): Bookmark {
    this.#later = 0
    this.bookmark = Object.freeze({
      files: { ...this.files },
      looks: { ...this.looks },
      ...this.#banks.summaries,
      ...(Object.keys(this.latest).length === 0 ? {} : { latest: this.latest }),
      ...(Object.keys(this.#headings).length === 0 ? {} : { headings: this.#headings })
    })
    return this.bookmark
  }
}
