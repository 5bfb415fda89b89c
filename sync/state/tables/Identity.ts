/** The stamp that distinguishes a state file from every other. A migration of the state file, see migrations.ts. */
export const IDENTITY = `
-- Random, made once: secrets that are kept beside the file are bound to it, see Seal.ts. A copy has the same.
ALTER TABLE state ADD COLUMN id TEXT;
UPDATE state SET id = lower(hex(randomblob(16)));
`
