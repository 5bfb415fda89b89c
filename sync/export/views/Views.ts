/** Defines the views of a views file, each for a common question about the books. Ages count up to the day of the query. */

export interface View {
  readonly name: string
  readonly sql: string
}

const OVERDUE = "max(0, CAST(julianday('now', 'start of day') - julianday(due) AS INTEGER))"
const CONNECTION = (key: string): string => `substr(${key}, 1, instr(${key}, '/') - 1)`
const MONTH = (day: string): string => `substr(${day}, 1, 7)`

export const VIEWS: ReadonlyArray<View> = [
  {
    name: "receivables",
    sql: `SELECT document, ${CONNECTION("document")} AS connection, number, customer, country, currency, issued, due, balance,
      balance_minor, ${OVERDUE} AS days_overdue,
      CASE WHEN ${OVERDUE} = 0 THEN 'not due' WHEN ${OVERDUE} <= 30 THEN '1-30' WHEN ${OVERDUE} <= 60 THEN '31-60'
        WHEN ${OVERDUE} <= 90 THEN '61-90' ELSE 'over 90' END AS age
      FROM invoices WHERE balance_minor > 0`
  },
  {
    name: "receivables_by_age",
    sql: `SELECT connection, currency, age, count(*) AS invoices, sum(balance_minor) AS balance_minor
      FROM receivables GROUP BY connection, currency, age`
  },
  {
    name: "customers",
    sql: `SELECT ${CONNECTION("document")} AS connection, customer, country, currency, count(*) AS invoices,
      sum(coalesce(gross_minor, net_minor)) AS invoiced_minor, sum(received_minor) AS received_minor,
      sum(balance_minor) AS balance_minor,
      sum(CASE WHEN ${OVERDUE} > 0 THEN max(balance_minor, 0) ELSE 0 END) AS overdue_minor
      FROM invoices WHERE status IN ('open', 'paid') GROUP BY 1, 2, 3, 4`
  },
  {
    name: "cash_by_month",
    sql: `SELECT ${CONNECTION("document")} AS connection, currency, ${MONTH("date")} AS month,
      sum(CASE WHEN kind = 'payment' THEN amount_minor ELSE 0 END) AS received_minor,
      sum(CASE WHEN kind = 'reversal' THEN -amount_minor ELSE 0 END) AS returned_minor
      FROM payments WHERE in_source = 'yes' AND kind IN ('payment', 'reversal') GROUP BY 1, 2, 3`
  },
  {
    name: "invoiced_by_month",
    sql: `SELECT ${CONNECTION("document")} AS connection, currency, ${MONTH("issued")} AS month, count(*) AS invoices,
      sum(coalesce(gross_minor, net_minor)) AS invoiced_minor, sum(credited_minor) AS credited_minor
      FROM invoices WHERE status IN ('open', 'paid') GROUP BY 1, 2, 3`
  },
  {
    name: "payment_times",
    sql: `SELECT i.document, ${CONNECTION("i.document")} AS connection, i.customer, i.currency, i.issued, i.due,
      max(s.date) AS last_payment, CAST(julianday(max(s.date)) - julianday(i.issued) AS INTEGER) AS days_to_pay,
      CAST(julianday(max(s.date)) - julianday(i.due) AS INTEGER) AS days_late
      FROM invoices i JOIN shares s ON s.invoice = i.document AND s.amount_minor > 0
      WHERE i.balance_minor <= 0 AND i.status IN ('open', 'paid') GROUP BY i.document`
  },
  {
    name: "differences",
    sql: `SELECT document, ${CONNECTION("document")} AS connection, number, customer, currency, books_open, books_open_minor,
      service_open, service_open_minor, books_open_minor - service_open_minor AS difference_minor, not_sent_because
      FROM invoices WHERE books_open_minor <> service_open_minor`
  }
]
