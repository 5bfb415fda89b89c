/** Whose invoice a payment's text names: the payer's own, another known customer's, or one of which the payer is a stranger. Read-only. */
import type { Db } from "../state/Database.ts"
import type { Alias } from "./Aliases.ts"
import { type Fits, paidBy, type Payer } from "./Amounts.ts"
import { beginnings, fitsForm, letters, type PayerName } from "../model/PayerName.ts"
import { PAYABLE, type Payable } from "./Tables.ts"

/** What is known of a payer. */
export interface Theirs {
  readonly pays: string
  readonly payer: Payer
  readonly aliases: ReadonlyArray<Alias>
}

/**
 * `own`: the payer is the invoice's customer, as far as its name or a person says. `foreign`: the payer is another customer.
 * `stranger`: it is no customer at all. `unknown`: nothing says who paid.
 */
export type Relation = "own" | "foreign" | "stranger" | "unknown"

const isAlias = ({ aliases }: Theirs, { form, party }: Pick<Payable, "party" | "form">): boolean =>
  aliases.some((one) => one.party === party && one.form === form)

export const relationTo = (db: Db, theirs: Theirs, invoice: Payable): Relation => {
  const { aliases, payer, pays } = theirs
  if (payer.party === "" && payer.customer === "") return "unknown"
  if (isAlias(theirs, invoice)) return "own"
  const isSame = paidBy(payer, invoice) !== undefined
  if (isSame && (payer.cut === 1 || payer.form === invoice.form || !isCustomer(db, pays, payer, "exactly")))
    return "own"
  return aliases.length > 0 || isCustomer(db, pays, payer) ? "foreign" : "stranger"
}

/** Whether a payer is a customer: by its name, exactly or as far as legal forms are written, or by its id. */
export const isCustomer = (
  db: Db,
  pays: string,
  { customer, cut, form, party }: Payer,
  how: "exactly" | "perhaps" = "perhaps"
): boolean => {
  if (customer !== "") {
    const of = "SELECT 1 FROM payable WHERE connection = ? AND customer = ? AND customer <> '' LIMIT 1"
    if (db.prepare(of).get(pays, customer) !== undefined) return true
  }
  if (party === "") return false
  if (cut === 1) return cutFrom(db, pays, party).length > 0
  const forms = db
    .prepare("SELECT DISTINCT form FROM payable WHERE connection = ? AND party = ?")
    .pluck()
    .all(pays, party) as ReadonlyArray<string>
  return forms.some((one) => (how === "exactly" ? one === form : fitsForm(one, form)))
}

/** Customers whose names begin like this, legal form included. */
const cutFrom = (db: Db, pays: string, party: string): ReadonlyArray<PayerName> => [
  ...(db
    .prepare("SELECT DISTINCT party, form FROM payable WHERE connection = ? AND party >= ? AND party < ? LIMIT 20")
    .all(pays, party, `${party}\u{10ffff}`) as ReadonlyArray<PayerName>),
  ...(
    db
      .prepare(
        "SELECT DISTINCT p.party, p.form FROM json_each(?) n CROSS JOIN payable p ON p.connection = ? AND p.party = n.value"
      )
      .all(JSON.stringify(beginnings(party)), pays) as ReadonlyArray<PayerName>
  ).filter((one) => letters(one).startsWith(party))
]

/** The names of customers that a payer may be, as they are compared: its own, those that a bank cut, and those it pays for. */
export const partiesOf = (db: Db, { aliases, payer, pays }: Theirs): ReadonlyArray<string> => {
  const own = payer.cut === 1 ? cutFrom(db, pays, payer.party) : [payer]
  return [...new Set([...own, ...aliases].map(({ party }) => party))].filter((party) => party !== "")
}

/** Few customers have more invoices of one amount. */
const MOST = 50

/** Invoices of the payer, by whatever name, that ask for exactly this amount. */
export const known = (
  db: Db,
  { aliases, payer, pays }: Theirs,
  { base, currency }: { readonly base: string; readonly currency: string }
): ReadonlyArray<Payable> => {
  const parties = partiesOf(db, { aliases, payer, pays })
  if (parties.length === 0) return []
  return db
    .prepare(
      `SELECT ${PAYABLE} FROM json_each(?) n CROSS JOIN payable p ON p.connection = ? AND p.party = n.value
        CROSS JOIN document d ON d.id = p.invoice WHERE p.currency = ? AND p.base = ? AND p.payable = 1 LIMIT ${MOST}`
    )
    .all(JSON.stringify(parties), pays, currency, BigInt(base)) as ReadonlyArray<Payable>
}

/** So many letters at the beginning of two names are alike: Otto Holding, Otto Logistik. */
const ALIKE = 4

/** An invoice of exactly this amount, of a customer whose name begins like the payer's: a parent company often pays. */
export const namesake = (
  db: Db,
  { payer: { party }, pays }: Theirs,
  { base, currency, wants }: { readonly base: string; readonly currency: string; readonly wants: ReadonlyArray<string> }
): string | undefined => {
  const start = party.slice(0, ALIKE)
  if (start.length < ALIKE) return undefined
  const found = db
    .prepare(
      `SELECT d.key FROM payable p JOIN document d ON d.id = p.invoice
        WHERE p.connection = ? AND p.party >= ? AND p.party < ? AND p.base = ? AND p.currency = ? AND p.payable = 1 LIMIT 5`
    )
    .pluck()
    .all(pays, start, `${start}\u{10ffff}`, BigInt(base), currency) as ReadonlyArray<string>
  return found.find((key) => !wants.includes(key))
}

/** Whether a payment may be of an invoice's customer. Of two customers whose names differ in the legal form, the one who has the payer's. */
export const fitting = (db: Db, pays: string, aliases: ReadonlyMap<string, ReadonlyArray<Alias>>): Fits => {
  const exact = new Map<string, boolean>()
  const isExactly = (payment: Payer): boolean => {
    const name = `${payment.party} ${payment.form}`
    const known = exact.get(name) ?? isCustomer(db, pays, { ...payment, customer: "" }, "exactly")
    exact.set(name, known)
    return known
  }
  return (payment, invoice) => {
    const how = paidBy(payment, invoice)
    const isOther = how === "amount" && payment.cut === 0 && payment.form !== invoice.form && isExactly(payment)
    if (how !== undefined && !isOther) return how
    const isOneOf = aliases
      .get(payment.key)
      ?.some(({ form, party }) => party === invoice.party && form === invoice.form)
    return isOneOf === true ? "amount" : undefined
  }
}
