/**
 * Reads a bank file for the second time, after the survey: turns its entries into documents, statement by statement. A
 * statement that the survey rejected is not read at all.
 */
import type * as Decimal from "../../../core/money/Decimal.ts"
import type { Read, StatedTotal, StatementEntry } from "../../Connector.ts"
import * as Quarantine from "../../Quarantine.ts"
import { Aside } from "../../Aside.ts"
import { type Batch, batch } from "../../tabular/Batch.ts"
import { canonical } from "./Account.ts"
import { type Balance, type Entry, type Event, type Events, Fault, type Head } from "./Entry.ts"
import { counter, factOf, namesOf } from "./Facts.ts"
import type { Others } from "./Overlap.ts"
import { groupOf, shortOf, type Surveyed } from "./Survey.ts"

export interface ReadingBank {
  /** The file's name. */
  readonly file: string
  readonly others: Others
  readonly surveyed: Surveyed
  /** The accounts to read; all by default. */
  readonly accounts?: ReadonlyArray<string> | undefined
  /** Documents per page, and of how many entries the file's first are read. */
  readonly page: number
  readonly first: number
}

/** What was read since the last page; what each document is made from is in `entries`. */
export type BankBatch = Batch & { readonly entries: Array<StatementEntry> }

interface Found {
  readonly read: Read
  readonly entry: StatementEntry
}

const nothing = (): BankBatch => ({ ...batch(), entries: [] })

interface Statement {
  readonly nth: number
  readonly line: number
  readonly head: Head
  readonly refused: string | undefined
  readonly isWanted: boolean
}

/** The sum of an account's booked entries that were read. */
interface Sum {
  read: Decimal.Decimal
  opening: Balance | undefined
  closing: Balance | undefined
  at: string
}

const HELD = "held"

const SUM_ONLY = "the details of an entry do not add up to its amount; it was read as a single sum"
const MORE = "an entry is of more than its only detail: is another detail missing? It was read as a single sum"
const UNSTATED = "a detail of an entry does not state its amount; the entry was read as a single sum"

class BankReader {
  readonly #of: ReadingBank
  readonly #elsewhere: ReadonlySet<string>
  readonly #sums = new Map<string, Sum>()
  readonly #count
  /** Entries of a repeated account, day and amount, until the file was read: they are together on a page. */
  #held: Aside<Found> | undefined
  #batch = nothing()
  #nth = 0
  #now: Statement | undefined

  constructor(of: ReadingBank) {
    this.#of = of
    this.#count = counter(of.surveyed.repeated)
    this.#elsewhere = new Set(of.others.elsewhere)
    for (const what of [...of.surveyed.notices, ...of.others.gaps]) this.#notice(what)
  }

  /** Returns what was read since the last page. */
  take(): BankBatch {
    const taken = this.#batch
    this.#batch = nothing()
    return taken
  }

  get isFull(): boolean {
    return this.#batch.rows >= this.#of.page
  }

  read(event: Event): void {
    switch (event.type) {
      case "begin":
        return this.#begin(event.head, event.line)
      case "part":
        return this.#part(event)
      case "entry":
        return this.#whole(event)
      case "fault":
        this.#batch.rows++
        if (this.#now?.refused === undefined && this.#now?.isWanted === true) this.#quarantine(event)
        return
      case "end":
        return this.#end(event)
      case "notice":
        return
    }
  }

  /** What was held, page by page. */
  *held(): Generator<BankBatch> {
    for (const found of this.#held?.groups(HELD) ?? []) {
      this.#add(found)
      if (this.#batch.read.length >= this.#of.page) yield this.take()
    }
    yield this.take()
  }

  close(): void {
    this.#held?.close()
  }

  end(): void {
    for (const [account, { at, closing, opening, read }] of this.#sums) {
      if (opening === undefined || closing === undefined) continue
      const { amount, currency } = closing
      const total: StatedTotal = {
        kind: "payment",
        list: this.#of.file,
        what: "closing balance",
        column: account.slice(0, account.lastIndexOf(" ")),
        currency,
        amount,
        read: opening.amount + read,
        at
      }
      this.#batch.stated.push(total)
    }
  }

  #notice(what: string, line?: number): void {
    this.#batch.notices.push({ origin: line === undefined ? this.#of.file : this.#at(line), what })
  }

  #at(line: number): string {
    return `${this.#of.file}:${line}`
  }

