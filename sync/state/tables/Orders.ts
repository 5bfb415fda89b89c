/** Which order a deferred payment belongs to, see `PaymentHolders.ts`: a migration of the state file, see `migrations.ts`. */
export const ORDERS = `
-- A deferred payment is one order's. Where an older program found one for several, those after the first are marked:
-- nothing is taken for any of them until a person has put it right.
UPDATE ledger SET told = json_set(told, '$.doubled', json('true')) WHERE told ->> '$.kind' = 'order' AND id NOT IN
  (SELECT min(id) FROM ledger WHERE told ->> '$.kind' = 'order' GROUP BY remote);
CREATE UNIQUE INDEX ledger_deferred_payment ON ledger (remote)
  WHERE told ->> '$.kind' = 'order' AND told ->> '$.doubled' IS NULL;
CREATE INDEX ledger_order ON ledger (told ->> '$.order') WHERE told ->> '$.kind' = 'order';
CREATE INDEX ledger_reference ON ledger (told ->> '$.reference') WHERE told ->> '$.kind' = 'order';

-- What the books' orders say they are on the service.
CREATE INDEX document_deferred_payment ON document (body ->> '$.deferredPayment') WHERE key GLOB '*/order/*';
CREATE INDEX document_order ON document (body ->> '$.serviceOrder') WHERE key GLOB '*/order/*';
CREATE INDEX document_number ON document (body ->> '$.number') WHERE key GLOB '*/order/*';
`
