/**
 * The ways in which a run of a history is made: by the command, by several handles of the library in one process, or by the
 * turns of a daemon, which may ask a person to approve each plan.
 */
import { Duration, Effect, Exit, Redacted } from "effect"
import { Database } from "../../sync/state/Database.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { alone } from "../../sync/decisions/ConnectionLocks.ts"
import { make } from "../../sync/library/Library.ts"
import { runWith } from "../../sync/library/RunConnection.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { GUARDS } from "../../sync/model/Guard.ts"
import * as CoverSync from "../../sync/CoverSync.ts"
import * as Sync from "../../sync/Sync.ts"
import { KEY, SECRETS, URL } from "../sync/World.ts"
import { SETTLED } from "./Network.ts"

const key = Redacted.make(KEY)

/** What a file would say of these connections. */
export const configurationOf = (
  connections: ReadonlyArray<Connection>,
  concurrency: number,
  folder = "."
): Configuration => ({
  file: "daybook.config.json",
  folder,
  environment: SECRETS,
  service: {
    url: URL,
    scheme: "token",
    timeout: Duration.seconds(30),
    settleAfter: SETTLED,
    concurrency,
    keyVariable: "SERVICE_KEY",
    key: Effect.succeed(key)
  },
  connections,
  daemon: { host: "127.0.0.1", port: 0, proxies: [], runMs: 3_600_000, atOnce: 4, log: "text", api: [] }
})

const chosen = ({ connections }: Configuration, reads: ReadonlyArray<string>) =>
  connections.filter(({ id }) => reads.includes(id))

const readings = (configuration: Configuration, reads: ReadonlyArray<string>) =>
  Sync.readEach(chosen(configuration, reads), (one) => Sync.followAndRead(configuration, one))

const send = (configuration: Configuration) =>
  Effect.andThen(
    CoverSync.refresh(configuration, configuration.connections),
    Sync.send(configuration, configuration.connections, key, { allow: GUARDS })
  )

/** `daybook sync`: reads these connections one after the other, and sends what there is of all. */
const command = (configuration: Configuration, reads: ReadonlyArray<string>) =>
  Effect.andThen(readings(configuration, reads), send(configuration))

/** `daybook pull && daybook apply`: sends nothing where one of them could not be read. */
const strictly = (configuration: Configuration, reads: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    for (const { result } of yield* readings(configuration, reads)) yield* Effect.fromResult(result)
    yield* send(configuration)
  })

/** `daybook apply --plan FILE`: a plan that somebody saved. */
export const saves = (configuration: Configuration, connection: string, digest: string) =>
  Effect.ignore(
    Sync.send(configuration, chosen(configuration, [connection]), key, { digest, firstSync: "seen", allow: GUARDS })
  )

/** All at once; they end when the last of them does, as the first of those that fail. */
const together = <A, E, R>(works: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.gen(function* () {
    const ends = yield* Effect.forEach(works, Effect.exit, { concurrency: "unbounded" })
    for (const end of ends) if (Exit.isFailure(end)) yield* end
  })

/** Two handles on one state file, as programs with many tenants have them: each syncs these connections, at the same time. */
const handles = (configuration: Configuration, reads: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const both = yield* Effect.all([make(configuration), make(configuration)])
      const ids = reads.length === 0 ? configuration.connections.map(({ id }) => id) : reads
      yield* together(
        ids.map((id, n) => {
          const api = both[n % 2]!
          const only = { connections: [id] }
          return reads.length === 0
            ? api.apply(undefined, { ...only, allow: GUARDS })
            : api.sync({ ...only, allow: GUARDS })
        })
      )
    })
  )

/** The daemon's turns of these connections, as they come due together. */
const turns = (configuration: Configuration, reads: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const due = reads.length === 0 ? configuration.connections : chosen(configuration, reads)
    const why = reads.length === 0 ? "approved" : "schedule"
    yield* together(due.map((one) => alone(db, [one], runWith(key, configuration, one, why))))
  })

/** One connection is read, as by a person who does so while others are at work. */
export const reading = (configuration: Configuration, one: Connection) => Sync.read(configuration, one)

export const WAYS = { command, strictly, handles, turns }

export type Way = keyof typeof WAYS
