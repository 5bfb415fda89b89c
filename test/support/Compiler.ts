/** Runs the TypeScript compiler with little processor time: tests run beside it, on the same few cores. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const COMPILER = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url))

/** One checker, because several would repeat much of the work. */
export const SPARING = ["--checkers", "1"]

/** Its memory is cleared less often. */
export const sparing = (): NodeJS.ProcessEnv => ({ ...process.env, GOGC: "400" })

/** Checks the project in this folder. */
export const checkTypes = (folder: string): SpawnSyncReturns<string> =>
  spawnSync(COMPILER, ["-p", folder, ...SPARING], { cwd: folder, encoding: "utf8", env: sparing() })
