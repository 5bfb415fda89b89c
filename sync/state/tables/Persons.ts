/** Tables of the state file: who signed in, who decided what, and what several people must approve. */
export const PERSONS = `
-- Who signed in and out, and who could not. Instants in milliseconds.
CREATE TABLE sign_in (
  id       INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  name     TEXT NOT NULL,
  subject  TEXT NOT NULL,
  issuer   TEXT NOT NULL,
  how      TEXT NOT NULL,
  address  TEXT NOT NULL,
  outcome  TEXT NOT NULL
) STRICT;

-- What people and programs decided, written before it is carried out. One that has not ended may have been carried out.
CREATE TABLE decision (
  id          INTEGER PRIMARY KEY,
  began       INTEGER NOT NULL,
  ended       INTEGER,
  -- The address of the page or of the HTTP interface.
  deed        TEXT NOT NULL,
  -- Null where it is about all of them.
  connection  TEXT,
  about       TEXT NOT NULL,
  -- The digest of what they were shown; null where nothing has one.
  digest      TEXT,
  name        TEXT NOT NULL,
  subject     TEXT NOT NULL,
  issuer      TEXT NOT NULL,
  how         TEXT NOT NULL,
  address     TEXT NOT NULL,
  -- Whether it changes what is sent.
  causes      INTEGER NOT NULL,
  -- What came of it; null until then.
  outcome     TEXT
) STRICT;
CREATE INDEX decision_cause ON decision (connection, began) WHERE causes = 1;

-- Who approved a plan that needs more than one of them.
CREATE TABLE approval_voice (
  connection  TEXT NOT NULL,
  digest      TEXT NOT NULL,
  subject     TEXT NOT NULL,
  issuer      TEXT NOT NULL,
  name        TEXT NOT NULL,
  given       INTEGER NOT NULL,
  -- The chosen documents as JSON; null: the whole plan.
  part        TEXT,
  PRIMARY KEY (connection, digest, subject, issuer)
) STRICT, WITHOUT ROWID;

-- When the planning of what was last sent as a whole began: decisions before are part of it.
CREATE TABLE sent_whole (
  connection  TEXT PRIMARY KEY,
  planned     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Decisions that can be taken back, the latest of them.
CREATE TABLE undoable (
  id           INTEGER PRIMARY KEY,
  at           INTEGER NOT NULL,
  connections  TEXT NOT NULL,
  -- What was decided, and what was so before, as JSON.
  deed         TEXT NOT NULL,
  -- The digest of what the decision left, and the last call before it.
  left         TEXT NOT NULL,
  call         INTEGER NOT NULL
) STRICT;

-- What a plan moves, as JSON: amounts by currency.
ALTER TABLE approval ADD COLUMN amounts TEXT;
`
