/** The daemon's tables: turns, webhooks, plans that wait for approval. A migration of the state file, see migrations.ts. */
export const DAEMON = `
-- When a connection was last due, and how its last turn of the daemon went. One that began and did not end was cut off.
CREATE TABLE turn (
  connection  TEXT PRIMARY KEY,
  mark        INTEGER NOT NULL,
  began       INTEGER,
  ended       INTEGER,
  outcome     TEXT,
  message     TEXT,
  failures    INTEGER NOT NULL DEFAULT 0,
  succeeded   INTEGER
) STRICT, WITHOUT ROWID;

-- What webhooks said is to be read again, once for each thing; 'n' grows while it waits.
CREATE TABLE hint (
  connection  TEXT NOT NULL,
  about       TEXT NOT NULL,
  came        INTEGER NOT NULL,
  n           INTEGER NOT NULL,
  PRIMARY KEY (connection, about)
) STRICT, WITHOUT ROWID;

-- Deliveries of webhooks that were taken, so that a copy costs nothing.
CREATE TABLE delivery (
  connection  TEXT NOT NULL,
  mark        TEXT NOT NULL,
  digest      TEXT NOT NULL,
  came        INTEGER NOT NULL,
  PRIMARY KEY (connection, mark)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_came ON delivery (came);

-- Notifications name a deferred payment.
CREATE INDEX ledger_payment ON ledger (remote) WHERE instr(subject, '/order/') > 0;

-- The plan of a connection that a person is to look at before it is sent, and what they said.
CREATE TABLE approval (
  connection  TEXT PRIMARY KEY,
  digest      TEXT NOT NULL,
  calls       INTEGER NOT NULL,
  attention   INTEGER NOT NULL,
  reductions  INTEGER NOT NULL,
  made        INTEGER NOT NULL,
  verdict     TEXT,
  decided     INTEGER,
  who         TEXT
) STRICT, WITHOUT ROWID;
`
