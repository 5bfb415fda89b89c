/**
 * Finds tenants: in a folder with a subfolder for each, or in a list that a program provides. A tenant has its own
 * configuration and state file.
 */
import { Effect, type Scope } from "effect"
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { parseEnv } from "node:util"
import { configIn, load } from "../config/ConfigFile.ts"
import { type Config, ConfigError, type Configuration, decode } from "../config/Configuration.ts"
import * as ConnectionsFile from "../config/ConnectionsFile.ts"
import { settingsText } from "../config/Largest.ts"
import type { OtherMachines } from "../../../connectors/OtherMachines.ts"
import type { Replica } from "../../state/replication/Replica.ts"
import type { StateError } from "../../state/StateError.ts"
import * as Hidden from "../Hidden.ts"
import { boundsOf, operatorsFile } from "./OperatorsFile.ts"

export interface Tenant {
  readonly name: string
  readonly folder: string
  readonly state: string
  readonly read: Effect.Effect<Configuration, ConfigError>
  /** What its configuration would be with this change. */
  readonly readAs: (change: ConfigChange) => Effect.Effect<Configuration, ConfigError>
  /** A text that changes when its configuration may have changed. */
  readonly version: () => string
  /** The contents of its configuration file, not decoded; undefined if they are known only after decoding. */
  readonly glance: () => unknown
  /** Of one in PostgreSQL: where its state file is kept, of which the one here is a working copy. */
  readonly replica?: Replica
  /** It is only read here: brings a copy of its state file. */
  readonly copy?: Effect.Effect<void, StateError, Scope.Scope>
  /** Counts its requests of sources together with those of other processes. */
  readonly machines?: OtherMachines
}

/** Makes another configuration out of what is written. Pure. */
export type ConfigChange = (written: unknown) => unknown

const asWritten: ConfigChange = (written) => written

/** Excludes texts that cannot be tenants' names: files in the folder, and parts of addresses. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/

export const isTenantName = (name: string): boolean => NAME.test(name)

export const STATE = "daybook.db"
export const SECRETS = ".env"
/** While this file exists, nothing of the tenant runs. */
const PAUSED = "daybook.paused"

export interface Paused {
  readonly since: string
  readonly by: string
  readonly why?: string
}

export const pausedFile = (folder: string): string => join(folder, PAUSED)

/** Since when it is paused, and by whom; undefined if it is not. A file that cannot be read pauses it as well. */
export const pausedIn = (folder: string): Paused | undefined => {
  const path = pausedFile(folder)
  if (!existsSync(path)) return undefined
  try {
    const { by, since, why } = JSON.parse(readFileSync(path, "utf8")) as Partial<Paused>
    return {
      since: String(since ?? ""),
      by: String(by ?? "somebody"),
      ...(why === undefined ? {} : { why: String(why) })
    }
  } catch {
    return { since: "", by: "somebody" }
  }
}

/** When this file was last changed; 0 if it does not exist. */
const changed = (path: string | undefined): number =>
  path === undefined ? 0 : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)

/** The variables in the tenant's own file. */
const ownVariables = (folder: string): Effect.Effect<Configuration["environment"], ConfigError> => {
  const file = join(folder, SECRETS)
  if (!existsSync(file)) return Effect.succeed({})
  return Effect.try({
    try: () => ({ ...parseEnv(settingsText(file)) }),
    catch: (cause) => new ConfigError({ file, problems: [`it cannot be read: ${(cause as Error).message}`] })
  })
}

const noConfiguration = (folder: string) =>
  new ConfigError({
    file: folder,
    problems: ["there is no daybook.config.json in this tenant's folder; write one, or remove the folder"]
  })

const readIn = (folder: string, home: string, change: ConfigChange): Effect.Effect<Configuration, ConfigError> =>
  Effect.suspend(() => {
    const file = configIn(folder)
    if (file === undefined) return Effect.fail(noConfiguration(folder))
    return Effect.gen(function* () {
      const own = yield* ownVariables(folder)
      return yield* load(file, { ...process.env, ...own }, yield* boundsOf(home, own), change)
    })
  })

/**
 * The tenant in this folder. Its own variables come before those of the process.
 *
 * @param home the folder of tenants, whose operator says what a configuration in JSON may reach
 */
export const tenantIn = (folder: string, name: string, home = dirname(resolve(folder))): Tenant => ({
  name,
  folder,
  state: join(folder, STATE),
  read: readIn(folder, home, asWritten),
  readAs: (change) => readIn(folder, home, change),
  version: () => {
    const file = configIn(folder)
    const made = file === undefined ? undefined : ConnectionsFile.fileOf(file)
    return [file, made, join(folder, SECRETS), operatorsFile(home)].map(changed).join(" ")
  },
  glance: () => {
    const file = configIn(folder)
    return file?.endsWith(".json") === true ? JSON.parse(settingsText(file)) : undefined
  }
})

/** Names of the tenants in a folder. */
export const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => isTenantName(entry.name) && (entry.isDirectory() || entry.isSymbolicLink()))
    .map(({ name }) => name)

/** A tenant in a program's own list. */
export interface TenantEntry {
  readonly name: string
  readonly config: Config
  /** Paths in its configuration are relative to this folder, and its state file is in it. */
  readonly folder: string
  /** Its state file; default `daybook.db` in its folder. */
  readonly state?: string
  /** Where secrets are read from; default: the process's environment. */
  readonly environment?: Configuration["environment"]
}

export const tenantOf = ({ config, environment = process.env, folder, name, state }: TenantEntry): Tenant => {
  const readAs: Tenant["readAs"] = (change) =>
    Effect.suspend(() => {
      const file = `the configuration of ${name}`
      Hidden.learn(file, config, environment)
      return decode(change(config), { file, folder: resolve(folder), environment })
    })
  return {
    name,
    folder: resolve(folder),
    state: resolve(state ?? join(folder, STATE)),
    read: readAs(asWritten),
    readAs,
    version: () => "",
    glance: () => config
  }
}
