/** What several parts of a source state of the same document, see `books/Parts.ts`. A migration, see migrations.ts. */
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

-- Entries of banks' statements, by document and part, see books/Entries.ts.
CREATE TABLE entry (
  document    INTEGER NOT NULL REFERENCES document (id),
  scan        INTEGER NOT NULL REFERENCES scan (id),
  connection  TEXT NOT NULL,
  account     TEXT NOT NULL,
  amount      TEXT NOT NULL,
  day         TEXT NOT NULL,
  -- Whether the part states it now, or did; whether its statement is the last word on its day.
  said        INTEGER NOT NULL,
  final       INTEGER NOT NULL,
  -- The rest, as JSON.
  detail      TEXT NOT NULL,
  PRIMARY KEY (document, scan)
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_like ON entry (connection, account, amount, day);
CREATE INDEX entry_scan ON entry (scan, document);
-- Those that no final statement has are looked for as statements come.
CREATE INDEX entry_interim ON entry (connection, account, day) WHERE said * final = 0;

-- Days on which a part's statements have every entry of an account.
CREATE TABLE coverage (
  scan     INTEGER NOT NULL REFERENCES scan (id),
  account  TEXT NOT NULL,
  first    TEXT NOT NULL,
  last     TEXT NOT NULL,
  PRIMARY KEY (scan, account, first)
) STRICT, WITHOUT ROWID;
CREATE INDEX coverage_account ON coverage (account, last);

-- By member, a digest of the settings that a source was last read with.
ALTER TABLE source ADD COLUMN settings TEXT;
-- Settings that were changed since what they lead to was last sent, and by which members.
CREATE TABLE setting_change (
  connection  TEXT NOT NULL,
  what        TEXT NOT NULL,
  PRIMARY KEY (connection, what)
) STRICT, WITHOUT ROWID;
`
