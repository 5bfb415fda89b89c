/** Tables of the state file: sightings of money, and the invoices that it is matched with. */

/** Indexes by amount and name that a large run of matching drops, and makes again before they are used. */
export const PAYABLE_OPEN =
  "CREATE INDEX IF NOT EXISTS payable_open ON payable (connection, currency, open, party) WHERE payable = 1 AND open > 0"
export const PAYABLE_PARTY = "CREATE INDEX IF NOT EXISTS payable_party ON payable (connection, party, form)"
export const MATCHING_FREE =
  "CREATE INDEX IF NOT EXISTS matching_free ON matching (pays, currency, amount, party) WHERE free = 1"

const asks =
  "INSERT INTO asked SELECT new.connection, value, new.invoice FROM json_each('[\"' || replace(new.reference, ' ', '\",\"') || '\"]') WHERE value <> ''"
const asked =
  "DELETE FROM asked WHERE connection = old.connection AND invoice = old.invoice AND instr(' ' || old.reference || ' ', ' ' || reference || ' ') > 0"

export const MATCHING = `
-- Entries of banks' statements, by document and part, see books/Entries.ts.
CREATE TABLE entry (
  document    INTEGER NOT NULL REFERENCES document (id),
  scan        INTEGER NOT NULL REFERENCES scan (id),
  connection  TEXT NOT NULL,
  account     TEXT NOT NULL,
  amount      TEXT NOT NULL,
  day         TEXT NOT NULL,
  -- Whether the part states it now, or did; whether its statement is the last word on its day.
  said        INTEGER NOT NULL,
  final       INTEGER NOT NULL,
  -- The rest, as JSON.
  detail      TEXT NOT NULL,
  PRIMARY KEY (document, scan)
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_like ON entry (connection, account, amount, day);
CREATE INDEX entry_scan ON entry (scan, document);
-- Those that no final statement has are looked for as statements come.
CREATE INDEX entry_interim ON entry (connection, account, day) WHERE said * final = 0;

-- Days on which a part's statements have every entry of an account.
CREATE TABLE coverage (
  scan     INTEGER NOT NULL REFERENCES scan (id),
  account  TEXT NOT NULL,
  first    TEXT NOT NULL,
  last     TEXT NOT NULL,
  PRIMARY KEY (scan, account, first)
) STRICT, WITHOUT ROWID;
CREATE INDEX coverage_account ON coverage (account, last);

-- Payments of connections whose money several lists state. Amounts in minor units. A payment with a leader is the
-- same movement as that one ('doubt': it may be, and waits).
CREATE TABLE sighting (
  document  INTEGER PRIMARY KEY REFERENCES document (id),
  family    TEXT NOT NULL,
  list      TEXT NOT NULL,
  currency  TEXT NOT NULL,
  amount    INTEGER NOT NULL,
  date      TEXT NOT NULL,
  party     TEXT NOT NULL,
  leader    INTEGER,
  how       TEXT,
  -- What came of it in the account's currency, where the bank exchanged it.
  got       INTEGER,
  got_in    TEXT
) STRICT;
CREATE INDEX sighting_alike ON sighting (family, currency, amount, party, date);
CREATE INDEX sighting_leader ON sighting (leader) WHERE leader IS NOT NULL;
CREATE INDEX sighting_payer ON sighting (family, party, date);
CREATE INDEX sighting_day ON sighting (family, list, date);
CREATE INDEX sighting_exchanged ON sighting (family, currency, got_in, date) WHERE got IS NOT NULL;
CREATE INDEX sighting_doubt ON sighting (family) WHERE how = 'doubt';

-- Documents to join again, and the connections that several lists pay.
CREATE TABLE to_join (
  key  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Connections that several lists of payments pay.
CREATE TABLE several_lists (
  family  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- A person's answer: these two are the same money, or they are apart. By key, the lesser first.
CREATE TABLE same_money (
  a         TEXT NOT NULL,
  b         TEXT NOT NULL,
  same      INTEGER NOT NULL,
  answered  INTEGER NOT NULL,
  PRIMARY KEY (a, b)
) STRICT, WITHOUT ROWID;

-- On which invoices a payment or reversal was ever posted.
CREATE TABLE posted (
  fact     TEXT NOT NULL,
  invoice  TEXT NOT NULL,
  PRIMARY KEY (fact, invoice)
) STRICT, WITHOUT ROWID;

-- Lines of banks that are a processor's payouts, and no customer's money. The payout, or empty where none explains the line.
CREATE TABLE payout_line (
  line    INTEGER PRIMARY KEY REFERENCES document (id),
  payout  TEXT NOT NULL
) STRICT;

-- Which connection pays for which, as the books were matched last.
CREATE TABLE paying (
  connection  TEXT PRIMARY KEY,
  pays        TEXT NOT NULL,
  days        INTEGER NOT NULL,
  -- Whether payments of a connection go by the customer's id, where both sides state one.
  by_id       INTEGER NOT NULL DEFAULT 0,
  -- 1: the configuration does not name it any more. What it paid stays.
  removed     INTEGER NOT NULL DEFAULT 0,
  -- 1: the books have some of its payments, so that they may have others later.
  booked      INTEGER NOT NULL DEFAULT 0,
  -- Within which limits payments are matched without asking, as JSON.
  limits      TEXT NOT NULL DEFAULT '{}'
) STRICT, WITHOUT ROWID;

-- Documents to match again: they changed since they were matched.
CREATE TABLE to_match (
  key  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

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
  due         TEXT NOT NULL,
  -- Whose invoice, and whose payment it is, by id; empty where it is not stated, or does not count.
  customer    TEXT NOT NULL DEFAULT '',
  -- The legal form, apart from the name: banks leave it out.
  form        TEXT NOT NULL DEFAULT '',
  -- What the buyer is asked to write instead of the number, as texts are compared, with spaces between; empty if nothing else.
  reference   TEXT NOT NULL DEFAULT ''
) STRICT;
-- The same, one in each row.
CREATE TABLE asked (
  connection  TEXT NOT NULL,
  reference   TEXT NOT NULL,
  invoice     INTEGER NOT NULL,
  PRIMARY KEY (connection, reference, invoice)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER payable_asks AFTER INSERT ON payable WHEN new.reference <> '' BEGIN ${asks}; END;
CREATE TRIGGER payable_asks_again AFTER UPDATE OF reference ON payable WHEN new.reference <> old.reference BEGIN ${asked}; ${asks}; END;
CREATE TRIGGER payable_asked AFTER DELETE ON payable WHEN old.reference <> '' BEGIN ${asked}; END;
CREATE INDEX payable_number ON payable (connection, number);
CREATE INDEX payable_customer ON payable (connection, customer, currency, open) WHERE customer <> '';
${PAYABLE_OPEN};
${PAYABLE_PARTY};

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
  why         TEXT,
  customer    TEXT NOT NULL DEFAULT '',
  -- Keys of the invoices that a payment was matched with last, where it has none now.
  was         TEXT NOT NULL DEFAULT '',
  form        TEXT NOT NULL DEFAULT '',
  -- The name is the beginning of one: the bank cut it.
  cut         INTEGER NOT NULL DEFAULT 0,
  -- It names an invoice, and its payer or its amount is not the invoice's.
  doubt       INTEGER NOT NULL DEFAULT 0,
  -- What its text says, where that decides nothing: it names an invoice of another customer.
  says        TEXT NOT NULL DEFAULT '',
  -- How the amount comes from the invoices, where it is none of theirs.
  note        TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX matching_of ON matching (of) WHERE of IS NOT NULL;
CREATE INDEX matching_back ON matching (pays, how) WHERE back = 1;
${MATCHING_FREE};
CREATE INDEX matching_lacking ON matching (connection, currency) WHERE matched <> amount;
CREATE INDEX matching_customer ON matching (pays, currency, amount, customer) WHERE free = 1 AND customer <> '';
CREATE INDEX matching_asks ON matching (pays, party) WHERE why IS NOT NULL OR note <> '';
CREATE INDEX matching_doubt ON matching (pays, party, amount) WHERE doubt = 1;
CREATE INDEX matching_doubt_customer ON matching (pays, customer, amount) WHERE doubt = 1 AND customer <> '';
CREATE INDEX matching_cut ON matching (pays, party) WHERE cut = 1;

-- What payments call invoices by.
CREATE TABLE mention (
  pays      TEXT NOT NULL,
  name      TEXT NOT NULL,
  document  INTEGER NOT NULL,
  PRIMARY KEY (pays, name, document)
) STRICT, WITHOUT ROWID;

-- The numbers of invoices whose records cannot be read, as matching compares them.
CREATE TABLE unreadable (
  connection  TEXT NOT NULL,
  name        TEXT NOT NULL,
  PRIMARY KEY (connection, name)
) STRICT, WITHOUT ROWID;

-- Amounts of payers to look at again, and payments whose attention is to be brought in step.
CREATE TABLE to_group (
  pays      TEXT NOT NULL,
  currency  TEXT NOT NULL,
  amount    INTEGER NOT NULL,
  party     TEXT NOT NULL,
  PRIMARY KEY (pays, currency, amount, party)
) STRICT, WITHOUT ROWID;

-- Payers whose payments may be explained by what the books have, or within a connection's limits. Empty: all who are no customers.
CREATE TABLE to_explain (
  pays   TEXT NOT NULL,
  party  TEXT NOT NULL,
  PRIMARY KEY (pays, party)
) STRICT, WITHOUT ROWID;

-- Payments whose attention items are to be brought up to date, from when on, in milliseconds since the epoch: the books may have them by then.
CREATE TABLE to_report (
  document  INTEGER PRIMARY KEY,
  due       INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A person's choice of invoices for a payment, and whose invoices a payer pays.
CREATE TABLE choice (
  payment  TEXT PRIMARY KEY,
  shares   TEXT NOT NULL,
  chosen   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A person said that this payer pays for this customer, as names in the form that is compared.
CREATE TABLE payer (
  connection  TEXT NOT NULL,
  payer       TEXT NOT NULL,
  party       TEXT NOT NULL,
  form        TEXT NOT NULL,
  name        TEXT NOT NULL,
  customer    TEXT NOT NULL,
  since       INTEGER NOT NULL,
  PRIMARY KEY (connection, payer, party, form)
) STRICT, WITHOUT ROWID;

-- What the service has of a payment of another connection, by invoice. Not 'kept': its source corrected it since. Not
-- 'decided': what asks for the same invoice was not decided since.
CREATE TABLE standing (
  payment  TEXT NOT NULL,
  invoice  TEXT NOT NULL,
  amount   TEXT NOT NULL,
  kept     INTEGER NOT NULL,
  decided  INTEGER NOT NULL,
  PRIMARY KEY (payment, invoice)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_new ON standing (payment) WHERE decided = 0;
CREATE INDEX standing_invoice ON standing (invoice);

-- Payments that are for no invoice, as a person said of one like them: by payer and the words of their text.
CREATE TABLE not_ours (
  connection  TEXT NOT NULL,
  payer       TEXT NOT NULL,
  words       TEXT NOT NULL,
  payment     TEXT NOT NULL,
  since       INTEGER NOT NULL,
  PRIMARY KEY (connection, payer, words)
) STRICT, WITHOUT ROWID;
`
