/**
 * Reads the bank files of a connection. All of them are surveyed before any is read, because how an entry of one file is
 * read depends on whether another file has more detail about it.
 */
import { batch } from "../tabular/Batch.ts"
import type { Coverage } from "../Connector.ts"
import { NotABankFile } from "./bank/Entry.ts"
import { openBank } from "./bank/Formats.ts"
import { type Others, overlaps } from "./bank/Overlap.ts"
import { type BankBatch, readBank } from "./bank/Read.ts"
import { type Summary, survey, type Surveyed } from "./bank/Survey.ts"
import { type Facts, facts } from "../Bytes.ts"
import { sourceError } from "./Failures.ts"
import type { File } from "./Listing.ts"
import * as Looks from "../Looks.ts"

/** The name of its scan; of complete exports, each takes the place of the one before. */
export const partOf = ({ name, part, settings }: File): string =>
  `${part}/${settings.files === "newest" ? settings.path : name}`

/** A file of bank statements, as opposed to a table. */
export type BankFile = File & Required<Pick<File, "bank">>

export const isBank = (file: File): file is BankFile => file.bank !== undefined

/** Explains why this one bank file cannot be read; rethrows whatever stops all files. */
const whyNot = (cause: unknown, name: string): string => {
  if (cause instanceof NotABankFile) return cause.message
  throw sourceError(cause, name)
}

export class BankFiles {
  /** The bookmark's summaries, by part. Those of files that no longer exist are kept. */
  #summaries: Readonly<Record<string, Summary>> = {}
  #isAny = false
  readonly #fresh = new Map<string, Surveyed>()
  #overlaps: ((part: string) => Others) | undefined

  constructor(before: Readonly<Record<string, Summary>> = {}) {
    this.#know(before)
  }

  /** What the bookmark stores; empty if there are no bank files. */
  get summaries(): { readonly banks?: Readonly<Record<string, Summary>> } {
    return this.#isAny ? { banks: this.#summaries } : {}
  }

  /** Surveys the files that changed. A file that cannot be decoded gets no summary; the error is reported when it is read. */
  async look(all: ReadonlyArray<File>, looks: Readonly<Record<string, Looks.Look>>, now: number): Promise<void> {
    const found: Record<string, Summary> = {}
    for (const file of all) {
      if (!isBank(file)) continue
      const part = partOf(file)
      const known = this.#summaries[part]
      if (known !== undefined && Looks.isSame(looks[part], await Looks.look(file.path, now))) continue
      const content = await facts(file.path)
      if (known?.digest === content.digest) continue
      try {
        const one = await surveyed(file, content)
        this.#fresh.set(part, one)
        found[part] = one.summary
      } catch (cause) {
        // Its previous summary is kept, and so are the documents read from it.
        whyNot(cause, file.name)
      }
    }
    this.#know(found)
  }

  /** The days that a file is the last word on. */
  coverageOf(file: File): ReadonlyArray<Coverage> {
    return (this.#summaries[partOf(file)]?.spans ?? []).flatMap(({ account, faulty, from, interim, to }) =>
      interim || faulty === true || from === undefined || to === undefined ? [] : [{ account, first: from, last: to }]
    )
  }

  /** What the other files mean for this one; part of the digest that decides whether it is read again. */
  othersOf(file: File): Others {
    this.#overlaps ??= overlaps(this.#summaries)
    return this.#overlaps(partOf(file))
  }

  /** Reads its documents, in batches. `whole` says whether all entries were requested and could be read. */
  async *read(
    file: BankFile,
    content: Facts,
    { first = Number.POSITIVE_INFINITY, page }: { readonly first?: number | undefined; readonly page: number }
  ): AsyncGenerator<BankBatch, { readonly whole: boolean }, undefined> {
    const part = partOf(file)
    try {
      const known = this.#fresh.get(part) ?? (await surveyed(file, content))
      if (this.#summaries[part]?.digest !== known.summary.digest) this.#know({ [part]: known.summary })
      const { events } = await openBank(file, content)
      let rows = 0
      const of = {
        file: file.name,
        others: this.othersOf(file),
        surveyed: known,
        accounts: file.bank.accounts,
        page: Math.min(page, first),
        first
      }
      for await (const some of readBank(events(), of)) {
        rows += some.rows
        yield some
      }
      return { whole: rows < first }
    } catch (cause) {
      const why = whyNot(cause, file.name)
      const none = { ...batch(), entries: [] }
      none.quarantined.push({
        kind: "payment",
        origin: file.name,
        raw: "",
        why: `${why}; nothing in the file is used until it can be read`
      })
      yield none
      return { whole: false }
    }
  }

  /** Adds summaries. Makes a new record, because bookmarks hold the previous one. */
  #know(found: Readonly<Record<string, Summary>>): void {
    if (Object.keys(found).length === 0) return
    this.#summaries = { ...this.#summaries, ...found }
    this.#isAny = true
    this.#overlaps = undefined
  }
}

const surveyed = async (file: BankFile, content: Facts): Promise<Surveyed> => {
  const { events } = await openBank(file, content)
  return survey(events(), content.digest)
}
