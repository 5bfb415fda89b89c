/** Plans of the invoice `I1` by hand: what would be sent for these documents, given what was told before. */
import type { Document } from "../../connectors/Document.ts"
import type { Rule } from "../../sync/model/Call.ts"
import { advance } from "../../sync/model/Advance.ts"
import type { Fields, Told } from "../../sync/model/RemoteInvoice.ts"
import { reconcile } from "../../sync/rules/Invoices.ts"
import type { Decision } from "../../sync/model/Decision.ts"
import { about, planning as plain } from "./Documents.ts"

export const plan = (
  documents: ReadonlyArray<Document>,
  told?: Told,
  planning = plain,
  match?: string,
  gone = false
): Decision => reconcile({ ...about(documents), gone, ...(match === undefined ? {} : { match }) }, told, planning)

/** What the ledger says once these documents were told. */
export const tell = (documents: ReadonlyArray<Document>, told?: Told, planning = plain): Told | undefined =>
  plan(documents, told, planning).calls.reduce<Told | undefined>((now, call) => advance(now, call), told)

/** The same with cover. */
export const insured = (told: Told | undefined): Told => ({ ...told!, insured: true })

/** Calls as they would be sent. */
export const sent = ({ calls }: Decision): ReadonlyArray<readonly [Rule, string, Fields]> =>
  calls.map(({ body = {}, operation, rule }) => [rule, operation, body] as const)
