/** Files of invoices that may be handed over to collections. A migration of the state file, see migrations.ts. */
export const COLLECTIONS = `
-- The files that go with the collection of an invoice: its copy, the statement of account, and what a person adds. They are
-- in the state file, so that they are as much on disk as the calls about them, and every backup has them. A file has at most
-- eight megabytes; the one that another replaces is gone with it.
CREATE TABLE collection_file (
  id       INTEGER PRIMARY KEY,
  subject  TEXT NOT NULL,
  -- 'invoice', 'statement', or 'person:NAME'.
  slot     TEXT NOT NULL,
  type     TEXT NOT NULL,
  digest   TEXT NOT NULL,
  name     TEXT NOT NULL,
  mime     TEXT NOT NULL,
  origin   TEXT NOT NULL,
  read     INTEGER NOT NULL,
  content  BLOB NOT NULL,
  UNIQUE (subject, slot)
) STRICT;

-- What was found out for the collection of an invoice: when, how many other invoices of its buyer are overdue, and what
-- could not be had, as a list of sentences.
CREATE TABLE collection_gathered (
  subject   TEXT PRIMARY KEY,
  at        INTEGER NOT NULL,
  overdue   INTEGER NOT NULL,
  problems  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
