/**
 * The test command: checks types, format and lint, then runs every test that is not long; with `--long` those that are; with
 * names of files, those. The last line says how many tests passed, failed and
 * were skipped; the line above it names the skipped ones, with the reason.
 */
import { execFile } from "node:child_process"
import { startVitest } from "vitest/node"
import { SPARING, sparing } from "./Compiler.ts"

const KEPT = "node_modules/.cache/daybook/types.tsbuildinfo"

/**
 * Types are checked incrementally. The checks run beside the tests, which sometimes wait for a disk, a server or a browser.
 */
const checks: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["types", ["tsc", "-p", ".", ...SPARING, "--incremental", "--tsBuildInfoFile", KEPT]],
  ["types of what runs in browsers", ["tsc", "-p", "core/tsconfig.browser.json", ...SPARING]],
  ["format and lint", ["biome", "ci", "--error-on-warnings", "--max-diagnostics=20", "--colors=off", "."]]
]

let passed = 0
let failed = 0
const skipped: Array<{ readonly name: string; readonly why: string }> = []
const isLong = process.argv[2] === "--long"
const filters = process.argv.slice(isLong ? 3 : 2)
process.env["DAYBOOK_LONG"] ??= isLong ? "only" : filters.length > 0 ? "all" : "none"

const check = ([name, [command, ...args]]: (typeof checks)[number]): Promise<void> =>
  new Promise((resolve) =>
    execFile(command!, args, { maxBuffer: 2 ** 26, env: sparing() }, (error, stdout, stderr) => {
      if (error !== null) console.log(stdout + stderr)
      if (typeof error?.code === "string") console.error(error.message)
      console.log(`${error === null ? "ok" : "FAILED"}: ${name}`)
      if (error === null) passed++
      else failed++
      resolve()
    })
  )

const checked = Promise.all(filters.length === 0 && !isLong ? checks.map(check) : [])

const vitest = await startVitest("test", filters, { run: true, watch: false })
for (const module of vitest.state.getTestModules()) {
  if (module.errors().length > 0) failed++
  for (const test of module.children.allTests()) {
    const result = test.result()
    if (result.state === "passed") passed++
    else if (result.state === "failed") failed++
    else {
      const why = result.state === "skipped" ? result.note : undefined
      skipped.push({ name: `${module.relativeModuleId}: ${test.fullName}`, why: why ?? "no reason is given" })
    }
  }
}
if (vitest.state.getUnhandledErrors().length > 0) failed++
await vitest.close()
await checked

/** Many tests of one file are skipped for the same reason, which is printed once. */
const reasons = Object.entries(Object.groupBy(skipped, ({ why }) => why)).map(
  ([why, tests]) => `${why}: ${tests!.map(({ name }) => name).join("; ")}`
)
if (reasons.length > 0) console.log(`Skipped, because ${reasons.join(". ")}`)
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
