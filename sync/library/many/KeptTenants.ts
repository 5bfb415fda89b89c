/**
 * Tenants without a folder: configuration and secrets are in PostgreSQL, sealed, beside the state. Any process that has the seal runs
 * one. Nobody has to be asked, and no lease is taken: whoever opens the tenant fences who had it before, and waits for what that one may
 * still have sent.
 */
import { Clock, Effect, Layer, Stream } from "effect"
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { parseEnv } from "node:util"
import { partialOf, temporaryFolder } from "../../../core/TemporaryFolder.ts"
import * as ClusterTables from "../../cluster/ClusterTables.ts"
import { erase, retire } from "../../cluster/Erasure.ts"
import { copyOf } from "../../cluster/Operations.ts"
import { Database } from "../../state/Database.ts"
import { CachedCopy } from "../../state/replication/CachedCopy.ts"
import { SHIPPED } from "../../state/replication/HighWater.ts"
import * as Inbox from "../../state/replication/postgres/Inbox.ts"
import * as Kept from "../../state/replication/postgres/KeptSettings.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import { take } from "../../state/replication/postgres/PostgresStore.ts"
import { NO_LEASE } from "../../state/replication/Store.ts"
import { open as unseal, seal, type SealKey } from "../../vault/Encryption.ts"
import { configIn, decodeWith } from "../config/ConfigFile.ts"
import { ConfigError, type Configuration } from "../config/Configuration.ts"
import * as ConnectionsFile from "../config/ConnectionsFile.ts"
import * as JsonText from "../config/JsonText.ts"
import { settingsText } from "../config/Largest.ts"
import { UsageError } from "../Exit.ts"
import * as Hidden from "../Hidden.ts"
import { asked } from "../Library.ts"
import { identify } from "./Identity.ts"
import { ManyTenants, type TenantEvent } from "./ManyTenants.ts"
import { NodeErrands } from "./NodeErrands.ts"
import { boundsOf } from "./OperatorsFile.ts"
import { tenantsFile } from "./TenantsFile.ts"
import { reasonFor } from "./TenantsKnown.ts"
import { type ConfigChange, pausedIn, SECRETS, STATE, type Tenant, tenantIn } from "./TenantSource.ts"

/** The texts of a tenant's files. */
interface Settings {
  readonly config: string
  readonly connections?: string
  readonly secrets?: string
}

const CONFIG = "daybook.config.json"
const CONNECTIONS = basename(ConnectionsFile.fileOf(CONFIG))

const fail = (why: string) => Effect.fail(new UsageError({ why }))

const bond = (id: string) => ({ name: `the configuration of ${id}` })

const attempt = <A>(work: () => A): Effect.Effect<A, UsageError> =>
  Effect.try({ try: work, catch: (cause) => new UsageError({ why: (cause as Error).message }) })

const settingsIn = (folder: string, file: string): Settings => {
  const text = (name: string) => (existsSync(join(folder, name)) ? settingsText(join(folder, name)) : undefined)
  const [connections, secrets] = [text(CONNECTIONS), text(SECRETS)]
  return {
    config: settingsText(file),
    ...(connections === undefined ? {} : { connections }),
    ...(secrets === undefined ? {} : { secrets })
  }
}

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
    const id = yield* attempt(() => identify(path, name))
    const [stranger] = yield* ClusterTables.announce(sessions, new Map([[name, id]]))
    if (stranger?.isKept === false) return yield* fail(`${name}: ${reasonFor(stranger)}`)
    if (stranger === undefined || existsSync(tenant.state)) {
      const work = yield* workFolder
      const replica = {
        take: take(sessions, id, null),
        lease: NO_LEASE,
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
    const isThere = yield* Kept.keep(sessions, { id, sealed: seal(key, bond(id), JSON.stringify(settings)), shares })
    if (!isThere) return yield* fail(`${name} was removed meanwhile`)
    return filesOf(configuration, path)
  }).pipe(Effect.scoped)

