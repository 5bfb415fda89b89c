/** Keeps which invoices on the service have a debtor without a company, with their rows of the ledger: in the same transaction. */
import { PARTY_KEY } from "../plan/PartyKey.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"

/** Neither the books nor an answer of the service names its company. */
export const UNNAMED = `SELECT l.id AS ledger, l.connection, ${PARTY_KEY} AS party, l.currency, l.service_open AS open
  FROM ledger l JOIN document d ON d.key = l.subject
  WHERE l.remote IS NOT NULL AND ${Body.at("invoice", "party.company", "d.body")} IS NULL AND NOT EXISTS (
    SELECT 1 FROM claim c JOIN receipt r ON r.claim = c.id WHERE c.subject = l.subject AND r.outcome = 'done'
      AND json_valid(r.answer) AND r.answer ->> '$.debtor' IS NOT NULL
    UNION ALL SELECT 1 FROM call_of o WHERE o.ledger = l.id AND o.named = 1)`

const KEEP = `INSERT INTO unnamed ${UNNAMED} AND l.subject = ? ON CONFLICT (ledger) DO UPDATE SET party = excluded.party
  WHERE party <> excluded.party`

const FORGET = `DELETE FROM unnamed WHERE ledger = (SELECT id FROM ledger WHERE subject = :subject)
  AND NOT EXISTS (${UNNAMED} AND l.subject = :subject)`

/** The row, and the receipts of its calls, were just written. */
export const keep = (db: Db, subject: string): void => {
  db.prepare(FORGET).run({ subject })
  db.prepare(KEEP).run(subject)
}
