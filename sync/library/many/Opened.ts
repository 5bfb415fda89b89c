/** Offers many tenants to programs without Effect. */
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { join, resolve } from "node:path"
import { parseShard, shardOf } from "../../tenants/Shard.ts"
import { closed, UsageError } from "../Exit.ts"
import { asked } from "../Library.ts"
import { type PromisedApi, promised } from "../Promised.ts"
import { type Fleet, planTenant, planTenants } from "./PlanTenants.ts"
import { overlayProblem } from "../config/Overlay.ts"
import { writtenDay } from "../Views.ts"
import { ManyTenants, type TenantEvent, type TenantStatus, type TenantsSettings } from "./ManyTenants.ts"
import { backupAll, type TenantBackup } from "./TenantBackups.ts"
import * as Changes from "./TenantChanges.ts"
import { isTenantName, type TenantEntry, tenantIn, tenantOf } from "./TenantSource.ts"
import { ofFolder } from "./TenantsOfFolder.ts"

export interface TenantsOptions extends TenantsSettings {
  /** A folder with a subfolder for each tenant: its configuration, its state file, and `.env` for its secrets. */
  readonly folder?: string
  /** The tenants, if the program has their configurations itself. */
  readonly list?: ReadonlyArray<TenantEntry>
  /** Only those of one shard: `"3/16"`. */
  readonly shard?: string
}

/** Under what the other plans are made: `with` is what changes in each configuration, the rest of which stays. */
export interface FleetWanted {
  readonly with?: unknown
  readonly asOf?: string
}

/** Promises reject with errors that have a `_tag` and a message that says what to do. */
export interface Tenants {
  /** What is known of each, without opening any. */
  readonly list: () => ReadonlyArray<TenantStatus>
  readonly status: (name: string) => TenantStatus | undefined
  /** Opens a tenant if necessary; it stays open until the promise is settled. */
  readonly with: <A>(name: string, use: (daybook: PromisedApi) => Promise<A>) => Promise<A>
  /** Runs what is due until the signal is aborted. */
  readonly run: (options?: { readonly signal?: AbortSignal }) => Promise<void>
  /** Makes `run` run a tenant now, or one connection of it. */
  readonly ask: (name: string, connection?: string) => Promise<void>
  /** For a folder: nothing of a tenant runs until it is resumed. */
  readonly pause: (name: string, by: string, why?: string) => Promise<void>
  readonly resume: (name: string) => Promise<boolean>
  /** For a folder: from a configuration file, or a folder with one. For a list: another entry. */
  readonly add: (tenant: TenantEntry | { readonly name: string; readonly from: string }) => Promise<void>
  /** For a folder: keeps its folder where no daemon looks, and returns where. For a list: removes it from the list. */
  readonly remove: (name: string, by: string) => Promise<string | undefined>
  /** What other settings, or another day, would change in the plans of all of them, one after the other. Changes nothing. */
  readonly plan: (wanted: FleetWanted) => Promise<Fleet>
  /** Writes a checked copy of every tenant, each in its own folder. */
  readonly backup: (folder: string) => Promise<ReadonlyArray<TenantBackup>>
  /** Calls back on every event of a tenant; returns a function that ends it. */
  readonly on: (listener: (event: TenantEvent) => void) => () => void
  readonly close: () => Promise<void>
}

/** The operations of a folder, or the message if there is none. */
const changing = (folder: string | undefined) => {
  const none = Effect.fail(new UsageError({ why: "these tenants are a list of the program, not a folder" }))
  const given = <A, E>(work: (folder: string) => Effect.Effect<A, E>): Effect.Effect<A, E | UsageError> =>
    folder === undefined ? none : work(resolve(folder))
  return given
}

const shardFor = (text: string | undefined) => {
  if (text === undefined) return undefined
  const shard = parseShard(text)
  if (shard === undefined) throw new UsageError({ why: `shard ${JSON.stringify(text)}: write one like "3/16"` })
  return shard
}

