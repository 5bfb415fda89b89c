/**
 * Defines the tables of the state file as a list of migrations. A released migration is never edited.
 *
 * Amounts are text (exact decimals) inside `body`, and whole minor units in columns that are summed. Instants are milliseconds
 * since the epoch, UTC.
 */
import type { Database } from "better-sqlite3"
import { ALERTS } from "./tables/Alerts.ts"
import { BOOKS } from "./tables/Books.ts"
import { COLLECTIONS } from "./tables/Collections.ts"
import { CONNECT_LINKS } from "./tables/ConnectLinks.ts"
import { compact } from "./tables/Compact.ts"
import { customers } from "./tables/Customers.ts"
import { FILE_PIECES } from "./tables/FilePieces.ts"
import { COVER } from "./tables/Cover.ts"
import { DAEMON } from "./tables/Daemon.ts"
import { EARLIER_PURCHASES } from "./tables/EarlierPurchases.ts"
import { FIRST_SEND } from "./tables/FirstSend.ts"
import { FIRST_SYNC } from "./tables/FirstSync.ts"
import { IDENTITY } from "./tables/Identity.ts"
import { LEDGER_SUMS } from "./tables/LedgerSums.ts"
import { MATCHED } from "./tables/Matched.ts"
import { MOVED } from "./tables/Moved.ts"
import { NEW_FILE } from "./tables/NewFile.ts"
import { API_REQUESTS } from "./tables/ApiRequests.ts"
import { APPROVED_PARTS } from "./tables/ApprovedParts.ts"
import { CHUNKS } from "./tables/Chunks.ts"
import { COVER_READING } from "./tables/CoverReading.ts"
import { COVER_WITHOUT_BUDGET } from "./tables/CoverWithoutBudget.ts"
import { RESTORED } from "./tables/Restored.ts"
import { ORDERS } from "./tables/Orders.ts"
import { CONFIG_CHANGES } from "./tables/ConfigChanges.ts"
import { PAUSES } from "./tables/Pauses.ts"
import { PAYERS } from "./tables/Payers.ts"
import { PAYING } from "./tables/Paying.ts"
import { PLAIN_NAMES } from "./tables/PlainNames.ts"
import { RUN_CONNECTIONS } from "./tables/Runs.ts"
import { RUNNING } from "./tables/Running.ts"
import { FIGURES_AGAIN, SOURCE_FIGURES } from "./tables/SourceFigures.ts"
import { SIGHTINGS } from "./tables/Sightings.ts"
import { SOURCES } from "./tables/Sources.ts"
import { STATED } from "./tables/Stated.ts"
import { STATED_KINDS, STATED_TOTALS } from "./tables/StatedTotals.ts"
import { STRANGE } from "./tables/Strange.ts"

/**
 * A migration that SQL alone cannot express is a function; it runs in the same transaction, with foreign keys not enforced.
 */
const STEPS: ReadonlyArray<string | ((db: Database) => void)> = [
  BOOKS,
  DAEMON,
  `
  -- What is open on the service is a small part of a long history, and is looked at often.
  CREATE INDEX ledger_open ON ledger (connection, subject) WHERE service_open <> 0;
  `,
  PAYING,
  `
  -- Why the ledger may lack what the service was told, in words; null as long as it does not.
  ALTER TABLE state ADD COLUMN behind TEXT;
  -- It was so, and no run has gone through since: what is to be created is looked for first.
  ALTER TABLE state ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;

  -- Few are: what is there is counted by the keys alone, less these.
  CREATE INDEX document_gone ON document (key) WHERE gone = 1;
  `,
  `
  -- Of how many documents a member was looked for, how many had it, and how many of the latest in a row did not, since when
  -- and from which on.
  CREATE TABLE habit (
    connection  TEXT NOT NULL,
    kind        TEXT NOT NULL,
    member      TEXT NOT NULL,
    documents   INTEGER NOT NULL,
    had         INTEGER NOT NULL,
    lacking     INTEGER NOT NULL,
    since       INTEGER,
    origin      TEXT,
    PRIMARY KEY (connection, kind, member)
  ) STRICT, WITHOUT ROWID;
  `,
  RUN_CONNECTIONS,
  RUNNING,
  MOVED,
  SOURCES,
  FIRST_SEND,
  ORDERS,
  IDENTITY,
  `
  -- Runs that have not let go: few, looked for before each.
  CREATE INDEX run_alive ON run (id) WHERE process IS NOT NULL;
  `,
  `
  -- Whether the latest record of a document could not be read is asked for each fact of an order.
  CREATE INDEX set_aside_record ON set_aside (connection, kind, id);
  `,
  `
  UPDATE approval SET verdict = 'rejected' WHERE verdict = 'refused';
  `,
  PLAIN_NAMES,
  STRANGE,
  SOURCE_FIGURES,
  FIRST_SYNC,
  STATED_TOTALS,
  MATCHED,
  COVER,
  COLLECTIONS,
  STATED_KINDS,
  FIGURES_AGAIN,
  LEDGER_SUMS,
  EARLIER_PURCHASES,
  compact,
  COVER_WITHOUT_BUDGET,
  FILE_PIECES,
  customers,
  CONNECT_LINKS,
  ALERTS,
  PAUSES,
  CONFIG_CHANGES,
  COVER_READING,
  API_REQUESTS,
  APPROVED_PARTS,
  CHUNKS,
  RESTORED,
  STATED,
  SIGHTINGS,
  PAYERS
]

/** The format that `NEW_FILE` creates. */
export const NEW_FILE_FORMAT = 40

/** The format that this program writes. */
export const VERSION = STEPS.length

/**
 * Migrates the file to a format in one transaction, so that other processes never see an intermediate state.
 *
 * @param to an older format, for tests
 */
export const migrate = (db: Database, to: number = VERSION): void =>
  db
    .transaction(() => {
      const from = db.pragma("user_version", { simple: true }) as number
      const isNew = from === 0 && to >= NEW_FILE_FORMAT
      if (isNew) db.exec(NEW_FILE)
      for (const step of STEPS.slice(isNew ? NEW_FILE_FORMAT : from, Math.max(from, to))) {
        if (typeof step === "string") db.exec(step)
        else step(db)
      }
      if (from < to) db.pragma(`user_version = ${to}`)
    })
    .immediate()
