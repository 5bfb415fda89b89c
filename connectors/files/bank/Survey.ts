/**
 * Reads a bank file for the first time, to survey it: whether the entries of each statement add up to the difference of its
 * balances, which entries it itemises, and which days of which accounts it covers. The bookmark keeps a short summary.
 */
import { hash } from "node:crypto"
import { Schema } from "effect"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { present } from "../../Json.ts"
import type { Balance, Entry, Event, Events, Head, Sum } from "./Entry.ts"
import { namesOf } from "./Facts.ts"

const maybe = Schema.optionalKey

/** The statements of one account in a file, combined. */
export const Span = Schema.Struct({
  account: Schema.String,
  interim: Schema.Boolean,
  currency: maybe(Schema.String),
  from: maybe(Schema.String),
  to: maybe(Schema.String),
  /** Balances, as exact decimals. */
  opening: maybe(Schema.String),
  closing: maybe(Schema.String),
  /** Where it does not say what it opens with: the day of its closing balance, since when it has all entries, and the sums of its days. */
  balanced: maybe(
    Schema.Struct({
      since: Schema.String,
      asOf: Schema.String,
      days: Schema.Array(Schema.Tuple([Schema.String, Schema.String]))
    })
  ),
  /** The numbers of its first and its last statement, where they count statements. */
  numbers: maybe(Schema.Tuple([Schema.Number, Schema.Number])),
  /** Some of its entries could not be read. */
  faulty: maybe(Schema.Literal(true))
})
export type Span = typeof Span.Type

export const Summary = Schema.Struct({
  /** Digest of the file's content. */
  digest: Schema.String,
  /** See `Head`. */
  rank: Schema.Number,
  spans: Schema.Array(Span),
  /** The entries that the file itemises: a digest of each entry's name, and its day. */
  splits: Schema.Array(Schema.Tuple([Schema.String, Schema.String]))
})
export type Summary = typeof Summary.Type

export interface Surveyed {
  readonly summary: Summary
  /** Statements that are rejected, by position in the file, with the reason. */
  readonly refused: ReadonlyMap<number, string>
  /** Entries that are itemised, by position in the file. */
  readonly split: ReadonlySet<number>
  /** By statement and day, the account's balance before and after its entries. */
  readonly segments: ReadonlyMap<number, ReadonlyMap<string, readonly [string, string]>>
  /** The amounts that occur more than once on a day of an account; by `groupOf`. */
  readonly repeated: ReadonlySet<number>
  readonly notices: ReadonlyArray<string>
}

/** The digest by which names are compared between files. */
export const shortOf = (name: string): string => hash("sha1", name, "base64url").slice(0, 12)

/** The account, day and amount of an entry, as a number: a file may have a million. */
export const groupOf = (account: string, { amount, credit, day }: Pick<Entry, "amount" | "credit" | "day">): number =>
  Number.parseInt(hash("sha1", `${account} ${day ?? ""} ${credit} ${amount}`, "hex").slice(0, 13), 16)

/** Eight bytes an entry. */
class Groups {
  #all = new Float64Array(1 << 10)
  #size = 0