const workFolder = Effect.acquireRelease(
  Effect.sync(() => temporaryFolder("node")),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Fails if this is not the seal that it was sealed with. */
export const unsealed = (
  { id, sealed }: Pick<Kept.KeptSettings, "id" | "sealed">,
  key: SealKey
): Effect.Effect<Settings, UsageError> => attempt(() => JSON.parse(unseal(key, bond(id), sealed)) as Settings)

interface Reading {
  readonly name: string
  readonly settings: Settings
  /** Relative paths of sources are in it. */
  readonly folder: string
  readonly home: string
}

const readFrom = ({ folder, home, name, settings }: Reading, change?: ConfigChange) =>
  Effect.gen(function* () {
    const file = `${name}'s configuration in PostgreSQL`
    const wrong = (cause: unknown) =>
      new ConfigError({ file, problems: [`it cannot be read: ${(cause as Error).message}`] })
    const own = parseEnv(settings.secrets ?? "")
    const environment = { ...process.env, ...own }
    const { more, value } = yield* Effect.try({
      try: () => ({
        value: JsonText.parse(settings.config),
        more: settings.connections === undefined ? [] : ConnectionsFile.parsed(settings.connections)
      }),
      catch: wrong
    })
    Hidden.learn(file, value, environment)
    const bounds = yield* boundsOf(home, own)
    return yield* decodeWith(value, { beside: CONNECTIONS, more }, { file, folder, environment, bounds }, change)
  })

/** Where runs of tenants without a folder find what they need. */
export interface KeptPlace {
  readonly sessions: PgSessions
  readonly key: SealKey
  /** The folder with the files of sources, one folder for each tenant, and `daybook.tenants.json` if there is one. */
  readonly files?: string | undefined
  /** The folder of working copies that are closed; undefined: they are deleted. */
  readonly cache?: string | undefined
}

/** Its configuration as it is now, without opening it. */
export const readKept = (
  { files, key }: Pick<KeptPlace, "files" | "key">,
  row: Kept.KeptSettings,
  change?: ConfigChange
): Effect.Effect<Configuration, ConfigError> =>
  Effect.gen(function* () {
    const home = resolve(files ?? ".")
    const settings = yield* Effect.mapError(
      unsealed(row, key),
      ({ why }) => new ConfigError({ file: row.name, problems: [why] })
    )
    return yield* readFrom({ name: row.name, settings, folder: join(home, row.name), home }, change)
  })

/** Opens a tenant: whoever had it open is fenced. What others left for it in PostgreSQL is done first. */
const opened = ({ cache, files, key, sessions }: KeptPlace, row: Kept.KeptSettings) =>
  Effect.gen(function* () {
    const { id, name } = row
    const work = yield* workFolder
    const home = files === undefined ? work : resolve(files)
    const reading: Reading = { name, settings: yield* unsealed(row, key), folder: join(home, name), home }
    let epoch: number | undefined
    const taking = Effect.tap(take(sessions, id, null), (tenure) => Effect.sync(() => void (epoch = tenure.epoch)))
    const tenant: Tenant = {
      name,
      folder: reading.folder,
      state: join(work, `${id}.db`),
      read: readFrom(reading),
      readAs: (change) => readFrom(reading, change),
      version: () => "",
      glance: () => undefined,
      replica: {
        take: taking,
        lease: NO_LEASE,
        ...(cache === undefined ? {} : { cache: new CachedCopy(cache, id) })
      }
    }
    const { settings } = yield* tenantsFile(home)
    // Jobs are spread by when they are due.
    const all = yield* ManyTenants.make({ ...settings, spreadMs: 0 }, "daybook tenants")
    yield* all.add(tenant)
    if (all.status(name)?.paused !== undefined) return undefined
    // Whoever opens it may find that the service is to be read first.
    yield* all.use(name, () => Effect.void)
    const seen = yield* ClusterTables.seen(sessions, id)
    yield* new NodeErrands(all, home, sessions).owed(null, seen)
    const report = Effect.suspend(() =>
      Effect.ignore(ClusterTables.report(sessions, null, [{ id, body: JSON.stringify(all.status(name)) }]))
    )
    return { all, seen, report, epoch: () => epoch }
  })

/** One run of a tenant, which any scheduler may start at any time, also twice: all of its connections. */
export const syncKept = (place: KeptPlace, row: Kept.KeptSettings) =>
  Effect.gen(function* () {
    const open = yield* opened(place, row)
    if (open === undefined) return { isPaused: true } as const
    const report = yield* open.all.use(row.name, ({ handle }) => asked({ ...handle, sendsAlerts: () => true }).sync())
    yield* open.report
    return { report } as const
  }).pipe(Effect.scoped)

/** How often to look whether it is done, and what else somebody asks. Milliseconds. */
const LOOKS_MS = 25
const ASKS_MS = 250

/** What a run of what is due came to. */
interface RanDue {
  /** The opening. */
  readonly epoch: number | undefined
  /** When it is due next. Milliseconds since the epoch; null: it has no schedule; undefined: as it was, because it is paused. */
  readonly due: number | null | undefined
}

/** What a run does beside. */
export interface RunWith {
  /** Hears what its runs say. */
  readonly heard?: (event: TenantEvent) => Effect.Effect<void>
  /** Answers what people and programs ask of it, wherever they did. */
  readonly answer?: ((all: ManyTenants, row: Kept.KeptSettings, asked: string) => Effect.Effect<string>) | undefined
}

/** How many are answered at the same time. */
const AT_ONCE = 8

/** Returns whether somebody had asked something. */
const answering = ({ sessions }: KeptPlace, row: Kept.KeptSettings, all: ManyTenants, answer: RunWith["answer"]) =>
  Effect.gen(function* () {
    if (answer === undefined) return false
    const waiting = yield* Inbox.begin(sessions, row.id)
    yield* Effect.forEach(
      waiting,
      ({ body, id }) => Effect.flatMap(answer(all, row, body), (reply) => Inbox.answer(sessions, id, reply)),
      { concurrency: AT_ONCE, discard: true }
    )
    return waiting.length > 0
  })

/** Runs what is due of a tenant by its schedules, and what people asked for, as a daemon does. Fails with why it cannot be opened. */
export const runKept = (place: KeptPlace, row: Kept.KeptNow, { answer, heard = () => Effect.void }: RunWith = {}) =>
  Effect.gen(function* () {
    const { name } = row
    const open = yield* opened(place, row)
    if (open === undefined) return { epoch: undefined, due: null } satisfies RanDue
    const { all, epoch, report, seen } = open
    const answers = answering(place, row, all, answer)
    if (row.isPaused) {
      yield* answers
      return { epoch: epoch(), due: undefined } satisfies RanDue
    }
    yield* Effect.forkScoped(Stream.runForEach(all.events, heard))
    yield* Effect.forkScoped(all.run)
    const requests = seen.filter((one) => one.asked !== null)
    yield* requests.length > 0 ? all.ask(name) : all.look(name)
    yield* ClusterTables.clearAsks(place.sessions, null, "asked", requests)
    for (let looked = Number.NEGATIVE_INFINITY; ; ) {
      const now = yield* Clock.currentTimeMillis
      const { next = null, state, trouble } = all.status(name) ?? {}
      const isWaiting = state !== "running" && state !== "queued" && (next === null || next > now)
      if (isWaiting && trouble !== undefined) return yield* fail(trouble)
      const isTime = isWaiting || Math.abs(now - looked) >= ASKS_MS
      if (isTime) looked = now
      // What was decided may have made something due.
      const wasAsked = isTime && (yield* answers)
      if (isWaiting && !wasAsked) {
        yield* report
        return { epoch: epoch(), due: next } satisfies RanDue
      }
      yield* Effect.sleep(LOOKS_MS)
    }
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
    const { config, connections, secrets } = yield* unsealed(row, key)
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
      const texts = { [CONFIG]: config, [CONNECTIONS]: connections, [SECRETS]: secrets }
      for (const [file, text] of Object.entries(texts))
        if (text !== undefined) writeFileSync(join(part, file), text, { mode: 0o600, flush: true })
      chmodSync(part, 0o755)
      renameSync(part, to)
    })
    yield* erase(sessions, id)
    return to
  }).pipe(Effect.scoped)
