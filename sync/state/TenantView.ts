/**
 * Restricts a connection to a shared state file to one tenant: every table shows only the rows of that tenant's connections.
 *
 * Each table is hidden behind a temporary view of the same name, because SQLite looks up names among temporary objects first.
 * So every statement on this connection is restricted, and no reader, present or future, has to take care of it. A table whose
 * rows cannot be attributed to connections appears empty.
 *
 * Nothing can be written here. A decision is looked up here first, and then carried out on a connection that may write.
 */
import type Sqlite from "better-sqlite3"

/** Tables whose rows `ownerOf` cannot attribute to a connection by itself: a condition on `t` for each. */
const OTHERWISE: Readonly<Record<string, (owns: (column: string) => string) => string>> = {
  state: () => "1",
  // It proves the whole file, and names documents of all.
  chain: () => "0",
  connection: (owns) => owns("t.id"),
  version: (owns) => document("t.document", owns),
  stated: (owns) => document("t.document", owns),
  allocation: (owns) => document("t.document", owns),
  to_report: (owns) => document("t.document", owns),
  sighting: (owns) => document("t.document", owns),
  several_lists: (owns) => owns("t.family"),
  same_money: (owns) => `${owns(prefix("t.a"))} AND ${owns(prefix("t.b"))}`,
  payout_line: (owns) => document("t.line", owns),
  posted: (owns) => owns(prefix("t.fact")),
  ledger_month: (owns) => `EXISTS (SELECT 1 FROM main.ledger l WHERE l.id = t.ledger AND ${owns("l.connection")})`,
  month_sum: (owns) => `EXISTS (SELECT 1 FROM main.month_account a WHERE a.id = t.account AND ${owns("a.connection")})`,
  customer_invoice: (owns) => document("t.document", owns),
  record_page: (owns) => `EXISTS (SELECT 1 FROM main.scan p WHERE p.id = t.scan AND ${owns("p.connection")})`,
  collection_file_piece: (owns) =>
    `EXISTS (SELECT 1 FROM main.collection_file f WHERE f.id = t.file AND ${owns(prefix("f.subject"))})`,
  call_of: (owns) => `EXISTS (SELECT 1 FROM main.ledger l WHERE l.id = t.ledger AND ${owns("l.connection")})`,
  receipt: (owns) => `EXISTS (SELECT 1 FROM main.claim c WHERE c.id = t.claim AND ${owns(prefix("c.subject"))})`,
  control: (owns) => `EXISTS (SELECT 1 FROM main.scan p WHERE p.id = t.scan AND ${owns("p.connection")})`,
  coverage: (owns) => `EXISTS (SELECT 1 FROM main.scan p WHERE p.id = t.scan AND ${owns("p.connection")})`,
  stated_total: (owns) => `EXISTS (SELECT 1 FROM main.scan p WHERE p.id = t.scan AND ${owns("p.connection")})`,
  chunk: (owns) => `EXISTS (SELECT 1 FROM main.scan p WHERE p.id = t.scan AND ${owns("p.connection")})`,
  strange_scan: (owns) => `EXISTS (SELECT 1 FROM main.scan p WHERE p.id = t.scan AND ${owns("p.connection")})`,
  // Made by the operator, for books that are not a connection yet.
  connect_link: () => "0",
  // Answers may be about any connection.
  api_request: () => "0",
  alert_notice: (owns) => `EXISTS (SELECT 1 FROM main.alert a WHERE a.id = t.alert AND ${owns("a.connection")})`,
  // Alerts without a connection are about the machine.
  alert_message: (owns) =>
    `t.connections <> '[]' AND NOT EXISTS (SELECT 1 FROM json_each(t.connections) c WHERE NOT ${owns("c.value")})`,
  undoable: (owns) => `NOT EXISTS (SELECT 1 FROM json_each(t.connections) c WHERE NOT ${owns("c.value")})`,
  // Limits belong to the account; a tenant sees those of its own buyers.
  buyer_limit: (owns) =>
    `EXISTS (SELECT 1 FROM main.cover c WHERE c.company = t.company AND c.currency = t.currency AND ${owns("c.connection")})`,
  // Runs for several tenants, and runs from before this was stored, are hidden.
  run: (owns) =>
    `t.connections IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(t.connections) c WHERE NOT ${owns("c.value")})`
}

const document = (id: string, owns: (column: string) => string): string =>
  `EXISTS (SELECT 1 FROM main.document d WHERE d.id = ${id} AND ${owns(prefix("d.key"))})`

/** The connection in a key: `books/invoice/INV-1`. */
const prefix = (key: string): string => `substr(${key}, 1, instr(${key}, '/') - 1)`

/** Columns that attribute a row: a connection's id, or a key that starts with it. */
const IDS = ["connection", "pays"]
const KEYS = ["subject", "key", "payment"]

/** The condition on `t` for rows of these connections; undefined if the rows cannot be attributed. */
const condition = (
  table: string,
  columns: ReadonlyArray<string>,
  owns: (column: string) => string
): string | undefined => {
  const special = OTHERWISE[table]
  if (special !== undefined) return special(owns)
  const id = IDS.find((name) => columns.includes(name))
  if (id !== undefined) return owns(`t.${id}`)
  const key = KEYS.find((name) => columns.includes(name))
  return key === undefined ? undefined : owns(prefix(`t.${key}`))
}

interface Table {
  readonly name: string
  /** Without a rowid. */
  readonly wr: number
}

/**
 * Hides all rows except those of these connections, for the lifetime of this connection to the file. Returns the tables whose
 * rows cannot be attributed: they appear empty.
 */
export const narrow = (raw: Sqlite.Database, connections: ReadonlyArray<string>): ReadonlyArray<string> => {
  const nobodys: Array<string> = []
  const list = connections.map((id) => `'${id.replaceAll("'", "''")}'`).join(", ")
  const owns = (column: string) => `${column} IN (${list})`
  const tables = raw
    .prepare(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    .all() as ReadonlyArray<Table>
  for (const { name, wr } of tables) {
    const columns = raw.prepare("SELECT name, pk, type FROM pragma_table_info(?)").all(name) as ReadonlyArray<{
      readonly name: string
      readonly pk: number
      readonly type: string
    }>
    // Keeps the order of rows for statements that rely on it.
    const rowid = wr === 0 && !columns.some(({ pk, type }) => pk === 1 && type === "INTEGER")
    const names = columns.map((column) => column.name)
    const where = condition(name, names, owns)
    if (where === undefined) nobodys.push(name)
    raw.exec(
      `CREATE TEMP VIEW ${name} AS SELECT ${rowid ? "t.rowid AS rowid, " : ""}t.* FROM main.${name} t WHERE ${where ?? "0"}`
    )
  }
  // A view in the file refers to the file's tables: it is recreated over the restricted ones.
  const views = raw.prepare("SELECT name, sql FROM main.sqlite_schema WHERE type = 'view'").all() as ReadonlyArray<{
    readonly name: string
    readonly sql: string
  }>
  for (const { sql } of views) raw.exec(sql.replace(/^CREATE VIEW/i, "CREATE TEMP VIEW"))
  return nobodys
}
