/**
 * Where a document stands in books and service, written into the ledger.
 */
import { isBuyer } from "../model/RemoteBuyer.ts"
import type { State } from "../model/Advance.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Claims from "./Claims.ts"
import type { Connection } from "../model/Connection.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Database } from "../state/Database.ts"
import * as RemoteInvoice from "../model/RemoteInvoice.ts"
import { isOrder, openOf } from "../model/RemoteOrder.ts"
import * as Plan from "../plan/Plan.ts"

type Db = Database["Service"]

/** What is open on the service, in minor units. */
const openOn = (told: State | undefined, currency: string): bigint =>
  told === undefined || isBuyer(told) || currency === ""
    ? 0n
    : isOrder(told)
      ? openOf(told)
      : Currency.toMinorOutward(RemoteInvoice.open(told), currency)

/** The currency in which the service holds an invoice. */
const heldIn = (told: State | undefined): string | undefined => {
  if (told === undefined || isBuyer(told) || isOrder(told)) return undefined
  const currency = told.fields["currency"]
  return typeof currency === "string" && currency !== "" ? currency : undefined
}

/** @param plan what the books say of it */
export const write = (
  db: Db,
  { connection, currency: stated, open, reason, subject }: Plan.Planned,
  told: State | undefined
): void => {
  // Both sums are of one currency: of what the service holds in another, the books have nothing.
  const currency = heldIn(told) ?? stated
  const books = currency === stated ? open : 0n
  Claims.writeLedger(db, subject, connection, told, { reason, currency, books, service: openOn(told, currency) })
}

/** The service was read and says this: the ledger says so from now on, and the document is planned again. */
export const restate = (db: Db, connection: Connection, subject: string, told: State | undefined): void => {
  write(db, Plan.planOne(db, connection, subject), told)
  // What is open in the books may depend on what the service was told.
  write(db, Plan.planOne(db, connection, subject), told)
  ChangedDocuments.touch(db, subject)
}
