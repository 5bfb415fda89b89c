/**
 * What each run said in its statements, and how invoices and their cover stood before they stood otherwise, so that a report can be made
 * as of any earlier run. Written by triggers, once for each invoice that changed since the last statement: it grows with the change.
 */

/** The columns of a table that are kept, with how each is read from a row. */
type Kept = Readonly<Record<string, (row: string) => string>>

const columns = (...names: ReadonlyArray<string>): Kept =>
  Object.fromEntries(names.map((name) => [name, (row: string) => `${row}.${name}`]))

/** The open amounts of an invoice, and when it is due on the service. */
const LEDGER: Kept = {
  ...columns("connection", "currency", "books_open", "service_open"),
  due: (row) => `coalesce(${row}.held ->> '$.stated.due_date', ${row}.held ->> '$.f.due_date')`
}

/** Without what is of the next run only, and when it was read. */
const COVER: Kept = columns(
  ...["connection", "buyer", "company", "currency", "due", "state", "quote", "until", "price", "price_currency"],
  ...["insured", "code", "rejection", "policy", "status", "window_ends"]
)

const values = (kept: Kept, row: string): string =>
  Object.entries(kept)
    .map(([name, value]) => `${value(row)} AS ${name}`)
    .join(", ")

interface Table {
  readonly table: string
  readonly kept: Kept
  /** Which rows are kept, as SQL. */
  readonly which?: (row: string) => string
}

const LAST = "(SELECT coalesce(max(id), 0) FROM statement)"

const trigger = ({ kept, table, which = () => "1" }: Table, event: string, row: "NEW" | "OLD"): string => {
  const isNew = event === "INSERT"
  // Whose it is stays said, so that a tenant's view has it.
  const was = isNew
    ? Object.keys(kept).map((name) => (name === "connection" ? "NEW.connection" : "NULL"))
    : Object.values(kept).map((value) => value("OLD"))
  const differs = Object.values(kept).map((value) => `${value("OLD")} IS NOT ${value("NEW")}`)
  // Before the first statement there is nothing that it could be shown as of.
  const when = ` AND EXISTS (SELECT 1 FROM statement)${event === "UPDATE" ? ` AND (${differs.join(" OR ")})` : ""}`
  return `CREATE TRIGGER ${table}_was_${event} AFTER ${event} ON ${table} WHEN ${which(row)}${when} BEGIN
  INSERT INTO ${table}_was VALUES (${LAST}, ${row}.subject, ${was.join(", ")}) ON CONFLICT DO NOTHING;
END;`
}

const history = (of: Table): string => `
-- How a row of '${of.table}' stood when this statement was made; without a currency: it was not there. Rows that did not change since
-- have none.
CREATE TABLE ${of.table}_was (
  statement  INTEGER NOT NULL,
  subject    TEXT NOT NULL,
  ${Object.keys(of.kept)
    .map((name) => `${name} ANY`)
    .join(",\n  ")},
  PRIMARY KEY (statement, subject)
) STRICT, WITHOUT ROWID;
${trigger(of, "INSERT", "NEW")}
${trigger(of, "UPDATE", "OLD")}
${trigger(of, "DELETE", "OLD")}`

const HISTORIES: ReadonlyArray<Table> = [
  { table: "ledger", kept: LEDGER, which: (row) => `instr(${row}.subject, '/invoice/') > 0` },
  { table: "cover", kept: COVER }
]

export const HISTORY = `
-- What a run said of a connection, if it was something else than the run before, or what it is of had changed: its statements and budgets as
-- JSON, compressed, and the latest entry of the chain then.
CREATE TABLE statement (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  at          INTEGER NOT NULL,
  entry       INTEGER NOT NULL,
  hash        TEXT NOT NULL,
  digest      TEXT NOT NULL,
  size        INTEGER NOT NULL,
  content     BLOB NOT NULL
) STRICT;
CREATE INDEX statement_connection ON statement (connection, id);
${HISTORIES.map(history).join("\n")}
`

/** A run as of which something is shown. */
export interface Stood {
  /** The number of its last statement. */
  readonly statement: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** As of a statement: the first change after it says how a row stood, and what did not change since is as it is. */
const tableAt = ({ kept, table, which = () => "1" }: Table, statement: number): string => {
  const was = Object.keys(kept).map((one) => `w.${one}`)
  return `${table} AS (WITH first AS MATERIALIZED (SELECT subject, min(statement) AS statement FROM ${table}_was
      WHERE statement >= ${statement} GROUP BY subject)
    SELECT l.subject, ${values(kept, "l")} FROM main.${table} l WHERE ${which("l")} AND l.subject NOT IN (SELECT subject FROM first)
    UNION ALL SELECT w.subject, ${was.join(", ")} FROM first f
      JOIN ${table}_was w ON w.statement = f.statement AND w.subject = f.subject WHERE w.currency IS NOT NULL)`
}

/**
 * To be put before a query: in it, `ledger` (of invoices) and `cover` are what they were after an earlier run, as far as their columns are
 * kept. Empty without a run: they are what they are.
 */
export const stoodAt = (stood?: Pick<Stood, "statement">): string =>
  stood === undefined ? "" : `WITH ${HISTORIES.map((one) => tableAt(one, stood.statement)).join(",\n")}`
