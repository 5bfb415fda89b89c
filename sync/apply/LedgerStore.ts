/**
 * Where a document stands in books and service, written into the ledger.
 */
import { isBuyer } from "../rules/Buyers.ts"
import type { State } from "../model/Call.ts"
import * as Claims from "./Claims.ts"
import type { Connection } from "../model/Connection.ts"
import type { Database } from "../state/Database.ts"
import * as Ledger from "../model/RemoteInvoice.ts"
import { isOrder, openOf } from "../model/RemoteOrder.ts"
import * as Plan from "../plan/Plan.ts"
import * as Subjects from "../plan/Facts.ts"

type Db = Database["Service"]

/** What is open on the service, in minor units. */
const openOn = (told: State | undefined, currency: string): bigint =>
  told === undefined || isBuyer(told) || currency === ""
    ? 0n
    : isOrder(told)
      ? openOf(told)
      : Plan.toMinor(Ledger.open(told), currency)

/** @param plan what the books say of it */
export const write = (
  db: Db,
  { connection, currency, open, reason, subject }: Plan.Planned,
  told: State | undefined
): void =>
  Claims.writeLedger(db, subject, connection, told, { reason, currency, books: open, service: openOn(told, currency) })

/** The service was read and says this: the ledger says so from now on, and the document is planned again. */
export const restate = (db: Db, connection: Connection, subject: string, told: State | undefined): void => {
  write(db, Plan.planOne(db, connection, subject), told)
  // What is open in the books may depend on what the service was told.
  write(db, Plan.planOne(db, connection, subject), told)
  Subjects.touch(db, subject)
}
