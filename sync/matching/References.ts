/**
 * Extracts what a payment says about itself: its amount, its payer, and the names of invoices, from its own text and from a
 * person's choice.
 */
import type { Invoice, Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import type { Payer } from "./Amounts.ts"
import type * as MatchRules from "./Rules.ts"
import { normal, withoutZeros } from "../model/MatchText.ts"
import { aliasesOf, waitingName } from "./Aliases.ts"
import { isCut, letters, payerName } from "../model/PayerName.ts"
import type { Dirty, Payable } from "./Tables.ts"

/** The number that the paying source itself has for the invoice with this id. */
export const ownNumber = (db: Db, connection: string, id: string): string | undefined => {
  const body = db
    .prepare("SELECT body FROM document WHERE key = ? AND deleted = 0")
    .pluck()
    .get(Document.key(connection, "invoice", id))
  return typeof body === "string" ? (Body.read(body) as Invoice).number : undefined
}

export const totalOf = (document: Payment | Reversal): Decimal.Decimal =>
  Decimal.sum(document.shares.map(({ amount }) => amount)) + (document.unallocated ?? 0n)

/** An invoice that a person chose, by key, and how much of it is paid. */
export interface ChosenPart {
  readonly invoice: string
  readonly amount: Decimal.Decimal
  /** The invoice's currency, if the payment is in another one: then the person stated the amount in it. */
  readonly currency?: string
}

type StoredPart = readonly [invoice: string, amount: string, currency?: string]

/** How it is stored that a person said of a payment that it is not for what it was matched with, and nothing else. */
export const ASKED = "{}"

export const partsOf = (stored: string): ReadonlyArray<ChosenPart> =>
  (stored === ASKED ? [] : (JSON.parse(stored) as ReadonlyArray<StoredPart>)).map(([invoice, amount, currency]) => ({
    invoice,
    amount: BigInt(amount),
    ...(currency === undefined ? {} : { currency })
  }))

export const storedParts = (parts: ReadonlyArray<ChosenPart>): string =>
  JSON.stringify(
    parts.map(
      ({ amount, currency, invoice }): StoredPart =>
        currency === undefined ? [invoice, `${amount}`] : [invoice, `${amount}`, currency]
    )
  )

/** The choice for a payment as it is stored. */
export const storedOf = (db: Db, payment: string): string | undefined =>
  db.prepare("SELECT shares FROM choice WHERE payment = ?").pluck().get(payment) as string | undefined

/** A person's choice: the invoices that it is for. */
export const chosenByPerson = (db: Db, payment: string): ReadonlyArray<ChosenPart> | undefined => {
  const text = storedOf(db, payment)
  return text === undefined || text === ASKED ? undefined : partsOf(text)
}

/** Whether a person said that it is not for what it was matched with, and nobody has said yet for what it is. */
export const isAsked = (db: Db, payment: string): boolean => storedOf(db, payment) === ASKED

/** The only invoice that a person said something of a payment went back from: the payment was for it. */
export const saidByReversals = (db: Db, payment: string): string | undefined => {
  const keys = db
    .prepare("SELECT d.key FROM matching m JOIN document d ON d.id = m.document WHERE m.of = ? AND d.deleted = 0")
    .pluck()
    .all(payment) as ReadonlyArray<string>
  const said = new Set(keys.flatMap((key) => chosenByPerson(db, key) ?? []).map(({ invoice }) => invoice))
  const [only] = said
  return said.size === 1 ? only : undefined
}

/**
 * The names of invoices in a payment, and in a person's choice for it.
 *
 * @param inText those in its text
 */
export const namesOf = (
  db: Db,
  key: string,
  document: Payment | Reversal,
  inText: ReadonlyArray<MatchRules.Name>,
  { choices, ownInvoices }: Pick<Dirty, "choices" | "ownInvoices">
): ReadonlyArray<string> => {
  const { connection } = Document.parseKey(key)
  const names = new Set<string>()
  for (const { invoice } of (choices ? chosenByPerson(db, key) : undefined) ?? [])
    names.add(normal(Document.parseKey(invoice).id))
  for (const { invoice } of document.shares) {
    names.add(normal(invoice))
    names.add(withoutZeros(normal(invoice)))
    const number = ownInvoices.has(connection) ? ownNumber(db, connection, invoice) : undefined
    if (number !== undefined) names.add(normal(number))
  }
  for (const { name } of inText) {
    names.add(name)
    names.add(withoutZeros(name))
  }
  names.delete("")
  return [...names]
}

/** The names that payments may have for an invoice, now and before. */
export const namesOfInvoice = (
  id: string,
  now: Pick<Payable, "number" | "reference">,
  before: Pick<Payable, "number" | "reference"> = now
): ReadonlySet<string> =>
  new Set([
    normal(id),
    now.number,
    before.number,
    ...[now.reference, before.reference].flatMap((all) => all.split(" "))
  ])

/** The text that is searched for invoice numbers. */
export const textOf = (document: Payment | Reversal): string =>
  [
    document.kind === "payment" ? (document.reference ?? "") : "",
    ...document.shares.map(({ invoice }) => invoice)
  ].join("\n")

/** What is said of a payment whose text names no invoice, by the number of its document. */
export const withoutNumber = (db: Db, document: number): string => {
  const body = db.prepare("SELECT body FROM document WHERE id = ?").pluck().get(document) as string
  const read = Body.read(body)
  const hasText = read.kind === "payment" && (read.reference ?? "").trim() !== ""
  return hasText ? "its reference names no invoice that is known" : "no reference"
}

/** The same, and for money that went back without its payment's id what is said of it. */
export const saidOf = (document: Payment | Reversal): string =>
  document.kind === "reversal" && document.payment === undefined
    ? `${textOf(document)}\n${document.details ?? ""}`
    : textOf(document)

/** The payer in the form that is compared with invoices: its name, and its id if that is a customer's id. */
export const payerIn = (
  connection: string,
  document: Payment | Reversal,
  { aliases, byId }: Pick<Dirty, "aliases" | "byId">
): Payer => {
  if (document.kind === "reversal") return { party: "", form: "", cut: 0, customer: "" }
  const { party } = document
  const customer = byId.has(connection) ? customerOf(party) : ""
  const name = payerName(party?.name)
  if (isCut(party?.name)) return { party: letters(name), form: "", cut: 1, customer }
  // Without a name, its id leads to what people said of it.
  const isKnown = name.party === "" && aliasesOf(aliases, connection, document).length > 0
  return { ...name, party: isKnown ? waitingName(document) : name.party, cut: 0, customer }
}

/** A customer's id for comparison, without surrounding spaces. */
export const customerOf = (party: { readonly id?: string } | undefined): string =>
  Document.storable((party?.id ?? "").trim())
