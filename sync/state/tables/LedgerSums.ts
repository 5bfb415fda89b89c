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

/** As `CloseEntries.ts` has them. */
const MONTH_SUMS = [
  ...["books", "service"].flatMap((side) =>
    ["invoices", "creditNotes", "payments", "reversals"].map((part) => `${side}_${part}`)
  ),
  ...["apart", "stated", "unchecked"]
]

const unnamed = (row: string, by: 1 | -1): string =>
  `INSERT INTO unnamed_sum VALUES (${row}.connection, ${row}.party, ${row}.currency, ${by}, ${by} * ${row}.open)
    ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, open = open + excluded.open;`

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

-- What an invoice's row adds to closing statements ('moves', see CloseEntries.ts), in which account, and from which month to which source,
-- books and service close apart. Whatever is written to the row makes it 'again': until that was looked at, statements look at the invoice.
CREATE TABLE ledger_month (
  ledger   INTEGER PRIMARY KEY,
  account  INTEGER,
  moves    TEXT NOT NULL,
  apart    INTEGER,
  until    INTEGER,
  again    INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_month_again ON ledger_month (ledger) WHERE again = 1;
CREATE INDEX ledger_month_apart ON ledger_month (apart, until) WHERE apart IS NOT NULL;
CREATE TRIGGER ledger_month_enters AFTER INSERT ON ledger WHEN ${IS_INVOICE} BEGIN
  INSERT INTO ledger_month VALUES (NEW.id, NULL, '', NULL, NULL, 1) ON CONFLICT (ledger) DO UPDATE SET again = 1;
END;
CREATE TRIGGER ledger_month_changes AFTER UPDATE ON ledger WHEN ${IS_INVOICE} BEGIN
  UPDATE ledger_month SET again = 1 WHERE ledger = NEW.id AND again = 0;
END;
CREATE TRIGGER ledger_month_leaves AFTER DELETE ON ledger BEGIN
  UPDATE ledger_month SET again = 1 WHERE ledger = OLD.id;
END;
CREATE TABLE month_account (
  id          INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  currency    TEXT NOT NULL,
  party       TEXT NOT NULL,
  UNIQUE (connection, currency, party)
) STRICT;
-- What the invoices of an account add in a month, such as 202610, in minor units; of month 0 in all months.
CREATE TABLE month_sum (
  month    INTEGER NOT NULL,
  account  INTEGER NOT NULL,
  ${MONTH_SUMS.map((name) => `${name} INTEGER NOT NULL DEFAULT 0,`).join("\n  ")}
  PRIMARY KEY (month, account)
) STRICT, WITHOUT ROWID;
-- Invoices on the service of which neither the books nor the service's answers name the debtor's company, and what they come to.
CREATE TABLE unnamed (
  ledger      INTEGER PRIMARY KEY,
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  currency    TEXT NOT NULL,
  open        INTEGER NOT NULL
) STRICT;
CREATE INDEX unnamed_party ON unnamed (connection, party);
CREATE TABLE unnamed_sum (
  connection  TEXT NOT NULL,
  party       TEXT NOT NULL,
  currency    TEXT NOT NULL,
  invoices    INTEGER NOT NULL,
  open        INTEGER NOT NULL,
  PRIMARY KEY (connection, party, currency)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER unnamed_enters AFTER INSERT ON unnamed BEGIN
  ${unnamed("NEW", 1)}
END;
CREATE TRIGGER unnamed_leaves AFTER DELETE ON unnamed BEGIN
  ${unnamed("OLD", -1)}
END;
CREATE TRIGGER unnamed_changes AFTER UPDATE ON unnamed BEGIN
  ${unnamed("OLD", -1)}
  ${unnamed("NEW", 1)}
END;
CREATE TRIGGER unnamed_follows AFTER UPDATE ON ledger
  WHEN OLD.remote IS NOT NEW.remote OR OLD.currency <> NEW.currency OR OLD.service_open <> NEW.service_open BEGIN
  DELETE FROM unnamed WHERE ledger = NEW.id AND NEW.remote IS NULL;
  UPDATE unnamed SET currency = NEW.currency, open = NEW.service_open WHERE ledger = NEW.id;
END;
CREATE TRIGGER unnamed_goes AFTER DELETE ON ledger BEGIN
  DELETE FROM unnamed WHERE ledger = OLD.id;
END;
-- Invoices that payments and credit notes name, and that neither books nor ledger had when they were last settled.
CREATE TABLE unbooked (
  subject  TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
`
