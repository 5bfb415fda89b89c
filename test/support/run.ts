/**
 * The test command: types, format and lint, then every test. The last line says how many passed and failed.
 */
import { spawnSync } from "node:child_process"
import { startVitest } from "vitest/node"

const checks: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["types", ["tsc", "-p", "."]],
  ["format and lint", ["biome", "ci", "--error-on-warnings", "--max-diagnostics=20", "--colors=off", "."]]
]

let passed = 0
let failed = 0
const filters = process.argv.slice(2)

if (filters.length === 0) {
  for (const [name, [command, ...args]] of checks) {
    const { error, status } = spawnSync(command!, args, { stdio: "inherit" })
    if (error !== undefined) console.error(error.message)
    console.log(`${status === 0 ? "ok" : "FAILED"}: ${name}`)
    if (status === 0) passed++
    else failed++
  }
}

const vitest = await startVitest("test", filters, { run: true, watch: false })
for (const module of vitest.state.getTestModules()) {
  if (module.errors().length > 0) failed++
  for (const { result } of [...module.children.allTests()].map((test) => ({ result: test.result() }))) {
    if (result.state === "passed") passed++
    else if (result.state === "failed") failed++
  }
}
if (vitest.state.getUnhandledErrors().length > 0) failed++
await vitest.close()

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
