/** Alerts, and the queue of messages to their channels. A migration of the state file, see migrations.ts. */
export const ALERT_TABLES = `
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

export const ALERTS = `${ALERT_TABLES}
-- What the source or the service said as it no longer accepted this connection, and when its authorisation ends.
ALTER TABLE run_state ADD COLUMN unauthorised TEXT;
ALTER TABLE run_state ADD COLUMN authorised_until INTEGER;
`
