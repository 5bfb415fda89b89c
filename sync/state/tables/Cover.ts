/** Quotes, policies and collections of invoices, see `model/Cover.ts`. A migration of the state file, see migrations.ts. */
export const COVER = `
-- A row for each invoice that is selected, or was covered: for budget, exposure, deadlines and reports. Amounts in minor
-- units of their currency. 'state' is one of: waiting, offered, declined, expired, insured, collection, lapsed, closed.
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
  -- Until when the offer stands, milliseconds.
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
  -- When the service last said how it stands, milliseconds.
  read            INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX cover_offered ON cover (connection, due, subject) WHERE state = 'offered';
CREATE INDEX cover_company ON cover (company, currency);
CREATE INDEX cover_buyer ON cover (connection, buyer);
CREATE INDEX cover_read ON cover (connection, read) WHERE state IN ('offered', 'insured', 'collection');

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

-- Documents that are looked at again at a time though nothing changes.
CREATE TABLE wake (
  subject  TEXT PRIMARY KEY,
  at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX wake_at ON wake (at);

-- A payment failed: nothing more is bought for this connection before a person says so.
CREATE TABLE purchase_block (
  connection  TEXT PRIMARY KEY,
  since       INTEGER NOT NULL,
  subject     TEXT NOT NULL,
  why         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What was spent in a month is counted from the claims.
CREATE INDEX claim_purchase ON claim (claimed) WHERE operation = 'policies.create';
`
