/** What matching needs to know about an invoice that other connections pay, from its own books. Read-only. */
import type { Invoice } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { normal, referencesOf } from "../model/MatchText.ts"
import { payerName } from "../model/PayerName.ts"
import * as Facts from "../plan/Facts.ts"
import * as InvoiceFields from "../rules/InvoiceFields.ts"
import type { Db } from "../state/Database.ts"
import { customerOf } from "./References.ts"
import type { Payable } from "./Tables.ts"

/** A document that changed. */
export interface ToMatch {
  readonly key: string
  readonly id: number
  readonly deleted: number
  readonly body: string
}

/** A changed invoice, whether it has a row, and whether anything is allocated to it. */
export interface InvoiceToMatch extends ToMatch {
  readonly stored: number
  readonly touched: number
}

/** Its open amount in its own books, and whether other connections have paid on it. */
const standing = (
  db: Db,
  { key, touched }: InvoiceToMatch,
  stated: Invoice
): { readonly open: Decimal.Decimal; readonly paid: boolean } => {
  if (touched === 0) return { open: stated.gross ?? stated.net ?? 0n, paid: false }
  const facts = Facts.statedFacts(db, key)
  const own = (all: ReadonlyArray<{ readonly amount: bigint; readonly how?: string }>) =>
    Decimal.sum(all.filter(({ how }) => how === undefined).map(({ amount }) => amount))
  return {
    open: InvoiceFields.due(facts, stated).total - own(facts.payments) + own(facts.reversals),
    paid: [...facts.payments, ...facts.reversals].some(({ how }) => how !== undefined)
  }
}

/** An invoice's row before what others paid. */
export type PayableFacts = Omit<Payable, "key" | "id" | "open"> & { readonly due: string }

/** What matching needs to know about an invoice, and whether other connections have paid on it. */
export const payableRow = (
  db: Db,
  row: InvoiceToMatch,
  stated: Invoice
): { readonly next: PayableFacts; readonly paid: boolean } => {
  const { currency, due, issued, status } = stated
  const number = normal(stated.number)
  const reference = referencesOf(stated.reference, [number, normal(Document.parseKey(row.key).id)]).join(" ")
  const payable = row.deleted === 1 || status === "void" || status === "draft" ? 0 : 1
  const { open, paid } = standing(db, row, stated)
  const base = `${payable === 0 ? 0n : Currency.toMinorOutward(open, currency)}`
  const customer = customerOf(stated.party)
  return {
    next: { number, reference, currency, ...payerName(stated.party.name), customer, payable, base, issued, due },
    paid
  }
}
