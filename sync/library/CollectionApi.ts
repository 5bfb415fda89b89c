/** Offers collections to the library: what would be handed over, and a person's steps. */
import { Effect } from "effect"
import * as Instant from "../../core/wire/Instant.ts"
import * as CoverSync from "../CoverSync.ts"
import * as Collections from "../decisions/Collections.ts"
import type { Connection } from "../model/Connection.ts"
import type { Api, CollectionShown } from "./Api.ts"
import { alone } from "../decisions/ConnectionLocks.ts"
import { UsageError } from "./Exit.ts"
import type { HandleContext } from "./Handle.ts"

const usage = (invoice: string, why: string) => new UsageError({ why: `${invoice}: ${why}` })

/** Converts instants to text, as in every result of the library. */
const shown = ({
  unread,
  view: { documents, withdrawn, word, ...view }
}: Collections.ShownCollection): CollectionShown => ({
  ...view,
  ...(withdrawn === undefined ? {} : { withdrawn: { ...withdrawn, at: Instant.fromEpochMillis(withdrawn.at) } }),
  ...(unread === undefined ? {} : { unread }),
  documents: documents.map(({ read, ...file }) => ({ ...file, read: Instant.fromEpochMillis(read) })),
  ...(word === undefined ? {} : { word: { ...word, at: Instant.fromEpochMillis(word.at) } })
})

export const onCollections = (handle: HandleContext): Pick<Api, "collection" | "collect"> => {
  const { configuration, given } = handle
  const connectionOf = (invoice: string) => {
    const found = configuration.connections.find(({ id }) => invoice.startsWith(`${id}/invoice/`))
    return found === undefined ? Effect.fail(usage(invoice, "no such invoice is known")) : Effect.succeed(found)
  }
  const look = (connection: Connection, invoice: string) =>
    Effect.gen(function* () {
      const answer = yield* given(Collections.show(connection, invoice))
      return "why" in answer ? yield* Effect.fail(usage(invoice, answer.why)) : shown(answer)
    })
  return {
    collection: (invoice) => Effect.flatMap(connectionOf(invoice), (connection) => look(connection, invoice)),
    collect: (invoice, step) =>
      Effect.gen(function* () {
        const connection = yield* connectionOf(invoice)
        if (step.step === "prepare")
          yield* alone(handle.db, [connection], given(CoverSync.gatherFrom(configuration, connection, invoice)))
        else {
          const why = yield* given(Collections.decide(connection, invoice, step))
          if (why !== undefined) return yield* Effect.fail(usage(invoice, why))
          yield* handle.wake(connection.id)
        }
        return yield* look(connection, invoice)
      })
  }
}
