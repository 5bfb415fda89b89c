/** A carrier's tracking number for a parcel. */
export interface Tracking {
  readonly number: string
  readonly carrier?: string
  /** The carrier's tracking page. */
  readonly url?: string
}
