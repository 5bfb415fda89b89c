/**
 * Reads BAI2, the format in which US banks report balances and transactions: records of comma-separated fields, amounts in
 * minor units without a decimal point, continuation records that begin with 88.
 */
import * as Currency from "../../../core/money/Currency.ts"
import type * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import { present } from "../../Json.ts"
import { lines, type Source } from "../../Lines.ts"
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
import { Totals } from "./Bai2Totals.ts"

interface Line {
  readonly line: number
  readonly code: string
  text: string
  raw: string
  /** Itself, and those that continue it. */
  records: number
}

/** Longest record with its continuations, in characters. */
const LONGEST_CHARACTERS = 1 << 16

/** Some banks write several records on a line; the file's first line shows it. Elsewhere a text may look like that. */
const PACKED = /^01,[^/]*\/\s+02,/
const NEXT_RECORD = /(?<=\/)\s+(?=(?:02|03|16|49|88|98|99),)/

interface Physical {
  readonly number: number
  readonly text: string
}

const isPacked = (batch: ReadonlyArray<Physical>): boolean | undefined => {
  const first = batch.find(({ text }) => text.trim() !== "")
  return first === undefined ? undefined : PACKED.test(first.text.trim())
}

const unpacked = ({ number, text }: Physical): ReadonlyArray<Physical> =>
  text
    .trim()
    .split(NEXT_RECORD)
    .map((one) => ({ number, text: one }))

/** Yields records joined with their continuations. */
async function* recordsOf(source: Source): AsyncGenerator<Line> {
  let open: Line | undefined
  let packed: boolean | undefined
  for await (const batch of lines(source)) {
    packed ??= isPacked(batch)
    for (const { number, text: whole } of packed === true ? batch.flatMap(unpacked) : batch) {
      const raw = whole.trim()
      const [, code, rest = ""] = /^(\d\d)(?=\s*(?:[,/]|$))\s*,?(.*)$/s.exec(raw) ?? []
      if (code === undefined) {
        // Some banks break the text of a transaction across lines without a continuation record.
        if (open?.code === "16" && raw !== "" && open.raw.length < LONGEST_CHARACTERS) open.text += ` ${raw}`
        continue
      }
      if (code === "88" && open !== undefined) {
        open.records++
        if (open.raw.length < LONGEST_CHARACTERS) {
          open.raw += `\n${raw}`
          open.text = `${open.text.replace(/\/$/, "")}${open.text.endsWith(",") ? "" : ","}${rest}`
        }
        continue
      }
      if (open !== undefined) yield open
      open = { line: number, code, text: rest, raw, records: 1 }
    }
  }
  if (open !== undefined) yield open
}

const fieldsOf = (text: string): ReadonlyArray<string> =>
  text
    .replace(/\/\s*$/, "")
    .split(",")
    .map((one) => one.trim())

interface Account {
  readonly line: number
  readonly account: string
  readonly currency: string
  opening: Balance | undefined
  closing: Balance | undefined
  /** The sum of all amounts, as record 49 states it; undefined once one could not be read. */
  sum: Decimal.Decimal | undefined
  raw: string
  /** An amount of its first record that cannot be read: of a balance, or of a total. */
  odd: string | undefined
}

interface Group {
  readonly day: Day.Day | undefined
  readonly currency: string
  readonly interim: boolean
  readonly ignored: boolean
}

class Accounts {
  #group: Group | undefined
  #account: Account | undefined
  #nth = 0
  /** Whether the file says that it is BAI2; relatives of the format add up otherwise. */
  #isBai2 = false
  readonly #totals = new Totals()
  found = false

  take(record: Line): ReadonlyArray<Event> {
    this.#totals.take(record, fieldsOf(record.text))
    if (this.#account !== undefined && this.#account.raw.length < RAW_CHARACTERS) this.#account.raw += `\n${record.raw}`
    switch (record.code) {
      case "01":
        this.#isBai2 ||= fieldsOf(record.text)[7] === "2"
        return []
      case "02":
        return this.#begin(record)
      case "03":
        return this.#open(record)
      case "16":
        return this.#entry(record)
      case "49":
        return this.#close(record)
      default:
        return []
    }
  }

  /** What the file says of itself, where it says that it is BAI2. */
  get differences(): ReadonlyArray<Event> {
    return this.#isBai2 ? this.#totals.differences.map((what) => ({ type: "notice", what })) : []
  }

  end(): ReadonlyArray<Event> {
    return this.#end("its end (record 49) is missing: get the whole file from the bank")
  }

  #begin({ text }: Line): ReadonlyArray<Event> {
    const before = this.end()
    const [, , status = "", date = "", , currency = "", modifier = ""] = fieldsOf(text)
    const day = dayOf(date)
    const interim = modifier === "1" || modifier === "3"
    // Test groups are ignored. Groups that delete earlier ones get no special treatment.
    this.#group = { day, currency: currency === "" ? "USD" : currency.toUpperCase(), interim, ignored: status === "4" }
    return before
  }

