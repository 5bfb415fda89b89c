/**
 * The facts that are chained, by table: claims, receipts, decisions, sightings of documents, readings of the service and the ledger
 * that follows from them. What a table has beside is a queue, a copy in another form, or made of these again.
 *
 * Documents are chained separately, see `Documents.ts`: there are many, and a new one is never written alone.
 */

export interface Chained {
  readonly table: string
  /** A number, or the columns of a key. */
  readonly key: "id" | "claim" | ReadonlyArray<string>
  /** What is chained of a row: its key and these. */
  readonly columns: ReadonlyArray<string>
  /** The rows that are facts; by default all. */
  readonly when?: string
  /** Instead of a row's digest, the row: who decided what stays in the chain when the row is replaced. */
  readonly whole?: true
}

export const RECORDS = "record_page"

/** 'has_receipt' is compared with the receipts. Those that ended are packed, see `CallPages.ts`. */
export const CLAIMS: Chained = {
  table: "claim",
  key: "id",
  columns: ["run", "subject", "fact", "rule", "operation", "request", "reason", "claimed", "sends"]
}

export const RECEIPTS: Chained = {
  table: "receipt",
  key: "claim",
  columns: ["outcome", "status", "remote", "answer", "answered"]
}

export const CHAINED: ReadonlyArray<Chained> = [
  CLAIMS,
  RECEIPTS,
  {
    table: "ledger",
    key: "id",
    columns: [
      ...["subject", "connection", "remote", "held", "reason", "currency"],
      ...["books_open", "service_open", "balance", "source_open", "source_follows"]
    ]
  },
  // Its digest is of what its content unpacks to, see `factOf`.
  { table: RECORDS, key: "id", columns: ["scan", "read", "size", "content"] },
  {
    table: "attention",
    key: "id",
    columns: ["subject", "fact", "rule", "code", "why", "todo", "since", "closed", "how"],
    when: "closed IS NOT NULL"
  },
  { table: "cover_event", key: "id", columns: ["subject", "at", "what", "before", "after", "detail"] },
  {
    table: "cover_decision",
    key: "id",
    columns: ["subject", "about", "decision", "who", "decided", "digest", "shown"]
  },
  { table: "customer_note", key: "id", columns: ["connection", "party", "written", "who", "words"] },
  { table: "config_change", key: "id", columns: ["changed", "who", "connection", "words"] },
  {
    table: "approval",
    key: ["connection"],
    columns: [
      ...["digest", "calls", "attention", "reductions", "made", "decision", "decided"],
      ...["who", "why", "words", "part", "amounts"]
    ],
    whole: true
  },
  {
    table: "approval_voice",
    key: ["connection", "digest", "subject", "issuer"],
    columns: ["name", "given", "part"],
    whole: true
  },
  {
    table: "decision",
    key: "id",
    columns: [
      ...["began", "ended", "deed", "connection", "about", "digest", "name", "subject", "issuer", "how", "address"],
      ...["causes", "outcome"]
    ]
  },
  { table: "sign_in", key: "id", columns: ["at", "name", "subject", "issuer", "how", "address", "outcome"] },
  {
    table: "closed_month",
    key: ["connection", "month"],
    columns: ["closed", "who", "digest", "balances"],
    whole: true
  },
  { table: "match", key: ["connection", "party"], columns: ["company", "chosen"], whole: true },
  { table: "choice", key: ["payment"], columns: ["shares", "chosen"], whole: true },
  { table: "same_money", key: ["a", "b"], columns: ["same", "answered"], whole: true },
  {
    table: "payer",
    key: ["connection", "payer", "party", "form"],
    columns: ["name", "customer", "since"],
    whole: true
  },
  { table: "not_ours", key: ["connection", "payer", "words"], columns: ["payment", "since"], whole: true },
  { table: "pause", key: ["connection"], columns: ["since", "who"], whole: true },
  { table: "purchase_block", key: ["connection"], columns: ["since", "subject", "why"], whole: true },
  {
    table: "buyer_limit",
    key: ["company", "currency"],
    columns: ["read", "status", "available", "used", "maximum", "rejection", "was"],
    whole: true
  },
  {
    table: "earlier_purchase",
    key: ["policy"],
    columns: ["subject", "bought", "currency", "total"],
    whole: true
  },
  { table: "other_transaction", key: ["subject", "id"], columns: [], whole: true }
]

/** A row's key as JSON, as SQL. */
export const keyColumns = ({ key }: Chained, row: string): string =>
  typeof key === "string" ? `${row}.${key}` : `json_array(${key.map((column) => `${row}.${column}`).join(", ")})`

/** What is chained of a row, as SQL. */
export const factColumns = ({ columns, key }: Chained, row = ""): string =>
  `json_array(${[...(typeof key === "string" ? [key] : key), ...columns].map((name) => row + name).join(", ")})`

/** The row of a key, by `:key`: a number, or the key as JSON. */
export const rowOf = (chained: Chained): string => {
  const { key, table, when = "1" } = chained
  const where =
    typeof key === "string" ? `${key} = :key` : key.map((column, n) => `${column} = :key ->> '$[${n}]'`).join(" AND ")
  return `SELECT ${factColumns(chained)} FROM ${table} WHERE ${where} AND ${when}`
}
