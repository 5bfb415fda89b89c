/** Reading a connection's source, as a command does: the pull, and the matching behind it. */
import { Effect } from "effect"
import { Database } from "../../sync/state/Database.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import * as Matching from "../../sync/matching/Run.ts"
import { pull } from "../../sync/pull/Pull.ts"

/** Reads a connection's source. What was read is matched where connections pay for each other, also what a pull read that stopped halfway. */
export const read = (connection: Connection) => {
  const reading = pull(connection, { folder: "." })
  if (Matching.roleOf(connection) === undefined) return reading
  return Effect.gen(function* () {
    const db = yield* Database
    yield* db.transaction(() => Matching.rememberSettings(db, connection))
    const ended = yield* Effect.exit(reading)
    yield* Matching.run
    return yield* ended
  })
}
