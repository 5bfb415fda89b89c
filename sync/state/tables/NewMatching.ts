/** Part of `NewFile.ts`: payments of one connection, and the invoices of another that they are matched with. */
export const NEW_MATCHING = `CREATE TABLE to_match (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
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
  due         TEXT NOT NULL,
  customer    TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX payable_number ON payable (connection, number);
CREATE INDEX payable_open ON payable (connection, currency, open, party);
CREATE INDEX payable_customer ON payable (connection, customer, currency, open) WHERE customer <> '';
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
  why         TEXT,
  customer    TEXT NOT NULL DEFAULT '',
  was         TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX matching_of ON matching (of) WHERE of IS NOT NULL;
CREATE INDEX matching_free ON matching (pays, currency, amount, party) WHERE free = 1;
CREATE INDEX matching_lacking ON matching (connection, currency) WHERE matched <> amount;
CREATE INDEX matching_customer ON matching (pays, currency, amount, customer) WHERE free = 1 AND customer <> '';
CREATE TABLE mention (
  pays      TEXT NOT NULL,
  name      TEXT NOT NULL,
  document  INTEGER NOT NULL,
  PRIMARY KEY (pays, name, document)
) STRICT, WITHOUT ROWID;
CREATE TABLE to_group (
  pays      TEXT NOT NULL,
  currency  TEXT NOT NULL,
  amount    INTEGER NOT NULL,
  party     TEXT NOT NULL,
  PRIMARY KEY (pays, currency, amount, party)
) STRICT, WITHOUT ROWID;
CREATE TABLE to_report (document INTEGER PRIMARY KEY) STRICT;
CREATE TABLE choice (payment TEXT PRIMARY KEY, shares TEXT NOT NULL, chosen INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE payer (
  connection  TEXT NOT NULL,
  payer       TEXT NOT NULL,
  party       TEXT NOT NULL,
  PRIMARY KEY (connection, payer)
) STRICT, WITHOUT ROWID;
`
