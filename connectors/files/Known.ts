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
  headings: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  /** For each place in the settings: the latest rows of headings that its tables have had, each once. */
  rows: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.Array(Schema.String))))
})
export type Bookmark = typeof Bookmark.Type

/** A bookmark lists every file that was read, so it is made again only when there are this many times fewer new ones. */
const SHARE = 16

/** Tables whose headings are values, like days, have ever new ones. */
const MOST_HEADINGS = 300
/** A folder may have exports of several programs. */
const MOST_ROWS = 8

/** How the headings of a table differ from those before. */
export interface Changed {
  readonly appeared: ReadonlyArray<string>
  readonly gone: ReadonlyArray<string>
}

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((heading) => other.includes(heading))

const mostLike = (rows: ReadonlyArray<ReadonlyArray<string>>, named: ReadonlyArray<string>): ReadonlyArray<string> => {
  const shared = rows.map((row) => row.filter((one) => named.includes(one)).length)
  return rows.find((row) => isSame(row, named)) ?? rows[shared.indexOf(Math.max(...shared))] ?? []
}

export class Known {
  readonly files: Record<string, string>
  readonly looks: Record<string, Looks.Look>
  readonly #banks: BankFiles
  readonly #before: Bookmark
  #headings: Record<string, ReadonlyArray<string>>
  #rows: Record<string, ReadonlyArray<ReadonlyArray<string>>>
  /** The order of several exports of a list, see `Newest.ts`. */
  latest: Readonly<Record<string, Day>>
  #done: number
  #later = 0
  /** As it was made last. Until it is made again, an interrupted pull reads the latest files again. */
  bookmark: Bookmark

  /** @param before what was known when the source was last read, if it is read anew to be compared with that */
  constructor(after: Bookmark | undefined, banks: BankFiles, before: Bookmark | undefined) {
    this.files = { ...after?.files }
    this.looks = { ...after?.looks }
    this.#banks = banks
    this.#before = after ?? before ?? { files: {} }
    this.#headings = { ...this.#before.headings }
    this.#rows = { ...this.#before.rows }
    this.latest = after?.latest ?? {}
    this.#done = Object.keys(this.files).length
    this.bookmark = this.last()
  }

  /** Whether files were read that the latest bookmark does not have. */
  get isBehind(): boolean {
    return this.#later > 0
  }

  /**
   * Which of a table's headings no table of its place had when it was last read; and which it has not, of those that the most
   * similar table had, unless some table had the same headings.
   */
  changed(place: string, header: ReadonlyArray<string>): Changed {
    const named = header.filter((one) => one !== "")
    const all = [...new Set([...(this.#headings[place] ?? []), ...named])]
    this.#headings = { ...this.#headings, [place]: all.slice(0, MOST_HEADINGS) }
    const others = (this.#rows[place] ?? []).filter((one) => !isSame(one, named))
    if (named.length <= MOST_HEADINGS) this.#rows = { ...this.#rows, [place]: [named, ...others].slice(0, MOST_ROWS) }
    const before = this.#before.headings?.[place]
    return before === undefined || all.length > MOST_HEADINGS
      ? { appeared: [], gone: [] }
      : {
          appeared: named.filter((one) => !before.includes(one)),
          gone: mostLike(this.#before.rows?.[place] ?? [], named).filter((one) => !named.includes(one))
        }
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
      ...(Object.keys(this.#headings).length === 0 ? {} : { headings: this.#headings, rows: this.#rows })
    })
    return this.bookmark
  }
}
