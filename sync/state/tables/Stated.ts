/** What several parts of a source state of the same document, see `books/Statements.ts`. A migration, see migrations.ts. */
export const STATED = `
-- A part that states a document beside the one that it is read from, which is the document's own scan.
CREATE TABLE stated (
  document   INTEGER NOT NULL REFERENCES document (id),
  scan       INTEGER NOT NULL REFERENCES scan (id),
  record     INTEGER NOT NULL,
  -- Null where it is the document's.
  body       TEXT,
  -- Whether it contradicts the document: then it is in quarantine as well.
  contested  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (document, scan)
) STRICT, WITHOUT ROWID;
CREATE INDEX stated_scan ON stated (scan, document);

-- For a part that was written at some time and then stays, like a file: what is known of that time, as JSON.
ALTER TABLE scan ADD COLUMN copy TEXT;
-- It was read from its beginning to its end.
ALTER TABLE scan ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
-- It is not there any more, so what it stated gives way to what others state.
ALTER TABLE scan ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
-- Its old records leave it as new ones come.
ALTER TABLE scan ADD COLUMN rolls INTEGER NOT NULL DEFAULT 0;
`
