/**
 * Tenants without a folder: configuration and secrets are in PostgreSQL, sealed, beside the state. Any process that has the seal runs
 * one. Nobody has to be asked, and no lease is taken: whoever opens the tenant fences who had it before, and waits for what that one may
 * still have sent.
 */
import { Clock, Effect, Stream } from "effect"
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseEnv } from "node:util"
import { temporaryFolder } from "../../../core/TemporaryFolder.ts"
import * as ClusterTables from "../../cluster/ClusterTables.ts"
import { CachedCopy } from "../../state/replication/CachedCopy.ts"
import * as Inbox from "../../state/replication/postgres/Inbox.ts"
import * as Kept from "../../state/replication/postgres/KeptSettings.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import { take } from "../../state/replication/postgres/PostgresStore.ts"
import { sharedTurns } from "../../state/replication/postgres/SharedTurns.ts"
import type { StoreError } from "../../state/replication/Store.ts"
import type { SealKey } from "../../vault/Encryption.ts"
import { decodeWith } from "../config/ConfigFile.ts"
import { ConfigError, type Configuration } from "../config/Configuration.ts"
import * as ConnectionsFile from "../config/ConnectionsFile.ts"
import * as JsonText from "../config/JsonText.ts"
import * as Hidden from "../Hidden.ts"
import { asked } from "../Library.ts"
import { runErrands } from "./Errands.ts"
import { ManyTenants, type TenantEvent } from "./ManyTenants.ts"
import { boundsOf } from "./OperatorsFile.ts"
import { ownFolder } from "./TenantAsks.ts"
import { tenantsFile } from "./TenantsFile.ts"
import {
  attempt,
  CONFIG,
  CONNECTIONS,
  fail,
  sealedSettings,
  type Settings,
  settingsIn,
  unsealed,
  writeSettings
} from "./KeptTexts.ts"
import type { ConfigChange, Tenant } from "./TenantSource.ts"

export const workFolder = Effect.acquireRelease(
  Effect.sync(() => temporaryFolder("node")),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

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

interface TextsOptions extends Pick<KeptPlace, "key"> {
  readonly row: Kept.KeptSettings
  readonly home: string
  /** The folder for them. */
  readonly work: string
}

/** The texts as files, because the page and links change those; secrets stay out of them. */
const textsOf = ({ home, key, row: { id, name, sealed }, work }: TextsOptions) =>
  Effect.map(unsealed({ id, sealed }, key), (settings) => {
    let before = sealed
    const { secrets, ...files } = settings
    writeSettings(work, files, false)
    const file = join(work, CONFIG)
    const written = (): Settings => ({ ...settingsIn(work, file), ...(secrets === undefined ? {} : { secrets }) })
    let kept = JSON.stringify(written())
    return {
      now: () => JSON.stringify(written()),
      readAs: (change?: ConfigChange) =>
        Effect.map(
          Effect.suspend(() => readFrom({ name, settings: written(), folder: join(home, name), home }, change)),
          (configuration) => ({ ...configuration, file })
        ),
      /** Keeps what was changed, as long as it is this opening's. */
      keep: (sessions: PgSessions, epoch: number): Effect.Effect<void, StoreError> => {
        const [now, text] = [written(), JSON.stringify(written())]
        if (text === kept) return Effect.void
        const after = sealedSettings(id, key, now)
        return Effect.tap(Kept.change(sessions, { id, epoch, before, sealed: after }), () =>
          Effect.sync(() => {
            kept = text
            before = after
          })
        )
      }
    }
  })

/** Where workers that share a folder remember up to where each tenant's shipments were stored, see `HighWater.ts`. */
const marksIn = (files: string): string => join(ownFolder(files), "shipped")

/** Undefined: nothing can be remembered there. */
export const markOf = (files: string | undefined, id: string): string | undefined => {
  // Where its volume is to be mounted, nothing is made.
  if (files === undefined || !existsSync(files)) return undefined
  try {
    mkdirSync(marksIn(files), { recursive: true })
    return join(marksIn(files), id)
  } catch {
    return undefined
  }
}

/** Forgets what was remembered of tenants that were removed. */
export const sweepMarks = ({ files, sessions }: KeptPlace) =>
  Effect.gen(function* () {
    if (files === undefined) return
    const all = yield* attempt(() => readdirSync(marksIn(files)))
    for (const id of yield* Kept.removedOf(sessions, all)) rmSync(join(marksIn(files), id), { force: true })
  })

/** Opens a tenant: whoever had it open is fenced. What others left for it in PostgreSQL is done first. */
const opened = ({ cache, files, key, sessions }: KeptPlace, row: Kept.KeptSettings) =>
  Effect.gen(function* () {
    const { id, name } = row
    const work = yield* workFolder
    const home = files === undefined ? work : resolve(files)
    const texts = yield* textsOf({ key, home, row, work: join(work, "settings") })
    let epoch: number | undefined
    const highWater = markOf(files, id)
    const taking = Effect.tap(take(sessions, id), (tenure) => Effect.sync(() => void (epoch = tenure.epoch)))
    const tenant: Tenant = {
      name,
      folder: join(home, name),
      state: join(work, `${id}.db`),
      read: texts.readAs(),
      readAs: texts.readAs,
      version: texts.now,
      glance: () => undefined,
      machines: sharedTurns(sessions),
      replica: {
        take: taking,
        ...(highWater === undefined ? {} : { highWater }),
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
    for (const one of seen) yield* runErrands(all, sessions, one)
    const report = Effect.suspend(() =>
      Effect.ignore(ClusterTables.report(sessions, id, JSON.stringify(all.status(name))))
    )
    const keepTexts = Effect.suspend(() => texts.keep(sessions, epoch ?? 0))
    return { all, seen, report, keepTexts, epoch: () => epoch }
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
const answering = (
  { sessions }: KeptPlace,
  row: Kept.KeptSettings,
  { all, keepTexts }: Effect.Success<ReturnType<typeof opened>> & object,
  answer: RunWith["answer"]
) =>
  Effect.gen(function* () {
    if (answer === undefined) return false
    const waiting = yield* Inbox.begin(sessions, row.id)
    yield* Effect.forEach(
      waiting,
      ({ body, id }) =>
        Effect.gen(function* () {
          const reply = yield* answer(all, row, body)
          yield* keepTexts
          yield* Inbox.answer(sessions, id, reply)
        }),
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
    const answers = answering(place, row, open, answer)
    if (row.isPaused) {
      yield* answers
      return { epoch: epoch(), due: undefined } satisfies RanDue
    }
    yield* Effect.forkScoped(Stream.runForEach(all.events, heard))
    yield* Effect.forkScoped(all.run)
    const requests = seen.filter((one) => one.asked !== null)
    yield* requests.length > 0 ? all.ask(name) : all.look(name)
    for (const one of requests) yield* ClusterTables.clearAsk(place.sessions, "asked", one)
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