  add(group: number): void {
    if (this.#size === this.#all.length) {
      const more = new Float64Array(2 * this.#size)
      more.set(this.#all)
      this.#all = more
    }
    this.#all[this.#size++] = group
  }

  repeated(): ReadonlySet<number> {
    const sorted = this.#all.subarray(0, this.#size).sort()
    const found = new Set<number>()
    for (let n = 1; n < sorted.length; n++) if (sorted[n] === sorted[n - 1]) found.add(sorted[n] as number)
    return found
  }
}

/** By how many days statements may date the sum of a report's entries otherwise. */
const DAYS_APART = [-3, -2, -1, 0, 1, 2, 3]

/** The most itemised entries that are kept per file; no day has more. */
const MOST_SPLITS = 20_000

/** Of a statement whose days are kept. */
const MOST_DAYS = 400

interface Statement {
  readonly nth: number
  readonly head: Head
  sum: Decimal.Decimal
  entries: number
  faults: number
  /** The currency of an entry, if it differs from that of the balances. */
  foreign: string | undefined
  currency: string | undefined
  from: string | undefined
  to: string | undefined
  /** The sum of each day's entries. */
  readonly days: Map<string, Decimal.Decimal>
}

const textOf = (balance: Balance | undefined) => (balance === undefined ? undefined : Decimal.format(balance.amount))

class Survey {
  readonly #refused = new Map<number, string>()
  readonly #split = new Set<number>()
  readonly #splits: Array<readonly [string, string]> = []
  readonly #spans: Array<{ -readonly [K in keyof Span]: Span[K] }> = []
  readonly #notices: Array<string> = []
  readonly #segments = new Map<number, Map<string, readonly [string, string]>>()
  readonly #groups = new Groups()
  #rank = 9
  #nth = 0
  #now: Statement | undefined

  take(event: Event): void {
    switch (event.type) {
      case "begin":
        this.#begin(event.head)
        break
      case "part":
        this.#count(event.entry)
        break
      case "entry":
        this.#count(event.entry)
        this.#entry(event)
        break
      case "fault":
        if (this.#now !== undefined) this.#now.faults++
        break
      case "end":
        this.#end(event)
        break
      case "notice":
        this.#notices.push(event.what)
        break
      default:
    }
  }

  end(digest: string): Surveyed {
    return {
      summary: { digest, rank: this.#rank, spans: this.#spans, splits: this.#splits },
      refused: this.#refused,
      split: this.#split,
      segments: this.#segments,
      repeated: this.#groups.repeated(),
      notices: this.#notices
    }
  }

  #count(entry: Entry): void {
    if (this.#now === undefined || !entry.booked) return
    this.#groups.add(groupOf(this.#now.head.account, entry))
  }

  #begin(head: Head): void {
    this.#rank = Math.min(this.#rank, head.rank)
    const { currency, from, to } = head
    const nothing = { sum: 0n, entries: 0, faults: 0, foreign: undefined }
    this.#now = { nth: ++this.#nth, head, ...nothing, currency, from, to, days: new Map() }
    if (head.account === "") this.#refused.set(this.#nth, "it does not name its account; ask the bank for it again")
  }

  #entry({ entry, parts, sum }: Event & { readonly type: "entry" }): void {
    const now = this.#now
    if (now === undefined || !entry.booked) return
    now.entries++
    now.sum += entry.credit ? entry.amount : -entry.amount
    if (now.currency === undefined) now.currency = entry.currency
    if (entry.currency !== now.currency) now.foreign = entry.currency
    if (entry.day !== undefined) {
      const before = now.days.get(entry.day) ?? 0n
      now.days.set(entry.day, before + (entry.credit ? entry.amount : -entry.amount))
      now.from = now.from === undefined || entry.day < now.from ? entry.day : now.from
      now.to = now.to === undefined || entry.day > now.to ? entry.day : now.to
    }
    if (parts < 2 || sum !== entry.amount) return
    this.#split.add(entry.nth)
    for (const name of namesOf(entry, entry, now.head.account, true))
      if (this.#splits.length < MOST_SPLITS) this.#splits.push([shortOf(name), entry.day ?? ""])
  }

  /** Others may have these under another day as well. */
  #itemises(account: string, { day, ...whole }: Sum): void {
    const days = day === undefined ? [] : DAYS_APART.map((apart) => Day.addDays(day, apart))
    for (const day of days)
      for (const name of namesOf({ day, payer: {}, text: "" }, whole, account, true))
        if (this.#splits.length < MOST_SPLITS) this.#splits.push([shortOf(name), day])
  }

  #end({ balanced, closing, incomparable, opening, sums = [], ...end }: Event & { readonly type: "end" }): void {
    const now = this.#now
    this.#now = undefined
    if (now === undefined) return
    const wrong = end.wrong ?? (incomparable === undefined ? unequal(now, opening, closing) : undefined)
    if (wrong !== undefined) this.#refused.set(now.nth, wrong)
    if (incomparable !== undefined && (opening ?? closing) !== undefined)
      this.#notices.push(`the balances of a statement were not compared with its entries: ${incomparable}`)
    // What a refused statement says counts for nothing.
    if (this.#refused.has(now.nth)) return
    this.#span(now, opening, closing)
    const span = this.#spans.at(-1)
    if (balanced !== undefined && span?.account === now.head.account && now.days.size <= MOST_DAYS)
      span.balanced = { ...balanced, days: [...now.days].map(([day, sum]) => [day, Decimal.format(sum)] as const) }
    for (const sum of sums) this.#itemises(now.head.account, sum)
    if (now.head.kind === "statement" && opening !== undefined && now.faults === 0 && now.foreign === undefined)
      this.#segments.set(now.nth, segmentsOf(opening.amount, now.days))
  }

  #span({ currency, faults, from, head, to }: Statement, opening?: Balance, closing?: Balance): void {
    const { account, isNumbered, number = "" } = head
    const counted = isNumbered === true && /^\d{1,9}$/.test(number) ? Number(number) : undefined
    const interim = head.kind !== "statement"
    const last = this.#spans.find(
      (one) => one.account === account && one.interim === interim && one.currency === currency
    )
    if (last === undefined) {
      this.#spans.push({
        account,
        interim,
        ...present({
          currency,
          from,
          to,
          opening: textOf(opening),
          closing: textOf(closing),
          numbers: counted === undefined ? undefined : ([counted, counted] as const)
        }),
        ...(faults > 0 ? { faulty: true as const } : {})
      })
      return
    }
    if (!interim && opening !== undefined && last.closing !== undefined && Decimal.of(last.closing) !== opening.amount)
      this.#notices.push(gap(account, currency, opening.amount, Decimal.of(last.closing)))
    else this.#notices.push(...uncounted(account, last.numbers?.[1], counted))
    if (counted !== undefined) last.numbers = [last.numbers?.[0] ?? counted, counted]
    if (from !== undefined && (last.from === undefined || from < last.from)) last.from = from
    if (to !== undefined && (last.to === undefined || to > last.to)) last.to = to
    if (faults > 0) last.faulty = true
    if (closing !== undefined) last.closing = Decimal.format(closing.amount)
  }
}

