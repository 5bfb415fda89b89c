/** What a carrier knows a parcel by. */
export interface Tracking {
  readonly number: string
  readonly carrier?: string
  /** The carrier's page on it. */
  readonly url?: string
}
