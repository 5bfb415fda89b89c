/** What planning cover looks up for each invoice, found by what there is of it. A step of the state file, see migrations.ts. */
export const COVER_READING = `
-- Offers that are bought as soon as the month has room, in the order in which they are.
CREATE INDEX cover_bought ON cover (connection, price_currency, due, subject) WHERE state = 'offered' AND may = 1;
-- Rejections that say something of other invoices, too.
CREATE INDEX cover_known ON cover (connection, rejection)
  WHERE state = 'declined' AND code IN ('invoice-currency', 'buyer-country', 'invoice-credit-terms');
`
