/** Payments of one connection for the invoices of another. A migration of the state file, see migrations.ts. */
const PAYABLE_OPEN = "CREATE INDEX payable_open ON payable (connection, currency, open, party)"

/** Finds payments that wait for an amount. Dropped while many documents are matched for the first time, see `inBulk` in Run.ts. */
export const MATCHING_FREE =
  "CREATE INDEX IF NOT EXISTS matching_free ON matching (pays, currency, amount, party) WHERE free = 1"

export const PAYING = `
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
${MATCHING_FREE};
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
`
