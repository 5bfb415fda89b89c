/** Plans for the invoice `I1`: the calls for these documents, given what was sent before. */
import type { Document } from "../../connectors/Document.ts"
import { bodyOf, type InvoiceCall } from "../../sync/model/Call.ts"
import type { Rule } from "../../sync/model/Rule.ts"
import { advanceInvoice } from "../../sync/model/Advance.ts"
import type { Fields, RemoteInvoice } from "../../sync/model/RemoteInvoice.ts"
import { reconcile } from "../../sync/rules/Invoices.ts"
import type { Decision } from "../../sync/model/Decision.ts"
import { about, planning as plain } from "./Documents.ts"

export const plan = (
  documents: ReadonlyArray<Document>,
  remote?: RemoteInvoice,
  planning = plain,
  match?: string,
  deleted = false
): Decision<InvoiceCall> =>
  reconcile({ ...about(documents), deleted, ...(match === undefined ? {} : { match }) }, remote, planning)

/** The ledger's content after these documents were sent. */
export const heldFor = (
  documents: ReadonlyArray<Document>,
  remote?: RemoteInvoice,
  planning = plain
): RemoteInvoice | undefined =>
  plan(documents, remote, planning).calls.reduce<RemoteInvoice | undefined>(
    (now, call) => advanceInvoice(now, call),
    remote
  )

/** The same, insured. */
export const insured = (remote: RemoteInvoice | undefined): RemoteInvoice => ({ ...remote!, insured: true })

/** The calls as they would be sent. */
export const sent = ({ calls }: Decision): ReadonlyArray<readonly [Rule, string, Fields]> =>
  calls.map((call) => [call.rule, call.operation, bodyOf(call) ?? {}] as const)
