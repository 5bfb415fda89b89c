/**
 * The open amounts that sources state themselves, see \`rules/SourceFigures.ts\`. A migration of the state file, see
 * \`migrations.ts\`.
 */
export const SOURCE_FIGURES = `
-- What is open by the facts, negative where more came in than was asked for; null where the document does not count. What
-- the source says is open, null where it states nothing, and what it would say if it had the facts that were read.
ALTER TABLE ledger ADD COLUMN balance INTEGER;
ALTER TABLE ledger ADD COLUMN source_open INTEGER;
ALTER TABLE ledger ADD COLUMN source_follows INTEGER;
UPDATE ledger SET balance = books_open WHERE remote IS NOT NULL AND currency <> '' AND subject LIKE '%/invoice/%';
CREATE INDEX ledger_source_differs ON ledger (connection, currency) WHERE source_open <> source_follows;
`

/**
 * Files from before the sources' figures were stored have none until an invoice changes. A source that states balances, and
 * has none stored, is read from its beginning again; files and databases always are. The result is compared with the books
 * as usual, so nothing is sent again.
 */
export const FIGURES_AGAIN = `
UPDATE bookmark SET bookmark = NULL WHERE connection IN (
  SELECT s.connection FROM source s WHERE s.connector IN ('xero', 'quickbooks', 'stripe', 'tryton')
    AND EXISTS (SELECT 1 FROM document d
      WHERE d.key > s.connection || '/invoice/' AND d.key < s.connection || '/invoice0' AND d.deleted = 0)
    AND NOT EXISTS (SELECT 1 FROM document d
      WHERE d.key > s.connection || '/invoice/' AND d.key < s.connection || '/invoice0' AND d.body ->> '$.stated' IS NOT NULL));
`
