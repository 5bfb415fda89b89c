/** Tables of the state file: what the service was told, what it answered, and what waits for a person. */
export const LEDGER = `
-- What the service has been told and has confirmed, and where books and service stand, in minor units.
CREATE TABLE ledger (
  id              INTEGER PRIMARY KEY,
  subject         TEXT NOT NULL UNIQUE,
  connection      TEXT NOT NULL,
  remote          TEXT,
  held            TEXT,
  reason          TEXT,
  currency        TEXT NOT NULL,
  books_open      INTEGER NOT NULL,
  service_open    INTEGER NOT NULL,
  -- What is open by the facts, negative where more came in than was asked for; null where the document does not
  -- count. What the source says is open, null where it states nothing, and what it would say if it had the facts that
  -- were read.
  balance         INTEGER,
  source_open     INTEGER,
  source_follows  INTEGER
) STRICT;
CREATE INDEX ledger_differs ON ledger (connection, currency) WHERE books_open <> service_open;
CREATE INDEX ledger_source_differs ON ledger (connection, currency) WHERE source_open <> source_follows;
-- Notifications name a deferred payment.
CREATE INDEX ledger_payment ON ledger (remote) WHERE instr(subject, '/order/') > 0;
CREATE INDEX ledger_orders_sent ON ledger (connection) WHERE remote IS NOT NULL AND instr(subject, '/order/') > 0;
-- What is open on the service is a small part of a long history, and is looked at often.
CREATE INDEX ledger_open ON ledger (connection, subject) WHERE service_open <> 0;
CREATE UNIQUE INDEX ledger_deferred_payment ON ledger (remote) WHERE held ->> '$.kind' = 'order';
CREATE INDEX ledger_several ON ledger (subject) WHERE held ->> '$.each' IS NOT NULL;
CREATE INDEX ledger_order ON ledger (held ->> '$.order') WHERE held ->> '$.kind' = 'order';
CREATE INDEX ledger_reference ON ledger (held ->> '$.reference') WHERE held ->> '$.kind' = 'order';

-- Every request that left, or was about to: on disk before it does. Its columns keep their size, and receipts only
-- follow each other, so that a commit writes few pages.
CREATE TABLE claim (
  id           INTEGER PRIMARY KEY,
  run          INTEGER NOT NULL,
  subject      TEXT NOT NULL,
  fact         TEXT NOT NULL,
  rule         TEXT NOT NULL,
  operation    TEXT NOT NULL,
  request      TEXT NOT NULL,
  reason       TEXT NOT NULL,
  claimed      INTEGER NOT NULL,
  sends        INTEGER NOT NULL DEFAULT 1,
  has_receipt  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX claim_subject ON claim (subject);
CREATE INDEX claim_unsettled ON claim (id) WHERE has_receipt = 0;
CREATE INDEX claim_taking ON claim (fact)
  WHERE operation IN ('deferredPayments.capture', 'deferredPayments.void', 'deferredPayments.refund');
-- What was spent in a month is counted from the claims.
CREATE INDEX claim_purchase ON claim (claimed) WHERE operation = 'policies.create';

-- How a request ended; committed together with what the ledger then says.
CREATE TABLE receipt (
  claim     INTEGER PRIMARY KEY REFERENCES claim (id),
  outcome   TEXT NOT NULL,
  status    INTEGER,
  remote    TEXT,
  answer    TEXT,
  answered  INTEGER NOT NULL
) STRICT;

-- Calls that ended, a page of several hundred of a connection: 'id' is the number of the last, and 'content' has the canonical JSON of
-- each claim and each receipt as the chain has them, by column ('sync/state/calls/Columns.ts') and compressed.
CREATE TABLE call_page (
  id          INTEGER PRIMARY KEY,
  first       INTEGER NOT NULL,
  connection  TEXT NOT NULL,
  first_run   INTEGER NOT NULL,
  last_run    INTEGER NOT NULL,
  size        INTEGER NOT NULL,
  content     BLOB NOT NULL
) STRICT;

-- The pages that have calls of a row of the ledger, and whether the service named a company in an answer.
CREATE TABLE call_of (
  ledger  INTEGER NOT NULL,
  page    INTEGER NOT NULL,
  named   INTEGER NOT NULL,
  PRIMARY KEY (ledger, page)
) STRICT, WITHOUT ROWID;

-- Calls that are not packed.
CREATE VIEW call AS SELECT c.*, r.outcome, r.status, r.remote, r.answer, r.answered
  FROM claim c LEFT JOIN receipt r ON r.claim = c.id;

-- Items that wait for a person, and how they were closed.
CREATE TABLE attention (
  id             INTEGER PRIMARY KEY,
  subject        TEXT NOT NULL,
  fact           TEXT NOT NULL,
  rule           TEXT NOT NULL,
  -- What a decision about it depends on; null where its rule says enough.
  code           TEXT,
  why            TEXT NOT NULL,
  todo           TEXT NOT NULL,
  since          INTEGER NOT NULL,
  closed         INTEGER,
  how            TEXT,
  -- The state of a document that the service refused; null where nothing was refused.
  refused_state  TEXT
) STRICT;
CREATE INDEX attention_open ON attention (subject) WHERE closed IS NULL;
CREATE INDEX attention_subject ON attention (subject);

-- The plan of a connection that a person is to look at before it is sent, and what they said.
CREATE TABLE approval (
  connection  TEXT PRIMARY KEY,
  digest      TEXT NOT NULL,
  calls       INTEGER NOT NULL,
  attention   INTEGER NOT NULL,
  reductions  INTEGER NOT NULL,
  made        INTEGER NOT NULL,
  decision    TEXT,
  decided     INTEGER,
  who         TEXT,
  -- Why a person is asked about this plan; null where its connection asks about every plan.
  why         TEXT,
  -- What the plan comes to, in words, as it was when a person was asked.
  words       TEXT,
  -- The approved documents of the plan as JSON; NULL: all of it.
  part        TEXT
) STRICT, WITHOUT ROWID;

-- A person's choice of company for a party, kept for every later invoice.
CREATE TABLE match (
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  company     TEXT NOT NULL,
  chosen      INTEGER NOT NULL,
  PRIMARY KEY (connection, party)
) STRICT, WITHOUT ROWID;

-- Connections for which the service was checked before their first send from this file, see FirstSend.ts.
CREATE TABLE first_send (
  connection  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Transactions under keys of these books that are not the ledger's: an audit named them, see OtherWriter.ts.
CREATE TABLE other_transaction (
  subject  TEXT NOT NULL,
  id       TEXT NOT NULL,
  PRIMARY KEY (subject, id)
) STRICT, WITHOUT ROWID;

-- Connections whose first sync was sent, see FirstSync.ts.
CREATE TABLE first_sync (
  connection  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`
