/**
 * Reads OFX 1 (SGML: leaf elements without end tags) and OFX 2 (XML) with one reader, because XML parsers reject the first,
 * and because banks write one with the header of the other. No entities are defined, and no DTD is read.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { type Day, isDay } from "../../../core/wire/Day.ts"
import { present } from "../../Json.ts"
import { text as textOf } from "../../Bytes.ts"
import type { Source } from "../../Lines.ts"
import {
  type Balance,
  type Entry,
  type Event,
  type Events,
  Fault,
  NotABankFile,
  RAW_CHARACTERS,
  referenceIn
} from "./Entry.ts"

interface Tag {
  readonly name: string
  readonly ends: boolean
  readonly value: string
  readonly line: number
  readonly raw: string
}

/** Longest element with its text, in characters. */
const LONGEST_CHARACTERS = 1 << 16

async function* tags(source: Source): AsyncGenerator<Tag> {
  let open = ""
  let line = 1
  const take = function* (last: boolean): Generator<Tag> {
    for (;;) {
      const from = open.indexOf("<")
      if (from < 0) return
      const to = open.indexOf("<", from + 1)
      if (to < 0 && !last) return
      const raw = open.slice(from, to < 0 ? open.length : to)
      line += newlines(open.slice(0, from))
      const [, end, name = "", value = ""] = /^<(\/?)([\w.]+)(?![\w.])[^>]*>(.*)$/s.exec(raw) ?? []
      if (/^<!(?:DOCTYPE|ENTITY)/i.test(raw))
        throw new NotABankFile("it has a document type (DOCTYPE); bank files have none, and it is not read")
      if (name !== "") yield { name: name.toUpperCase(), ends: end === "/", value: unescaped(value), line, raw }
      line += newlines(raw)
      open = open.slice(raw.length + from)
    }
  }
  for await (const piece of textOf(source.path, source.encoding, source.mark)) {
    open += piece
    yield* take(false)
    if (open.length > LONGEST_CHARACTERS) throw new NotABankFile("one of its elements is far too long")
  }
  yield* take(true)
}

const newlines = (text: string): number => text.split("\n").length - 1

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

/** Decodes only the entities that both formats predefine. */
const unescaped = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,6})|(\w+));/g, (all, code: string | undefined, name = "") =>
      code === undefined ? (ENTITIES[name] ?? all) : String.fromCodePoint(Math.min(Number(code), 0x10ffff))
    )
    // A character reference may be an unpaired surrogate.
    .toWellFormed()
    .trim()

/** The transaction list being read: its members by name, and those of the current transaction. */
interface List {
  readonly line: number
  readonly of: Map<string, string>
  transaction: { readonly line: number; readonly of: Map<string, string>; raw: string } | undefined
  begun: boolean
  /** It has an amount or an id outside of a transaction, or two in one. */
  torn: boolean
  /** Transactions as written. */
  readonly seen: Set<string>
  raw: string
}

/** Of a transaction: once each. */
const SINGLE = ["TRNAMT", "FITID"]

const TWICE = "a transaction is in the file twice, the same in every member; both are read"

const TORN = "a transaction begins or ends without its tag (STMTTRN): get the file from the bank again"

const UNDATED =
  "a statement does not say since when it has all transactions (DTSTART), or of which day its balance is (LEDGERBAL): whether a transaction is missing does not show"

const AGAIN = "a statement of the same account and the same first day is in the file twice; both are read"

const STATEMENTS = ["STMTRS", "CCSTMTRS"]
const TRANSACTIONS = ["STMTTRN", "STMTTRNP"]
/** Aggregates with the same member names as an account or a transaction, which must not be confused with them. */
const OTHERS = ["BANKACCTTO", "CCACCTTO", "LEDGERBAL", "AVAILBAL", "BAL", "IMAGEDATA", "ORIGCURRENCY"]

class Lists {
  #list: List | undefined
  #inside: string | undefined
  #balance = new Map<string, string>()
  #nth = 0
  /** Accounts and first days of the statements so far. */
  readonly #statements = new Set<string>()
  found = false

  take(tag: Tag): ReadonlyArray<Event> {
    const { ends, line, name, raw, value } = tag
    if (STATEMENTS.includes(name)) return ends ? this.#end() : this.#start(line)
    const list = this.#list
    if (list === undefined) {
      if (TRANSACTIONS.includes(name))
        throw new NotABankFile(`a transaction is outside of any statement (line ${line})`)
      return []
    }
    if (list.raw.length < RAW_CHARACTERS) list.raw += raw
    if (list.transaction !== undefined && list.transaction.raw.length < RAW_CHARACTERS) list.transaction.raw += raw
    if (OTHERS.includes(name)) this.#inside = ends ? undefined : name
    else if (TRANSACTIONS.includes(name)) {
      if (ends) return this.#transaction(list, name)
      const before = list.transaction === undefined ? [] : this.#transaction(list, "STMTTRN")
      list.transaction = { line, of: new Map(), raw }
      return before
    } else if (name === "BANKTRANLIST" && ends && list.transaction !== undefined)
      return this.#transaction(list, "STMTTRN")
    else if (!ends && value !== "") this.#note(list, name, value)
    return []
  }

  end(): ReadonlyArray<Event> {
    return this.#end("its end is missing: get the whole file from the bank")
  }

