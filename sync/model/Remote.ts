/**
 * Defines what the ledger says the service holds of one document (an invoice, an order or a buyer), and how the ledger stores
 * it.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { RemoteBuyer } from "./RemoteBuyer.ts"
import type { Fields, RemoteInvoice, ReportedPayment } from "./RemoteInvoice.ts"
import type { RemoteOrder } from "./RemoteOrder.ts"

export type Remote = RemoteInvoice | RemoteOrder | RemoteBuyer

/** Names of fields as the ledger has them: a row is shorter by a third. What is looked for in the file keeps its name. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ...[["unique_id", "u"] as const, ["number", "n"] as const, ["currency", "y"] as const, ["metadata", "m"] as const],
  ...[["net_amount", "a"] as const, ["gross_amount", "g"] as const, ["issue_date", "i"] as const],
  ...[["debtor", "d"] as const, ["debtor_name", "e"] as const, ["debtor_country", "c"] as const],
  ...[["debtor_regnum", "r"] as const, ["debtor_address", "l"] as const, ["scheduled_payments", "s"] as const]
])

const LONG = new Map([...SHORT].map(([name, short]) => [short, name]))

const renamed = (fields: Fields, names: ReadonlyMap<string, string>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [names.get(name) ?? name, value]))

const INVOICE = "/invoice/"

const partsOf = (subject: string) => {
  const at = subject.indexOf(INVOICE)
  if (at < 0 || at !== subject.lastIndexOf(INVOICE)) return undefined
  const source_id = subject.slice(at + INVOICE.length)
  return source_id === "" ? undefined : { connection: subject.slice(0, at), source_id }
}

/** What follows from other fields and from the row's subject, as it mostly does, by its short name: 1 stands for it. */
const FOLLOWS: ReadonlyMap<string, (subject: string, fields: Fields) => unknown> = new Map<
  string,
  (subject: string, fields: Fields) => unknown
>([
  ["u", (subject) => subject],
  ["n", (subject) => partsOf(subject)?.source_id],
  ["s", (_, { a, due_date, g }) => [{ date: due_date, amount: g ?? a }]],
  ["m", partsOf]
])

/** Where all of these follow, they begin and end the fields, and none is stored. */
const [FIRST, LAST] = [
  { u: 1, n: 1 },
  { s: 1, m: 1 }
] as const

const COMMON = [Object.keys(FIRST).join(), Object.keys(LAST).join()] as const

const shortened = (subject: string, fields: Fields): Fields => {
  const all = renamed(fields, SHORT)
  const follows = (name: string) => JSON.stringify(all[name]) === JSON.stringify(FOLLOWS.get(name)?.(subject, all))
  const short: Fields = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, follows(name) ? 1 : value])
  )
  const names = Object.keys(short)
  const isCommon = names.slice(0, 2).join() === COMMON[0] && names.slice(-2).join() === COMMON[1]
  const { m, n, s, u, ...rest } = short
  if (isCommon && [m, n, s, u].every((value) => value === 1)) return rest
  return u === undefined ? { ...short, u: 0 } : short
}

const lengthened = (subject: string, stored: Fields): Fields => {
  const entries: Array<[string, Fields[string]]> = []
  const add = (fields: Fields) => {
    for (const name in fields) {
      const value = fields[name]
      if (value === 0 && name === "u") continue
      const whole = value === 1 ? (FOLLOWS.get(name)?.(subject, stored) ?? value) : value
      entries.push([LONG.get(name) ?? name, whole as Fields[string]])
    }
  }
  const isCommon = stored["u"] === undefined
  if (isCommon) add(FIRST)
  add(stored)
  if (isCommon) add(LAST)
  return Object.fromEntries(entries)
}

/** A fact's key without what it has in common with the invoice's: `/payment/7/` of connection and invoice of their own. */
const nearer = (subject: string, fact: string): string => {
  const its = partsOf(subject)
  if (its === undefined || fact.endsWith("/")) return fact
  const { connection, source_id } = its
  const short = fact.startsWith(`${connection}/`) ? fact.slice(connection.length) : fact
  return short.endsWith(`/${source_id}`) && short.startsWith("/") ? short.slice(0, -source_id.length) : short
}

const farther = (subject: string, short: string): string => {
  if (!short.startsWith("/")) return short
  const { connection = "", source_id = "" } = partsOf(subject) ?? {}
  return `${connection}${short}${short.endsWith("/") ? source_id : ""}`
}

/**
 * A payment that was reported: fact, date, amount and id; then its key if that is another, and whether it reverses one. 1 is the
 * amount that is asked for.
 */
type StoredPosting = readonly [fact: string, date: Day, amount: string | 1, id: string, key?: string, undo?: boolean]

interface StoredInvoice extends Omit<RemoteInvoice, "fields" | "id" | "insured" | "kind" | "paidDate" | "postings"> {
  readonly insured?: true
  readonly f: Fields
  readonly p?: ReadonlyArray<StoredPosting>
  /** 1: on the day of the last payment. */
  readonly paidDate?: Day | 1
}

/** What a row of the ledger has of it. */
export interface StoredRemote {
  readonly subject: string
  readonly remote: string | null
  readonly held: string
}

const toStored = (
  subject: string,
  asked: unknown,
  { amount, date, fact, id, key, undo }: ReportedPayment
): StoredPosting => {
  const text = Decimal.format(amount)
  const short = [nearer(subject, fact), date, text === asked ? 1 : text, id] as const
  return undo ? [...short, key, true] : key === fact ? short : [...short, key]
}

const fromStored = (
  subject: string,
  asked: unknown,
  [fact, date, amount, id, key, undo = false]: StoredPosting
): ReportedPayment => {
  const whole = farther(subject, fact)
  return {
    key: key ?? whole,
    fact: whole,
    undo,
    date,
    amount: Decimal.of(amount === 1 ? `${asked}` : amount),
    id
  }
}

const askedIn = ({ gross_amount, net_amount }: Fields) => gross_amount ?? net_amount

/** As the ledger has it in `held`, beside the row's subject. Its id is in `remote`. */
export const encodeRemote = (subject: string, remote: Remote): string => {
  if (remote.kind !== "invoice") return JSON.stringify(remote)
  const { fields, id: _, insured, kind: __, paidDate, postings, status, ...rest } = remote
  const asked = askedIn(fields)
  const stored: StoredInvoice = {
    status,
    ...(insured ? { insured } : {}),
    f: shortened(subject, fields),
    ...(postings.length === 0 ? {} : { p: postings.map((one) => toStored(subject, asked, one)) }),
    ...(paidDate === undefined ? {} : { paidDate: paidDate === postings.at(-1)?.date ? 1 : paidDate }),
    ...rest
  }
  return JSON.stringify(stored)
}

/** Whether two say the same of one document. */
export const saysSame = (a: Remote, b: Remote): boolean => a.id === b.id && encodeRemote("", a) === encodeRemote("", b)

export const decodeRemote = ({ held, remote, subject }: StoredRemote): Remote => {
  const stored = JSON.parse(held) as StoredInvoice | RemoteOrder | RemoteBuyer
  if (!("f" in stored)) return stored
  const { f, insured = false, p = [], paidDate, status, ...rest } = stored
  const fields = lengthened(subject, f)
  const asked = askedIn(fields)
  const postings = p.map((one) => fromStored(subject, asked, one))
  const paid = paidDate === 1 ? postings.at(-1)?.date : paidDate
  return {
    kind: "invoice",
    id: remote ?? "",
    status,
    insured,
    fields,
    postings,
    ...(paid === undefined ? {} : { paidDate: paid }),
    ...rest
  }
}
