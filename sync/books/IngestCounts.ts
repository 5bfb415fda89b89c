/** What a reading of a source has taken into the books so far, by documents. */
export interface IngestCounts {
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly deleted: number
  readonly quarantined: number
}
