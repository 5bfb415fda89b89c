/** Facts of an order that were sent for another order: an index by fact. */
export const MOVED = `
  CREATE INDEX claim_taking ON claim (fact)
    WHERE operation IN ('deferredPayments.capture', 'deferredPayments.void', 'deferredPayments.refund');
`
