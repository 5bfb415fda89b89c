/**
 * Reads a source from its beginning into the witness's notes, without bookmarks and books. It uses the contract of
 * connectors and nothing of how a sync stores what they read.
 */
import { Effect, Stream } from "effect"
import {
  type Connector,
  type ConnectorContext,
  type Page,
  type Requirements,
  SourceError,
  Unreadable
} from "../../connectors/Connector.ts"
import { failure } from "../../connectors/Failure.ts"
import * as Pages from "../../connectors/Pages.ts"
import * as Quarantine from "../../connectors/Quarantine.ts"
import type { Notes } from "./Notes.ts"
import { keyOf } from "./Plain.ts"

/** The parts of a connection that are needed to read its source. */
export interface Source {
  readonly id: string
  readonly connector: Connector
  readonly settings: unknown
}

const noted = (notes: Notes, connection: string, page: Page<unknown>): number => {
  const { complete = [], deleted = [], quarantined, read } = page
  notes.together(() => {
    for (const order of complete) notes.withoutFacts(connection, order)
    for (const { document } of read) notes.document(connection, document)
    for (const { id, kind } of deleted) notes.deleted(connection, kind, id)
    for (const { id, kind, origin, why } of quarantined)
      notes.unread({ connection, kind, origin, why, key: id === undefined ? undefined : keyOf(connection, kind, id) })
  })
  return read.length
}

/** Returns how many records were read. */
export const read = (
  notes: Notes,
  source: Source,
  context: ConnectorContext,
  onProgress: (read: number) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<number, SourceError, Requirements> =>
  Effect.suspend(() => {
    const { connector, id, settings } = source
    let count = 0
    const keep = (page: Page<unknown>) =>
      Effect.suspend(() => {
        const problem = Pages.problem(page)
        if (problem !== undefined)
          return Effect.fail(new SourceError({ connector: connector.name, reason: new Unreadable(problem) }))
        count += noted(notes, id, Quarantine.sorted(page))
        return onProgress(count)
      })
    return Stream.suspend(() => connector.pull(settings, undefined, context)).pipe(
      Stream.runForEach(keep),
      Effect.catchCause((cause) => Effect.fail(failure(source, context, cause))),
      Effect.map(() => count)
    )
  })