  #begin(head: Head, line: number): void {
    const { accounts, surveyed } = this.#of
    const nth = ++this.#nth
    const isWanted =
      accounts === undefined ||
      head.isAccountless === true ||
      accounts.some((one) => [head.account, head.written].includes(canonical(one)))
    this.#now = { nth, line, head, refused: surveyed.refused.get(nth), isWanted }
  }

  #part({ entry, whole }: Event & { readonly type: "part" }): void {
    const now = this.#now
    if (now === undefined || now.refused !== undefined || !now.isWanted) return
    if (!this.#of.surveyed.split.has(entry.nth) || this.#isElsewhere(entry, whole, now, true)) return
    this.#batch.rows++
    this.#keep(entry, now)
  }

  #whole({ entry, parts, sum }: Event & { readonly type: "entry" }): void {
    const now = this.#now
    this.#batch.rows++
    if (now === undefined || now.refused !== undefined || !now.isWanted) return
    if (entry.booked) this.#addUp(now, entry)
    const isItemised = this.#of.surveyed.split.has(entry.nth)
    if (isItemised || this.#isElsewhere(entry, entry, now)) return
    if (parts === 1 && entry.booked && entry.credit && sum !== undefined && sum < entry.amount)
      this.#notice(MORE, entry.line)
    if (parts > 1 && entry.booked) this.#notice(sum === undefined ? UNSTATED : SUM_ONLY, entry.line)
    this.#keep(entry, now)
  }

  #addUp({ head: { account, currency } }: Statement, { amount, credit, currency: its }: Entry): void {
    const sum = this.#sumOf(account, currency ?? its)
    sum.read += credit ? amount : -amount
  }

  #sumOf(account: string, currency: string): Sum {
    const key = `${account} ${currency}`
    let sum = this.#sums.get(key)
    if (sum === undefined) this.#sums.set(key, (sum = { read: 0n, opening: undefined, closing: undefined, at: "" }))
    return sum
  }

  /** Whether the entry is read from a file with more detail. */
  #isElsewhere(
    entry: Entry,
    whole: Pick<Entry, "amount" | "credit">,
    { head }: Statement,
    isItemised = false
  ): boolean {
    if (this.#elsewhere.size === 0) return false
    return namesOf(entry, whole, head.account, isItemised).some((name) => this.#elsewhere.has(shortOf(name)))
  }

  #keep(entry: Entry, statement: Statement): void {
    const { line, raw } = entry
    const { head, nth } = statement
    try {
      const { repeated, segments } = this.#of.surveyed
      const group = groupOf(head.account, entry)
      const fact = factOf(entry, { head, segments: segments.get(nth), count: (id) => this.#count(id, group) })
      if (fact.type === "nothing") {
        if (fact.notice !== undefined) this.#notice(fact.notice, line)
        return
      }
      const { document } = fact
      const defect = Quarantine.defect(document)
      if (defect !== undefined) return this.#quarantine({ line, raw, ...defect })
      const found = { read: { document, raw, origin: this.#at(line) }, entry: fact.entry }
      if (repeated.has(group)) (this.#held ??= new Aside()).put(HELD, group, found)
      else this.#add([found])
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      this.#quarantine({ line, raw, why: cause.why, field: cause.field })
    }
  }

  #add(found: ReadonlyArray<Found>): void {
    for (const { entry, read } of found) {
      this.#batch.read.push(read)
      this.#batch.entries.push(entry)
    }
  }

  #quarantine({ field, line, raw, why }: Omit<Event & { readonly type: "fault" }, "type">): void {
    const origin = this.#at(line)
    this.#batch.quarantined.push({ kind: "payment", origin, raw, why, ...(field === undefined ? {} : { field }) })
  }

  #end({ closing, incomparable, opening, raw }: Event & { readonly type: "end" }): void {
    const now = this.#now
    this.#now = undefined
    if (now === undefined || !now.isWanted) return
    const { head, line, refused } = now
    if (refused !== undefined) this.#quarantine({ line, raw, why: refused, field: "balance" })
    if (head.kind !== "statement" || opening === undefined || closing === undefined || incomparable !== undefined)
      return
    const sum = this.#sumOf(head.account, head.currency ?? closing.currency)
    sum.opening ??= opening
    sum.closing = closing
    sum.at = this.#at(line)
  }
}

/** Yields the documents of a file, page by page; the last batch ends it. */
export async function* readBank(events: Events, of: ReadingBank): AsyncGenerator<BankBatch> {
  const reader = new BankReader(of)
  let rows = 0
  try {
    for await (const event of events) {
      reader.read(event)
      if (!reader.isFull) continue
      const taken = reader.take()
      yield taken
      rows += taken.rows
      if (rows >= of.first) return yield* reader.held()
    }
    yield* reader.held()
    reader.end()
    yield reader.take()
  } finally {
    reader.close()
  }
}
