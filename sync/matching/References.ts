/**
 * Extracts what a payment says about itself: its amount, its payer, and the names of invoices, from its own text and from a
 * person's choice.
 */
import type { Invoice, Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Body from "../state/Body.ts"
import type { Database } from "../state/Database.ts"
import type { Payer } from "./Amounts.ts"
import type * as MatchRules from "./Rules.ts"
import { normal } from "../model/MatchText.ts"
import type { Dirty } from "./Tables.ts"

type Db = Database["Service"]

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

/** A person's choice: the invoices that it is for, by key, with amounts. */
export const chosenByPerson = (
  db: Db,
  payment: string
): ReadonlyArray<readonly [string, Decimal.Decimal]> | undefined => {
  const text = db.prepare("SELECT shares FROM choice WHERE payment = ?").pluck().get(payment)
  if (typeof text !== "string") return undefined
  return (JSON.parse(text) as ReadonlyArray<readonly [string, string]>).map(([key, amount]) => [key, BigInt(amount)])
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
  for (const [invoice] of (choices ? chosenByPerson(db, key) : undefined) ?? [])
    names.add(normal(Document.parseKey(invoice).id))
  for (const { invoice } of document.shares) {
    names.add(normal(invoice))
    const number = ownInvoices.has(connection) ? ownNumber(db, connection, invoice) : undefined
    if (number !== undefined) names.add(normal(number))
  }
  for (const { name } of inText) names.add(name)
  names.delete("")
  return [...names]
}

/** The text that is searched for invoice numbers. */
export const textOf = (document: Payment | Reversal): string =>
  [
    document.kind === "payment" ? (document.reference ?? "") : "",
    ...document.shares.map(({ invoice }) => invoice)
  ].join("\n")

/**
 * The payer in the form that is compared with invoices: what a person once said about it; otherwise its name, and its id if
 * that is a customer's id.
 */
export const payerIn = (
  db: Db,
  connection: string,
  document: Payment | Reversal,
  { byId, payers }: Pick<Dirty, "byId" | "payers">
): Payer => {
  if (document.kind === "reversal") return { party: "", customer: "" }
  const known = payers ? payerOf(document) : undefined
  const chosen =
    known === undefined
      ? undefined
      : db.prepare("SELECT party FROM payer WHERE connection = ? AND payer = ?").pluck().get(connection, known)
  if (typeof chosen === "string") return { party: chosen, customer: "" }
  return {
    party: normal(document.party?.name ?? ""),
    customer: byId.has(connection) ? customerOf(document.party) : ""
  }
}

/** A customer's id for comparison, without surrounding spaces. */
export const customerOf = (party: { readonly id?: string } | undefined): string =>
  Document.storable((party?.id ?? "").trim())

/** The key under which a payer is remembered. */
export const payerOf = ({ party }: Payment): string | undefined => {
  const named = party?.id ?? party?.name
  return named === undefined ? undefined : Document.storable(named)
}
