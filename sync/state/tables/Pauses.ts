/** Connections that a person paused, see `schedule/Pauses.ts`. A migration of the state file, see migrations.ts. */
export const PAUSES = `
-- Nothing of these runs by itself.
CREATE TABLE pause (
  connection  TEXT PRIMARY KEY,
  since       INTEGER NOT NULL,
  who         TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
