/** Renames tables and columns to the names that the program uses. A migration of the state file, see migrations.ts. */
export const PLAIN_NAMES = `
ALTER TABLE set_aside RENAME TO quarantine;
ALTER TABLE habit RENAME TO schema_drift;
ALTER TABLE turn RENAME TO run_state;
ALTER TABLE hint RENAME TO webhook_queue;
ALTER TABLE spent RENAME TO requests_made;
ALTER TABLE asked RENAME TO first_send;
ALTER TABLE to_tell RENAME TO to_report;
ALTER TABLE part RENAME TO scan;

ALTER TABLE document RENAME COLUMN part TO scan;
ALTER TABLE control RENAME COLUMN part TO scan;
ALTER TABLE quarantine RENAME COLUMN part TO scan;
ALTER TABLE notice RENAME COLUMN part TO scan;
ALTER TABLE document RENAME COLUMN gone TO deleted;
ALTER TABLE version RENAME COLUMN gone TO deleted;
ALTER TABLE document RENAME COLUMN seen TO read;
ALTER TABLE version RENAME COLUMN seen TO read;
ALTER TABLE ledger RENAME COLUMN told TO held;
ALTER TABLE connection RENAME COLUMN told TO remote_ids;
ALTER TABLE claim RENAME COLUMN because TO reason;
ALTER TABLE claim RENAME COLUMN settled TO has_receipt;
ALTER TABLE run_state RENAME COLUMN mark TO due_from;
ALTER TABLE delivery RENAME COLUMN mark TO event;
ALTER TABLE approval RENAME COLUMN verdict TO decision;
DROP INDEX document_gone;
CREATE INDEX document_deleted ON document (key) WHERE deleted = 1;

-- The state of a document that the service refused; null where nothing was refused.
ALTER TABLE attention ADD COLUMN refused_state TEXT;
UPDATE attention SET refused_state = nullif(fingerprint, '');
ALTER TABLE attention DROP COLUMN fingerprint;

-- 'reading': a pull began and did not reach the end. 'swept_to': the key of the last document that was swept.
ALTER TABLE bookmark RENAME TO old_bookmark;
CREATE TABLE bookmark (
  connection  TEXT PRIMARY KEY,
  bookmark    TEXT,
  moved       INTEGER,
  reading     INTEGER NOT NULL DEFAULT 0,
  swept_to    TEXT
) STRICT;
INSERT INTO bookmark
  SELECT id, max(iif(kind = '', bookmark, NULL)), max(iif(kind = '', moved, NULL)), max(kind = 'reading'),
      max(iif(kind = 'sweep', bookmark, NULL))
    FROM (SELECT iif(instr(connection, '#') > 0, substr(connection, 1, instr(connection, '#') - 1), connection) AS id,
        iif(instr(connection, '#') > 0, substr(connection, instr(connection, '#') + 1), '') AS kind, bookmark, moved
      FROM old_bookmark)
    GROUP BY id;
DROP TABLE old_bookmark;
`
