/**
 * Adds, removes, pauses, resumes and moves the tenants of a folder. Each step leaves a tenant in one place, or in none that is
 * run, wherever it is interrupted: a tenant is prepared, or kept, where no daemon looks, and gets its place with one rename.
 */
import { Clock, Effect } from "effect"
import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join, resolve } from "node:path"
import { isOutside } from "../../../connectors/Confined.ts"
import { partialOf } from "../../../core/TemporaryFolder.ts"
import * as Instant from "../../../core/wire/Instant.ts"
import { lockWithin } from "../../state/SharedLock.ts"
import type { StateError } from "../../state/StateError.ts"
import type { ConfigError } from "../config/Configuration.ts"
import { UsageError } from "../Exit.ts"
import { renewIdentity } from "./Identity.ts"
import { leaveAsk, ownFolder } from "./TenantAsks.ts"
import { isTenantName, type Paused, pausedFile, pausedIn, STATE, tenantIn } from "./TenantSource.ts"

/** How long a change waits for a run that has the state file. Milliseconds. */
const PATIENCE_MS = 60_000

type Changed<A, E = UsageError> = Effect.Effect<A, E | UsageError>

const attempt = <A>(work: () => A): Changed<A> =>
  Effect.try({
    try: work,
    catch: (cause) => (cause instanceof UsageError ? cause : new UsageError({ why: (cause as Error).message }))
  })

const fail = (why: string) => new UsageError({ why })

/** A place in the tenants' folder where no daemon looks for tenants. */
const place = (folder: string, what: "arriving" | "leaving" | "removed", name: string): string => {
  const parent = join(ownFolder(folder), what)
  mkdirSync(parent, { recursive: true })
  return join(parent, name)
}

/** The folder of an existing tenant. */
const known = (folder: string, name: string): string => {
  const path = join(folder, name)
  if (!isTenantName(name) || !existsSync(path)) throw fail(`there is no tenant ${name} in ${folder}`)
  return path
}

const flush = (path: string): void => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Flushes a folder and its files to disk. */
const flushAll = (path: string): void => {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) flushAll(join(path, name))
  flush(path)
}

const writePause = (folder: string, paused: Paused): void => {
  const file = pausedFile(folder)
  const part = partialOf(file)
  writeFileSync(part, `${JSON.stringify(paused)}\n`)
  renameSync(part, file)
}

/** Pauses a tenant: nothing runs until it is resumed; a run in progress continues to its end. */
export const pause = (folder: string, name: string, by: string, why?: string): Changed<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    attempt(() => {
      const since = Instant.fromEpochMillis(now)
      writePause(known(folder, name), { since, by, ...(why === undefined ? {} : { why }) })
      leaveAsk(folder, name, "refresh")
    })
  )

/** False: it was not paused. */
export const resume = (folder: string, name: string): Changed<boolean> =>
  attempt(() => {
    const file = pausedFile(known(folder, name))
    const was = existsSync(file)
    rmSync(file, { force: true })
    leaveAsk(folder, name, "refresh")
    return was
  })

/** Refuses links that lead out of a tenant's folder: their owner would read what is there. */
const refuseLinks = (folder: string): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink() && isOutside(path, [folder]))
      throw fail(`${path} is a link to another folder; put the file itself there`)
  }
}

/** Checks the configuration of a tenant that arrives. */
export type CheckTenant = (
  folder: string,
  read: Effect.Effect<unknown, ConfigError>
) => Effect.Effect<unknown, ConfigError | UsageError>

/**
 * Adds a tenant: a folder with its configuration, and its state file and exports if it has any. Checks the configuration
 * first.
 *
 * @param from that folder, or a configuration file
 * @param check default: reads it, which runs it if it is a program
 */
export const add = (
  folder: string,
  name: string,
  from: string,
  check: CheckTenant = (_, read) => read
): Changed<void, ConfigError> =>
  Effect.gen(function* () {
    const arriving = yield* attempt(() => {
      if (!isTenantName(name))
        throw fail(`${JSON.stringify(name)} cannot be a tenant's name; use letters, digits, "-" and "_", 63 at most`)
      if (existsSync(join(folder, name))) throw fail(`there is a tenant ${name} already`)
      if (!existsSync(from)) throw fail(`${from} does not exist; name a configuration, or a folder with one`)
      const arriving = place(folder, "arriving", name)
      rmSync(arriving, { recursive: true, force: true })
      if (statSync(from).isDirectory()) {
        refuseLinks(from)
        cpSync(from, arriving, { recursive: true, verbatimSymlinks: true })
      } else {
        mkdirSync(arriving)
        const ending = /\.(json|ts|js)$/.exec(from)?.[0] ?? ".json"
        cpSync(from, join(arriving, `daybook.config${ending}`))
      }
      return arriving
    })
    yield* check(arriving, tenantIn(arriving, name, folder).read)
    yield* attempt(() => {
      renewIdentity(arriving)
      flushAll(arriving)
      renameSync(arriving, join(folder, name))
      leaveAsk(folder, name, "refresh")
    })
  })

/** Moves a tenant out of its place while nobody has its state file. */
const takeOut = (folder: string, name: string, to: string): Changed<void, StateError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const path = yield* attempt(() => known(folder, name))
      yield* lockWithin(PATIENCE_MS, join(path, STATE), "daybook tenants")
      yield* attempt(() => {
        renameSync(path, to)
        leaveAsk(folder, name, "refresh")
      })
    })
  )

/** Removes a tenant. Its folder is kept where no daemon looks; returns where. */
export const remove = (folder: string, name: string, by: string): Changed<string, StateError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const kept = place(folder, "removed", `${name}-${new Date(now).toISOString().replace(/[:.]/g, "-")}`)
    yield* pause(folder, name, by, "it is being removed")
    yield* takeOut(folder, name, kept)
    return kept
  })

/**
 * Moves a tenant to another folder of tenants, such as another shard's volume. It is never in both: it leaves its place
 * before it gets the new one. After an interruption, repeating the move continues it.
 */
export const move = (folder: string, name: string, to: string, by: string): Changed<string, StateError> =>
  Effect.gen(function* () {
    const target = join(resolve(to), name)
    const leaving = place(folder, "leaving", name)
    yield* attempt(() => {
      if (resolve(to) === resolve(folder)) throw fail("it is in this folder already")
      if (!existsSync(to) || !statSync(to).isDirectory()) throw fail(`${to} is not a folder`)
      if (existsSync(target) && existsSync(join(folder, name)))
        throw fail(`there is a tenant ${name} in ${to} already; remove one of the two first`)
    })
    if (!existsSync(leaving)) {
      const before = pausedIn(join(folder, name))
      if (before === undefined) yield* pause(folder, name, by, MOVING)
      yield* takeOut(folder, name, leaving)
    }
    yield* attempt(() => {
      if (!existsSync(target)) arrive(leaving, place(to, "arriving", name), target)
      leaveAsk(to, name, "refresh")
      rmSync(leaving, { recursive: true, force: true })
    })
    return target
  })

const MOVING = "it is being moved"

/** Leaves out the log's index, which belongs to the machine that made it. */
const arrive = (from: string, arriving: string, target: string): void => {
  rmSync(arriving, { recursive: true, force: true })
  cpSync(from, arriving, { recursive: true, preserveTimestamps: true, filter: (path) => !path.endsWith("-shm") })
  if (pausedIn(arriving)?.why === MOVING) rmSync(pausedFile(arriving))
  flushAll(arriving)
  renameSync(arriving, target)
  flush(join(target, ".."))
}
