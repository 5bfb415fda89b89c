/** Connections for which the service was checked before their first send from this state file, see `FirstSend.ts`. */
export const FIRST_SEND = `
CREATE TABLE asked (
  connection TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- What has sent something already has had its first time.
INSERT INTO asked SELECT DISTINCT connection FROM ledger WHERE remote IS NOT NULL;
`
