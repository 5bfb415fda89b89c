/**
 * What people say of payers for good: whose invoices one pays beside its own, and which of its payments are for no invoice. A choice
 * of invoices says it, too; here it is said without one, and taken back. Each needs the lock; matching must run afterwards.
 */
import { parseKey } from "../../connectors/Document.ts"
import * as Aliases from "../matching/Aliases.ts"
import { paymentOf, queueByPayer } from "../matching/Choices.ts"
import * as NotOurs from "../matching/NotOurs.ts"
import { payerName } from "../model/PayerName.ts"
import type { Db } from "../state/Database.ts"
import * as Undoable from "../state/Undoable.ts"

type Named = Pick<Aliases.Alias, "connection" | "payer" | "customer">

const named = (db: Db, { connection, customer, payer }: Named): Aliases.Alias | undefined => {
  const { form, party } = payerName(customer)
  return Aliases.list(db, connection).find((one) => one.payer === payer && one.party === party && one.form === form)
}

/** The payer of this payment pays for this customer from now on. False: it has no name and no id, or that is known. */
export const always = (db: Db, payment: string, customer: string, now: number): boolean => {
  const { connection } = parseKey(payment)
  const document = paymentOf(db, payment)
  const payer = document === undefined ? undefined : Aliases.payerOf(document)
  if (document === undefined || payer === undefined || named(db, { connection, payer, customer }) !== undefined)
    return false
  if (!Aliases.add(db, connection, document, { customer, now })) return false
  const row = named(db, { connection, payer, customer })
  if (row !== undefined) Undoable.keep(db, { kind: "payer", row, isKnown: true }, now)
  queueByPayer(db, connection)
  return true
}

/** Takes back that a payer pays the invoices of a customer. False: nobody said so. */
export const forget = (db: Db, one: Named, now: number): boolean => {
  const row = named(db, one)
  if (row === undefined) return false
  Aliases.remove(db, row)
  Undoable.keep(db, { kind: "payer", row, isKnown: false }, now)
  queueByPayer(db, row.connection)
  return true
}

/** Takes back that payments like this one are for no invoice. False: nobody said so of this one. */
export const forgetKind = (db: Db, payment: string, now: number): boolean => {
  const { connection } = parseKey(payment)
  const row = NotOurs.list(db, connection).find((one) => one.payment === payment)
  if (row === undefined) return false
  NotOurs.unlearn(db, payment)
  Undoable.keep(db, { kind: "kind", row }, now)
  queueByPayer(db, connection)
  return true
}

/** Makes what was said hold again, or no longer. */
export const putBack = (db: Db, deed: Extract<Undoable.UndoableDeed, { readonly kind: "payer" | "kind" }>): void => {
  if (deed.kind === "kind") NotOurs.restore(db, deed.row)
  else if (deed.isKnown) Aliases.remove(db, deed.row)
  else Aliases.restore(db, deed.row)
  queueByPayer(db, deed.row.connection)
}
