/**
 * The result of the first migrations, written out for new files: they rename so much that a file took twenty times as long to
 * create. Like a migration, it is never edited; `migrations.ts` says which migrations it covers.
 */
import { ALERT_TABLES } from "./Alerts.ts"
import { API_REQUESTS } from "./ApiRequests.ts"
import { CHUNKS } from "./Chunks.ts"
import { CONFIG_CHANGES } from "./ConfigChanges.ts"
import { CONNECT_LINKS } from "./ConnectLinks.ts"
import { COVER } from "./Cover.ts"
import { COVER_READING } from "./CoverReading.ts"
import { COVER_WITHOUT_BUDGET } from "./CoverWithoutBudget.ts"
import { CUSTOMER_TABLES } from "./Customers.ts"
import { EARLIER_PURCHASES } from "./EarlierPurchases.ts"
import { LEDGER_SUMS } from "./LedgerSums.ts"
import { NEW_MATCHING } from "./NewMatching.ts"
import { PAUSES } from "./Pauses.ts"

export const NEW_FILE = `
CREATE TABLE state (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  clean     INTEGER NOT NULL,
  service   TEXT,
  account   TEXT,
  behind    TEXT,
  restored  INTEGER NOT NULL DEFAULT 0,
  stamp     TEXT,
  place     TEXT,
  id        TEXT
) STRICT;
CREATE TABLE scan (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  name        TEXT NOT NULL,
  UNIQUE (connection, name)
) STRICT;
CREATE TABLE record_page (
  id       INTEGER PRIMARY KEY,
  scan     INTEGER NOT NULL REFERENCES scan (id),
  read     INTEGER NOT NULL,
  size     INTEGER NOT NULL,
  content  BLOB NOT NULL
) STRICT;
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
CREATE INDEX document_invoice_number ON document (body ->> '$[10].number')
  WHERE body GLOB '[[]1,*' AND body ->> '$[10].number' IS NOT NULL;
CREATE INDEX document_deferred_payment ON document (body ->> '$[3].deferredPayment') WHERE body GLOB '[[]5,*';
CREATE INDEX document_order ON document (body ->> '$[3].serviceOrder') WHERE body GLOB '[[]5,*';
CREATE INDEX document_number ON document (body ->> '$[3].number') WHERE body GLOB '[[]5,*';
CREATE TABLE version (
  document  INTEGER NOT NULL REFERENCES document (id),
  n         INTEGER NOT NULL,
  deleted   INTEGER NOT NULL,
  read      INTEGER,
  record    INTEGER NOT NULL,
  body      TEXT NOT NULL,
  PRIMARY KEY (document, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE allocation (
  invoice   TEXT NOT NULL,
  document  INTEGER NOT NULL REFERENCES document (id),
  amount    TEXT,
  PRIMARY KEY (invoice, document)
) STRICT, WITHOUT ROWID;
CREATE TABLE changed (subject TEXT PRIMARY KEY, n INTEGER NOT NULL DEFAULT 1) STRICT, WITHOUT ROWID;
CREATE TABLE ledger (
  id            INTEGER PRIMARY KEY,
  subject       TEXT NOT NULL UNIQUE,
  connection    TEXT NOT NULL,
  remote        TEXT,
  held          TEXT,
  reason        TEXT,
  currency      TEXT NOT NULL,
  books_open    INTEGER NOT NULL,
  service_open  INTEGER NOT NULL,
  balance INTEGER,
  source_open INTEGER,
  source_follows INTEGER
) STRICT;
CREATE INDEX ledger_differs ON ledger (connection, currency) WHERE books_open <> service_open;
CREATE INDEX ledger_source_differs ON ledger (connection, currency) WHERE source_open <> source_follows;
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
CREATE TABLE receipt (
  claim     INTEGER PRIMARY KEY REFERENCES claim (id),
  outcome   TEXT NOT NULL,
  status    INTEGER,
  remote    TEXT,
  answer    TEXT,
  answered  INTEGER NOT NULL
) STRICT;
CREATE VIEW call AS SELECT c.*, r.outcome, r.status, r.remote, r.answer, r.answered
  FROM claim c LEFT JOIN receipt r ON r.claim = c.id;
CREATE TABLE attention (
  id             INTEGER PRIMARY KEY,
  subject        TEXT NOT NULL,
  fact           TEXT NOT NULL,
  rule           TEXT NOT NULL,
  why            TEXT NOT NULL,
  todo           TEXT NOT NULL,
  since          INTEGER NOT NULL,
  closed         INTEGER,
  how            TEXT,
  refused_state  TEXT
) STRICT;
CREATE INDEX attention_open ON attention (subject) WHERE closed IS NULL;
CREATE INDEX attention_subject ON attention (subject);
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
CREATE INDEX set_aside_part ON quarantine (connection, scan);
CREATE TABLE notice (
  connection  TEXT NOT NULL,
  scan        TEXT NOT NULL,
  what        TEXT NOT NULL,
  origin      TEXT NOT NULL,
  times       INTEGER NOT NULL,
  PRIMARY KEY (connection, scan, what)
) STRICT, WITHOUT ROWID;
CREATE TABLE control (
  scan          INTEGER NOT NULL REFERENCES scan (id),
  currency      TEXT NOT NULL,
  source_count  INTEGER NOT NULL,
  source_sum    TEXT NOT NULL,
  books_count   INTEGER NOT NULL,
  books_sum     TEXT NOT NULL,
  PRIMARY KEY (scan, currency)
) STRICT, WITHOUT ROWID;
CREATE TABLE match (
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  company     TEXT NOT NULL,
  chosen      INTEGER NOT NULL,
  PRIMARY KEY (connection, party)
) STRICT, WITHOUT ROWID;
CREATE TABLE run (
  id           INTEGER PRIMARY KEY,
  command      TEXT NOT NULL,
  started      INTEGER NOT NULL,
  ended        INTEGER,
  outcome      TEXT,
  figures      TEXT,
  connections  TEXT,
  process      TEXT
) STRICT;
CREATE TABLE connection (
  id          TEXT PRIMARY KEY,
  owner       TEXT,
  remote_ids  TEXT,
  planning    TEXT NOT NULL
) STRICT;
CREATE TABLE run_state (
  connection  TEXT PRIMARY KEY,
  due_from    INTEGER NOT NULL,
  began       INTEGER,
  ended       INTEGER,
  outcome     TEXT,
  message     TEXT,
  failures    INTEGER NOT NULL DEFAULT 0,
  succeeded   INTEGER,
  unauthorised TEXT,
  authorised_until INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE webhook_queue (
  connection  TEXT NOT NULL,
  about       TEXT NOT NULL,
  came        INTEGER NOT NULL,
  n           INTEGER NOT NULL,
  PRIMARY KEY (connection, about)
) STRICT, WITHOUT ROWID;
CREATE TABLE delivery (
  connection  TEXT NOT NULL,
  event       TEXT NOT NULL,
  digest      TEXT NOT NULL,
  came        INTEGER NOT NULL,
  PRIMARY KEY (connection, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_came ON delivery (came);
CREATE INDEX ledger_payment ON ledger (remote) WHERE instr(subject, '/order/') > 0;
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
  why         TEXT,
  words       TEXT,
  part        TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_open ON ledger (connection, subject) WHERE service_open <> 0;
CREATE INDEX allocation_matched ON allocation (document) WHERE amount IS NOT NULL;
CREATE TABLE paying (connection TEXT PRIMARY KEY, pays TEXT NOT NULL, days INTEGER NOT NULL, by_id INTEGER NOT NULL DEFAULT 0)
  STRICT, WITHOUT ROWID;
CREATE TABLE requests_made (
  connection  TEXT NOT NULL,
  day         TEXT NOT NULL,
  requests    INTEGER NOT NULL,
  PRIMARY KEY (connection, day)
) STRICT, WITHOUT ROWID;
${NEW_MATCHING}CREATE TABLE schema_drift (
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
CREATE INDEX claim_taking ON claim (fact)
  WHERE operation IN ('deferredPayments.capture', 'deferredPayments.void', 'deferredPayments.refund');
CREATE TABLE source (
  connection  TEXT PRIMARY KEY,
  name        TEXT UNIQUE,
  connector   TEXT,
  identity    TEXT,
  shape       TEXT,
  owner       TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE first_send (
  connection  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX ledger_deferred_payment ON ledger (remote)
  WHERE held ->> '$.kind' = 'order' AND held ->> '$.doubled' IS NULL;
CREATE INDEX ledger_order ON ledger (held ->> '$.order') WHERE held ->> '$.kind' = 'order';
CREATE INDEX ledger_reference ON ledger (held ->> '$.reference') WHERE held ->> '$.kind' = 'order';
CREATE INDEX run_alive ON run (id) WHERE process IS NOT NULL;
CREATE INDEX set_aside_record ON quarantine (connection, kind, id);
CREATE TABLE bookmark (
  connection  TEXT PRIMARY KEY,
  bookmark    TEXT,
  moved       INTEGER,
  reading     INTEGER NOT NULL DEFAULT 0,
  swept_to    TEXT
) STRICT;
CREATE TABLE strange_scan (
  scan    INTEGER PRIMARY KEY REFERENCES scan (id),
  guard   TEXT NOT NULL,
  before  INTEGER NOT NULL,
  now     INTEGER NOT NULL
) STRICT;
CREATE TABLE first_sync (
  connection TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
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
${COVER}
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
  size     INTEGER NOT NULL DEFAULT 0,
  UNIQUE (subject, slot)
) STRICT;
CREATE TABLE collection_file_piece (
  file   INTEGER NOT NULL,
  n      INTEGER NOT NULL,
  bytes  BLOB NOT NULL,
  PRIMARY KEY (file, n)
) STRICT;
CREATE TABLE collection_gathered (
  subject   TEXT PRIMARY KEY,
  at        INTEGER NOT NULL,
  overdue   INTEGER NOT NULL,
  problems  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
${LEDGER_SUMS}
${EARLIER_PURCHASES}
${COVER_WITHOUT_BUDGET}
${CUSTOMER_TABLES}
${CONNECT_LINKS}
${ALERT_TABLES}
${PAUSES}
${CONFIG_CHANGES}
${COVER_READING}
${API_REQUESTS}
${CHUNKS}
INSERT INTO state (one, clean, id) VALUES (1, 1, lower(hex(randomblob(16))));
`