  #open({ line, raw, text }: Line): ReadonlyArray<Event> {
    const before = this.end()
    const group = this.#group
    if (group === undefined || group.ignored) return before
    this.found = true
    const [account = "", own = "", ...rest] = fieldsOf(text)
    const currency = own === "" ? group.currency : own.toUpperCase()
    this.#account = { line, account, currency, opening: undefined, closing: undefined, sum: 0n, raw, odd: undefined }
    for (let n = 0; n < rest.length; ) {
      const [code = "", amount = "", , kind = ""] = rest.slice(n, n + 4)
      const found = minor(amount, currency)
      this.#add(amount === "" ? 0n : found)
      if (amount !== "" && found === undefined) this.#account.odd ??= amount
      if (code === "010" || code === "015") {
        if (found !== undefined) this.#account[code === "010" ? "opening" : "closing"] = { amount: found, currency }
      }
      n += 4 + fundsOf(kind, rest.slice(n + 4))
    }
    const head = {
      account,
      currency,
      kind: group.interim ? ("interim" as const) : ("statement" as const),
      rank: group.interim ? 2 : 3
    }
    return [...before, { type: "begin", head, line }]
  }

  #entry({ line, raw, text }: Line): ReadonlyArray<Event> {
    const account = this.#account
    if (account === undefined) return []
    try {
      const entry = { nth: ++this.#nth, line, raw, ...entryOf(text, account.currency, this.#group?.day) }
      this.#add(entry.amount)
      return [{ type: "entry", entry, parts: 0 }]
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      this.#add(undefined)
      return [{ type: "fault", line, raw, why: cause.why, field: cause.field }]
    }
  }

  #add(amount: Decimal.Decimal | undefined): void {
    const account = this.#account
    if (account !== undefined)
      account.sum = account.sum === undefined || amount === undefined ? undefined : account.sum + amount
  }

  /** The control total is the only one that shows whether an entry is missing, where there are no balances. */
  #close({ text }: Line): ReadonlyArray<Event> {
    const account = this.#account
    if (account === undefined || !this.#isBai2) return this.#end()
    if (account.odd !== undefined)
      return this.#end(
        `${JSON.stringify(account.odd)} in its first record (03) is not a whole number of minor units: get the file from the bank again`
      )
    const total = minor(fieldsOf(text)[0] ?? "", account.currency)
    if (account.sum === undefined || total === undefined || total === account.sum) return this.#end()
    const [read, said] = [account.sum, total].map((one) => Currency.say(one, account.currency))
    const differs = `its amounts come to ${read}, and its control total (49) says ${said}.`
    if (account.opening === undefined || account.closing === undefined)
      return this.#end(
        `${differs} A record is missing or was misread, so nothing in the statement is used. Ask the bank for the statement again`
      )
    return [{ type: "notice", what: `of account ${account.account}: ${differs} Is a record missing?` }, ...this.#end()]
  }

  #end(wrong?: string): ReadonlyArray<Event> {
    const account = this.#account
    this.#account = undefined
    if (account === undefined) return []
    const { closing, opening, raw } = account
    return [{ type: "end", raw: raw.slice(0, RAW_CHARACTERS), ...present({ opening, closing, wrong }) }]
  }
}

const dayOf = (text: string): Day.Day | undefined =>
  /^\d{6}$/.test(text)
    ? Day.make(2000 + Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4, 6)))
    : undefined

/** Parses minor units; undefined if the text is not a whole number. */
const minor = (text: string, currency: string): Decimal.Decimal | undefined =>
  /^[+-]?\d{1,15}$/.test(text) ? Currency.ofMinor(BigInt(text.replace("+", "")), currency) : undefined

/** How many of the following fields state when the funds are available. */
const fundsOf = (kind: string, rest: ReadonlyArray<string>): number => {
  if (kind === "S") return 3
  if (kind === "V") return 2
  return kind === "D" && /^\d{1,3}$/.test(rest[0] ?? "") ? 1 + 2 * Number(rest[0]) : 0
}

/** Type codes that reverse another entry: returned items and reversals. */
const RETURNS = ["252", "255", "257", "258", "552", "555", "557", "558", "559"]

/** What some banks write into separate records after a transaction: `EREF: 4711`, `DBNM: Harbour Tea Inc`. */
const WORD = /^(EREF|DBNM): *(\S.*)$/g

const entryOf = (text: string, currency: string, asOf: Day.Day | undefined): Omit<Entry, "nth" | "line" | "raw"> => {
  const fields = fieldsOf(text)
  const [code = "", digits = "", kind = ""] = fields
  if (!/^\d{3}$/.test(code)) throw new Fault("type code", `${JSON.stringify(code)} is not a type of BAI2`)
  if (!Currency.isCurrency(currency))
    throw new Fault("currency", `${JSON.stringify(currency)} is not an ISO 4217 currency code`)
  const amount = digits === "" && code === "890" ? 0n : minor(digits, currency)
  if (amount === undefined) throw new Fault("amount", `${JSON.stringify(digits)} is not a whole number of minor units`)
  if (amount < 0n)
    throw new Fault("amount", `${JSON.stringify(digits)} is negative; the type says which way money goes`)
  const from = 3 + fundsOf(kind, fields.slice(3))
  const [ofBank, ofCustomer, ...rest] = fields.slice(from)
  const words = new Map(rest.flatMap((one) => [...one.matchAll(WORD)].map(([, word, said]) => [word, said])))
  const said = [rest.filter((one) => one !== "").join(", "), referenceIn(ofCustomer) ?? ""].filter((one) => one !== "")
  return {
    credit: isCredit(code),
    amount,
    currency,
    booked: true,
    ...present({ day: asOf, reference: referenceIn(ofBank), trace: referenceIn(words.get("EREF")) }),
    reversal: RETURNS.includes(code),
    code,
    text: said.join(" "),
    payer: present({ name: words.get("DBNM") })
  }
}

const isCredit = (code: string): boolean => {
  const number = Number(code)
  if ((number >= 100 && number < 400) || (number >= 920 && number < 960)) return true
  if ((number >= 400 && number < 700) || number >= 960 || code === "890") return false
  throw new Fault("type code", `${code} does not say which way money goes`)
}

export async function* bai2(source: Source): Events {
  const accounts = new Accounts()
  for await (const record of recordsOf(source)) yield* accounts.take(record)
  yield* accounts.end()
  yield* accounts.differences
  if (!accounts.found) throw new NotABankFile("it has no account (a record 03) of BAI2")
}
