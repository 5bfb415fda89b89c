/** Finds another invoice of the same connection with the same number. Read-only. */
import * as Document from "../../connectors/Document.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

/** Null if the number is the invoice's id. */
const NUMBER = Body.at("invoice", "number")

const SAME_NUMBER = `SELECT key FROM (
    SELECT key, body FROM document WHERE ${Body.is("invoice")} AND ${NUMBER} = :number AND ${NUMBER} IS NOT NULL
      AND deleted = 0 AND key > :first AND key < :end
    UNION ALL SELECT key, body FROM document WHERE key = :same AND deleted = 0 AND ${NUMBER} IS NULL
  ) WHERE key <> :key AND ${Body.at("invoice", "status")} NOT IN ('void', 'draft') LIMIT 1`

/** The key of another invoice of the same connection with the same number that is not deleted, void or a draft. */
export const sameNumber = (db: Db, { connection, invoice, key }: InvoiceFacts): string | undefined =>
  invoice === undefined || invoice.number === "" || invoice.status === "draft"
    ? undefined
    : (db
        .prepare(SAME_NUMBER)
        .pluck()
        .get({
          number: invoice.number,
          first: `${connection}/invoice/`,
          end: `${connection}/invoice0`,
          same: Document.key(connection, "invoice", invoice.number),
          key
        }) as string | undefined)
