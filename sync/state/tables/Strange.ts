/** The input of guards, see `StrangeScans.ts` and `Facts.ts`. A migration of the state file, see migrations.ts. */
export const STRANGE = `
-- Scans whose last whole reading looked like that of another source, with the number of the guard; in documents.
CREATE TABLE strange_scan (
  scan    INTEGER PRIMARY KEY REFERENCES scan (id),
  guard   TEXT NOT NULL,
  before  INTEGER NOT NULL,
  now     INTEGER NOT NULL
) STRICT;

-- Another invoice of the same number is looked for where one is created.
CREATE INDEX document_invoice_number ON document (body ->> '$.number') WHERE key GLOB '*/invoice/*';
`