  #start(line: number): ReadonlyArray<Event> {
    const before = this.end()
    this.found = true
    this.#list = { line, of: new Map(), transaction: undefined, begun: false, torn: false, seen: new Set(), raw: "" }
    return before
  }

  #note(list: List, name: string, value: string): void {
    if (this.#inside === "LEDGERBAL") this.#balance.set(name, value)
    if (this.#inside !== undefined) return
    const members = list.transaction?.of ?? list.of
    if (SINGLE.includes(name) && (list.transaction === undefined || members.has(name))) list.torn = true
    if (!members.has(name)) members.set(name, value)
  }

  #begin(list: List): ReadonlyArray<Event> {
    if (list.begun) return []
    list.begun = true
    const account = [list.of.get("BANKID"), list.of.get("ACCTID")].filter((one) => one !== undefined).join(":")
    const currency = list.of.get("CURDEF")?.toUpperCase()
    const head = { account, kind: "statement" as const, rank: 3, ...present({ currency }) }
    return [{ type: "begin", head, line: list.line }]
  }

  #transaction(list: List, name: string): ReadonlyArray<Event> {
    if (list.transaction === undefined) return []
    const { line, of, raw } = list.transaction
    list.transaction = undefined
    const twice = list.seen.has(raw.trim())
    list.seen.add(raw.trim())
    const begin = [...this.#begin(list), ...(twice ? [{ type: "notice", what: TWICE } as const] : [])]
    const nth = ++this.#nth
    try {
      const entry = { nth, line, raw, booked: name === "STMTTRN", ...entryOf(of, list.of.get("CURDEF") ?? "") }
      return [...begin, { type: "entry", entry, parts: 0 }]
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      return [...begin, { type: "fault", line, raw, why: cause.why, field: cause.field }]
    }
  }

  #end(wrong?: string): ReadonlyArray<Event> {
    const list = this.#list
    if (list === undefined) return []
    const open = list.transaction === undefined ? [] : this.#transaction(list, "STMTTRN")
    const closing = balanceOf(this.#balance, list.of.get("CURDEF") ?? "")
    const [since, asOf] = [dayOf(list.of.get("DTSTART")), dayOf(this.#balance.get("DTASOF"))]
    const balanced = since === undefined || asOf === undefined ? undefined : { since, asOf }
    const said = balanced === undefined ? [{ type: "notice", what: UNDATED } as const] : []
    const key = ["BANKID", "ACCTID", "DTSTART"].map((name) => list.of.get(name)).join(" ")
    const again = this.#statements.has(key) ? [{ type: "notice", what: AGAIN } as const] : []
    this.#statements.add(key)
    this.#list = undefined
    this.#balance = new Map()
    const raw = list.raw.slice(0, RAW_CHARACTERS)
    return [
      ...open,
      ...this.#begin(list),
      ...said,
      ...again,
      { type: "end", raw, ...present({ closing, balanced, wrong: wrong ?? (list.torn ? TORN : undefined) }) }
    ]
  }
}

const balanceOf = (of: ReadonlyMap<string, string>, currency: string): Balance | undefined => {
  const amount = amountOf(of.get("BALAMT") ?? "")
  return amount === undefined ? undefined : { amount, currency: currency.toUpperCase() }
}

/** Parses a signed amount with a point or a comma; undefined if it is ambiguous. */
const amountOf = (text: string): Decimal.Decimal | undefined => {
  const plain = text.replace(/\s/g, "").replace(/^\+/, "")
  const point = /,\d{3}\./.test(plain) ? plain.replaceAll(",", "") : plain.replace(",", ".")
  const amount = Decimal.parse(point.replace(/^(-?)\./, "$10.").replace(/\.$/, ""))
  return typeof amount === "string" ? undefined : amount
}

const SHORT_CHARACTERS = 8

const entryOf = (of: ReadonlyMap<string, string>, currency: string): Omit<Entry, "nth" | "line" | "raw" | "booked"> => {
  const said = of.get("TRNAMT") ?? ""
  const amount = amountOf(said)
  if (amount === undefined) throw new Fault("TRNAMT", `${JSON.stringify(said)} is not an amount`)
  if (of.has("CORRECTFITID"))
    throw new Fault("CORRECTFITID", `it corrects the entry ${of.get("CORRECTFITID")}`, "enter by hand what changed")
  const code = (of.get("CURSYM") ?? currency).toUpperCase()
  if (!Currency.isCurrency(code)) throw new Fault("CURDEF", `${JSON.stringify(code)} is not an ISO 4217 currency code`)
  const day = dayOf(of.get("DTPOSTED"))
  if (day === undefined)
    throw new Fault("DTPOSTED", `${JSON.stringify(of.get("DTPOSTED") ?? "")} is not a date written yyyyMMdd`)
  const id = of.get("FITID")
  const reference = id === undefined ? undefined : id.length < SHORT_CHARACTERS ? `${day}.${id}` : id
  const text = ["MEMO", "CHECKNUM", "REFNUM"].flatMap((name) => referenceIn(of.get(name)) ?? []).join(" ")
  return {
    credit: amount >= 0n,
    amount: Decimal.abs(amount),
    currency: code,
    day,
    ...present({ reference }),
    reversal: false,
    code: of.get("TRNTYPE") ?? "",
    text,
    payer: present({ name: of.get("NAME") ?? of.get("PAYEEID") })
  }
}

/** The local day of `20260203` or `20260203120000.000[-5:EST]`. */
const dayOf = (text: string | undefined): Day | undefined => {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text ?? "") ?? []
  const found = `${year}-${month}-${day}`
  return isDay(found) ? (found as Day) : undefined
}

export async function* ofx(source: Source): Events {
  const lists = new Lists()
  for await (const tag of tags(source)) yield* lists.take(tag)
  yield* lists.end()
  if (!lists.found) throw new NotABankFile("it has no statement (STMTRS or CCSTMTRS) of OFX")
}
