/**
 * Splits a credit note of several invoices that gives one amount for all of them. It is certain how much each has only where it
 * is all that was open of them on its day, or all that they ask for. Read-only.
 */
import type { CreditNote, CreditShare } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { quarantinedRecord, type Ready, readyOf, type ReadyPage } from "../books/Ready.ts"
import * as Facts from "../plan/Facts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

interface Part {
  readonly invoice: string
  readonly gross: Decimal.Decimal
  readonly net: Decimal.Decimal | undefined
  /** What is asked for, less what other credit notes took of it; and what of that was not paid. */
  readonly asked: Decimal.Decimal
  readonly open: Decimal.Decimal
}

const sumOf = (facts: ReadonlyArray<{ readonly amount: Decimal.Decimal }>): Decimal.Decimal =>
  Decimal.sum(facts.map(({ amount }) => amount))

const atLeastNothing = (amount: Decimal.Decimal): Decimal.Decimal => (amount > 0n ? amount : 0n)

/** An invoice on the day of a credit note, without that; or why it cannot be counted. */
const partOf = (db: Db, connection: string, note: CreditNote, invoice: string): Part | string => {
  const facts = Facts.invoiceFacts(db, Document.key(connection, "invoice", invoice))
  const { gross, net, status } = facts.invoice ?? {}
  const whole = gross ?? net
  if (facts.invoice === undefined || facts.deleted || whole === undefined) return `${invoice} was not found`
  const { currency } = facts.invoice
  if (note.currency !== undefined && currency !== note.currency) return `${invoice} is in ${currency}`
  const own = Document.key(connection, "credit_note", note.id)
  const until = <A extends { readonly key: string; readonly document: { readonly date: string } }>(
    all: ReadonlyArray<A>
  ): ReadonlyArray<A> => all.filter(({ document, key }) => key !== own && document.date <= note.date)
  const asked = status === "void" || status === "draft" ? 0n : whole - sumOf(until(facts.creditNotes))
  const open = asked - sumOf(until(facts.payments)) + sumOf(until(facts.reversals))
  return { invoice, gross: whole, net, asked: atLeastNothing(asked), open: atLeastNothing(open) }
}

/** What it was split into stays, whatever is paid since. */
const before = (db: Db, connection: string, { id, shares }: CreditNote, among: ReadonlyArray<string>) => {
  const body = db
    .prepare("SELECT body FROM document WHERE key = ? AND deleted = 0")
    .pluck()
    .get(Document.key(connection, "credit_note", id))
  if (typeof body !== "string") return undefined
  const known = (Body.read(body) as CreditNote).shares
  return sumOf(known) === sumOf(shares) && known.every(({ invoice }) => among.includes(invoice)) ? known : undefined
}

/** How many invoices are named. */
const NAMED = 5

/** The shares, or why nobody knows them. */
const sharesOf = (db: Db, connection: string, note: CreditNote): ReadonlyArray<CreditShare> | string => {
  const { currency = "", date, shares } = note
  const among = [...new Set(shares.flatMap((share) => share.among ?? []))]
  const known = before(db, connection, note, among)
  if (known !== undefined) return known
  const amount = sumOf(shares)
  const found = among.map((invoice) => partOf(db, connection, note, invoice))
  const parts = found.filter((one) => typeof one !== "string")
  const named = `${among.slice(0, NAMED).join(", ")}${among.length > NAMED ? ", …" : ""}`
  const said = `it credits ${among.length} invoices (${named}) and does not say how much of each`
  const missing = found.find((one) => typeof one === "string")
  if (missing !== undefined) return `${said}; ${missing}`
  for (const member of ["open", "asked"] as const)
    if (sumOf(parts.map((part) => ({ amount: part[member] }))) === amount)
      return parts.flatMap(({ [member]: its, gross, invoice, net }): ReadonlyArray<CreditShare> => {
        const whole = its === gross && net !== undefined ? { net } : {}
        return its === 0n ? [] : [{ invoice, amount: its, ...whole }]
      })
  const open = Decimal.sum(parts.map((part) => part.open))
  return `${said}: ${Currency.say(open, currency)} of them was open on ${date}, and it is of ${Currency.say(amount, currency)}; write one for each invoice, of as much as it credits`
}

const isOfSeveral = ({ document, kind }: Ready): boolean =>
  kind === "credit_note" && (document as CreditNote).shares.some(({ among }) => among !== undefined)

export const hasSome = ({ read }: ReadyPage): boolean => read.some(isOfSeveral)

/** The page, with such credit notes split, or quarantined. What they credit has to be stored. */
export const split = (db: Db, connection: string, page: ReadyPage): ReadyPage => {
  const read: Array<Ready> = []
  const quarantined = [...page.quarantined]
  for (const one of page.read) {
    if (!isOfSeveral(one)) {
      read.push(one)
      continue
    }
    const { document, origin, raw } = one
    const shares = sharesOf(db, connection, document as CreditNote)
    if (typeof shares === "string")
      quarantined.push(quarantinedRecord(one, { field: "preceding invoice", why: shares }))
    else read.push(readyOf(connection, { document: { ...(document as CreditNote), shares }, origin, raw }))
  }
  return { ...page, read, quarantined }
}
