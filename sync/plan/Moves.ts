/**
 * Finds the other half of a payment that moves between invoices: where it stands until now, and whether that invoice's plan
 * takes it back. Both halves go together: what stands elsewhere is not reported a second time. Read-only.
 */
import * as Document from "../../connectors/Document.ts"
import type { Call } from "../model/Call.ts"
import type { PlannedConnection } from "../model/Connection.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import { leftOver } from "../rules/Wanted.ts"
import type { Db } from "../state/Database.ts"
import * as Facts from "./Facts.ts"
import type { Surroundings } from "./Surroundings.ts"

/** The key of the whole payment: the part of a split one ends with its invoice's id. */
const wholeOf = (key: string, invoice: string): string => {
  const { id } = Document.parseKey(invoice)
  const { connection, id: own } = Document.parseKey(key)
  return own.endsWith(`/${id}`) ? Document.key(connection, "payment", own.slice(0, -id.length - 1)) : key
}

const POSTED = `SELECT fact, invoice FROM posted WHERE (fact = :whole OR (fact > :whole || '/' AND fact < :whole || '0'))
  AND invoice <> :invoice`

/** @param planned the plan of another invoice of the connection, without regard to what moves to it */
export const withMoves = (
  db: Db,
  connection: PlannedConnection,
  facts: InvoiceFacts,
  remote: RemoteInvoice | undefined,
  around: Surroundings,
  planned: (key: string) => { readonly calls: ReadonlyArray<Call> }
): InvoiceFacts => {
  const stands = new Set(remote?.postings.map(({ fact }) => fact))
  const find = db.prepare(POSTED)
  const moving: Array<NonNullable<InvoiceFacts["moving"]>[number]> = []
  for (const { key, seen = [] } of facts.payments) {
    const keys = [key, ...seen.map((one) => one.key)]
    if (keys.some((one) => stands.has(one))) continue
    for (const whole of new Set(keys.map((one) => wholeOf(one, facts.key))))
      for (const row of find.all({ whole, invoice: facts.key }) as ReadonlyArray<{ fact: string; invoice: string }>) {
        const there = Facts.remoteInvoice(db, row.invoice)
        if (there === undefined) continue
        const theirs = Facts.withReported(db, Facts.invoiceFacts(db, row.invoice, around), there, around)
        const amount = leftOver(theirs, there, theirs.invoice?.currency ?? "").get(row.fact) ?? 0n
        if (amount <= 0n) continue
        const isOwn = row.invoice.startsWith(`${connection.id}/`)
        const leaves = isOwn && takesBack(planned(row.invoice), row.fact)
        moving.push({ fact: key, invoice: row.invoice, amount, leaves })
      }
  }
  return moving.length === 0 ? facts : { ...facts, moving }
}

const takesBack = ({ calls }: { readonly calls: ReadonlyArray<Call> }, fact: string): boolean =>
  calls.some(
    (call) =>
      call.operation === "transactions.remove" ||
      (call.operation === "transactions.createPayment" && call.posting.fact === fact && call.posting.undo)
  )
