/** Which runs use the state file, and what changes meanwhile. A migration of the state file, see migrations.ts. */
export const RUNNING = `
-- Grows with each change, so that a plan can tell whether it saw the latest one, see Changed.ts.
ALTER TABLE changed ADD COLUMN n INTEGER NOT NULL DEFAULT 1;

-- The process that a run belongs to, as far as the system tells processes apart, see Runs.ts.
ALTER TABLE run ADD COLUMN process TEXT;

-- Random, new whenever the lock was taken or given back; the lock file has the same, see Place.ts.
ALTER TABLE state ADD COLUMN stamp TEXT;
-- Where the file was then, and its inode there, as JSON.
ALTER TABLE state ADD COLUMN place TEXT;
`
