/**
 * Customers and how they pay: each customer's invoices under a number of its own, with the figures that people ask for. A
 * migration of the state file, see migrations.ts. Takes ten seconds for each million invoices of an older file.
 */
import type { Database } from "better-sqlite3"
import type * as Document from "../../../connectors/Document.ts"
import * as Currency from "../../../core/money/Currency.ts"
import * as Body from "../Body.ts"

export const CUSTOMER_TABLES = `
-- A customer as its source knows it: by its id, or else by name and country.
CREATE TABLE customer (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  name        TEXT NOT NULL,
  country     TEXT,
  UNIQUE (connection, party)
) STRICT;

-- An invoice that counts, by the number of its document; written with its row of the ledger. 'gross' in minor units, 'paid'
-- the day of the last payment, where nothing is open any more.
CREATE TABLE customer_invoice (
  document  INTEGER PRIMARY KEY REFERENCES document (id),
  customer  INTEGER NOT NULL REFERENCES customer (id),
  currency  TEXT NOT NULL,
  issued    TEXT NOT NULL,
  due       TEXT NOT NULL,
  gross     INTEGER NOT NULL,
  paid      TEXT
) STRICT;
CREATE INDEX customer_invoice_customer ON customer_invoice (customer, paid, due);
CREATE INDEX customer_invoice_issued ON customer_invoice (issued, currency, gross, customer);

-- What people wrote down about a customer.
CREATE TABLE customer_note (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  written     INTEGER NOT NULL,
  who         TEXT NOT NULL,
  words       TEXT NOT NULL
) STRICT;
CREATE INDEX customer_note_of ON customer_note (connection, party);

-- What changed since a time is found without looking at what did not: few documents ever change.
CREATE INDEX document_changed ON document (record) WHERE n > 1;
CREATE INDEX document_read ON document (read) WHERE read IS NOT NULL;
`

const TABLES = `${CUSTOMER_TABLES}
-- What the plan comes to, in words, as it was when a person was asked.
ALTER TABLE approval ADD COLUMN words TEXT;
`

/** How many rows are in memory at once. */
const SOME = 500

interface Row {
  readonly at: number
  readonly id: number
  readonly connection: string
  readonly body: string
  readonly open: number
  readonly paid: string | null
}

const ROWS = `SELECT l.id AS at, d.id, l.connection, d.body, l.books_open > 0 AS open,
    (SELECT max(p.body ->> '$[3]') FROM allocation a JOIN document p ON p.id = a.document
      WHERE a.invoice = l.subject AND p.deleted = 0 AND p.body GLOB '[[]2,*') AS paid
  FROM ledger l JOIN document d ON d.key = l.subject
  WHERE l.id > ? AND d.deleted = 0 AND d.body GLOB '[[]1,*' ORDER BY l.id LIMIT ${SOME}`

export const customers = (db: Database): void => {
  db.exec(TABLES)
  const page = db.prepare(ROWS)
  const customer = db.prepare(
    "INSERT INTO customer (connection, party, name, country) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name RETURNING id"
  )
  const insert = db.prepare("INSERT INTO customer_invoice VALUES (?, ?, ?, ?, ?, ?, ?)")
  let rows = page.all(0) as ReadonlyArray<Row>
  while (rows.length > 0) {
    for (const { body, connection, id, open, paid } of rows) {
      const { currency, due, gross, issued, net, paidOn, party, status } = Body.read(body) as Document.Invoice
      const asked = gross ?? net
      if (status === "draft" || status === "void" || asked === undefined) continue
      const key = party.id ?? `${party.name}|${party.country ?? ""}`
      const of = (customer.get(connection, key, party.name, party.country ?? null) as { readonly id: number }).id
      const settled = open === 1 ? null : (paidOn ?? paid)
      insert.run(id, of, currency, issued, due, Currency.toMinorOutward(asked, currency), settled)
    }
    rows = page.all(rows.at(-1)?.at) as ReadonlyArray<Row>
  }
}
