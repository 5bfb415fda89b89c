/**
 * Reads JSON without loss. Numbers keep their digits, so that amounts and ids beyond 2^53 never pass through a double, and
 * a record is written back with exactly the digits that it came with.
 *
 * `Fields` reads members of a record for a mapping; what it cannot read throws `Unfit`, and the record is quarantined.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import * as Day from "../core/wire/Day.ts"
import * as Instant from "../core/wire/Instant.ts"
import { type Sum, unequal } from "./Contradictions.ts"
import type { Named, Notice, Read, QuarantinedRecord } from "./Connector.ts"
import type { Document, Kind } from "./Document.ts"
import * as Pages from "./Pages.ts"

/** A number with its digits as they were written. `JSON.stringify` writes them back unchanged. */
export interface Numeral {
  readonly rawJSON: string
}

const exactJson = JSON as typeof JSON & {
  readonly rawJSON: (text: string) => Numeral
  readonly isRawJSON: (value: unknown) => value is Numeral
}

export const isNumeral = exactJson.isRawJSON

/** Parses JSON; throws what `JSON.parse` throws. */
export const parse = (text: string): unknown =>
  JSON.parse(text, ((_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? exactJson.rawJSON(context?.source ?? String(value)) : value) as (
    key: string,
    value: unknown
  ) => unknown)

export type Members = Readonly<Record<string, unknown>>

/** The calendar day of an instant, in somebody's time zone. */
export type DayOf = (millis: number) => Day.Day

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isNumeral(value)

/** A record's id: a non-empty text, or the digits of a number; undefined if it is neither. Never throws. */
export const nameOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : isNumeral(value) ? value.rawJSON : undefined

/**
 * Removes records whose id, in `member`, was on an earlier page. Records without an id, and values that are not records,
 * stay: the mapping quarantines them. `news` says whether the page has any record with an id not seen before.
 */
export const unseen = (records: ReadonlyArray<unknown>, member: string, seen: Set<string>) => {
  let news = false
  const kept = records.filter((record) => {
    const name = isObject(record) ? nameOf(record[member]) : undefined
    if (name === undefined) return true
    if (seen.has(name)) return false
    seen.add(name)
    news = true
    return true
  })
  return { records: kept, news }
}

/** The objects in a list; empty if it is not a list. */
export const objects = (value: unknown): ReadonlyArray<Members> =>
  Array.isArray(value) ? value.filter((one) => isObject(one)) : []

/** The members of a value; none if it is not an object. */
export const fieldsOf = (value: unknown): Fields => new Fields(isObject(value) ? value : {})

/** A record's id at this path; undefined if there is none. */
export const nameAt = (record: unknown, path: string): string | undefined =>
  isObject(record) ? nameOf(new Fields(record).get(path)) : undefined

/** The members that are not undefined. */
export const present = <A extends object>(members: A): { readonly [K in keyof A]?: NonNullable<A[K]> } => {
  const found: { [K in keyof A]?: NonNullable<A[K]> } = {}
  for (const name in members) if (members[name] !== undefined) found[name] = members[name] as never
  return found
}

/** Why a record cannot be read. */
export class Unfit extends Error {
  readonly field: string
  constructor(field: string, why: string) {
    super(why)
    this.field = field
  }
}

/** A record's members, addressed by path: `customer.name`, or `customer.0` in a list. */
export class Fields {
  readonly record: Members
  constructor(record: Members) {
    this.record = record
  }

  get(path: string): unknown {
    // OData has dots in names: `@odata.nextLink`.
    if (Object.hasOwn(this.record, path)) return this.record[path] ?? undefined
    let at: unknown = this.record
    for (const part of path.split(".")) {
      if (Array.isArray(at) && /^\d+$/.test(part)) at = at[Number(part)]
      else at = isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined
    }
    return at ?? undefined
  }

  /** A text, or the digits of a number; undefined if absent. */
  maybe(path: string): string | undefined {
    const value = this.get(path)
    if (value === undefined || value === "") return undefined
    if (typeof value === "string") return value
    if (isNumeral(value)) return value.rawJSON
    throw new Unfit(path, `is ${Array.isArray(value) ? "a list" : typeof value}; text is expected`)
  }

  /** The objects in a list; empty if absent. An element that is not an object makes the record unfit. */
  list(path: string): ReadonlyArray<Fields> {
    return list(this.get(path), path)
  }

  /** One of the values that the source documents; any other value makes the record unfit, because its meaning is unknown. */
  oneOf(path: string, words: ReadonlyArray<string>, what = "status"): string {
    const said = this.text(path)
    if (!words.includes(said)) throw new Unfit(path, `${JSON.stringify(said)} is not a known ${what}`)
    return said
  }

  /** Maps a documented value to its meaning. */
  meaning<A>(path: string, meanings: Readonly<Record<string, A>>, what = "status"): A {
    const found = Object.entries(meanings).find(([word]) => word === this.maybe(path))
    if (found === undefined) throw new Unfit(path, `${JSON.stringify(this.text(path))} is not a known ${what}`)
    return found[1]
  }

  text(path: string): string {
    const value = this.maybe(path)
    if (value === undefined) throw new Unfit(path, "is missing; it is required")
    return value
  }

  /** An ISO 4217 code, in any case. */
  currency(path: string): string {
    const code = this.text(path).toUpperCase()
    if (!Currency.isCurrency(code)) throw new Unfit(path, `${JSON.stringify(code)} is not an ISO 4217 currency code`)
    return code
  }

  /** An amount of no known currency. */
  decimal(path: string): Decimal.Decimal {
    const text = this.text(path)
    const value = Decimal.parse(text)
    if (typeof value === "string") throw new Unfit(path, `${JSON.stringify(text.slice(0, 40))} ${value}`)
    return value
  }

  /** An amount in major units: `12.50`. */
  major(path: string, currency: string): Decimal.Decimal {
    const value = this.decimal(path)
    if (!Decimal.fits(value, Currency.decimals(currency)))
      throw new Unfit(path, `${Decimal.format(value)} has more decimal places than ${currency} allows`)
    return value
  }

  /** The same; undefined if absent. */
  maybeMajor(path: string, currency: string): Decimal.Decimal | undefined {
    return this.get(path) === undefined ? undefined : this.major(path, currency)
  }

  /** An amount in minor units: `1250`. `places` is for sources whose minor units differ from ISO 4217. */
  minor(path: string, currency: string, places = Currency.decimals(currency)): Decimal.Decimal {
    const text = this.text(path)
    // An integer of minor units may have more digits than `decimal` accepts.
    const value = /^-?\d{1,17}$/.test(text) ? Decimal.fromInteger(BigInt(text)) : this.decimal(path)
    const major = Decimal.shifted(value, places)
    if (major === undefined || !Decimal.fits(major, Currency.decimals(currency)))
      throw new Unfit(path, `${Decimal.format(value)} minor units have more decimal places than ${currency} allows`)
    return major
  }

  /** A calendar day, `2026-03-31`, alone or at the start of a longer text. */
  day(path: string): Day.Day {
    const text = this.text(path)
    if (!Day.isDay(text.slice(0, 10)))
      throw new Unfit(path, `${JSON.stringify(text.slice(0, 40))} is not a YYYY-MM-DD date`)
    return Day.of(text.slice(0, 10))
  }

  /** The day of an ISO 8601 instant: in UTC, unless `dayOf` takes it elsewhere (`dayIn`). */
  instantDay(path: string, dayOf: DayOf = Day.fromEpochMillis): Day.Day {
    const text = this.text(path)
    const millis = Instant.toEpochMillis(text)
    if (Number.isNaN(millis)) throw new Unfit(path, `${JSON.stringify(text.slice(0, 40))} is not an ISO 8601 time`)
    return dayOf(millis)
  }

  /** The same of a Unix timestamp in seconds. */
  unixDay(path: string, dayOf: DayOf = Day.fromEpochMillis): Day.Day {
    const text = this.text(path)
    if (!/^\d{1,11}$/.test(text))
      throw new Unfit(path, `${JSON.stringify(text.slice(0, 40))} is not a number of seconds`)
    return dayOf(Number(text) * 1000)
  }
}

/** The same as `Fields.list`, for a value that was found at a path. */
export const list = (value: unknown, path: string): ReadonlyArray<Fields> => {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new Unfit(path, `is ${typeof value}; a list is expected`)
  return value.map((one) => {
    if (!isObject(one)) throw new Unfit(path, `holds ${JSON.stringify(one)?.slice(0, 40)}, which is not an object`)
    return new Fields(one)
  })
}

/** A mapping for records that can only be quarantined. */
export const refuse = (path: string, why: string) => (): Decoded => {
  throw new Unfit(path, why)
}

export interface Decoded {
  readonly documents: ReadonlyArray<Document>
  readonly notices?: ReadonlyArray<string>
  /** Documents that the record says are deleted. */
  readonly deleted?: ReadonlyArray<Named>
  /** The id of the order, or of the invoice, whose facts are all in this record. */
  readonly complete?: string
  /** Figures of the record that its source adds up: where they do not add up, nothing of it is used. */
  readonly sums?: ReadonlyArray<Sum>
}

export interface Batch {
  readonly read: Array<Read>
  readonly quarantined: Array<QuarantinedRecord>
  readonly notices: Array<Notice>
  readonly deleted: Array<Named>
  readonly complete: Array<string>
}

export const batch = (): Batch => ({ read: [], quarantined: [], notices: [], deleted: [], complete: [] })

/** Everything that is in any of these. */
export const merged = (batches: ReadonlyArray<Batch>): Batch => ({
  read: batches.flatMap(({ read }) => read),
  quarantined: batches.flatMap(({ quarantined }) => quarantined),
  notices: batches.flatMap(({ notices }) => notices),
  deleted: batches.flatMap(({ deleted }) => deleted),
  complete: batches.flatMap(({ complete }) => complete)
})

const movesNothing = (document: Document): boolean =>
  (document.kind === "payment" || document.kind === "reversal" || document.kind === "credit_note") &&
  document.shares.every(({ amount }) => amount === 0n) &&
  (document.kind === "credit_note" || (document.unallocated ?? 0n) === 0n)

/**
 * Maps records to documents. A record whose mapping throws is quarantined, with its text and, if known, its id.
 *
 * @param id the path of the member that holds a record's id
 */
export const decodeAll = (
  into: Batch,
  records: ReadonlyArray<unknown>,
  {
    decode,
    id,
    kind,
    name
  }: {
    readonly name: string
    readonly kind: Kind
    readonly id: string
    readonly decode: (fields: Fields) => Decoded
  }
): void => {
  for (const [n, record] of records.entries()) {
    const raw = JSON.stringify(record) ?? "null"
    const its = nameAt(record, id)
    const origin = `${name}/${its ?? `#${n + 1}`}`
    try {
      if (typeof record === "string")
        throw new Unfit("", "it is text, or a row with more or fewer cells than the first row of its list")
      if (!isObject(record)) throw new Unfit("", "it is not a JSON object")
      const { complete, documents, deleted = [], notices = [], sums = [] } = decode(new Fields(record))
      const odd = sums.map(unequal).find((one) => one !== undefined)
      if (odd !== undefined) throw new Unfit(odd.field, odd.why)
      for (const document of documents) {
        const why = Pages.unfit(document)
        if (why !== undefined) throw new Unfit("", `${document.kind} ${document.id}: ${why}`)
      }
      if (deleted.some((one) => one.id === "")) throw new Unfit("", "it names nothing that could be deleted")
      for (const document of documents) {
        // A payment of 0 moves no money; it may have been another amount before.
        if (movesNothing(document)) into.deleted.push({ kind: document.kind, id: document.id })
        else into.read.push({ document, raw, origin })
      }
      into.deleted.push(...deleted)
      if (complete !== undefined) into.complete.push(complete)
      for (const what of notices) into.notices.push({ origin, what })
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      const field = cause instanceof Unfit && cause.field !== "" ? { field: cause.field } : {}
      into.quarantined.push({
        kind,
        origin,
        raw,
        why: cause.message,
        ...field,
        ...(its === undefined ? {} : { id: its })
      })
    }
  }
}
