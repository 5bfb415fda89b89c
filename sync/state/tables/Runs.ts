/** The connections of a run. A migration of the state file, see migrations.ts. */
export const RUN_CONNECTIONS = `
-- The connections that it was for, as JSON; null for runs from before this was kept.
ALTER TABLE run ADD COLUMN connections TEXT;
`
