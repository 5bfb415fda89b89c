/** What a connector says of its source. Part of `Connector.ts`. */
import type { Kind } from "./Document.ts"
import type { Limits } from "./Limits.ts"

/** How a connector learns that a document was deleted. */
export type Deletions = "status" | "tombstones" | "complete scan" | "not at all"

export interface Capabilities {
  readonly kinds: ReadonlyArray<Kind>
  readonly deletions: Deletions
  /** Descriptions of edits that the bookmark misses, and that only a sweep finds. */
  readonly blindSpots: ReadonlyArray<string>
  /** Its payments may name an invoice by its number as well as by its id. */
  readonly linksByNumber?: true
  /** How it authorises; by default, not at all. */
  readonly authorises?: "key" | "oauth2"
  /**
   * Previews take the context's `first` records of each list or file. Without this, a preview takes the first records of
   * the pull, which is enough for a source with one list whose records include everything that belongs to them.
   */
  readonly firstOfEach?: true
  /**
   * Its settings name files or databases of this machine: nobody but the operator writes them, so that it is not offered to people
   * who open a link, or on the page.
   */
  readonly onThisMachine?: true
  /** How far before its bookmark a pull begins, so that it sees records with equal timestamps and late commits. */
  readonly overlapSeconds?: number
  readonly limits?: Limits
  /**
   * Requests needed per thousand records: `lists` for lists and batch reads, `each` for requests by id, at most. Computed
   * for declared sources.
   */
  readonly requestsPerThousand?: { readonly lists: number; readonly each: number }
}
