/** Cover in the library: what there is to see of it, and what a person decides. */
import { Clock, Effect } from "effect"
import * as CoverDecisions from "../apply/CoverDecisions.ts"
import * as Cover from "../reports/Cover.ts"
import type { Api } from "./Api.ts"
import { alone } from "./ConnectionLocks.ts"
import { UsageError } from "./Exit.ts"
import { chosen, type HandleContext, writing } from "./Handle.ts"

export const onCover = (handle: HandleContext): Pick<Api, "cover" | "decideCover"> => {
  const { configuration, db } = handle
  return {
    cover: (choice) =>
      Effect.gen(function* () {
        const connections = yield* chosen(configuration, choice)
        const now = yield* Clock.currentTimeMillis
        return yield* db.snapshot(() => Cover.report(db, connections, now))
      }),
    decideCover: (invoice, choice) => {
      const connection = configuration.connections.find(({ id }) => invoice.startsWith(`${id}/invoice/`))
      if (connection === undefined) return Effect.fail(new UsageError({ why: `no invoice ${invoice} is known` }))
      const deciding = writing(handle, (now) => CoverDecisions.decide(db, connection, invoice, choice, now))
      return Effect.flatMap(alone(db, [connection], deciding), (why) =>
        why === undefined ? Effect.void : Effect.fail(new UsageError({ why }))
      )
    }
  }
}
