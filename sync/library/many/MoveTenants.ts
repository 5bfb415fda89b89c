/** Moves tenants from a folder to PostgreSQL, and back. */
import { Effect, Layer } from "effect"
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { partialOf } from "../../../core/TemporaryFolder.ts"
import * as ClusterTables from "../../cluster/ClusterTables.ts"
import { erase, retire } from "../../cluster/Erasure.ts"
import { copyOf } from "../../cluster/Operations.ts"
import { Database } from "../../state/Database.ts"
import { SHIPPED } from "../../state/replication/HighWater.ts"
import * as Kept from "../../state/replication/postgres/KeptSettings.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import { take } from "../../state/replication/postgres/PostgresStore.ts"
import type { SealKey } from "../../vault/Encryption.ts"
import { configIn } from "../config/ConfigFile.ts"
import type { Configuration } from "../config/Configuration.ts"
import { IDENTITY, identify } from "./Identity.ts"
import { attempt, CONFIG, fail, sealedSettings, sealProblem, settingsIn, unsealed, writeSettings } from "./KeptTexts.ts"
import { workFolder } from "./KeptTenants.ts"
import { pausedIn, STATE, tenantIn } from "./TenantSource.ts"

/** Files and folders of sources that the configuration names. */
const filesOf = ({ connections }: Configuration, folder: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  JSON.stringify(
    connections.map(({ settings }) => settings),
    (setting, value: unknown) => {
      const isPath = ["path", "file", "folder"].includes(setting) && typeof value === "string"
      if (isPath && existsSync(resolve(folder, value))) found.add(value)
      return value
    }
  )
  return [...found]
}

/** Why PostgreSQL cannot have a tenant of a folder. */
const reasonFor = ({ called, name, removed }: ClusterTables.Stranger): string =>
  removed
    ? `it was removed from the database; delete ${name}/${IDENTITY} to begin anew under this name`
    : called === null
      ? `the database keeps books of another tenant of this name: if this is a copy of its folder, copy ${IDENTITY} as well; ` +
        `if that tenant is gone, daybook tenants remove ${name} --database URL erases them`
      : `it is a copy of ${called}, as ${name}/${IDENTITY} says; delete that file if it is another tenant`

interface ImportOptions {
  /** The folder of tenants. */
  readonly folder: string
  readonly name: string
  readonly key: SealKey
  /** The vendor's limit that it shares with others of this name. */
  readonly shares?: string | undefined
}

/**
 * Moves a tenant from its folder to PostgreSQL: first its state, with its vault, then its configuration and secrets. Done again from the
 * start by whoever was cut off; for a tenant that is there already, only the configuration and secrets are replaced.
 *
 * @returns the files that its configuration names in its folder, which stay there
 */
export const importTenant = (sessions: PgSessions, { folder, key, name, shares }: ImportOptions) =>
  Effect.gen(function* () {
    const path = join(resolve(folder), name)
    const file = configIn(path)
    if (file === undefined) return yield* fail(`there is no ${CONFIG} in ${path}`)
    if (!file.endsWith(".json"))
      return yield* fail(`${file} is a program, which stays where it is; write it as ${CONFIG} to import it`)
    if (pausedIn(path) !== undefined)
      return yield* fail(`${name} is paused, which PostgreSQL would not know; resume it first`)
    const tenant = tenantIn(path, name)
    const configuration = yield* tenant.read
    yield* configuration.service.key
    const settings = yield* attempt(() => settingsIn(path, file))
    const wrong = yield* sealProblem(sessions, key)
    if (wrong !== undefined) return yield* fail(wrong)
    const id = yield* attempt(() => identify(path, name))
    const [stranger] = yield* ClusterTables.announce(sessions, new Map([[name, id]]))
    if (stranger?.isKept === false) return yield* fail(`${name}: ${reasonFor(stranger)}`)
    if (stranger === undefined || existsSync(tenant.state)) {
      const work = yield* workFolder
      const replica = {
        take: take(sessions, id),
        seed: tenant.state,
        highWater: join(path, SHIPPED)
      }
      const options = {
        file: join(work, `${id}.db`),
        mode: "write",
        command: "daybook tenants import",
        replica
      } as const
      yield* Effect.scoped(Layer.build(Database.layer(options)))
    }
    const isThere = yield* Kept.keep(sessions, { id, sealed: sealedSettings(id, key, settings), shares })
    if (!isThere) return yield* fail(`${name} was removed meanwhile`)
    return filesOf(configuration, path)
  }).pipe(Effect.scoped)

/**
 * Moves a tenant back into a folder of tenants: nobody opens it in PostgreSQL any more, its files are written, and then it is erased there.
 * Whoever was cut off does it again. Like any copy, it sends nothing until the service was read.
 */
export const exportTenant = (sessions: PgSessions, row: Kept.KeptSettings, key: SealKey, folder: string) =>
  Effect.gen(function* () {
    const { id, name } = row
    const to = join(resolve(folder), name)
    if (existsSync(to)) return yield* fail(`there is a tenant ${name} in ${folder} already`)
    const settings = yield* unsealed(row, key)
    yield* retire(sessions, [id])
    const part = yield* Effect.acquireRelease(
      attempt(() => {
        const part = partialOf(to)
        mkdirSync(part, { mode: 0o700 })
        return part
      }),
      (part) => Effect.sync(() => rmSync(part, { recursive: true, force: true }))
    )
    yield* copyOf(sessions, { id, tenant: name }, join(part, STATE))
    yield* attempt(() => {
      writeSettings(part, settings)
      chmodSync(part, 0o755)
      renameSync(part, to)
    })
    yield* erase(sessions, id)
    return to
  }).pipe(Effect.scoped)
