/**
 * The sums of the ledger's invoices, by connection and currency, updated as rows of the ledger change, so that a statement
 * does not have to add up a million unchanged rows.
 */

/** What one row of the ledger adds: an invoice that is in a currency. */
const COLUMNS = {
  invoices: () => "1",
  books: (row: string) => `${row}.books_open`,
  service: (row: string) => `${row}.service_open`,
  sent: (row: string) => `${row}.remote IS NOT NULL`,
  says: (row: string) => `coalesce(max(${row}.source_open, 0), 0)`,
  stated: (row: string) => `${row}.source_open IS NOT NULL`,
  counted: (row: string) => `${row}.balance IS NOT NULL`,
  explained: (row: string) => `coalesce(max(${row}.source_follows, 0) - ${row}.books_open, 0)`,
  credit: (row: string) => `coalesce(max(-${row}.balance, 0), 0)`,
  creditors: (row: string) => `coalesce(${row}.balance < 0, 0)`
}

const names = Object.keys(COLUMNS)

const counts = (row: string): string => `${row}.currency <> '' AND ${row}.subject < ${row}.connection || '/order/'`

const values = (row: string): ReadonlyArray<string> => Object.values(COLUMNS).map((value) => value(row))

const enters = `INSERT INTO ledger_sum SELECT NEW.connection, NEW.currency, ${values("NEW").join(", ")} WHERE ${counts("NEW")}
    ON CONFLICT (connection, currency) DO UPDATE SET ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")};`

const leaves = `UPDATE ledger_sum SET ${names.map((name, i) => `${name} = ${name} - (${values("OLD")[i]})`).join(", ")}
    WHERE connection = OLD.connection AND currency = OLD.currency AND ${counts("OLD")};`

/** Later than every month that can be closed. */
const OPEN_MONTH = 999_912

const IS_INVOICE = "instr(NEW.subject, '/invoice/') > 0"

export const LEDGER_SUMS = `
-- What the invoices of the ledger come to; the same as adding up their rows.
CREATE TABLE ledger_sum (
  connection  TEXT NOT NULL,
  currency    TEXT NOT NULL,
  ${names.map((name) => `${name} INTEGER NOT NULL,`).join("\n  ")}
  PRIMARY KEY (connection, currency)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER ledger_enters AFTER INSERT ON ledger BEGIN
  ${enters}
END;
CREATE TRIGGER ledger_leaves AFTER DELETE ON ledger BEGIN
  ${leaves}
END;
CREATE TRIGGER ledger_changes AFTER UPDATE ON ledger BEGIN
  ${leaves}
  ${enters}
END;

-- The last month of which an invoice's row is a part in closing statements, such as 202610: it is settled, and nothing of it is
-- dated later. Whatever is written to the row makes it ${OPEN_MONTH}, until that was looked at again.
CREATE TABLE ledger_month (
  ledger  INTEGER PRIMARY KEY ,
  last    INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_month_last ON ledger_month (last);
CREATE TRIGGER ledger_month_enters AFTER INSERT ON ledger WHEN ${IS_INVOICE} BEGIN
  INSERT INTO ledger_month VALUES (NEW.id, ${OPEN_MONTH}) ON CONFLICT (ledger) DO UPDATE SET last = excluded.last;
END;
CREATE TRIGGER ledger_month_changes AFTER UPDATE ON ledger WHEN ${IS_INVOICE} BEGIN
  UPDATE ledger_month SET last = ${OPEN_MONTH} WHERE ledger = NEW.id AND last <> ${OPEN_MONTH};
END;
CREATE TRIGGER ledger_month_leaves AFTER DELETE ON ledger BEGIN
  DELETE FROM ledger_month WHERE ledger = OLD.id;
END;
-- Invoices that payments and credit notes name, and that neither books nor ledger had when they were last settled.
CREATE TABLE unbooked (
  subject  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`
