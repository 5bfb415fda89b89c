/** Where goods or an invoice of an order go. */
export interface Address {
  readonly name?: string
  readonly line1?: string
  readonly line2?: string
  readonly city?: string
  readonly postcode?: string
  readonly country?: string
}
