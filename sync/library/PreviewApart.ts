/**
 * Reads the first records of a source in a thread (`KillableThread.ts`), for pages: its answers may be as large as whoever
 * runs it likes. A source whose tokens change while they are used is read here, where the vault is; its address is the
 * vendor's.
 */
import { Effect, Schema } from "effect"
import type { Requirements, SourceError } from "../../connectors/Connector.ts"
import type { Connection } from "../model/Connection.ts"
import type * as ConnectorContext from "../pull/ConnectorContext.ts"
import * as Preview from "../pull/Preview.ts"
import { ReaderThread } from "../pull/ReaderThread.ts"
import * as KillableThread from "./KillableThread.ts"
import type { UsageError } from "./Exit.ts"

/** What the thread is asked; undefined if the source is read here. */
export const workOf = (
  place: ConnectorContext.Place,
  { connector, id, settings }: Connection,
  { vault, ...context }: Effect.Success<ReturnType<typeof ConnectorContext.of>>,
  show: number
): KillableThread.PreviewWork | undefined => {
  if (vault !== undefined) return undefined
  const encoded = Schema.encodeUnknownSync(connector.settings)(settings) as unknown
  return { connector: connector.name, id, settings: encoded, context, bounds: place.bounds, show }
}

/** @param state the state file, whose vault is beside it */
export const preview = (
  place: ConnectorContext.Place,
  connection: Connection,
  state: string,
  show: number = Preview.SHOWN
): Effect.Effect<Preview.Preview, SourceError | UsageError, Requirements> =>
  Effect.gen(function* () {
    const context = yield* Preview.contextOf(place, connection, state)
    const reader = yield* ReaderThread
    const of = reader === undefined ? undefined : workOf(place, connection, context, show)
    if (reader === undefined || of === undefined) return yield* Preview.within(connection, context, { show })
    const asked = Effect.flatMap(KillableThread.thread(reader.module, KillableThread.FIRST_RECORDS), (ask) =>
      ask({ type: "preview", of })
    )
    return (yield* Effect.scoped(asked)) as Preview.Preview
  })
