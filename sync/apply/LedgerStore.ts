/**
 * Writes a document's state in books and service into the ledger.
 */
import * as Document from "../../connectors/Document.ts"
import * as AttentionStore from "./AttentionStore.ts"
import type { Remote } from "../model/Remote.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import * as Claims from "./Claims.ts"
import * as CoverStore from "./CoverStore.ts"
import * as CustomerStore from "./CustomerStore.ts"
import type { Connection } from "../model/Connection.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Db } from "../state/Database.ts"
import { openOn } from "../model/RemoteInvoice.ts"
import { openOf } from "../model/RemoteOrder.ts"
import { inMinor } from "../plan/OpenInBooks.ts"
import * as MatchItems from "./MatchItems.ts"
import * as Debtors from "./UnnamedDebtors.ts"
import * as PaymentsHeld from "./PaymentsHeld.ts"
import * as Plan from "../plan/Plan.ts"

/** The open amount on the service, in minor units. */
const openUnits = (remote: Remote | undefined, currency: string): bigint =>
  remote === undefined || remote.kind === "buyer" || currency === ""
    ? 0n
    : remote.kind === "order"
      ? openOf(remote)
      : Currency.toMinorOutward(openOn(remote), currency)

/** The currency in which the service holds an invoice. */
const heldIn = (remote: Remote | undefined): string | undefined => {
  if (remote === undefined || remote.kind === "buyer" || remote.kind === "order") return undefined
  const currency = remote.fields["currency"]
  return typeof currency === "string" && currency !== "" ? currency : undefined
}

/** @param plan what the books say about it */
export const write = (db: Db, plan: Plan.DocumentPlan, remote: Remote | undefined): void => {
  const { connection, currency: stated, figures, open, reason, subject } = plan
  // Both sums are in one currency: the books have nothing in another currency that the service may hold it in.
  const currency = heldIn(remote) ?? stated
  const books = currency === stated ? open : 0n
  const service = openUnits(remote, currency)
  const its = currency === stated && figures !== undefined ? { figures: inMinor(figures, currency) } : {}
  Claims.writeLedger(db, subject, connection, remote, { reason, currency, books, service, ...its })
  PaymentsHeld.remember(db, subject, remote)
  CoverStore.write(db, plan, remote)
  CustomerStore.write(db, subject, books, remote)
  if (Document.kindOf(subject) !== "invoice") return
  Debtors.keep(db, subject)
}

/**
 * Replaces the ledger entry with what was read from the service, and plans the document again.
 *
 * @param now closes what was said of others' payments before: the next plan says what is so now
 */
export const restate = (
  db: Db,
  connection: Connection,
  subject: string,
  remote: Remote | undefined,
  now?: number
): void => {
  write(db, Plan.planOne(db, connection, subject), remote)
  // The open amount in the books may depend on what was sent to the service.
  write(db, Plan.planOne(db, connection, subject), remote)
  ChangedDocuments.touch(db, subject)
  MatchItems.again(db, subject, remote)
  if (now !== undefined) AttentionStore.closeOf(db, subject, "P9", "the service was read again", now)
}

/** Money names an invoice that neither the books nor the service have: closing statements look at it as well. */
export const unbooked = (db: Db, subject: string): void =>
  void db.prepare("INSERT INTO unbooked VALUES (?) ON CONFLICT DO NOTHING").run(subject)
