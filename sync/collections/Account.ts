/**
 * Reads the account of an invoice's buyer from the books: open invoices with their payments, failed payments and credit notes,
 * and how many other invoices are overdue.
 */
import type { Decimal } from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Invoice } from "../../connectors/Document.ts"
import type { Planning } from "../model/Connection.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import * as Facts from "../plan/Facts.ts"
import { partyKey } from "../plan/PartyKey.ts"
import { openAmount } from "../rules/OpenAmount.ts"
import * as Body from "../state/Body.ts"
import { atOnce, type Stepwise } from "../state/Breathe.ts"
import type { Db } from "../state/Database.ts"
import type { Party } from "./pdf/Layout.ts"
import type { AccountEntry, AccountStatement } from "./StatementOfAccount.ts"

/** Invoices of these buyers that ask for money, by buyer. One query, however many buyers. */
export const invoicesOf = (
  db: Db,
  connection: string,
  buyers: ReadonlySet<string>
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const rows = db
    .prepare(
      `SELECT key, body FROM document WHERE key > ? AND key < ? AND deleted = 0
        AND ${Body.at("invoice", "status")} NOT IN ('void', 'draft') ORDER BY key`
    )
    .iterate(`${connection}/invoice/`, `${connection}/invoice0`) as Iterable<{
    readonly key: string
    readonly body: string
  }>
  const found = new Map<string, Array<string>>()
  for (const { body, key } of rows) {
    const buyer = partyKey(Body.read(body) as Invoice)
    if (!buyers.has(buyer)) continue
    const keys = found.get(buyer) ?? []
    keys.push(key)
    found.set(buyer, keys)
  }
  return found
}

const REVERSED: Readonly<Record<string, string>> = {
  chargeback: "Payment charged back",
  refund: "Payment refunded",
  error: "Payment failed"
}

/** The entries for an invoice: itself, payments, failed payments, credit notes. */
export const entriesOf = (
  { creditNotes, payments, reversals }: InvoiceFacts,
  invoice: Invoice
): ReadonlyArray<AccountEntry> => {
  const { number } = invoice
  return [
    {
      date: invoice.issued,
      what: `Invoice ${number}`,
      due: invoice.due,
      amount: invoice.gross ?? invoice.net ?? 0n
    },
    ...payments.map(({ amount, document: { date } }) => ({ date, what: `Payment for ${number}`, amount: -amount })),
    ...reversals.map(({ amount, document: { date, type } }) => ({
      date,
      what: `${REVERSED[type] ?? "Payment returned"} for ${number}`,
      amount
    })),
    ...creditNotes.map(({ amount, document: { date } }) => ({
      date,
      what: `Credit note for ${number}`,
      amount: -amount
    }))
  ]
}

/** The seller as configured, or else the owner. */
export const sellerOf = ({ creditor, owner }: Planning): Party => {
  if (creditor?.name !== undefined) {
    const { address, country, name, regnum } = creditor
    return { name, details: lines(address, regnum, country) }
  }
  if ("user" in owner) return { name: owner.user.name, details: lines(owner.user.country) }
  const { company_address, company_city, company_name, company_postcode, company_regnum, name, unique_id } =
    owner.organisation
  const town = [company_postcode, company_city].filter((one) => one !== undefined).join(" ")
  return { name: company_name ?? name ?? unique_id, details: lines(company_address, town, company_regnum) }
}

/** The buyer, with what is known about them. */
export const buyerOf = ({ address, country, name, regnum, vat }: Invoice["party"]): AccountStatement["buyer"] => ({
  name,
  details: lines(address, country, regnum, vat === undefined ? undefined : `VAT ${vat}`),
  ...(country === undefined ? {} : { country })
})

const lines = (...texts: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  texts.filter((one) => one !== undefined && one !== "") as ReadonlyArray<string>

export interface Account {
  readonly statement: AccountStatement
  /** How many other invoices of the buyer, in any currency, are open and past due. */
  readonly overdue: number
}

/** An invoice with an open amount. */
interface OpenInvoice {
  readonly facts: InvoiceFacts
  readonly invoice: Invoice
  /** Major units. */
  readonly open: Decimal
}

/** The invoices that have an open amount. */
function* openOf(db: Db, planning: Planning, keys: ReadonlyArray<string>): Stepwise<ReadonlyArray<OpenInvoice>> {
  const found: Array<OpenInvoice> = []
  for (const [n, key] of keys.entries()) {
    if (n % PART === PART - 1) yield
    const facts = Facts.invoiceFacts(db, key)
    const { invoice } = facts
    const open = openAmount(facts, Facts.remoteInvoice(db, key), planning)
    if (invoice !== undefined && open !== undefined && open.open > 0n) found.push({ facts, invoice, open: open.open })
  }
  return found
}

/** How many invoices are read before others have their turn. */
const PART = 100

const statementOf = (
  planning: Planning,
  { currency, party }: Pick<Invoice, "currency" | "party">,
  open: ReadonlyArray<OpenInvoice>
): AccountStatement => {
  return {
    seller: sellerOf(planning),
    buyer: buyerOf(party),
    currency,
    // Sorted by day; on the same day, by invoice.
    entries: open
      .flatMap(({ facts, invoice }) => (invoice.currency === currency ? entriesOf(facts, invoice) : []))
      .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  }
}

/**
 * @param keys the buyer's invoices
 * @param today what was due before this day is overdue
 */
export const accountOf = (
  db: Db,
  planning: Planning,
  { invoice: of, key: own }: InvoiceFacts & { readonly invoice: Invoice },
  keys: ReadonlyArray<string>,
  today: Day
): Account => {
  const open = atOnce(openOf(db, planning, keys))
  return {
    overdue: open.filter(({ facts: { key }, invoice: { due } }) => key !== own && due < today).length,
    statement: statementOf(planning, of, open)
  }
}

/**
 * What a customer owes in one currency, with the address of its latest open invoice; undefined if nothing is open.
 *
 * @param keys the customer's invoices that may be open
 * @param today what was due before this day is overdue
 */
export function* openItems(
  db: Db,
  planning: Planning,
  keys: ReadonlyArray<string>,
  currency: string,
  today: Day
): Stepwise<AccountStatement | undefined> {
  const open = (yield* openOf(db, planning, keys)).filter(({ invoice }) => invoice.currency === currency)
  const [latest] = open.toSorted((a, b) => (a.invoice.issued < b.invoice.issued ? 1 : -1))
  if (latest === undefined) return undefined
  const overdue = open.reduce((sum, one) => (one.invoice.due < today ? sum + one.open : sum), 0n)
  return { ...statementOf(planning, latest.invoice, open), asOf: { day: today, overdue } }
}
