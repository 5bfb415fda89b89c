/**
 * The chunks of large files, see `books/Chunks.ts`. A migration of the state file, see migrations.ts. One that has sources read
 * again empties this table.
 */
export const CHUNKS = `
-- Parts of the last whole reading of a scan: what was read of them is documents with consecutive ids.
CREATE TABLE chunk (
  scan       INTEGER NOT NULL REFERENCES scan (id),
  digest     TEXT NOT NULL,
  -- The connector's own.
  detail     TEXT NOT NULL,
  first      INTEGER NOT NULL,
  documents  INTEGER NOT NULL,
  -- The sum of the documents' versions: each change raises it.
  versions   INTEGER NOT NULL,
  -- What they add to the control totals, as JSON: currency, count, sum.
  totals     TEXT NOT NULL,
  PRIMARY KEY (scan, digest)
) STRICT, WITHOUT ROWID;
`
