/** What was decided before the state file was last restored. A migration of the state file, see migrations.ts. */
export const RESTORED = `
-- When the ledger was last put right after the file had been restored or lost, and the last decision of before.
ALTER TABLE state ADD COLUMN restored_at INTEGER;
ALTER TABLE state ADD COLUMN decided_before INTEGER;
-- By how much this machine's clock is ahead of the service's, milliseconds; negative: behind. NULL: not known.
ALTER TABLE state ADD COLUMN ahead INTEGER;
-- Covered invoices that the service does not show: since when, when that was last tried, and why.
CREATE TABLE cover_unread (
  subject  TEXT PRIMARY KEY,
  since    INTEGER NOT NULL,
  tried    INTEGER NOT NULL,
  why      TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
