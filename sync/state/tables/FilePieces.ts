/**
 * Files of collections in pieces, so that no file is in memory as a whole. A migration of the state file, see migrations.ts.
 */

/** The size of each piece except the last. Existing files keep theirs if this changes. */
export const FILE_PIECE_BYTES = 256 * 1024

export const FILE_PIECES = `
-- The content of a file, in the order of 'n'.
CREATE TABLE collection_file_piece (
  file   INTEGER NOT NULL,
  n      INTEGER NOT NULL,
  bytes  BLOB NOT NULL,
  PRIMARY KEY (file, n)
) STRICT;
ALTER TABLE collection_file ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
UPDATE collection_file SET size = length(content);
INSERT INTO collection_file_piece (file, n, bytes)
  WITH RECURSIVE piece (file, n) AS (
    SELECT id, 0 FROM collection_file
    UNION ALL
    SELECT p.file, p.n + 1 FROM piece p JOIN collection_file f ON f.id = p.file WHERE (p.n + 1) * 262144 < f.size
  )
  SELECT p.file, p.n, substr(f.content, p.n * 262144 + 1, 262144)
    FROM piece p JOIN collection_file f ON f.id = p.file;
ALTER TABLE collection_file DROP COLUMN content;
`
