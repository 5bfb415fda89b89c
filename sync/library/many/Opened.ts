/** Many tenants for programs without Effect. */
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { join, resolve } from "node:path"
import { parseShard, shardOf } from "../../tenants/Shard.ts"
import { UsageError } from "../Exit.ts"
import { asked } from "../Library.ts"
import { type PromisedApi, promised } from "../Promised.ts"
import { ManyTenants, type TenantEvent, type TenantStatus, type TenantsSettings } from "./ManyTenants.ts"
import { backupAll, type TenantBackup } from "./TenantBackups.ts"
import * as Changes from "./TenantChanges.ts"
import { isTenantName, type TenantEntry, tenantIn, tenantOf } from "./TenantSource.ts"
import { ofFolder } from "./TenantsOfFolder.ts"

export interface TenantsOptions extends TenantsSettings {
  /** A folder with one folder for each tenant, which has its configuration, its state file, and `.env` for its secrets. */
  readonly folder?: string
  /** The tenants, where a program has their configurations itself. */
  readonly list?: ReadonlyArray<TenantEntry>
  /** Only those of one shard: `"3/16"`. */
  readonly shard?: string
}

/** Promises reject with errors that have a `_tag` and a message that says what to do. */
export interface Tenants {
  /** What is known of each, without opening any. */
  readonly list: () => ReadonlyArray<TenantStatus>
  readonly status: (name: string) => TenantStatus | undefined
  /** Opens a tenant, or takes it as it is open; it stays open until the promise is settled. */
  readonly with: <A>(name: string, use: (daybook: PromisedApi) => Promise<A>) => Promise<A>
  /** Runs what is due until the signal comes. */
  readonly run: (options?: { readonly signal?: AbortSignal }) => Promise<void>
  /** Has `run` do a tenant now, or one connection of it. */
  readonly ask: (name: string, connection?: string) => Promise<void>
  /** Of a folder: nothing of a tenant runs until it is resumed. */
  readonly pause: (name: string, by: string, why?: string) => Promise<void>
  readonly resume: (name: string) => Promise<boolean>
  /** Of a folder: from a configuration file, or a folder with one. Of a list: another entry. */
  readonly add: (tenant: TenantEntry | { readonly name: string; readonly from: string }) => Promise<void>
  /** Of a folder: its folder is kept where no daemon looks; answers where. Of a list: it is one no more. */
  readonly remove: (name: string, by: string) => Promise<string | undefined>
  /** A checked copy of every tenant, each in a folder of its own. */
  readonly backup: (folder: string) => Promise<ReadonlyArray<TenantBackup>>
  /** Calls back on everything that happens in a tenant; answers how to end that. */
  readonly on: (listener: (event: TenantEvent) => void) => () => void
  readonly close: () => Promise<void>
}

/** What a folder can do, or what is said where there is none. */
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

/** The tenants with what feeds them, once all of them are known. */
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

/** What changes who the tenants are. */
const changesOf = (
  { all, entries, files }: Filled,
  folder: string | undefined
): Pick<Tenants, "pause" | "resume" | "add" | "remove"> => {
  const changes = changing(folder)
  const refreshed = <A, E>(name: string, work: Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.tap(work, () => all.refresh(name)))
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
        return Effect.runPromise(all.add(tenantOf(tenant)))
      }
      const { from, name } = tenant
      const added = changes((folder) => Changes.add(folder, name, from))
      return Effect.runPromise(Effect.andThen(added, files?.scan ?? Effect.void))
    },
    remove: async (name, by) => {
      await Effect.runPromise(all.forget(name))
      if (entries.delete(name)) return undefined
      return Effect.runPromise(changes((folder) => Changes.remove(folder, name, by)))
    }
  }
}

export const open = async (options: TenantsOptions): Promise<Tenants> => {
  const scope = Scope.makeUnsafe()
  const start = Effect.runPromise
  const end = () => start(Scope.close(scope, Exit.void))
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
    ...changesOf(tenants, options.folder),
    list: () => all.list(),
    status: (name) => all.status(name),
    with: (name, use) =>
      start(
        all.use(name, ({ handle }) => {
          const api = asked(handle, Effect.ignore(all.ask(name)))
          return Effect.tryPromise({ try: () => use(promised(api, start)), catch: (error) => error })
        })
      ),
    run: ({ signal } = {}) => {
      const either = signal === undefined ? running.signal : AbortSignal.any([signal, running.signal])
      const follow = files === undefined ? Effect.void : Effect.forkScoped(files.follow)
      return start(Effect.scoped(Effect.andThen(follow, all.run)), { signal: either }).catch((cause) => {
        if (!either.aborted) throw cause
      })
    },
    ask: (name, connection) => start(all.ask(name, connection)),
    backup: (to) => start(backupAll(each(), to)),
    on: (listener) => {
      const hearing = Effect.runFork(Stream.runForEach(all.events, (event) => Effect.sync(() => listener(event))))
      return () => void Effect.runFork(Fiber.interrupt(hearing))
    },
    close: async () => {
      running.abort()
      await end()
    }
  }
}
