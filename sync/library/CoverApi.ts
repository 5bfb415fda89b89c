/** Offers a person's decisions about cover to the library. */
import { Effect } from "effect"
import * as CoverDecisions from "../apply/CoverDecisions.ts"
import type { Api } from "./Api.ts"
import { decideAbout } from "../decisions/Items.ts"
import { UsageError } from "./Exit.ts"
import type { HandleContext } from "./Handle.ts"

export const onCover = ({ configuration, given, person, wake }: HandleContext): Pick<Api, "decideCover"> => {
  const limit = person?.upTo === undefined ? {} : { upTo: person.upTo }
  return {
    decideCover: (invoice, choice) => {
      const connection = configuration.connections.find(({ id }) => invoice.startsWith(`${id}/invoice/`))
      if (connection === undefined) return Effect.fail(new UsageError({ why: `no invoice ${invoice} is known` }))
      return given(
        decideAbout({ connections: configuration.connections, wake }, [invoice], (db, now) => {
          const why = CoverDecisions.decide(db, connection, invoice, { ...choice, ...limit }, now)
          return why === undefined || { why }
        })
      ).pipe(Effect.flatMap((done) => (done === true ? Effect.void : Effect.fail(new UsageError(done)))))
    }
  }
}
