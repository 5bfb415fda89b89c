/**
 * Stores documents in less than half the space: bodies in the format of `Body.ts`, records in one row for each page
 * (`RecordPages.ts`). A migration of the state file, see migrations.ts. All documents are rewritten, with a few hundred in
 * memory at a time; the space that becomes free is reused.
 */
import type { Database } from "better-sqlite3"
import * as Document from "../../../connectors/Document.ts"
import * as Body from "../Body.ts"
import { RecordPages } from "../RecordPages.ts"

const TABLES = `
-- Records as their sources gave them, those of a page in one row: JSON, packed by Zstandard where it is shorter than its size says.
CREATE TABLE record_page (
  id       INTEGER PRIMARY KEY,
  scan     INTEGER NOT NULL REFERENCES scan (id),
  read     INTEGER NOT NULL,
  size     INTEGER NOT NULL,
  content  BLOB NOT NULL
) STRICT;

-- 'read' is null where it was read with its record.
CREATE TABLE compact_document (
  id       INTEGER PRIMARY KEY,
  key      TEXT NOT NULL UNIQUE,
  scan     INTEGER NOT NULL REFERENCES scan (id),
  n        INTEGER NOT NULL,
  deleted  INTEGER NOT NULL,
  read     INTEGER,
  record   INTEGER NOT NULL,
  body     TEXT NOT NULL
) STRICT;
CREATE TABLE compact_version (
  document  INTEGER NOT NULL REFERENCES document (id),
  n         INTEGER NOT NULL,
  deleted   INTEGER NOT NULL,
  read      INTEGER,
  record    INTEGER NOT NULL,
  body      TEXT NOT NULL,
  PRIMARY KEY (document, n)
) STRICT, WITHOUT ROWID;
`

const INSTEAD = `
DROP TABLE version;
DROP TABLE document;
ALTER TABLE compact_document RENAME TO document;
ALTER TABLE compact_version RENAME TO version;

CREATE INDEX document_deleted ON document (key) WHERE deleted = 1;
-- Few invoices have a number that is not their id.
CREATE INDEX document_invoice_number ON document (body ->> '$[10].number') WHERE body GLOB '[[]1,*' AND body ->> '$[10].number' IS NOT NULL;
CREATE INDEX document_deferred_payment ON document (body ->> '$[3].deferredPayment') WHERE body GLOB '[[]5,*';
CREATE INDEX document_order ON document (body ->> '$[3].serviceOrder') WHERE body GLOB '[[]5,*';
CREATE INDEX document_number ON document (body ->> '$[3].number') WHERE body GLOB '[[]5,*';
`

/** How many rows are in memory at once. */
const SOME = 500

interface Row {
  readonly document: number
  readonly key: string
  readonly scan: number
  readonly n: number
  readonly deleted: number
  readonly read: number
  readonly origin: string
  readonly body: string
  readonly raw: string
}

const DOCUMENTS = `SELECT id AS document, key, scan, n, deleted, read, origin, body, raw FROM document
  WHERE id > :document ORDER BY id LIMIT ${SOME}`
const VERSIONS = `SELECT v.document, v.n, v.deleted, v.read, v.origin, v.body, v.raw, d.scan FROM version v JOIN document d ON d.id = v.document
  WHERE (v.document, v.n) > (:document, :n) ORDER BY v.document, v.n LIMIT ${SOME}`

/** Copies each row of a table with its record's new number; reads some rows, then writes them. */
const copy = (db: Database, select: string, insert: (row: Row, record: number, body: string) => void) => {
  const page = db.prepare(select)
  const prepared = new Map<string, ReturnType<Database["prepare"]>>()
  const prepare = (sql: string) => {
    const one = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, one)
    return one
  }
  const records = new RecordPages({ prepare })
  let scan = 0
  let rows = page.all({ document: 0, n: 0 }) as ReadonlyArray<Row>
  while (rows.length > 0) {
    for (const row of rows) {
      // The records of a row belong to one connection.
      if (row.scan !== scan) records.flush(scan, 0)
      scan = row.scan
      insert(row, records.add(scan, row, 0), Body.write(Document.decode(row.body)))
    }
    rows = page.all(rows.at(-1)) as ReadonlyArray<Row>
  }
  records.flush(scan, 0)
}

export const compact = (db: Database): void => {
  db.exec(TABLES)
  const document = db.prepare("INSERT INTO compact_document VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
  copy(db, DOCUMENTS, ({ deleted, document: id, key, n, read, scan }, record, body) =>
    document.run(id, key, scan, n, deleted, read, record, body)
  )
  const version = db.prepare("INSERT INTO compact_version VALUES (?, ?, ?, ?, ?, ?)")
  copy(db, VERSIONS, ({ deleted, document, n, read }, record, body) =>
    version.run(document, n, deleted, read, record, body)
  )
  db.exec(INSTEAD)
}
