/** Tables of the state file: runs, webhooks, links, alerts and requests. */
export const DAEMON = `
CREATE TABLE run (
  id           INTEGER PRIMARY KEY,
  command      TEXT NOT NULL,
  started      INTEGER NOT NULL,
  ended        INTEGER,
  outcome      TEXT,
  figures      TEXT,
  -- The connections that it was for, as JSON; null for runs from before this was kept.
  connections  TEXT,
  -- The process that a run belongs to, as far as the system tells processes apart, see Runs.ts.
  process      TEXT
) STRICT;
-- Runs that have not let go: few, looked for before each.
CREATE INDEX run_alive ON run (id) WHERE process IS NOT NULL;

-- How the scheduled runs of each connection went. Instants in milliseconds.
CREATE TABLE run_state (
  connection        TEXT PRIMARY KEY,
  due_from          INTEGER NOT NULL,
  began             INTEGER,
  ended             INTEGER,
  outcome           TEXT,
  message           TEXT,
  failures          INTEGER NOT NULL DEFAULT 0,
  succeeded         INTEGER,
  -- What the source or the service said as it no longer accepted this connection, and when its authorisation ends.
  unauthorised      TEXT,
  authorised_until  INTEGER
) STRICT, WITHOUT ROWID;

-- Requests made to a source by day, where it counts them.
CREATE TABLE requests_made (
  connection  TEXT NOT NULL,
  day         TEXT NOT NULL,
  requests    INTEGER NOT NULL,
  PRIMARY KEY (connection, day)
) STRICT, WITHOUT ROWID;

-- What webhooks said has changed and is not read yet.
CREATE TABLE webhook_queue (
  connection  TEXT NOT NULL,
  about       TEXT NOT NULL,
  came        INTEGER NOT NULL,
  n           INTEGER NOT NULL,
  PRIMARY KEY (connection, about)
) STRICT, WITHOUT ROWID;

-- Deliveries of webhooks that were taken, so that a copy costs nothing.
CREATE TABLE delivery (
  connection  TEXT NOT NULL,
  event       TEXT NOT NULL,
  digest      TEXT NOT NULL,
  came        INTEGER NOT NULL,
  PRIMARY KEY (connection, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_came ON delivery (came);

-- Nothing of these runs by itself.
CREATE TABLE pause (
  connection  TEXT PRIMARY KEY,
  since       INTEGER NOT NULL,
  who         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What a person changed in the configuration, in words; of no connection where it is about all of them.
CREATE TABLE config_change (
  id          INTEGER PRIMARY KEY,
  changed     INTEGER NOT NULL,
  who         TEXT NOT NULL,
  connection  TEXT,
  words       TEXT NOT NULL
) STRICT;

-- Claimed before it is carried out. Without a status: it is being carried out, or was cut off.
CREATE TABLE api_request (
  caller   TEXT NOT NULL,
  name     TEXT NOT NULL,
  request  TEXT NOT NULL,
  began    INTEGER NOT NULL,
  status   INTEGER,
  answer   TEXT,
  PRIMARY KEY (caller, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX api_request_began ON api_request (began);

-- Neither the word in a link's address nor that of its session is kept: only what they hash to (SHA-256).
CREATE TABLE connect_link (
  token     TEXT PRIMARY KEY,
  tenant    TEXT NOT NULL,
  -- What was fixed when it was made, as JSON: the owner, the connectors, the way back.
  terms     TEXT NOT NULL,
  made      INTEGER NOT NULL,
  expires   INTEGER NOT NULL,
  -- Since it was opened, which it can be once.
  session   TEXT,
  ends      INTEGER,
  -- What was chosen and answered so far, as JSON.
  progress  TEXT NOT NULL DEFAULT '{}',
  outcome   TEXT CHECK (outcome IN ('connected', 'cancelled')),
  ended     INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX connect_link_session ON connect_link (session) WHERE session IS NOT NULL;

-- What was found that somebody wanted to be told of, until it is over: one row for each time that it began.
CREATE TABLE alert (
  id          INTEGER PRIMARY KEY,
  kind        TEXT NOT NULL,
  -- Null: of the machine.
  connection  TEXT,
  cause       TEXT NOT NULL,
  stage       INTEGER NOT NULL,
  title       TEXT NOT NULL,
  words       TEXT NOT NULL,
  -- When it is over by itself, unheeded.
  until       INTEGER,
  began       INTEGER NOT NULL,
  ended       INTEGER,
  passed      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX alert_open ON alert (kind, cause) WHERE ended IS NULL;
CREATE INDEX alert_ended ON alert (ended) WHERE ended IS NOT NULL;

-- Messages of one channel. 'next' is when it is tried next: null once it was sent, and where nothing more is tried.
CREATE TABLE alert_message (
  id           INTEGER PRIMARY KEY,
  -- The same in every copy, so that who receives two can drop one.
  key          TEXT NOT NULL UNIQUE,
  channel      TEXT NOT NULL,
  -- Whose alerts it is of, as JSON.
  connections  TEXT NOT NULL,
  body         TEXT NOT NULL,
  made         INTEGER NOT NULL,
  attempts     INTEGER NOT NULL DEFAULT 0,
  next         INTEGER,
  sent         INTEGER,
  why          TEXT
) STRICT;
CREATE INDEX alert_message_next ON alert_message (next) WHERE next IS NOT NULL;

-- What a channel is to be told of an alert, from 'due' on: that it began or got more pressing, or that it is over.
CREATE TABLE alert_notice (
  alert    INTEGER NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
  channel  TEXT NOT NULL,
  over     INTEGER NOT NULL,
  stage    INTEGER NOT NULL,
  due      INTEGER NOT NULL,
  message  INTEGER,
  PRIMARY KEY (alert, channel, over, stage)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_notice_due ON alert_notice (due) WHERE message IS NULL;
`
