/** Table of the state file: the chain, see `sync/state/chain/`. */
export const CHAIN = `
-- What was written of facts, one row for each kind of fact in a transaction. 'content' is canonical JSON; 'hash' is the
-- SHA-256 of the row together with the hash before it. Rows are only added.
CREATE TABLE chain (
  n        INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  content  TEXT NOT NULL,
  hash     TEXT NOT NULL
) STRICT;
`
