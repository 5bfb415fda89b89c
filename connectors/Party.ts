/** The buyer of an invoice or order, as a source names it. */

/** `company` is the service's identifier, if the source has one. */
export interface Party {
  readonly id?: string
  readonly name: string
  /** ISO 3166-1 alpha-2 */
  readonly country?: string
  readonly regnum?: string
  readonly vat?: string
  readonly address?: string
  readonly company?: string
}
