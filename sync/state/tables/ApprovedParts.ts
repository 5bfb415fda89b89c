/** Approvals of a part of a plan, see `plan/Approvals.ts`. A migration of the state file, see migrations.ts. */
export const APPROVED_PARTS = `
-- The approved documents of the plan as JSON; NULL: all of it.
ALTER TABLE approval ADD COLUMN part TEXT;
`
