/**
 * Finds and reads the configuration file: the given one, or `daybook.config.ts` or `.json` in this folder.
 */
import { Effect } from "effect"
import { existsSync, readFileSync, statSync } from "node:fs"
import { registerHooks } from "node:module"
import { dirname, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { packageFile } from "../Beside.ts"
import { type ConfigContext, ConfigError, type Configuration, decode } from "./Configuration.ts"
import type { Bounds } from "../../model/Bounds.ts"
import * as ConnectionsFile from "./ConnectionsFile.ts"
import type { Connection } from "../../model/Connection.ts"
import * as Hidden from "../Hidden.ts"
import * as JsonText from "./JsonText.ts"
import * as Largest from "./Largest.ts"

const NAMES = ["daybook.config.ts", "daybook.config.js", "daybook.config.json"]

/** The configuration file in a folder, if there is one. */
export const configIn = (folder: string): string | undefined =>
  NAMES.map((name) => resolve(folder, name)).find((path) => existsSync(path))

/**
 * @param environment where secrets are read from
 * @param bounds what a JSON file may reach; a program can reach everything
 * @param change makes what is tried out of what is written
 */
export const load = (
  named: string | undefined,
  environment: Configuration["environment"] = process.env,
  bounds?: Bounds,
  change?: (written: unknown) => unknown
): Effect.Effect<Configuration, ConfigError> =>
  Effect.gen(function* () {
    const path = named === undefined ? configIn(".") : resolve(named)
    if (path === undefined) {
      return yield* new ConfigError({
        file: process.cwd(),
        problems: [
          "there is no daybook.config.ts or daybook.config.json in this folder; write one with `daybook init`, name one with --config FILE, or see what one looks like with `daybook demo`"
        ]
      })
    }
    const file = shown(path)
    const problem = (why: string) => new ConfigError({ file, problems: [why] })
    if (!existsSync(path)) return yield* problem("there is no such file; check --config")
    if (statSync(path).isDirectory()) return yield* problem("this is a folder; name the file in it with --config")
    const value = yield* Effect.tryPromise({
      try: () => read(path, bounds),
      catch: (cause) => problem(`it cannot be read: ${why(cause)}`)
    })
    if (value === undefined)
      return yield* problem("it has no default export; write `export default defineConfig({ ... })`")
    Hidden.learn(file, value, environment)
    return yield* Effect.mapError(decodeJoined(value, path, { file, environment, bounds }, change), (error) =>
      path.endsWith(".json") ? withLines(error, path, readFileSync(path, "utf8")) : error
    )
  })

/** Adds the line to each mistake in a JSON file. */
const withLines = (error: ConfigError, path: string, text: string): ConfigError =>
  error.file === shown(path)
    ? new ConfigError({ file: error.file, problems: JsonText.placed(text, error.problems) })
    : error

/** What a JSON configuration would say if this were its text. */
export const checked = (
  file: string,
  text: string,
  { bounds, environment }: Pick<Configuration, "bounds" | "environment">
): Effect.Effect<Configuration, ConfigError> => {
  const path = resolve(file)
  return Effect.try({
    try: () => {
      if (bounds !== undefined) Largest.holdBytes(Buffer.byteLength(text))
      return JsonText.parse(text)
    },
    catch: (cause) => new ConfigError({ file: shown(path), problems: [`it cannot be read: ${why(cause)}`] })
  }).pipe(
    Effect.flatMap((value) => decodeJoined(value, path, { file: shown(path), environment, bounds })),
    Effect.mapError((error) => withLines(error, path, text))
  )
}

/** Includes the connections that other people made by a link. */
const decodeJoined = (
  value: unknown,
  path: string,
  { bounds, environment, file }: Omit<ConfigContext, "folder">,
  change?: (written: unknown) => unknown
): Effect.Effect<Configuration, ConfigError> =>
  Effect.gen(function* () {
    const beside = ConnectionsFile.fileOf(path)
    const limits = path.endsWith(".json") ? bounds : undefined
    const more = yield* Effect.try({
      try: () => ConnectionsFile.read(beside, limits),
      catch: (cause) => new ConfigError({ file: shown(beside), problems: [`it cannot be read: ${why(cause)}`] })
    })
    return yield* decodeWith(
      value,
      { beside, more },
      { file, folder: dirname(path), environment, bounds: limits },
      change
    )
  })

/** A configuration and the connections that other people made by a link, as they are written, wherever that is. */
export const decodeWith = (
  value: unknown,
  { beside, more }: { readonly beside: string; readonly more: ReadonlyArray<ConnectionsFile.WrittenConnection> },
  { bounds: limits, environment, file, folder }: ConfigContext,
  change: (written: unknown) => unknown = (all) => all
): Effect.Effect<Configuration, ConfigError> =>
  Effect.gen(function* () {
    const { own, value: all } = ConnectionsFile.joined(value, more)
    const wrong = Largest.tooMany(all, limits)
    if (wrong !== undefined) return yield* new ConfigError({ file, problems: [wrong] })
    return yield* decode(change(all), { file, folder, environment, bounds: limits }).pipe(
      Effect.map((decoded) => {
        const entered = ConnectionsFile.entered(more, decoded.daemon.connect)
        if (entered.size === 0) return decoded
        const marked = (one: Connection): Connection => {
          const where = entered.get(one.id)
          return where === undefined ? one : { ...one, entered: where }
        }
        return { ...decoded, connections: decoded.connections.map(marked) }
      }),
      Effect.mapError(
        ({ problems }) =>
          new ConfigError({
            file,
            problems: Largest.firstOf(problems).map((one) => ConnectionsFile.placed(one, own, beside))
          })
      )
    )
  })

/** What a configuration file contains, valid or not; undefined if there is none that can be read. */
export const written = (
  named: string | undefined
): Effect.Effect<{ readonly value: unknown; readonly folder: string } | undefined> =>
  Effect.promise(async () => {
    const path = named === undefined ? configIn(".") : resolve(named)
    if (path === undefined) return undefined
    return { value: await read(path).catch(() => undefined), folder: dirname(path) }
  })

/** The file's name as seen from the working folder. */
const shown = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith("..") ? path : near
}

const read = async (path: string, bounds?: Bounds): Promise<unknown> => {
  if (path.endsWith(".json")) return JsonText.parse(Largest.settingsText(path, bounds !== undefined))
  const hooks = registerHooks({
    // A configuration may be in any folder, even where Daybook is not installed: its imports get the running program.
    resolve: (specifier, context, next) =>
      specifier === "daybook" ? { url: library(), shortCircuit: true } : next(specifier, context)
  })
  try {
    const module: { readonly default?: unknown } = await import(versioned(path))
    return module.default
  } finally {
    hooks.deregister()
  }
}

/** Modules are cached by name; the version makes a changed one load again. */
const versioned = (path: string): string => {
  const url = pathToFileURL(path)
  url.searchParams.set("changed", String(statSync(path).mtimeMs))
  return url.href
}

/** This program as a library: a module beside this one, or the bundle beside the command. */
const library = (): string => {
  const found = packageFile("Daybook.ts", "Daybook.js", "library.js")
  if (found === undefined) throw new Error("this build of Daybook is incomplete; run npm run build")
  return found
}

const why = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const { code, message, stack = "" } = cause as NodeJS.ErrnoException
  if (code === "EACCES" || code === "EPERM") return "there is no permission to read it; check its permissions"
  // If a module cannot be parsed, its place is above the stack.
  const line = cause instanceof SyntaxError ? /^[^\n]+:(\d+)\n/.exec(stack)?.[1] : undefined
  return line === undefined ? message : `line ${line}: ${message}`
}
