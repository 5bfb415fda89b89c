/** The delivery or billing address of an order. */
export interface Address {
  readonly name?: string
  readonly line1?: string
  readonly line2?: string
  readonly city?: string
  readonly postcode?: string
  readonly country?: string
}
