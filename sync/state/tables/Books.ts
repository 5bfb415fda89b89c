/** Books, ledger and the tables between them: the first migration of the state file, see migrations.ts. */
export const BOOKS = `
-- One row: which service these books belong to, and whether the file was closed properly.
CREATE TABLE state (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  clean    INTEGER NOT NULL,
  service  TEXT,
  account  TEXT
) STRICT;
INSERT INTO state (one, clean) VALUES (1, 1);

-- A part of a source that is read as a whole: a file, a listing. Control totals are kept per part, see 'control'.
CREATE TABLE part (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  name        TEXT NOT NULL,
  UNIQUE (connection, name)
) STRICT;

-- The current version of every document. Earlier versions are in 'version'.
CREATE TABLE document (
  id      INTEGER PRIMARY KEY,
  key     TEXT NOT NULL UNIQUE,
  part    INTEGER NOT NULL REFERENCES part (id),
  n       INTEGER NOT NULL,
  gone    INTEGER NOT NULL,
  seen    INTEGER NOT NULL,
  origin  TEXT NOT NULL,
  body    TEXT NOT NULL,
  raw     TEXT NOT NULL
) STRICT;

CREATE TABLE version (
  document  INTEGER NOT NULL REFERENCES document (id),
  n         INTEGER NOT NULL,
  gone      INTEGER NOT NULL,
  seen      INTEGER NOT NULL,
  origin    TEXT NOT NULL,
  body      TEXT NOT NULL,
  raw       TEXT NOT NULL,
  PRIMARY KEY (document, n)
) STRICT, WITHOUT ROWID;

-- Which payments, reversals and credit notes have a share in which invoice.
CREATE TABLE allocation (
  invoice   TEXT NOT NULL,
  document  INTEGER NOT NULL REFERENCES document (id),
  PRIMARY KEY (invoice, document)
) STRICT, WITHOUT ROWID;

-- Invoices to plan again: a document or their ledger changed since they were last settled.
CREATE TABLE changed (subject TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- What the service has been told and has confirmed, and where books and service stand, in minor units.
CREATE TABLE ledger (
  id            INTEGER PRIMARY KEY,
  subject       TEXT NOT NULL UNIQUE,
  connection    TEXT NOT NULL,
  remote        TEXT,
  told          TEXT,
  reason        TEXT,
  currency      TEXT NOT NULL,
  books_open    INTEGER NOT NULL,
  service_open  INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_differs ON ledger (connection, currency) WHERE books_open <> service_open;

-- Every request that left, or was about to: on disk before it does. Its columns keep their size, and receipts only
-- follow each other, so that a commit writes few pages.
CREATE TABLE claim (
  id         INTEGER PRIMARY KEY,
  run        INTEGER NOT NULL,
  subject    TEXT NOT NULL,
  fact       TEXT NOT NULL,
  rule       TEXT NOT NULL,
  operation  TEXT NOT NULL,
  request    TEXT NOT NULL,
  because    TEXT NOT NULL,
  claimed    INTEGER NOT NULL,
  sends      INTEGER NOT NULL DEFAULT 1,
  settled    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX claim_subject ON claim (subject);
CREATE INDEX claim_unsettled ON claim (id) WHERE settled = 0;

-- How a request ended; committed together with what the ledger then says.
CREATE TABLE receipt (
  claim     INTEGER PRIMARY KEY REFERENCES claim (id),
  outcome   TEXT NOT NULL,
  status    INTEGER,
  remote    TEXT,
  answer    TEXT,
  answered  INTEGER NOT NULL
) STRICT;

-- Both, for whoever reads. The outcome is null while it is not known.
CREATE VIEW call AS SELECT c.*, r.outcome, r.status, r.remote, r.answer, r.answered
  FROM claim c LEFT JOIN receipt r ON r.claim = c.id;

CREATE TABLE attention (
  id           INTEGER PRIMARY KEY,
  subject      TEXT NOT NULL,
  fact         TEXT NOT NULL,
  rule         TEXT NOT NULL,
  why          TEXT NOT NULL,
  todo         TEXT NOT NULL,
  since        INTEGER NOT NULL,
  fingerprint  TEXT NOT NULL,
  closed       INTEGER,
  how          TEXT
) STRICT;
CREATE INDEX attention_open ON attention (subject) WHERE closed IS NULL;
CREATE INDEX attention_subject ON attention (subject);

CREATE TABLE set_aside (
  connection  TEXT NOT NULL,
  part        TEXT NOT NULL,
  origin      TEXT NOT NULL,
  kind        TEXT NOT NULL,
  id          TEXT,
  field       TEXT,
  why         TEXT NOT NULL,
  raw         TEXT NOT NULL,
  since       INTEGER NOT NULL
) STRICT;
CREATE INDEX set_aside_part ON set_aside (connection, part);

CREATE TABLE notice (
  connection  TEXT NOT NULL,
  part        TEXT NOT NULL,
  what        TEXT NOT NULL,
  origin      TEXT NOT NULL,
  times       INTEGER NOT NULL,
  PRIMARY KEY (connection, part, what)
) STRICT, WITHOUT ROWID;

CREATE TABLE bookmark (
  connection  TEXT PRIMARY KEY,
  bookmark    TEXT NOT NULL,
  moved       INTEGER NOT NULL
) STRICT;

-- What was read of a part and what the books hold of it, in hundred-millionths of the currency, as text.
CREATE TABLE control (
  part          INTEGER NOT NULL REFERENCES part (id),
  currency      TEXT NOT NULL,
  source_count  INTEGER NOT NULL,
  source_sum    TEXT NOT NULL,
  books_count   INTEGER NOT NULL,
  books_sum     TEXT NOT NULL,
  PRIMARY KEY (part, currency)
) STRICT, WITHOUT ROWID;

-- A person's choice of company for a party, kept for every later invoice.
CREATE TABLE match (
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  company     TEXT NOT NULL,
  chosen      INTEGER NOT NULL,
  PRIMARY KEY (connection, party)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
  id        INTEGER PRIMARY KEY,
  command   TEXT NOT NULL,
  started   INTEGER NOT NULL,
  ended     INTEGER,
  outcome   TEXT,
  figures   TEXT
) STRICT;

-- The owner on the service of each connection's invoices, and the settings its plans were made with.
CREATE TABLE connection (
  id        TEXT PRIMARY KEY,
  owner     TEXT,
  told      TEXT,
  planning  TEXT NOT NULL
) STRICT;
`
