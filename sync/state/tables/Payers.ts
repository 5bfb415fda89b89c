/** Who paid: names as banks write them, what people said of payers, and what the service has of a payment. A migration, see migrations.ts. */

/** Finds invoices by open amount. Dropped while many documents are matched for the first time, see `inBulk` in Run.ts. */
export const PAYABLE_OPEN =
  "CREATE INDEX IF NOT EXISTS payable_open ON payable (connection, currency, open, party) WHERE payable = 1 AND open > 0"

/** Finds customers by name; dropped and made again once all invoices are taken in. */
export const PAYABLE_PARTY = "CREATE INDEX IF NOT EXISTS payable_party ON payable (connection, party, form)"

export const PAYERS = `
-- The legal form, apart from the name: banks leave it out.
ALTER TABLE payable ADD COLUMN form TEXT NOT NULL DEFAULT '';
ALTER TABLE matching ADD COLUMN form TEXT NOT NULL DEFAULT '';
-- Within which limits payments are matched without asking, as JSON.
ALTER TABLE paying ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';
-- The name is the beginning of one: the bank cut it.
ALTER TABLE matching ADD COLUMN cut INTEGER NOT NULL DEFAULT 0;
-- It names an invoice, and its payer or its amount is not the invoice's.
ALTER TABLE matching ADD COLUMN doubt INTEGER NOT NULL DEFAULT 0;
-- What its text says, where that decides nothing: it names an invoice of another customer.
ALTER TABLE matching ADD COLUMN says TEXT NOT NULL DEFAULT '';
-- How the amount comes from the invoices, where it is none of theirs.
ALTER TABLE matching ADD COLUMN note TEXT NOT NULL DEFAULT '';
CREATE INDEX matching_asks ON matching (pays, party) WHERE why IS NOT NULL OR note <> '';
-- Payers whose payments may be explained within a connection's limits.
CREATE TABLE to_explain (
  pays   TEXT NOT NULL,
  party  TEXT NOT NULL,
  PRIMARY KEY (pays, party)
) STRICT, WITHOUT ROWID;
DROP INDEX payable_open;
${PAYABLE_OPEN};
${PAYABLE_PARTY};
CREATE INDEX matching_doubt ON matching (pays, party, amount) WHERE doubt = 1;
CREATE INDEX matching_cut ON matching (pays, party) WHERE cut = 1;

-- Whose invoices a payer pays beside its own, as people said. 'name': under which its payments wait.
DROP TABLE payer;
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

-- What the service has of a payment of another connection, by invoice. Not 'kept': its source corrected it since.
CREATE TABLE standing (
  payment  TEXT NOT NULL,
  invoice  TEXT NOT NULL,
  amount   TEXT NOT NULL,
  kept     INTEGER NOT NULL,
  PRIMARY KEY (payment, invoice)
) STRICT, WITHOUT ROWID;

-- Names are stored in another form.
INSERT INTO to_match SELECT d.key FROM document d JOIN payable p ON p.invoice = d.id WHERE true ON CONFLICT DO NOTHING;
INSERT INTO to_match SELECT d.key FROM document d JOIN matching m ON m.document = d.id WHERE true ON CONFLICT DO NOTHING;

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
