/**
 * Reads statements of fixed columns whose movements are one record each, with details below: Norma 43 and CFONB 120. The
 * formats say which record is what, and what its columns mean.
 */
import { present } from "../../Json.ts"
import { lines, type Source } from "../../Lines.ts"
import {
  type Balance,
  type Entry,
  type Event,
  type Events,
  Fault,
  type Head,
  NotABankFile,
  RAW_CHARACTERS
} from "./Entry.ts"

/** A movement with the records below it. */
export interface Movement {
  readonly record: string
  readonly details: ReadonlyArray<string>
}

export interface Fixed {
  readonly name: string
  /** The first two columns of the records that matter. */
  readonly codes: { readonly begin: string; readonly movement: string; readonly detail: string; readonly end: string }
  readonly head: (record: string) => Pick<Head, "account" | "from" | "to"> & { readonly currency: string }
  readonly opening: (record: string, currency: string) => Balance | undefined
  readonly closing: (record: string, currency: string) => Balance | undefined
  /** Throws a `Fault`. */
  readonly entry: (movement: Movement, currency: string) => Omit<Entry, "nth" | "line" | "raw">
  /** What the last record says against the movements that were read. */
  readonly wrong?: (record: string, movements: number) => string | undefined
  /** A line's records, where files have no ends of lines. */
  readonly cut?: (line: string) => ReadonlyArray<string>
}

class Statement {
  readonly #of: Fixed
  #head: { readonly currency: string; readonly opening: Balance | undefined } | undefined
  #open: { readonly line: number; readonly record: string; readonly details: Array<string> } | undefined
  #raw = ""
  #nth = 0
  #movements = 0
  found = false

  constructor(of: Fixed) {
    this.#of = of
  }

  take(record: string, line: number): ReadonlyArray<Event> {
    if (this.#raw.length < RAW_CHARACTERS && this.#head !== undefined) this.#raw += `\n${record}`
    const { begin, detail, end, movement } = this.#of.codes
    switch (record.slice(0, 2)) {
      case begin:
        return this.#begin(record, line)
      case movement: {
        const before = this.#flush()
        if (this.#head !== undefined) this.#open = { line, record, details: [] }
        return before
      }
      case detail:
        this.#open?.details.push(record)
        return []
      case end: {
        const before = this.#flush()
        const { closing, wrong } = this.#of
        const currency = this.#head?.currency ?? ""
        return [...before, ...this.#close(closing(record, currency), wrong?.(record, this.#movements))]
      }
      default:
        return []
    }
  }

  end(): ReadonlyArray<Event> {
    const before = this.#flush()
    const wrong = `its end (record ${this.#of.codes.end}) is missing: get the whole file from the bank`
    return [...before, ...this.#close(undefined, wrong)]
  }

  #begin(record: string, line: number): ReadonlyArray<Event> {
    const before = this.end()
    const head = this.#of.head(record)
    this.#head = { currency: head.currency, opening: this.#of.opening(record, head.currency) }
    this.#raw = record
    this.#movements = 0
    this.found = true
    return [...before, { type: "begin", head: { ...head, kind: "statement", rank: 3 }, line }]
  }

  #flush(): ReadonlyArray<Event> {
    const [head, movement] = [this.#head, this.#open]
    this.#open = undefined
    if (head === undefined || movement === undefined) return []
    const nth = ++this.#nth
    this.#movements++
    const { details, line, record } = movement
    const raw = [record, ...details].join("\n")
    try {
      const entry = { nth, line, raw, ...this.#of.entry(movement, head.currency) }
      return [{ type: "entry", entry, parts: 0 }]
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      return [{ type: "fault", line, raw, why: cause.why, field: cause.field }]
    }
  }

  #close(closing: Balance | undefined, wrong: string | undefined): ReadonlyArray<Event> {
    const head = this.#head
    this.#head = undefined
    if (head === undefined) return []
    const raw = this.#raw.slice(0, RAW_CHARACTERS)
    return [{ type: "end", raw, ...present({ opening: head.opening, closing, wrong }) }]
  }
}

export const fixed = (of: Fixed) =>
  async function* (source: Source): Events {
    const statement = new Statement(of)
    for await (const batch of lines(source))
      for (const { number, text } of batch)
        for (const record of of.cut?.(text) ?? [text]) if (record.trim() !== "") yield* statement.take(record, number)
    yield* statement.end()
    if (!statement.found) throw new NotABankFile(`it has no account (a record ${of.codes.begin}) of ${of.name}`)
  }
