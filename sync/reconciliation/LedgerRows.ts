/** Goes through the rows of the ledger that the service should have, for the audit (`Audit.ts`). */
import { Effect } from "effect"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { Connection } from "../model/Connection.ts"
import * as Facts from "../plan/Facts.ts"
import type { StateError, Db } from "../state/Database.ts"

export type RowWork = (row: Facts.RemoteRow, connection: Connection) => Effect.Effect<void, StateError | ServiceError>

/**
 * In the order of their keys.
 *
 * @param isLeft whether there is work for a row
 */
export const each = (
  db: Db,
  connections: Iterable<Connection>,
  kind: "invoice" | "order",
  work: RowWork,
  isLeft: (id: number) => boolean = () => true
): Effect.Effect<void, StateError | ServiceError> =>
  Effect.forEach(
    connections,
    (connection) =>
      Effect.gen(function* () {
        let after = `${connection.id}/${kind}/`
        for (;;) {
          const rows = yield* db.read(() => Facts.rows(db, after, `${connection.id}/${kind}0`))
          const left = rows.filter(({ id }) => isLeft(id))
          yield* Effect.forEach(left, (row) => work(row, connection), { concurrency: 8, discard: true })
          const last = rows.at(-1)
          if (last === undefined) return
          after = last.subject
        }
      }),
    { discard: true }
  )
