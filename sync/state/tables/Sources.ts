/**
 * The source and owner that each connection is bound to, and its current name. A migration of the state file, see
 * migrations.ts.
 */
export const SOURCES = `
-- 'connection' is what its documents' keys begin with, for good; 'name' is what the configuration calls it, where that
-- is something else by now. 'identity' is what the connector says of the source, 'shape' the names of its settings.
-- Bound to nothing (connector null): a person has said that whatever comes next is meant.
CREATE TABLE source (
  connection  TEXT PRIMARY KEY,
  name        TEXT UNIQUE,
  connector   TEXT,
  identity    TEXT,
  shape       TEXT,
  owner       TEXT
) STRICT, WITHOUT ROWID;
`
