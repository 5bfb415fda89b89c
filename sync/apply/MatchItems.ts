/**
 * Attention items of payments without an invoice (`matching/Report.ts`) name the invoice that a payment was reported on. What the
 * service holds may become known only after they were written.
 */
import * as Document from "../../connectors/Document.ts"
import type { Remote } from "../model/Remote.ts"
import type { Db } from "../state/Database.ts"

/** Has the items of payments that left this invoice written again, with what the service is now known to hold. */
export const again = (db: Db, invoice: string, remote: Remote | undefined): void => {
  if (remote?.kind !== "invoice") return
  const add = db.prepare(
    `INSERT INTO to_report (document) SELECT m.document FROM document d JOIN matching m ON m.document = d.id
      WHERE d.key = ? AND m.was <> '' ON CONFLICT DO UPDATE SET due = 0`
  )
  const { connection } = Document.parseKey(invoice)
  for (const fact of new Set(remote.postings.map((posting) => posting.fact)))
    if (!fact.startsWith(`${connection}/`)) add.run(fact)
}
