/**
 * Shares resources among handles in one process: a state file that is opened once for all of its tenants, and one client, with
 * its connections to the service, for all that use one account. Each is released with the last handle that uses it.
 */
import { Effect, type Layer, Redacted, type Scope } from "effect"
import { hash } from "node:crypto"
import { resolve } from "node:path"
import type { Client } from "../../core/Client.ts"
import { Database, type StateError } from "../state/Database.ts"
import type { Replica } from "../state/replication/Replica.ts"
import { ConfigError, type Configuration } from "./config/Configuration.ts"
import { clientWith } from "./ServiceClient.ts"
import { entryOf, given } from "../../core/Entry.ts"

interface Wanted {
  readonly state?: string
  readonly shared?: boolean
  /** What holds the state file, for the error message of another process. */
  readonly command?: string
  /** Where the state file is kept as well. */
  readonly replica?: Replica | undefined
  /** The state file is only read. */
  readonly reads?: boolean
}

/** Resources with reference counts, by key. */
const shelf = <A>() => {
  const kept = new Map<string, { readonly value: A; users: number }>()
  return (key: string, make: () => A): Effect.Effect<A, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => {
        let one = kept.get(key)
        if (one === undefined) kept.set(key, (one = { value: make(), users: 0 }))
        one.users++
        return one
      }),
      (one) => Effect.sync(() => void (--one.users === 0 && kept.delete(key)))
    ).pipe(Effect.map(({ value }) => value))
}

interface StateFile {
  readonly layer: Layer.Layer<Database, StateError>
  /** By connection, its source and the number of handles that have it open. */
  readonly open: Map<string, { readonly source: string; handles: number }>
}

const files = shelf<StateFile>()
const clients = shelf<Layer.Layer<Client>>()

const clientOf = (configuration: Configuration, key: Redacted.Redacted) => {
  const { concurrency, scheme, timeout, url } = configuration.service
  const settings = [url, scheme, String(timeout), concurrency, hash("sha256", Redacted.value(key))].join(" ")
  return clients(settings, () => clientWith(configuration, key))
}

/** Identifies a connection's source and owner: two that differ in it belong to two tenants. */
const sourceOf = ({ connections, environment, folder }: Configuration, id: string): string => {
  const { connector, planning, settings } = given(
    connections.find((one) => one.id === id),
    `the connection ${id}`
  )
  return hash("sha256", JSON.stringify([connector.name, settings, planning.owner, folder, environment]))
}

/** Ensures that a connection of a file has the same source in every handle. */
const take = ({ open }: StateFile, configuration: Configuration): Effect.Effect<void, ConfigError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const own = configuration.connections.map(({ id }) => [id, sourceOf(configuration, id)] as const)
      const taken = own.filter(([id, source]) => (open.get(id)?.source ?? source) !== source)
      if (taken.length > 0)
        return Effect.fail(
          new ConfigError({
            file: configuration.file,
            problems: taken.map(
              ([id]) =>
                `connection ${id}: another tenant of this state file has a connection of this name with a different source or owner, and ` +
                "each would treat the other's documents as deleted. Give this one its own name or its own state file"
            )
          })
        )
      for (const [id, source] of own) open.set(id, { source, handles: (open.get(id)?.handles ?? 0) + 1 })
      return Effect.succeed(own)
    }),
    (own) =>
      Effect.sync(() => {
        for (const [id] of own) {
          const one = entryOf(open, id)
          if (--one.handles === 0) open.delete(id)
        }
      })
  ).pipe(Effect.asVoid)

/** Claims the state file and the client for one handle, until its scope closes. A file in memory is never shared. */
export const claim = (
  configuration: Configuration,
  { command = "a program", reads = false, replica, shared = false, state = "daybook.db" }: Wanted
) =>
  Effect.gen(function* () {
    const open = () => Database.layer({ file: state, mode: reads ? "read" : "write", command, replica })
    const key = yield* configuration.service.key
    const client = yield* clientOf(configuration, key)
    if (!shared || state === ":memory:") return { shared: false, state: open(), client }
    const file = yield* files(resolve(state), () => ({ layer: open(), open: new Map() }))
    yield* take(file, configuration)
    return { shared: true, state: file.layer, client }
  })
