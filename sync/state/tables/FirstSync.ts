/**
 * Connections whose first sync was sent, see `FirstSync.ts`; and why a plan waits. A migration of the state file, see
 * migrations.ts.
 */
export const FIRST_SYNC = `
CREATE TABLE first_sync (
  connection TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- What has sent something already, or pays for another connection, had its first sync.
INSERT INTO first_sync SELECT DISTINCT connection FROM ledger WHERE remote IS NOT NULL
  UNION SELECT connection FROM paying;

-- Why a person is asked about this plan; null where its connection asks about every plan.
ALTER TABLE approval ADD COLUMN why TEXT;
`
