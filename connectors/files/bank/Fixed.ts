/**
 * Reads statements of fixed columns whose movements are one record each, with details below: Norma 43 and CFONB 120. The
 * formats say which record is what, and what its columns mean.
 */
import { present } from "../../Json.ts"
import type { Decimal } from "../../../core/money/Decimal.ts"
import type { Source } from "../../Lines.ts"
import { plainLines, Rules } from "./Columns.ts"
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

/** What was read of a statement. */
export interface Totals {
  readonly debits: number
  readonly credits: number
  readonly debit: Decimal
  readonly credit: Decimal
}

export interface Fixed {
  readonly name: string
  /** The first two columns of the records that matter. */
  readonly codes: {
    readonly begin: string
    readonly movement: string
    readonly detail: string
    readonly end: string
    readonly others: ReadonlyArray<string>
  }
  readonly head: (record: string) => Pick<Head, "account" | "written" | "from" | "to"> & { readonly currency: string }
  readonly opening: (record: string, currency: string) => Balance | undefined
  readonly closing: (record: string, currency: string) => Balance | undefined
  /** Throws a `Fault`. */
  readonly entry: (movement: Movement, currency: string) => Omit<Entry, "nth" | "line" | "raw">
  /** What a record says of its account, if anything. */
  readonly owner: (record: string) => string | undefined
  /** What the last record says against the movements that were read. */
  readonly wrong?: (record: string, totals: Totals, head: string) => string | undefined
  /** What the last record of the file says, by how many records are before it; and the record's code. */
  readonly last?: { readonly code: string; readonly says: (record: string, records: number) => string | undefined }
  /** A line's records, where files have no ends of lines. */
  readonly cut?: (line: string) => ReadonlyArray<string>
}

class Statement {
  readonly #of: Fixed
  readonly #rules = new Rules()
  #head: { readonly currency: string; readonly opening: Balance | undefined; readonly record: string } | undefined
  #open: { readonly line: number; readonly record: string; readonly details: Array<string> } | undefined
  #raw = ""
  #nth = 0
  #totals: { -readonly [K in keyof Totals]: Totals[K] } = { debits: 0, credits: 0, debit: 0n, credit: 0n }
  #records = 0
  #isEnded = false
  #isLost = false
  found = false

  constructor(of: Fixed) {
    this.#of = of
  }

