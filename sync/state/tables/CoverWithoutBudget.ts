/** Invoices in a currency without a budget for cover. A migration of the state file, see migrations.ts. */
export const COVER_WITHOUT_BUDGET = `
-- They would be selected, but for their currency: one of them speaks for all, see 'CoverFacts.ts'.
CREATE INDEX cover_no_budget ON cover (connection, currency, subject) WHERE code = 'no-budget';
`
