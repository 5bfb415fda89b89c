/**
 * Who changed the configuration on the page, see `decisions/Notes.ts`. A migration of the state file, see
 * migrations.ts.
 */
export const CONFIG_CHANGES = `
-- What a person changed in the configuration, in words; of no connection where it is about all of them.
CREATE TABLE config_change (
  id          INTEGER PRIMARY KEY,
  changed     INTEGER NOT NULL,
  who         TEXT NOT NULL,
  connection  TEXT,
  words       TEXT NOT NULL
) STRICT;
`
