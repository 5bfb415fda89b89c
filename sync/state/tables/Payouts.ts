/** Tables of the state file: lines of banks that are payouts of processors. */
export const PAYOUTS = `
-- Some files of the format before have it.
-- Lines of banks that are a processor's payouts, and no customer's money. The payout, or empty where none explains the line.
CREATE TABLE IF NOT EXISTS payout_line (
  line    INTEGER PRIMARY KEY REFERENCES document (id),
  payout  TEXT NOT NULL
) STRICT;
`
