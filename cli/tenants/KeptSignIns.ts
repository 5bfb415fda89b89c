/** People sign in once for all workers: sessions are kept in PostgreSQL, sealed, and read again before each request. */
import { Effect, Redacted } from "effect"
import { createHmac } from "node:crypto"
import type { ConfigError } from "../../sync/library/config/Configuration.ts"
import type { KeptPlace } from "../../sync/library/many/KeptTenants.ts"
import type { TenantsConfiguration } from "../../sync/library/many/TenantsFile.ts"
import * as KeptSessions from "../../sync/state/replication/postgres/KeptSessions.ts"
import type { StoreAway } from "../../sync/state/replication/Store.ts"
import { open, seal } from "../../sync/vault/Encryption.ts"
import { sessionsOf } from "../page/RouteModule.ts"
import type { Sessions } from "../page/Sessions.ts"
import type { Session } from "../page/SharedSessions.ts"

export interface KeptSignIns {
  readonly sessions: Sessions
  /** Answers with the sessions as they are now, and stores what became of them before its answer is heard. */
  readonly around: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreAway, R>
}

/** A name begins with until when it lasts. */
const untilOf = (name: string): number => Number.parseInt(name, 10)

const bond = (name: string) => ({ name: `the session ${name}` })

export const keptSignIns = (
  { files = ".", key, sessions: database }: KeptPlace,
  configuration: TenantsConfiguration
): Effect.Effect<KeptSignIns, ConfigError> =>
  Effect.gen(function* () {
    const told = new Map<string, Session | undefined>()
    const sessions = yield* sessionsOf({ ...configuration, folder: files }, undefined, {
      secret: createHmac("sha256", Redacted.value(key)).update("sessions of the page").digest(),
      tell: (name, session) => void told.set(name, session)
    })
    let heard = 0
    const hear = Effect.gen(function* () {
      for (const { body, id, version } of yield* KeptSessions.since(database, heard)) {
        heard = Math.max(heard, version)
        sessions.heard(id, body === null ? undefined : (JSON.parse(open(key, bond(id), body)) as Session))
      }
    })
    const tell = Effect.suspend(() =>
      Effect.forEach(
        [...told],
        ([id, session]) => {
          told.delete(id)
          const body = session === undefined ? null : seal(key, bond(id), JSON.stringify(session))
          return KeptSessions.keep(database, { id, until: untilOf(id), body })
        },
        { discard: true }
      )
    )
    return {
      sessions,
      around: (work) =>
        Effect.andThen(
          hear,
          Effect.tap(work, () => tell)
        )
    }
  })
