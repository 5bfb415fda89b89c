/**
 * Finds and reads the configuration file: the one that was named, or `daybook.config.ts` or `.json` here.
 */
import { Effect, Result } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { ConfigError, type Configuration, decode } from "./Configuration.ts"

const NAMES = ["daybook.config.ts", "daybook.config.js", "daybook.config.json"]

export const load = (named: string | undefined): Effect.Effect<Configuration, ConfigError> =>
  Effect.gen(function* () {
    const path = named === undefined ? NAMES.map((name) => resolve(name)).find(existsSync) : resolve(named)
    if (path === undefined) {
      return yield* new ConfigError({
        file: process.cwd(),
        problems: [
          "there is no daybook.config.ts or daybook.config.json here; write one (the README shows how), or name it with --config FILE"
        ]
      })
    }
    const file = basename(path)
    const problem = (why: string) => new ConfigError({ file: path, problems: [why] })
    if (!existsSync(path)) return yield* problem("there is no such file; check --config")
    const value = yield* Effect.tryPromise({
      try: async (): Promise<unknown> => {
        if (path.endsWith(".json")) return JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""))
        const module: { readonly default?: unknown } = await import(pathToFileURL(path).href)
        return module.default
      },
      catch: (cause) => problem(`it cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
    if (value === undefined)
      return yield* problem("it has no default export; write `export default defineConfig({ ... })`")
    const configuration = decode(value, { file, folder: dirname(path), environment: process.env })
    return Result.isSuccess(configuration) ? configuration.success : yield* configuration.failure
  })
