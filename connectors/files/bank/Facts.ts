/**
 * Decides what an entry of a bank file means: a payment, a reversal, or nothing. Pure.
 *
 * Money that comes in is a payment. Money that goes out is a reversal if the bank says that it returns an incoming payment;
 * the account owner's own payments are ignored. Pending entries are ignored as well: they may never be booked.
 */
import { hash } from "node:crypto"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { StatementEntry } from "../../Connector.ts"
import type { Payment, Reversal, ReversalType } from "../../Document.ts"
import { present } from "../../Json.ts"
import { countIn } from "../../SumText.ts"
import { type Entry, Fault, type Head } from "./Entry.ts"

/** What an entry means. */
export type Fact =
  | { readonly type: "document"; readonly document: Payment | Reversal; readonly entry: StatementEntry }
  | { readonly type: "nothing"; readonly notice?: string }

const signed = ({ amount, credit }: Pick<Entry, "amount" | "credit">): string =>
  `${credit ? "" : "-"}${Decimal.format(amount, 2)}`

/** Fewer digits, without the zeros before them, number the entries of one statement: others have the same. */
const SHORTEST_REFERENCE = 8

/**
 * What a sum and its items are recognised by in another message: account, day and amount, and the bank's reference where that is
 * its own. An entry that does not look like a sum has the latter only: one has no payer, or says of how many payments it is.
 */
export const namesOf = (
  entry: Pick<Entry, "day" | "items" | "payer" | "reference" | "text">,
  whole: Pick<Entry, "amount" | "credit">,
  account: string,
  isItemised = false
) => {
  const { day = "", items = countIn(entry.text), payer, reference = "" } = entry
  const names: Array<string> = []
  if (reference.replace(/^0+/, "").length >= SHORTEST_REFERENCE) names.push(`${account}:${reference}:${signed(whole)}`)
  if (isItemised || items > 1 || payer.name === undefined) names.push(`${account}:${day}:${signed(whole)}`)
  return names
}

/** Letters and digits, as every bank writes them: Müller & Söhne, MUELLER+SOEHNE. */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toUpperCase()
    .replaceAll("\u0308", "E")
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Names are cut off after so many characters where a field has no more; of one that ends with a space then, one less is left. */
const CUT_AT = 27

/** How many letters of the payer's name are in an entry's id: as many as every format has. */
const LETTERS = 10

/** The same in every statement, except for what tells equal entries of a day from one another. */
const idOf = ({ account }: Head, entry: Dated): string => {
  const payer = fold(entry.payer.name ?? "").slice(0, LETTERS)
  return `${account}:${entry.day}:${signed(entry)}:${payer === "" ? "-" : hash("sha1", payer, "hex").slice(0, 6)}`
}

/** Payers are compared by it; other numbers are written in several ways. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

/** Makes a statement's entry out of a file's. */
const statementEntry = (entry: Dated, { head, segments }: Within): StatementEntry => {
  const { name = "", account = "" } = entry.payer
  const iban = IBAN.test(account) ? account : undefined
  const segment = segments?.get(entry.day)
  return {
    account: head.account,
    day: entry.day,
    amount: `${signed(entry)} ${entry.currency}`,
    // The items of a sum, and failed debits, are in no other message for certain: statements may have the sum.
    isFinal: head.kind !== "interim" || entry.part !== undefined,
    ...(head.kind === "report" ? { isReport: true as const } : {}),
    payer: fold(name),
    isCut: name.length >= CUT_AT - 1,
    text: fold(entry.text),
    series: head.series ?? "",
    ...present({ iban, trace: entry.trace, reference: entry.partReference ?? entry.reference, segment })
  }
}

/** Numbers equal ids within a file, so that of several identical entries none is lost. Those of other groups have ids of their own. */
export const counter = (repeated: ReadonlySet<number>) => {
  // Keyed by 52 bits of a digest: a statement may have a million entries.
  const seen = new Map<number, number>()
  return (id: string, group: number): string => {
    if (!repeated.has(group)) return `${id}:1`
    const digest = Number.parseInt(hash("sha1", id, "hex").slice(0, 13), 16)
    const times = (seen.get(digest) ?? 0) + 1
    seen.set(digest, times)
    return `${id}:${times}`
  }
}

export interface Within {
  readonly head: Head
  /** By day, the account's balance before and after its entries. */
  readonly segments: ReadonlyMap<string, readonly [string, string]> | undefined
  readonly count: (id: string) => string
}

/** Throws a `Fault` if the entry cannot be decoded. */
export const factOf = (entry: Entry, within: Within): Fact => {
  if (!entry.booked || entry.amount === 0n) return { type: "nothing" }
  const kind = kindOf(entry)
  if (typeof kind !== "string") return kind
  if (!isDated(entry)) throw new Fault("booking day", "is missing")
  if (!Currency.fits(entry.amount, entry.currency))
    throw new Fault("amount", `${Decimal.format(entry.amount)} has more decimal places than ${entry.currency} allows`)
  const id = within.count(idOf(within.head, entry))
  const document = kind === "payment" ? paymentOf(entry, id) : reversalOf(entry, id)
  return { type: "document", document, entry: statementEntry(entry, within) }
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
  const { instructed, payer } = entry
  const { account, name } = payer
  const text = textOf(entry)
  const party = present({ id: account, name })
  return {
    kind: "payment",
    ...shared(entry, id),
    ...(text === "" ? {} : { reference: text }),
    ...(Object.keys(party).length === 0 ? {} : { party }),
    ...(instructed === undefined ? {} : { instructed }),
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
  const { collected, original, payer, reason, why } = entry
  const details = [payer.name ?? "", textOf(entry), reason?.text ?? ""].filter((one) => one !== "").join("; ")
  return {
    kind: "reversal",
    ...shared(entry, id),
    // The bank's charges are the seller's own cost; the payer does not owe them again.
    ...(original === undefined ? {} : { unallocated: original }),
    type: why ?? typeOf(reason?.code),
    ...present({ providerCode: reason?.code, details: details || undefined, collected })
  }
}
