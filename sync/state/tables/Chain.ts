/** Table of the state file: the chain, see `sync/state/chain/`. */
export const CHAIN = `
-- What was written of facts, one row for each kind of fact in a transaction. 'content' is canonical JSON, or digests of rows as bytes, see
-- 'sync/state/chain/Stored.ts'; 'hash' is the SHA-256 of the entry together with the hash before it. Rows are only added.
CREATE TABLE chain (
  n        INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  content  ANY NOT NULL,
  hash     BLOB NOT NULL
) STRICT;
`
