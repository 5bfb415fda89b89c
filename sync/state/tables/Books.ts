/** Tables of the state file: the books as each source states them, and what could not be read. */
export const BOOKS = `
-- One row: which service these books belong to, and whether the file was closed properly.
CREATE TABLE state (
  one             INTEGER PRIMARY KEY CHECK (one = 1),
  clean           INTEGER NOT NULL,
  service         TEXT,
  account         TEXT,
  -- Why the ledger may lack what the service was told, in words; null as long as it does not.
  behind          TEXT,
  -- It was so, and no run has gone through since: what is to be created is looked for first.
  restored        INTEGER NOT NULL DEFAULT 0,
  -- Random, new whenever the lock was taken or given back; the lock file has the same, see Place.ts.
  stamp           TEXT,
  -- Where the file was then, and its inode there, as JSON.
  place           TEXT,
  -- Random, made once: secrets that are kept beside the file are bound to it, see Seal.ts. A copy has the same.
  id              TEXT,
  -- When the ledger was last put right after the file had been restored or lost, and the last decision of before.
  restored_at     INTEGER,
  decided_before  INTEGER,
  -- By how much this machine's clock is ahead of the service's, milliseconds; negative: behind. NULL: not known.
  ahead           INTEGER
) STRICT;

-- A part of a source that is read by itself: a list, a file.
CREATE TABLE scan (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  name        TEXT NOT NULL,
  -- For a part that was written at some time and then stays, like a file: what is known of that time, as JSON.
  copy        TEXT,
  -- It was read from its beginning to its end.
  whole       INTEGER NOT NULL DEFAULT 0,
  -- It is not there any more, so what it stated gives way to what others state.
  gone        INTEGER NOT NULL DEFAULT 0,
  -- Its old records leave it as new ones come.
  rolls       INTEGER NOT NULL DEFAULT 0,
  UNIQUE (connection, name)
) STRICT;

-- Records as their sources gave them, those of a page in one row: JSON, packed by Zstandard where it is shorter than
-- its size says.
CREATE TABLE record_page (
  id       INTEGER PRIMARY KEY,
  scan     INTEGER NOT NULL REFERENCES scan (id),
  read     INTEGER NOT NULL,
  size     INTEGER NOT NULL,
  content  BLOB NOT NULL
) STRICT;

-- The current version of every document. Earlier versions are in 'version'.
CREATE TABLE document (
  id       INTEGER PRIMARY KEY,
  key      TEXT NOT NULL UNIQUE,
  scan     INTEGER NOT NULL REFERENCES scan (id),
  n        INTEGER NOT NULL,
  deleted  INTEGER NOT NULL,
  read     INTEGER,
  record   INTEGER NOT NULL,
  body     TEXT NOT NULL
) STRICT;
CREATE INDEX document_deleted ON document (key) WHERE deleted = 1;
-- Another invoice of the same number is looked for where one is created.
CREATE INDEX document_invoice_number ON document (body ->> '$[10].number')
  WHERE body GLOB '[[]1,*' AND body ->> '$[10].number' IS NOT NULL;
-- The invoices of an order, where they name it.
CREATE INDEX document_invoice_order ON document (body ->> '$[10].metadata.order')
  WHERE body GLOB '[[]1,*' AND body ->> '$[10].metadata.order' IS NOT NULL;
-- What the books' orders say they are on the service.
CREATE INDEX document_deferred_payment ON document (body ->> '$[3].deferredPayment') WHERE body GLOB '[[]5,*';
CREATE INDEX document_deferred_payments ON document (key)
  WHERE substr(body, 1, 3) = '[5,' AND body ->> '$[3].deferredPayment' GLOB '*[ ,;\t\n\r]*';
CREATE INDEX document_order ON document (body ->> '$[3].serviceOrder') WHERE body GLOB '[[]5,*';
CREATE INDEX document_number ON document (body ->> '$[3].number') WHERE body GLOB '[[]5,*';
-- What changed since a time is found without looking at what did not: few documents ever change.
CREATE INDEX document_changed ON document (record) WHERE n > 1;
CREATE INDEX document_read ON document (read) WHERE read IS NOT NULL;

-- Earlier versions of documents, as document has the current one.
CREATE TABLE version (
  document  INTEGER NOT NULL REFERENCES document (id),
  n         INTEGER NOT NULL,
  deleted   INTEGER NOT NULL,
  read      INTEGER,
  record    INTEGER NOT NULL,
  body      TEXT NOT NULL,
  PRIMARY KEY (document, n)
) STRICT, WITHOUT ROWID;

-- Which payments, reversals and credit notes have a share in which invoice.
CREATE TABLE allocation (
  invoice   TEXT NOT NULL,
  document  INTEGER NOT NULL REFERENCES document (id),
  -- Payments of one connection for the invoices of another. What a payment of such a connection gives to an invoice
  -- stands here as an exact decimal; null where the document's own shares say it.
  amount    TEXT,
  PRIMARY KEY (invoice, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX allocation_matched ON allocation (document) WHERE amount IS NOT NULL;

-- Invoices to plan again: a document or their ledger changed since they were last settled.
CREATE TABLE changed (
  subject  TEXT PRIMARY KEY,
  -- Grows with each change, so that a plan can tell whether it saw the latest one, see Changed.ts.
  n        INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

-- Records that cannot be read, with their raw text and why.
CREATE TABLE quarantine (
  connection  TEXT NOT NULL,
  scan        TEXT NOT NULL,
  origin      TEXT NOT NULL,
  kind        TEXT NOT NULL,
  id          TEXT,
  field       TEXT,
  why         TEXT NOT NULL,
  raw         TEXT NOT NULL,
  since       INTEGER NOT NULL
) STRICT;
CREATE INDEX quarantine_scan ON quarantine (connection, scan);
CREATE INDEX quarantine_record ON quarantine (connection, kind, id);

-- What a reading noticed that stops nothing, how often, and where first.
CREATE TABLE notice (
  connection  TEXT NOT NULL,
  scan        TEXT NOT NULL,
  what        TEXT NOT NULL,
  origin      TEXT NOT NULL,
  times       INTEGER NOT NULL,
  PRIMARY KEY (connection, scan, what)
) STRICT, WITHOUT ROWID;

-- What was read of a part and what the books hold of it, in hundred-millionths of the currency, as text.
CREATE TABLE control (
  scan          INTEGER NOT NULL REFERENCES scan (id),
  currency      TEXT NOT NULL,
  source_count  INTEGER NOT NULL,
  source_sum    TEXT NOT NULL,
  books_count   INTEGER NOT NULL,
  books_sum     TEXT NOT NULL,
  PRIMARY KEY (scan, currency)
) STRICT, WITHOUT ROWID;

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
  kind      TEXT NOT NULL DEFAULT 'invoice',
  PRIMARY KEY (scan, list, what, field, currency)
) STRICT, WITHOUT ROWID;

-- A part that states a document beside the one that it is read from, which is the document's own scan.
CREATE TABLE stated (
  document   INTEGER NOT NULL REFERENCES document (id),
  scan       INTEGER NOT NULL REFERENCES scan (id),
  record     INTEGER NOT NULL,
  -- Null where it is the document's.
  body       TEXT,
  -- Whether it contradicts the document: then it is in quarantine as well.
  contested  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (document, scan)
) STRICT, WITHOUT ROWID;
CREATE INDEX stated_scan ON stated (scan, document);

-- Scans whose last whole reading looked like that of another source, with the number of the guard; in documents.
CREATE TABLE strange_scan (
  scan    INTEGER PRIMARY KEY REFERENCES scan (id),
  guard   TEXT NOT NULL,
  before  INTEGER NOT NULL,
  now     INTEGER NOT NULL
) STRICT;

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

-- How far each connection was read: its connector's own bookmark, and where a sweep stopped.
CREATE TABLE bookmark (
  connection  TEXT PRIMARY KEY,
  bookmark    TEXT,
  moved       INTEGER,
  reading     INTEGER NOT NULL DEFAULT 0,
  swept_to    TEXT
) STRICT;

-- Of how many documents a member was looked for, how many had it, and how many of the latest in a row did not, since
-- when and from which on.
CREATE TABLE schema_drift (
  connection  TEXT NOT NULL,
  kind        TEXT NOT NULL,
  member      TEXT NOT NULL,
  documents   INTEGER NOT NULL,
  had         INTEGER NOT NULL,
  lacking     INTEGER NOT NULL,
  since       INTEGER,
  origin      TEXT,
  PRIMARY KEY (connection, kind, member)
) STRICT, WITHOUT ROWID;

-- 'connection' is what its documents' keys begin with, for good; 'name' is what the configuration calls it, where
-- that is something else by now. 'identity' is what the connector says of the source, 'shape' the names of its
-- settings. Bound to nothing (connector null): a person has said that whatever comes next is meant.
CREATE TABLE source (
  connection  TEXT PRIMARY KEY,
  name        TEXT UNIQUE,
  connector   TEXT,
  identity    TEXT,
  shape       TEXT,
  owner       TEXT,
  -- By member, a digest of the settings that a source was last read with.
  settings    TEXT
) STRICT, WITHOUT ROWID;

-- The owner on the service of each connection's invoices, and the settings its plans were made with.
CREATE TABLE connection (
  id          TEXT PRIMARY KEY,
  owner       TEXT,
  remote_ids  TEXT,
  planning    TEXT NOT NULL
) STRICT;

-- Settings that were changed since what they lead to was last sent, and by which members.
CREATE TABLE setting_change (
  connection  TEXT NOT NULL,
  what        TEXT NOT NULL,
  PRIMARY KEY (connection, what)
) STRICT, WITHOUT ROWID;

-- A customer as its source knows it: by its id, or else by name and country.
CREATE TABLE customer (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  name        TEXT NOT NULL,
  country     TEXT,
  UNIQUE (connection, party)
) STRICT;

-- An invoice that counts, by the number of its document; written with its row of the ledger. 'gross' and 'open' in minor
-- units, 'paid' the day of the last payment, where nothing is open any more. 'owed' is when it is due as the service has it,
-- or else as the books do.
CREATE TABLE customer_invoice (
  document  INTEGER PRIMARY KEY REFERENCES document (id),
  customer  INTEGER NOT NULL REFERENCES customer (id),
  currency  TEXT NOT NULL,
  issued    TEXT NOT NULL,
  due       TEXT NOT NULL,
  gross     INTEGER NOT NULL,
  paid      TEXT,
  open      INTEGER NOT NULL,
  owed      TEXT NOT NULL,
  insured   INTEGER NOT NULL
) STRICT;
-- What is open is a small part of a long history: lists and sums of it read this index alone.
CREATE INDEX customer_invoice_open ON customer_invoice (customer, currency, owed, open, insured) WHERE open <> 0;
CREATE INDEX customer_invoice_customer ON customer_invoice (customer, paid, due);
CREATE INDEX customer_invoice_issued ON customer_invoice (issued, currency, gross, customer);

-- What people wrote down about a customer.
CREATE TABLE customer_note (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  written     INTEGER NOT NULL,
  who         TEXT NOT NULL,
  words       TEXT NOT NULL
) STRICT;
CREATE INDEX customer_note_of ON customer_note (connection, party);

-- Months that a person closed. 'digest' is that of the report that was shown; 'balances' are its closing balances in books and on the
-- service, by currency.
CREATE TABLE closed_month (
  connection  TEXT NOT NULL,
  month       TEXT NOT NULL,
  closed      INTEGER NOT NULL,
  who         TEXT NOT NULL,
  digest      TEXT NOT NULL,
  balances    TEXT NOT NULL,
  PRIMARY KEY (connection, month)
) STRICT, WITHOUT ROWID;

INSERT INTO state (one, clean, id) VALUES (1, 1, lower(hex(randomblob(16))));
`
