/**
 * What the ledger said of invoices before it said something else, so that a report can be made as of any earlier moment. Written by
 * triggers, once for each transaction and invoice of which an amount or the due date changed: it grows with the change.
 *
 * A row says until when it was so by an entry of the chain, which each change of the ledger appends.
 */

/** The amounts of a row, and when it is due on the service. */
const WAS = {
  currency: (row: string) => `${row}.currency`,
  books_open: (row: string) => `${row}.books_open`,
  service_open: (row: string) => `${row}.service_open`,
  balance: (row: string) => `${row}.balance`,
  source_open: (row: string) => `${row}.source_open`,
  sent: (row: string) => `${row}.remote IS NOT NULL`,
  due: (row: string) => `coalesce(${row}.held ->> '$.stated.due_date', ${row}.held ->> '$.fields.due_date')`
}

const values = (row: string): ReadonlyArray<string> => Object.values(WAS).map((value) => value(row))

const LAST = "(SELECT coalesce(max(n), 0) FROM chain)"

const isInvoice = (row: string): string => `instr(${row}.subject, '/invoice/') > 0`

const before = (event: string, row: "NEW" | "OLD", when: string, was: ReadonlyArray<string>): string =>
  `CREATE TRIGGER ledger_was_${event} AFTER ${event} ON ledger WHEN ${isInvoice(row)}${when} BEGIN
  INSERT INTO ledger_was VALUES (${row}.subject, ${LAST}, ${row}.connection, ${was.join(", ")}) ON CONFLICT DO NOTHING;
END;`

const differs = Object.values(WAS)
  .map((value) => `${value("OLD")} IS NOT ${value("NEW")}`)
  .join(" OR ")

export const LEDGER_HISTORY = `
-- How an invoice stood up to and including an entry of the chain; without a currency: it was not in the ledger.
CREATE TABLE ledger_was (
  subject       TEXT NOT NULL,
  entry         INTEGER NOT NULL,
  connection    TEXT NOT NULL,
  currency      TEXT,
  books_open    INTEGER,
  service_open  INTEGER,
  balance       INTEGER,
  source_open   INTEGER,
  sent          INTEGER,
  due           TEXT,
  PRIMARY KEY (subject, entry)
) STRICT, WITHOUT ROWID;
${before(
  "insert",
  "NEW",
  "",
  Object.keys(WAS).map(() => "NULL")
)}
${before("delete", "OLD", "", values("OLD"))}
${before("update", "OLD", ` AND (${differs})`, values("OLD"))}
`
