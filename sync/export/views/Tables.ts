/**
 * Defines the tables of a views file: the sheet that each is made from, and the names of its columns. Names, order, units and
 * meanings do not change within a version (`VERSION`); new columns are added at the end.
 */
import type { Column } from "../../reports/Sheets.ts"

/** Incremented when a name, a unit or a meaning changes; not when something is added. */
export const VIEWS_VERSION = 1

export interface ViewsTable {
  readonly sheet: string
  readonly name: string
  /** One for each column of the sheet, with its type. An amount becomes two columns: `net`, and `net_minor`. */
  readonly columns: ReadonlyArray<readonly [string, Column["type"]]>
}

const columns = (text: string): ViewsTable["columns"] =>
  text
    .trim()
    .split(/\s+/)
    .map((one) => {
      const [name = "", type = "text"] = one.split(":")
      return [name, type as Column["type"]]
    })

const table = (sheet: string, name: string, text: string): ViewsTable => ({ sheet, name, columns: columns(text) })

export const TABLES: ReadonlyArray<ViewsTable> = [
  table(
    "Invoices",
    "invoices",
    `document number customer country issued:date due:date days_overdue:integer status currency net:money gross:money
     credited:money received:money balance:money source_open:money service_id service_status insured books_open:money
     service_open:money paid_on:date not_sent_because`
  ),
  table(
    "Payments",
    "payments",
    `kind document source_id in_source invoices date:date currency amount:money type provider_code
     times_reported:integer on_service:money remote_ids`
  ),
  table("Shares", "shares", "document invoice date:date currency amount:money"),
  table(
    "Orders",
    "orders",
    `connection number placed:date status currency total:money authorised:money captured:money voided:money
     expired:money open:money refunded:money source_captured:money source_voided:money source_refunded:money
     sent_captured:money sent_voided:money sent_refunded:money payment_status payment waits_for document tracking`
  ),
  table(
    "Cover",
    "cover",
    `connection invoice buyer due:date currency books_open:money service_open:money cover exposure:money price
     offered_until:instant policy_status window_closes:date declined why decision decided_by decided_at:instant
     limit_left:money limit_read_at:instant quote policy document`
  ),
  table("Deadlines", "deadlines", "day:date days_left:integer what connection invoice buyer policy_status document"),
  table(
    "Collections",
    "collections",
    `connection invoice buyer due:date currency open:money insured:money policy policy_status since:date
     window_closes:date documents confirmed_by confirmed_at:instant said digest sent_at:instant recovered:money document`
  ),
  table(
    "Calls",
    "calls",
    `id:integer run:integer claimed_at:instant document caused_by rule operation because currency amount:money
     times_sent:integer outcome status:integer remote_id answered_at:instant`
  ),
  table("Attention", "attention", "since:instant document caused_by rule why to_do"),
  table("Quarantined", "quarantined", "connection origin kind id field why raw since:instant"),
  table(
    "Completeness",
    "statement",
    `connection currency what document source_open:money books_open:money service_open:money credit:money
     difference:money why`
  )
]

export const isTable = (sheet: string): boolean => TABLES.some((one) => one.sheet === sheet)

const SQL_TYPES: Readonly<Record<Column["type"], string>> = {
  text: "TEXT",
  date: "TEXT",
  instant: "TEXT",
  integer: "INTEGER",
  money: "TEXT"
}

/** The SQL columns of a table, with their types. */
export const sqlColumns = ({ columns }: ViewsTable): ReadonlyArray<readonly [string, string]> =>
  columns.flatMap(([name, type]) => [
    [name, SQL_TYPES[type]] as const,
    ...(type === "money" ? [[`${name}_minor`, "INTEGER"] as const] : [])
  ])
