/** Tables of the state file: insured invoices: offers, policies, decisions, claims. */
export const COVER = `
-- A row for each invoice that is selected, or was covered: for budget, exposure, deadlines and reports. Amounts in
-- minor units of their currency. 'state' is one of: waiting, offered, declined, expired, insured, collection, lapsed,
-- closed.
CREATE TABLE cover (
  subject         TEXT PRIMARY KEY,
  connection      TEXT NOT NULL,
  -- The buyer as the source knows it, and as the service does.
  buyer           TEXT NOT NULL,
  company         TEXT,
  currency        TEXT NOT NULL,
  due             TEXT NOT NULL,
  state           TEXT NOT NULL,
  -- Why nothing is asked for or bought now, in words.
  why             TEXT,
  quote           TEXT,
  -- Until when the offer stands, by the service's clock, milliseconds.
  until           INTEGER,
  price           INTEGER,
  price_currency  TEXT,
  -- The exposure: insured, offered, or expected of what waits.
  insured         INTEGER,
  -- Bought as soon as the month has room for it.
  may             INTEGER NOT NULL DEFAULT 0,
  code            TEXT,
  rejection       TEXT,
  policy          TEXT,
  status          TEXT,
  window_ends     TEXT,
  -- When the service last said how it stands, by its own clock, milliseconds.
  read            INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX cover_offered ON cover (connection, due, subject) WHERE state = 'offered';
CREATE INDEX cover_company ON cover (company, currency);
CREATE INDEX cover_buyer ON cover (connection, buyer);
CREATE INDEX cover_read ON cover (connection, read) WHERE state IN ('offered', 'insured', 'collection');
-- They would be selected, but for their currency: one of them speaks for all, see 'CoverFacts.ts'.
CREATE INDEX cover_no_budget ON cover (connection, currency, subject) WHERE code = 'no-budget';
-- Offers that are bought as soon as the month has room, in the order in which they are.
CREATE INDEX cover_bought ON cover (connection, price_currency, due, subject) WHERE state = 'offered' AND may = 1;
-- Rejections that say something of other invoices, too.
CREATE INDEX cover_known ON cover (connection, rejection)
  WHERE state = 'declined' AND code IN ('invoice-currency', 'buyer-country', 'invoice-credit-terms');

-- What changed by itself or by us, once each with its day: the status of a quote or of a policy.
CREATE TABLE cover_event (
  id       INTEGER PRIMARY KEY,
  subject  TEXT NOT NULL,
  at       INTEGER NOT NULL,
  what     TEXT NOT NULL,
  before   TEXT,
  after    TEXT NOT NULL,
  detail   TEXT
) STRICT;
CREATE INDEX cover_event_subject ON cover_event (subject);

-- What a person said of a quote or a collection, and what they had been shown.
CREATE TABLE cover_decision (
  id        INTEGER PRIMARY KEY,
  subject   TEXT NOT NULL,
  about     TEXT NOT NULL,
  decision  TEXT NOT NULL,
  who       TEXT NOT NULL,
  decided   INTEGER NOT NULL,
  digest    TEXT NOT NULL,
  shown     TEXT NOT NULL
) STRICT;
CREATE INDEX cover_decision_subject ON cover_decision (subject);

-- Covered invoices that the service does not show: since when, when that was last tried, and why.
CREATE TABLE cover_unread (
  subject  TEXT PRIMARY KEY,
  since    INTEGER NOT NULL,
  tried    INTEGER NOT NULL,
  why      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The settings of cover under which a connection buys without a word, as JSON. 'shown': what is wider in them than before, until
-- the run after the one that showed it.
CREATE TABLE cover_shown (
  connection  TEXT PRIMARY KEY,
  settings    TEXT NOT NULL,
  shown       TEXT
) STRICT, WITHOUT ROWID;

-- How much insured exposure a buyer may have, as the service last said.
CREATE TABLE buyer_limit (
  company    TEXT NOT NULL,
  currency   TEXT NOT NULL,
  read       INTEGER NOT NULL,
  status     TEXT NOT NULL,
  available  TEXT,
  used       TEXT,
  maximum    TEXT,
  rejection  TEXT,
  -- Of the reading before, where it was higher.
  was        TEXT,
  PRIMARY KEY (company, currency)
) STRICT, WITHOUT ROWID;

-- A payment failed: nothing more is bought for this connection before a person says so.
CREATE TABLE purchase_block (
  connection  TEXT PRIMARY KEY,
  since       INTEGER NOT NULL,
  subject     TEXT NOT NULL,
  why         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Policies that no call of this file bought, though one of these connections may have: by a file that was lost, or by
-- a later one than this. What was spent in a month counts them. 'total' is an exact decimal; null: the service does
-- not say it.
CREATE TABLE earlier_purchase (
  policy    TEXT PRIMARY KEY,
  subject   TEXT NOT NULL,
  -- Milliseconds.
  bought    INTEGER NOT NULL,
  currency  TEXT,
  total     TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX earlier_purchase_bought ON earlier_purchase (bought);

-- Documents that are looked at again at a time though nothing changes.
CREATE TABLE wake (
  subject  TEXT PRIMARY KEY,
  at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX wake_at ON wake (at);

-- The files that go with the collection of an invoice: its copy, the statement of account, and what a person adds.
-- They are in the state file, so that they are as much on disk as the calls about them, and every backup has them. A
-- file has at most eight megabytes; the one that another replaces is gone with it.
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

-- The content of a file, in the order of 'n'.
CREATE TABLE collection_file_piece (
  file   INTEGER NOT NULL,
  n      INTEGER NOT NULL,
  bytes  BLOB NOT NULL,
  PRIMARY KEY (file, n)
) STRICT;

-- The account for recovered money, so that another one is noticed: a salt and a scrypt, see 'BankAccount.ts'.
CREATE TABLE bank_account (
  connection  TEXT PRIMARY KEY,
  mark        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What was found out for the collection of an invoice: when, how many other invoices of its buyer are overdue, and
-- what could not be had, as a list of sentences.
CREATE TABLE collection_gathered (
  subject   TEXT PRIMARY KEY,
  at        INTEGER NOT NULL,
  overdue   INTEGER NOT NULL,
  problems  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
