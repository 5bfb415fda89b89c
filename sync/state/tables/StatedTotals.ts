/** The totals that lists state themselves, see `StatedTotals.ts`. A migration of the state file, see migrations.ts. */
export const STATED_TOTALS = `
-- Totals and closing balances of the last whole reading of a scan; exact decimals.
CREATE TABLE stated_total (
  scan      INTEGER NOT NULL REFERENCES scan (id),
  list      TEXT NOT NULL,
  what      TEXT NOT NULL,
  field     TEXT NOT NULL,
  currency  TEXT NOT NULL,
  amount    TEXT NOT NULL,
  read      TEXT NOT NULL,
  origin    TEXT NOT NULL,
  PRIMARY KEY (scan, list, what, field, currency)
) STRICT, WITHOUT ROWID;
`

/** The kind of a list's records. A later migration. */
export const STATED_KINDS = "ALTER TABLE stated_total ADD COLUMN kind TEXT NOT NULL DEFAULT 'invoice'"
