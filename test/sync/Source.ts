/**
 * A source in memory, read as a stranger's connector would read it: whole, in pages, or one page at a time as a test
 * writes them. What it holds can change between two pulls, and between two pages of one.
 */
import { Effect, Schema, Stream } from "effect"
import { type Connector, make, type Page, type SourceError } from "../../connectors/Connector.ts"
import type * as Document from "../../connectors/Document.ts"
import type { Connection, Planning } from "../../sync/model/Connection.ts"
import type { Dice } from "../simulation/Dice.ts"
import { planning as plain } from "../support/Documents.ts"

export const Bookmark = Schema.Struct({ page: Schema.Int })
export type Bookmark = typeof Bookmark.Type

export const read = (document: Document.Document, n = 0) => ({
  document,
  raw: JSON.stringify(document, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
  origin: `memory:${n}`
})

/** A connector that yields what `pages` says, given the bookmark that it was left at. */
export const connector = (
  pages: (after: Bookmark | undefined) => Stream.Stream<Page<Bookmark>, SourceError>
): Connector =>
  make({
    name: "memory",
    title: "a source in memory",
    capabilities: {
      kinds: ["invoice", "payment", "reversal", "credit_note"],
      deletions: "complete scan",
      blindSpots: []
    },
    settings: Schema.Struct({}),
    bookmark: Bookmark,
    pull: (_, after) => pages(after)
  })

/** Every document on every pull, as one part that is read to its end. With dice, pages vary and some come twice. */
export const whole = (documents: () => ReadonlyArray<Document.Document>, dice?: Dice): Connector =>
  connector(() =>
    Stream.unwrap(
      Effect.sync(() => {
        const all = documents()
        const pages: Array<Page<Bookmark>> = []
        const size = dice === undefined ? 5 : 1 + dice.below(6)
        for (let at = 0; at === 0 || at < all.length; at += size) {
          const page = all.slice(at, at + size).map((document, i) => read(document, at + i))
          const begins = at === 0 ? { begins: true } : {}
          const ends = at + size >= all.length ? { ends: true } : {}
          const made = { read: page, quarantined: [], bookmark: { page: at }, scan: { name: "all", ...begins } }
          if (dice?.chance(0.5)) pages.push(made, { ...made, scan: { name: "all", ...ends } })
          else pages.push({ ...made, scan: { ...made.scan, ...ends } })
        }
        return Stream.fromIterable(pages)
      })
    )
  )

export const connection = (source: Connector, planning: Planning = plain, id = "books"): Connection => ({
  id,
  connector: source,
  settings: {},
  planning,
  firstSync: "send"
})
