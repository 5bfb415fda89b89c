/** What another state file spent on cover. A migration of the state file, see migrations.ts. */
export const EARLIER_PURCHASES = `
-- Policies that no call of this file bought, though one of these connections may have: by a file that was lost, or by a
-- later one than this. What was spent in a month counts them. 'total' is an exact decimal; null: the service does not say it.
CREATE TABLE earlier_purchase (
  policy    TEXT PRIMARY KEY,
  subject   TEXT NOT NULL,
  -- Milliseconds.
  bought    INTEGER NOT NULL,
  currency  TEXT,
  total     TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX earlier_purchase_bought ON earlier_purchase (bought);
`
