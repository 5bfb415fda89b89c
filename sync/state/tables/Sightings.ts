/** Payments of several lists that are one movement of money. A migration of the state file, see migrations.ts. */
export const SIGHTINGS = `
-- Payments of connections whose money several lists state. Amounts in minor units. A payment with a leader is the same
-- movement as that one ('doubt': it may be, and waits).
CREATE TABLE sighting (
  document  INTEGER PRIMARY KEY REFERENCES document (id),
  family    TEXT NOT NULL,
  list      TEXT NOT NULL,
  currency  TEXT NOT NULL,
  amount    INTEGER NOT NULL,
  date      TEXT NOT NULL,
  party     TEXT NOT NULL,
  leader    INTEGER,
  how       TEXT
) STRICT;
CREATE INDEX sighting_alike ON sighting (family, currency, amount, party);
CREATE INDEX sighting_leader ON sighting (leader) WHERE leader IS NOT NULL;

-- Documents to join again, and the connections that several lists pay.
CREATE TABLE to_join (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE several_lists (family TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

-- A person's answer: these two are the same money, or they are apart. By key, the lesser first.
CREATE TABLE same_money (a TEXT NOT NULL, b TEXT NOT NULL, same INTEGER NOT NULL, answered INTEGER NOT NULL, PRIMARY KEY (a, b))
  STRICT, WITHOUT ROWID;

-- 1: the configuration no longer has it. What it paid stays; what waits for it to be read says so.
ALTER TABLE paying ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;

-- On which invoices a payment or reversal was ever posted.
CREATE TABLE posted (fact TEXT NOT NULL, invoice TEXT NOT NULL, PRIMARY KEY (fact, invoice)) STRICT, WITHOUT ROWID;
`
