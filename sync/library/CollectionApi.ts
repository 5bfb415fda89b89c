/** Offers collections to the library: what would be handed over, and a person's steps. */
import { Clock, Effect } from "effect"
import * as Instant from "../../core/wire/Instant.ts"
import * as Collecting from "../collections/Collecting.ts"
import * as CoverSync from "../CoverSync.ts"
import type { Connection } from "../model/Connection.ts"
import type { StateError } from "../state/Database.ts"
import type { Api, CollectionShown, CollectionStep } from "./Api.ts"
import { alone } from "./ConnectionLocks.ts"
import { UsageError } from "./Exit.ts"
import type { HandleContext } from "./Handle.ts"

const usage = (invoice: string, why: string) => new UsageError({ why: `${invoice}: ${why}` })

/** Converts instants to text, as in every result of the library. */
const shown = ({ documents, word, ...view }: Collecting.CollectionView): CollectionShown => ({
  ...view,
  documents: documents.map(({ read, ...file }) => ({ ...file, read: Instant.fromEpochMillis(read) })),
  ...(word === undefined ? {} : { word: { ...word, at: Instant.fromEpochMillis(word.at) } })
})

/** Returns why it cannot be done, if so. */
const carryOut = (
  { db }: HandleContext,
  connection: Connection,
  invoice: string,
  step: Exclude<CollectionStep, { readonly step: "prepare" }>,
  now: number
): string | undefined => {
  switch (step.step) {
    case "confirm": {
      const answer = Collecting.confirm(db, connection, invoice, step, now)
      return "why" in answer ? answer.why : undefined
    }
    case "withdraw":
      return Collecting.withdraw(db, connection, invoice, step.who, now)?.why
    case "attach":
      return Collecting.attach(db, connection, invoice, step, now)?.why
    case "detach":
      return Collecting.detach(db, connection, invoice, step.name, now)?.why
  }
}

export const onCollections = (handle: HandleContext): Pick<Api, "collection" | "collect"> => {
  const { configuration, db, given } = handle
  const connectionOf = (invoice: string) => {
    const found = configuration.connections.find(({ id }) => invoice.startsWith(`${id}/invoice/`))
    return found === undefined ? Effect.fail(usage(invoice, "no such invoice is known")) : Effect.succeed(found)
  }
  const look = (connection: Connection, invoice: string): Effect.Effect<CollectionShown, StateError | UsageError> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const view = yield* db.snapshot(() => Collecting.look(db, connection, invoice, now))
      return "why" in view ? yield* Effect.fail(usage(invoice, view.why)) : shown(view)
    })
  return {
    collection: (invoice) => Effect.flatMap(connectionOf(invoice), (connection) => look(connection, invoice)),
    collect: (invoice, step) =>
      Effect.gen(function* () {
        const connection = yield* connectionOf(invoice)
        const work =
          step.step === "prepare"
            ? Effect.as(given(CoverSync.gatherFrom(configuration, connection, invoice)), undefined)
            : Effect.flatMap(Clock.currentTimeMillis, (now) =>
                db.transaction(() => carryOut(handle, connection, invoice, step, now))
              )
        const why = yield* alone(db, [connection], work)
        if (why !== undefined) return yield* Effect.fail(usage(invoice, why))
        return yield* look(connection, invoice)
      })
  }
}
