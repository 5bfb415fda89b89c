/** Daybook's printed output, in the form in which the witness in tests reads it. */
export interface PrintedDifference {
  readonly document: string
  /** For a difference from the source's own figure: the source's open amount; the sum of what was read is beside it. */
  readonly source?: string
  readonly facts?: string
}

/** The statement of invoices of one connection and currency. */
export interface PrintedInvoices {
  readonly connection: string
  readonly currency: string
  readonly books: string
  readonly service: string
  readonly differences: ReadonlyArray<PrintedDifference>
  readonly more: number
}

/** The statement of orders of one connection and currency. */
export interface PrintedOrders {
  readonly connection: string
  readonly currency: string
  readonly captured: string
  readonly voided: string
  readonly open: string
  readonly refunded: string
  readonly differences: ReadonlyArray<PrintedDifference>
  readonly more: number
}
