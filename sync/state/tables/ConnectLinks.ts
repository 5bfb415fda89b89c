/** Links by which other people connect their own books, and the progress of each. */
export const CONNECT_LINKS = `
  -- Neither the word in a link's address nor that of its session is kept: only what they hash to (SHA-256).
  CREATE TABLE connect_link (
    token     TEXT PRIMARY KEY,
    tenant    TEXT NOT NULL,
    -- What was fixed when it was made, as JSON: the owner, the connectors, the way back.
    terms     TEXT NOT NULL,
    made      INTEGER NOT NULL,
    expires   INTEGER NOT NULL,
    -- Since it was opened, which it can be once.
    session   TEXT,
    ends      INTEGER,
    -- What was chosen and answered so far, as JSON.
    progress  TEXT NOT NULL DEFAULT '{}',
    outcome   TEXT CHECK (outcome IN ('connected', 'cancelled')),
    ended     INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX connect_link_session ON connect_link (session) WHERE session IS NOT NULL;
`