  take(record: string, line: number): ReadonlyArray<Event> {
    if (this.#raw.length < RAW_CHARACTERS && this.#head !== undefined) this.#raw += `\n${record}`
    const { begin, detail, end, movement, others } = this.#of.codes
    const code = record.slice(0, 2)
    if (code === this.#of.last?.code) return this.#last(record)
    this.#records++
    this.#isEnded = false
    switch (code) {
      case begin:
        return this.#begin(record, line)
      case movement: {
        const before = [...this.#flush(), ...this.#unbegun(line)]
        this.#owned(record, line)
        if (this.#head !== undefined) this.#open = { line, record, details: [] }
        return before
      }
      case detail:
        this.#open?.details.push(record)
        return []
      case end:
        return this.#ended(record, line)
      default:
        return others.includes(code) ? [] : this.#unknown(code, line)
    }
  }

  #unknown(code: string, line: number): ReadonlyArray<Event> {
    const what = `a record begins with ${JSON.stringify(code)}, which ${this.#of.name} does not have`
    this.#rules.broken(what, line)
    return this.#head === undefined
      ? [{ type: "notice", what: `line ${line}: ${what}, and it is in no statement: get the whole file from the bank` }]
      : []
  }

  /** Says it once, until a statement begins. */
  #unbegun(line: number): ReadonlyArray<Event> {
    if (this.#head !== undefined || this.#isLost) return []
    this.#isLost = true
    const { begin, movement } = this.#of.codes
    const what = `line ${line} (record ${movement}) is in no statement, because its beginning (record ${begin}) is missing: get the whole file from the bank`
    return [{ type: "notice", what }]
  }

  /** A record is of the account that its statement began with. */
  #owned(record: string, line: number): void {
    const owner = this.#of.owner(record)
    if (this.#head === undefined || owner === undefined || owner === this.#of.owner(this.#head.record)) return
    this.#rules.broken(`record ${record.slice(0, 2)} is of another account or currency than the statement`, line)
  }

  #ended(record: string, line: number): ReadonlyArray<Event> {
    const before = this.#flush()
    const head = this.#head
    if (head === undefined) return before
    this.#owned(record, line)
    const closing = this.#of.closing(record, head.currency)
    if (closing === undefined)
      this.#rules.broken(`its closing balance (record ${this.#of.codes.end}) cannot be read`, line)
    const wrong = this.#of.wrong?.(record, this.#totals, head.record)
    if (wrong !== undefined) this.#rules.broken(wrong, line)
    return [...before, ...this.#close(closing)]
  }

  #last(record: string): ReadonlyArray<Event> {
    const before = this.end()
    this.#isEnded = true
    const what = this.#of.last?.says(record, this.#records)
    this.#records = 0
    return [...before, ...(what === undefined ? [] : [{ type: "notice" as const, what }])]
  }

  /** The file ends. */
  rest(): ReadonlyArray<Event> {
    const isCut = this.#of.last !== undefined && !this.#isEnded && this.#head === undefined && this.found
    const what = `its last record (${this.#of.last?.code}) is missing: if the file was cut off, get it from the bank again`
    return [...this.end(), ...(isCut ? [{ type: "notice" as const, what }] : [])]
  }

  end(): ReadonlyArray<Event> {
    const before = this.#flush()
    this.#rules.broken(`its end (record ${this.#of.codes.end}) is missing: get the whole file from the bank`)
    return [...before, ...this.#close(undefined)]
  }

  #begin(record: string, line: number): ReadonlyArray<Event> {
    const before = this.end()
    const head = this.#of.head(record)
    this.#rules.clear()
    const opening = this.#of.opening(record, head.currency)
    if (opening === undefined)
      this.#rules.broken(`its opening balance (record ${this.#of.codes.begin}) cannot be read`, line)
    this.#head = { currency: head.currency, opening, record }
    this.#raw = record
    this.#totals = { debits: 0, credits: 0, debit: 0n, credit: 0n }
    this.found = true
    this.#isLost = false
    return [...before, { type: "begin", head: { ...head, kind: "statement", rank: 3 }, line }]
  }

  #flush(): ReadonlyArray<Event> {
    const [head, movement] = [this.#head, this.#open]
    this.#open = undefined
    if (head === undefined || movement === undefined) return []
    const nth = ++this.#nth
    const { details, line, record } = movement
    const raw = [record, ...details].join("\n")
    try {
      const entry = { nth, line, raw, ...this.#of.entry(movement, head.currency) }
      this.#totals[entry.credit ? "credits" : "debits"]++
      this.#totals[entry.credit ? "credit" : "debit"] += entry.amount
      return [{ type: "entry", entry, parts: 0 }]
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      this.#rules.broken(`${cause.field}: ${cause.reason}`, line)
      return [{ type: "fault", line, raw, why: cause.why, field: cause.field }]
    }
  }

  #close(closing: Balance | undefined): ReadonlyArray<Event> {
    const head = this.#head
    this.#head = undefined
    if (head === undefined) return []
    const raw = this.#raw.slice(0, RAW_CHARACTERS)
    return [{ type: "end", raw, ...present({ opening: head.opening, closing, wrong: this.#rules.wrong }) }]
  }
}

export const fixed = (of: Fixed) =>
  async function* (source: Source): Events {
    const statement = new Statement(of)
    for await (const batch of plainLines(source))
      for (const { number, text } of batch)
        for (const record of of.cut?.(text) ?? [text]) if (record.trim() !== "") yield* statement.take(record, number)
    yield* statement.rest()
    if (!statement.found) throw new NotABankFile(`it has no account (a record ${of.codes.begin}) of ${of.name}`)
  }
