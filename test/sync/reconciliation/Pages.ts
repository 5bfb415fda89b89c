/** A source for tests that may end early, or have a record that cannot be read. */
import { Stream } from "effect"
import { SourceError, Unreachable } from "../../../connectors/Connector.ts"
import type { Document } from "../../../connectors/Document.ts"
import { connector, read } from "../Source.ts"

/**
 * A source with one document on each page. After `reaches` pages it cannot be reached any more. If it is `whole`, each pull
 * reads it from the beginning, and deletes the documents that it no longer contains.
 */
export const pages = (whole = false) => {
  const source = { documents: [] as ReadonlyArray<Document>, reaches: 99, unreadable: "" }
  return {
    source,
    connector: connector(() => {
      const all = source.documents.map((document, n) => {
        const part = { name: "all", begins: n === 0, ends: n === source.documents.length - 1 }
        const common = { bookmark: { page: n }, ...(whole ? { scan: part } : {}) }
        const quarantined = [{ ...read(document), kind: document.kind, id: document.id, why: "odd" }]
        return document.id === source.unreadable
          ? { read: [], quarantined, ...common }
          : { read: [read(document)], quarantined: [], ...common }
      })
      const some = Stream.fromIterable(all.slice(0, source.reaches))
      const cut = new SourceError({ connector: "memory", reason: new Unreachable({ why: "the line is dead" }) })
      return source.reaches < all.length ? Stream.concat(some, Stream.fail(cut)) : some
    })
  }
}