/** The tenants and their source, once all of them are known. */
const filled = async ({ folder, list = [], shard: text, ...settings }: TenantsOptions, scope: Scope.Closeable) => {
  const shard = shardFor(text)
  const wrong = list.find(({ name }) => !isTenantName(name))
  if (wrong !== undefined)
    throw new UsageError({
      why: `${JSON.stringify(wrong.name)} cannot be a tenant's name; use letters, digits, "-" and "_"`
    })
  const all = await Effect.runPromise(Scope.provide(scope)(ManyTenants.make(settings)))
  const files = folder === undefined ? undefined : ofFolder(all, { folder, shard })
  const ours = list.filter(({ name }) => shard === undefined || shardOf(name, shard.of) === shard.number)
  await Effect.runPromise(
    Effect.andThen(
      Effect.forEach(ours, (entry) => all.add(tenantOf(entry)), { discard: true }),
      files?.scan ?? Effect.void
    )
  )
  return { all, files, entries: new Map(ours.map((entry) => [entry.name, entry])) }
}

type Filled = Awaited<ReturnType<typeof filled>>

/** The operations that add or remove tenants. */
const changesOf = (
  { all, entries, files }: Filled,
  folder: string | undefined,
  start: <A, E>(work: Effect.Effect<A, E>) => Promise<A>
): Pick<Tenants, "pause" | "resume" | "add" | "remove"> => {
  const changes = changing(folder)
  const refreshed = <A, E>(name: string, work: Effect.Effect<A, E>) => start(Effect.tap(work, () => all.refresh(name)))
  return {
    pause: (name, by, why) =>
      refreshed(
        name,
        changes((folder) => Changes.pause(folder, name, by, why))
      ),
    resume: (name) =>
      refreshed(
        name,
        changes((folder) => Changes.resume(folder, name))
      ),
    add: (tenant) => {
      if (!("from" in tenant)) {
        entries.set(tenant.name, tenant)
        return start(all.add(tenantOf(tenant)))
      }
      const { from, name } = tenant
      const added = changes((folder) => Changes.add(folder, name, from))
      return start(Effect.andThen(added, files?.scan ?? Effect.void))
    },
    remove: async (name, by) => {
      await start(all.forget(name))
      if (entries.delete(name)) return undefined
      // Whoever looks at the folder meanwhile finds it there still.
      const removed = changes((folder) => Changes.remove(folder, name, by))
      return start(Effect.tap(removed, () => files?.scan ?? Effect.void))
    }
  }
}

export const open = async (options: TenantsOptions): Promise<Tenants> => {
  const scope = Scope.makeUnsafe()
  let isClosed = false
  const start = <A, E>(work: Effect.Effect<A, E>, options?: Effect.RunOptions): Promise<A> =>
    isClosed ? Promise.reject(closed("Daybook.tenants")) : Effect.runPromise(work, options)
  const end = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const tenants = await filled(options, scope).catch(async (error) => {
    await end()
    throw error
  })
  const { all, entries, files } = tenants
  const running = new AbortController()
  const each = () =>
    all.names().map((name) => {
      const entry = entries.get(name)
      return entry === undefined ? tenantIn(join(resolve(options.folder ?? "."), name), name) : tenantOf(entry)
    })
  return {
    ...changesOf(tenants, options.folder, start),
    list: () => all.list(),
    status: (name) => all.status(name),
    with: (name, use) =>
      start(
        all.use(name, ({ handle }) => {
          const api = asked({ ...handle, wake: () => Effect.ignore(all.ask(name)) })
          return Effect.tryPromise({ try: () => use(promised(api, start)), catch: (error) => error })
        })
      ),
    run: ({ signal } = {}) => {
      const either = signal === undefined ? running.signal : AbortSignal.any([signal, running.signal])
      const follow = files === undefined ? Effect.void : Effect.forkScoped(files.follow)
      return start(Effect.scoped(Effect.andThen(follow, all.run)), { signal: either }).catch((cause) => {
        if (!either.aborted || cause instanceof UsageError) throw cause
      })
    },
    ask: (name, connection) => start(all.ask(name, connection)),
    plan: ({ asOf, with: over }) =>
      start(
        Effect.gen(function* () {
          const wrong = over === undefined ? undefined : overlayProblem(over)
          if (wrong !== undefined) return yield* new UsageError({ why: wrong })
          const wanted = { ...(over === undefined ? {} : { with: over }), asOf: yield* writtenDay(asOf) }
          return yield* planTenants(
            all.names(),
            (name) => planTenant(name, (work) => all.use(name, work), wanted),
            wanted
          )
        })
      ),
    backup: (to) => start(backupAll(each(), to)),
    on: (listener) => {
      const hearing = Effect.runFork(Stream.runForEach(all.events, (event) => Effect.sync(() => listener(event))))
      return () => void Effect.runFork(Fiber.interrupt(hearing))
    },
    close: async () => {
      running.abort()
      isClosed = true
      await end()
    }
  }
}
