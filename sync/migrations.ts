/**
 * The tables of the state file, one step at a time. A step that has shipped is never edited.
 *
 * Amounts are text (exact decimals) inside `body` and whole minor units in columns that are summed. Instants are
 * milliseconds since the epoch, UTC.
 */
import type { Database } from "better-sqlite3"

/** Finds invoices by what is open of them. Dropped while many are read for the first time, see Match.ts. */
export const PAYABLE_OPEN = "CREATE INDEX IF NOT EXISTS payable_open ON payable (connection, currency, open, party)"

const STEPS: ReadonlyArray<string> = [
  `
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
  `,
  `
  -- When a connection was last due, and how its last turn of the daemon went. One that began and did not end was cut off.
  CREATE TABLE turn (
    connection  TEXT PRIMARY KEY,
    mark        INTEGER NOT NULL,
    began       INTEGER,
    ended       INTEGER,
    outcome     TEXT,
    message     TEXT,
    failures    INTEGER NOT NULL DEFAULT 0,
    succeeded   INTEGER
  ) STRICT, WITHOUT ROWID;

  -- What webhooks said is to be read again, once for each thing; 'n' grows while it waits.
  CREATE TABLE hint (
    connection  TEXT NOT NULL,
    about       TEXT NOT NULL,
    came        INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    PRIMARY KEY (connection, about)
  ) STRICT, WITHOUT ROWID;

  -- Deliveries of webhooks that were taken, so that a copy costs nothing.
  CREATE TABLE delivery (
    connection  TEXT NOT NULL,
    mark        TEXT NOT NULL,
    digest      TEXT NOT NULL,
    came        INTEGER NOT NULL,
    PRIMARY KEY (connection, mark)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX delivery_came ON delivery (came);

  -- Notifications name a deferred payment.
  CREATE INDEX ledger_payment ON ledger (remote) WHERE instr(subject, '/order/') > 0;

  -- The plan of a connection that a person is to look at before it is sent, and what they said.
  CREATE TABLE approval (
    connection  TEXT PRIMARY KEY,
    digest      TEXT NOT NULL,
    calls       INTEGER NOT NULL,
    attention   INTEGER NOT NULL,
    reductions  INTEGER NOT NULL,
    made        INTEGER NOT NULL,
    verdict     TEXT,
    decided     INTEGER,
    who         TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What is open on the service is a small part of a long history, and is looked at often.
  CREATE INDEX ledger_open ON ledger (connection, subject) WHERE service_open <> 0;
  `,
  `
  -- Payments of one connection for the invoices of another. What a payment of such a connection gives to an invoice stands
  -- here as an exact decimal; null where the document's own shares say it.
  ALTER TABLE allocation ADD COLUMN amount TEXT;
  CREATE INDEX allocation_matched ON allocation (document) WHERE amount IS NOT NULL;

  -- Which connection pays for which, as the books were matched last.
  CREATE TABLE paying (connection TEXT PRIMARY KEY, pays TEXT NOT NULL, days INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- Requests that a connection made on a day of UTC, where there is a limit to them.
  CREATE TABLE spent (
    connection  TEXT NOT NULL,
    day         TEXT NOT NULL,
    requests    INTEGER NOT NULL,
    PRIMARY KEY (connection, day)
  ) STRICT, WITHOUT ROWID;

  -- Documents to match again: they changed since they were matched.
  CREATE TABLE to_match (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- Invoices that another connection pays: their numbers, and what is open of them in minor units, before and after the
  -- payments that name them.
  CREATE TABLE payable (
    invoice     INTEGER PRIMARY KEY REFERENCES document (id),
    connection  TEXT NOT NULL,
    number      TEXT NOT NULL,
    currency    TEXT NOT NULL,
    party       TEXT NOT NULL,
    payable     INTEGER NOT NULL,
    base        INTEGER NOT NULL,
    open        INTEGER NOT NULL,
    issued      TEXT NOT NULL,
    due         TEXT NOT NULL
  ) STRICT;
  CREATE INDEX payable_number ON payable (connection, number);
  ${PAYABLE_OPEN};

  -- Payments and reversals of connections that pay for others. Amounts in minor units.
  CREATE TABLE matching (
    document    INTEGER PRIMARY KEY REFERENCES document (id),
    connection  TEXT NOT NULL,
    pays        TEXT NOT NULL,
    of          TEXT,
    back        INTEGER NOT NULL,
    currency    TEXT NOT NULL,
    amount      INTEGER NOT NULL,
    matched     INTEGER NOT NULL,
    date        TEXT NOT NULL,
    party       TEXT NOT NULL,
    names       TEXT NOT NULL,
    how         TEXT NOT NULL,
    free        INTEGER NOT NULL,
    rule        TEXT,
    why         TEXT
  ) STRICT;
  CREATE INDEX matching_of ON matching (of) WHERE of IS NOT NULL;
  CREATE INDEX matching_free ON matching (pays, currency, amount, party) WHERE free = 1;
  CREATE INDEX matching_lacking ON matching (connection, currency) WHERE matched <> amount;

  -- What payments call invoices by.
  CREATE TABLE mention (
    pays      TEXT NOT NULL,
    name      TEXT NOT NULL,
    document  INTEGER NOT NULL,
    PRIMARY KEY (pays, name, document)
  ) STRICT, WITHOUT ROWID;

  -- Amounts of payers to look at again, and payments whose attention is to be brought in step.
  CREATE TABLE to_group (
    pays      TEXT NOT NULL,
    currency  TEXT NOT NULL,
    amount    INTEGER NOT NULL,
    party     TEXT NOT NULL,
    PRIMARY KEY (pays, currency, amount, party)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE to_tell (document INTEGER PRIMARY KEY) STRICT;

  -- A person's choice of invoices for a payment, and whose invoices a payer pays.
  CREATE TABLE choice (payment TEXT PRIMARY KEY, shares TEXT NOT NULL, chosen INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE payer (
    connection  TEXT NOT NULL,
    payer       TEXT NOT NULL,
    party       TEXT NOT NULL,
    PRIMARY KEY (connection, payer)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Why the ledger may lack what the service was told, in words; null as long as it does not.
  ALTER TABLE state ADD COLUMN behind TEXT;
  -- It was so, and no run has gone through since: what is to be created is looked for first.
  ALTER TABLE state ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;

  -- Few are: what is there is counted by the keys alone, less these.
  CREATE INDEX document_gone ON document (key) WHERE gone = 1;
  `
]

/** The format that this program writes. */
export const VERSION = STEPS.length
export const migrate = (db: Database): void => {
  const from = db.pragma("user_version", { simple: true }) as number
  for (let step = from; step < STEPS.length; step++) {
    db.transaction(() => {
      db.exec(STEPS[step]!)
      db.pragma(`user_version = ${step + 1}`)
    }).immediate()
  }
}
