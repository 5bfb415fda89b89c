/**
 * Decides what an entry of a bank file means: a payment, a reversal, or nothing. Pure.
 *
 * Money that comes in is a payment. Money that goes out is a reversal if the bank says that it returns an incoming payment;
 * the account owner's own payments are ignored. Pending entries are ignored as well: they may never be booked.
 */
import { hash } from "node:crypto"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Payment, Reversal, ReversalType } from "../../Document.ts"
import { present } from "../../Json.ts"
import { type Entry, Fault, type Head } from "./Entry.ts"

/** What an entry means. */
export type Fact =
  | { readonly type: "document"; readonly document: Payment | Reversal }
  | { readonly type: "nothing"; readonly notice?: string }

/** Shorter references are numbers that restart with every statement. */
const SHORTEST_REFERENCE = 8

/** The bank's reference, if no other entry of the account can have it. */
const own = (reference: string | undefined): string | undefined =>
  reference !== undefined && reference.length >= SHORTEST_REFERENCE ? reference : undefined

const signed = ({ amount, credit }: Pick<Entry, "amount" | "credit">): string =>
  `${credit ? "" : "-"}${Decimal.format(amount, 2)}`

/** An id that is the same in every message with this entry; undefined if only the content identifies the entry. */
export const nameOf = (
  entry: Entry,
  whole: Pick<Entry, "amount" | "credit">,
  { account }: Head
): string | undefined => {
  const reference = own(entry.reference)
  return reference === undefined ? undefined : `${account}:${reference}:${signed(whole)}`
}

/** An id for an entry without a reference of the bank, made from its content and the statement's number. */
const contentOf = (entry: Entry, { account, kind, number = "" }: Head): string => {
  const { amount, code, credit, currency, day, payer, text } = entry
  const content = [kind === "interim" ? "" : number, day, credit, String(amount), currency, code, text, payer.name]
  return `${account}:${day}:${hash("sha1", JSON.stringify(content), "hex").slice(0, 12)}`
}

/** Numbers equal ids within a statement, so that of several identical entries none is lost. */
export const counter = () => {
  // Keyed by 52 bits of a digest: a statement may have a million entries.
  const seen = new Map<number, number>()
  return (id: string): string => {
    const digest = Number.parseInt(hash("sha1", id, "hex").slice(0, 13), 16)
    const times = (seen.get(digest) ?? 0) + 1
    seen.set(digest, times)
    return times === 1 ? id : `${id}-${times}`
  }
}

export interface Within {
  readonly head: Head
  /** The whole entry, of which this may be a part. */
  readonly whole: Pick<Entry, "amount" | "credit">
  readonly count: (id: string) => string
}

/** Throws a `Fault` if the entry cannot be decoded. */
export const factOf = (entry: Entry, within: Within): Fact => {
  if (!entry.booked || entry.amount === 0n) return { type: "nothing" }
  const kind = kindOf(entry)
  if (typeof kind !== "string") return kind
  if (!isDated(entry)) throw new Fault("booking day", "is missing; write it, or ask the bank for the file again")
  if (!Currency.fits(entry.amount, entry.currency))
    throw new Fault("amount", `${Decimal.format(entry.amount)} has more decimal places than ${entry.currency} allows`)
  const base = nameOf(entry, within.whole, within.head) ?? contentOf(entry, within.head)
  const id = within.count(entry.part === undefined ? base : `${base}/${own(entry.partReference) ?? entry.part}`)
  return { type: "document", document: kind === "payment" ? paymentOf(entry, id) : reversalOf(entry, id) }
}

const SENT_BACK: Fact = {
  type: "nothing",
  notice: "money that was paid from this account came back; it pays no invoice and is left out"
}

const kindOf = ({ credit, reversal }: Entry): "payment" | "reversal" | Fact =>
  credit ? (reversal ? SENT_BACK : "payment") : reversal ? "reversal" : { type: "nothing" }

const textOf = ({ items, text }: Entry): string =>
  items === undefined ? text : `${text}${text === "" ? "" : " "}(booked as one sum of ${items} payments)`

/** An entry with a booking day. */
type Dated = Entry & Required<Pick<Entry, "day">>

const isDated = (entry: Entry): entry is Dated => entry.day !== undefined

const shared = ({ amount, currency, day, trace }: Dated, id: string) => ({
  id,
  date: day,
  currency,
  shares: [],
  unallocated: amount,
  ...(trace === undefined ? {} : { trace })
})

const paymentOf = (entry: Dated, id: string): Payment => {
  const { account, name } = entry.payer
  const text = textOf(entry)
  const party = present({ id: account, name })
  return {
    kind: "payment",
    ...shared(entry, id),
    ...(text === "" ? {} : { reference: text }),
    ...(Object.keys(party).length === 0 ? {} : { party }),
    method: "bank"
  }
}

/** ISO 20022 reason codes for payments that the payer reclaimed. */
const CHARGEBACKS = ["MD01", "MD06"]

/** ISO 20022 reason codes for payments that were returned at the request of the paying side. */
const REFUNDS = ["FOCR", "CUST", "DUPL", "TECH", "FRAD", "AM09", "CUTA", "UPAY"]

const typeOf = (code: string | undefined): ReversalType =>
  code === undefined ? "error" : CHARGEBACKS.includes(code) ? "chargeback" : REFUNDS.includes(code) ? "refund" : "error"

const reversalOf = (entry: Dated, id: string): Reversal => {
  const { original, payer, reason } = entry
  const details = [payer.name ?? "", textOf(entry), reason?.text ?? ""].filter((one) => one !== "").join("; ")
  return {
    kind: "reversal",
    ...shared(entry, id),
    // The bank's charges are the seller's own cost; the payer does not owe them again.
    ...(original === undefined ? {} : { unallocated: original }),
    type: typeOf(reason?.code),
    ...present({ providerCode: reason?.code, details: details || undefined })
  }
}
