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

/** What follows from other fields, as it mostly does, by its short name: 1 stands for it. */
const FOLLOWS: ReadonlyMap<string, (fields: Fields) => unknown> = new Map<string, (fields: Fields) => unknown>([
  ["n", ({ u }) => `${u}`.split("/invoice/")[1]],
  [
    "m",
    ({ u }) => {
      const [connection, source_id, ...more] = `${u}`.split("/invoice/")
      return more.length > 0 ? undefined : { connection, source_id }
    }
  ],
  ["s", ({ a, due_date, g }) => [{ date: due_date, amount: g ?? a }]]
])

const shortened = (fields: Fields): Fields => {
  const all = renamed(fields, SHORT)
  const follows = (name: string) => JSON.stringify(all[name]) === JSON.stringify(FOLLOWS.get(name)?.(all))
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, follows(name) ? 1 : value]))
}

const lengthened = (fields: Fields): Fields => {
  const whole = ([name, value]: readonly [string, Fields[string]]) => [
    name,
    value === 1 ? (FOLLOWS.get(name)?.(fields) ?? value) : value
  ]
  return renamed(Object.fromEntries(Object.entries(fields).map(whole)) as Fields, LONG)
}

/** A payment that was reported: fact, date, amount and id; then its key if that is another, and whether it reverses one. */
type StoredPosting = readonly [fact: string, date: Day, amount: string, id: string, key?: string, undo?: boolean]

const toStored = ({ amount, date, fact, id, key, undo }: ReportedPayment): StoredPosting => {
  const short = [fact, date, Decimal.format(amount), id] as const
  return undo ? [...short, key, true] : key === fact ? short : [...short, key]
}

const fromStored = ([fact, date, amount, id, key = fact, undo = false]: StoredPosting): ReportedPayment => ({
  key,
  fact,
  undo,
  date,
  amount: Decimal.of(amount),
  id
})

interface StoredInvoice extends Omit<RemoteInvoice, "fields" | "postings"> {
  readonly f: Fields
  readonly p: ReadonlyArray<StoredPosting>
}

export const encodeRemote = (remote: Remote): string => {
  if (remote.kind !== "invoice") return JSON.stringify(remote)
  const { fields, id, insured, kind, postings, status, ...rest } = remote
  const stored = { kind, id, status, insured, f: shortened(fields), p: postings.map(toStored), ...rest }
  return JSON.stringify(stored satisfies StoredInvoice)
}

export const decodeRemote = (text: string): Remote => {
  const stored = JSON.parse(text) as StoredInvoice | RemoteOrder | RemoteBuyer
  if (stored.kind !== "invoice") return stored
  const { f, id, insured, kind, p, status, ...rest } = stored
  return { kind, id, status, insured, fields: lengthened(f), postings: p.map(fromStored), ...rest }
}
