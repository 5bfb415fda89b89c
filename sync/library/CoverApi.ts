/** Offers a person's decisions about cover to the library. */
import { Effect } from "effect"
import * as CoverDecisions from "../apply/CoverDecisions.ts"
import type { Api } from "./Api.ts"
import { alone } from "../decisions/ConnectionLocks.ts"
import { UsageError } from "./Exit.ts"
import { type HandleContext, writing } from "./Handle.ts"

export const onCover = (handle: HandleContext): Pick<Api, "decideCover"> => {
  const { configuration, db, person } = handle
  const limit = person?.upTo === undefined ? {} : { upTo: person.upTo }
  return {
    decideCover: (invoice, choice) => {
      const connection = configuration.connections.find(({ id }) => invoice.startsWith(`${id}/invoice/`))
      if (connection === undefined) return Effect.fail(new UsageError({ why: `no invoice ${invoice} is known` }))
      const deciding = writing(handle, (now) =>
        CoverDecisions.decide(db, connection, invoice, { ...choice, ...limit }, now)
      )
      return Effect.flatMap(alone(db, [connection], deciding), (why) =>
        why === undefined ? handle.wake(connection.id) : Effect.fail(new UsageError({ why }))
      )
    }
  }
}
