/**
 * Payments by customer id, and the invoices that they were matched with before. A migration of the state file, see
 * migrations.ts.
 */
export const MATCHED = `
-- Whether payments of a connection go by the customer's id, where both sides state one.
ALTER TABLE paying ADD COLUMN by_id INTEGER NOT NULL DEFAULT 0;

-- Whose invoice, and whose payment it is, by id; empty where it is not stated, or does not count.
ALTER TABLE payable ADD COLUMN customer TEXT NOT NULL DEFAULT '';
ALTER TABLE matching ADD COLUMN customer TEXT NOT NULL DEFAULT '';
CREATE INDEX payable_customer ON payable (connection, customer, currency, open) WHERE customer <> '';
CREATE INDEX matching_customer ON matching (pays, currency, amount, customer) WHERE free = 1 AND customer <> '';

-- Keys of the invoices that a payment was matched with last, where it has none now.
ALTER TABLE matching ADD COLUMN was TEXT NOT NULL DEFAULT '';
`