const segmentsOf = (opening: Decimal.Decimal, days: ReadonlyMap<string, Decimal.Decimal>) => {
  const segments = new Map<string, readonly [string, string]>()
  let balance = opening
  for (const [day, sum] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    segments.set(day, [Decimal.format(balance), Decimal.format(balance + sum)])
    balance += sum
  }
  return segments
}

/** The message about numbers that are missing between two statements. Each year begins with 1. */
export const uncounted = (
  account: string,
  last: number | undefined,
  next: number | undefined
): ReadonlyArray<string> =>
  last === undefined || next === undefined || next <= last + 1
    ? []
    : [`statement ${last} of ${account} is followed by ${next}: one between them is missing, though the balances agree`]

/** The message about an opening balance that differs from the previous closing balance. */
export const gap = (
  account: string,
  currency: string | undefined,
  opening: Decimal.Decimal,
  closing: Decimal.Decimal
): string =>
  `a statement of ${account} opens with ${Currency.say(opening, currency)}, and the one before it closed with ${Currency.say(closing, currency)}: one between them is missing`

/** By how much entries and balances disagree; undefined if they agree, or if the statement has too few balances. */
const unequal = (
  { currency, entries, faults, foreign, sum }: Statement,
  opening: Balance | undefined,
  closing: Balance | undefined
): string | undefined => {
  if (opening === undefined || closing === undefined || faults > 0) return undefined
  const say = (amount: Decimal.Decimal) => Currency.say(amount, closing.currency)
  if (opening.currency !== closing.currency) return `it opens in ${opening.currency} and closes in ${closing.currency}`
  if (currency !== undefined && currency !== closing.currency)
    return `its account is in ${currency}, and its balances are in ${closing.currency}`
  if (foreign !== undefined) return `an entry is in ${foreign}, and its balances are in ${closing.currency}`
  if (opening.amount + sum === closing.amount) return undefined
  return `it opens with ${say(opening.amount)}, and its booked entries (${entries}) come to ${say(sum)}: that makes ${say(opening.amount + sum)}, but it closes with ${say(closing.amount)}. An entry is missing or was misread, so nothing in the statement is used. Ask the bank for the statement again`
}

export const survey = async (events: Events, digest: string): Promise<Surveyed> => {
  const one = new Survey()
  for await (const event of events) one.take(event)
  return one.end(digest)
}
