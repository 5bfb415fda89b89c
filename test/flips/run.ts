/**
 * Flips single expressions of a folder, one at a time, and runs the tests of that folder on each: how many of the flips they
 * catch is the folder's score, and those that survive are named. By night, with a sample of each folder that money depends on:
 *
 *     node test/flips/run.ts                       # 200 flips of each, others every day
 *     node test/flips/run.ts core/money            # all of one folder
 *     node test/flips/run.ts sync/rules 300        # a sample of that size; a third word samples others
 *
 * A flip that means the same (`<=` where both are never equal) survives as well, so no folder comes to all.
 */
import { spawn } from "node:child_process"
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { apart } from "../support/Built.ts"
import { type Flip, flipped, flipsOf } from "./Flips.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const FOLDERS = ["core/money", "sync/rules", "sync/matching", "sync/plan", "sync/apply"]
const COPIED = [
  "core",
  "connectors",
  "sync",
  "cli",
  "examples",
  "test",
  "package.json",
  "vitest.config.ts",
  "README.md"
]

/** One for each flip, such as the first ten files that fail, would only take longer. */
const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--bail=1", "--reporter=dot"]

/** The least that a flip may take: it may never end. */
const SHORTEST_MS = 20_000

const [folder, most, seed = String(Math.floor(Date.now() / 86_400_000))] = process.argv.slice(2)

/** Whether the tests of a folder pass in this copy, and how long they took; those that take too long do not. */
const passes = (
  copy: string,
  tests: string,
  mostMs: number
): Promise<{ readonly ms: number; readonly ok: boolean }> => {
  const began = performance.now()
  return new Promise((resolve) => {
    const env = { ...apart(), DAYBOOK_LONG: "none" }
    const run = spawn(process.execPath, [...VITEST, tests], { cwd: copy, env, stdio: "ignore", detached: true })
    // Its workers as well.
    const timer = setTimeout(() => process.kill(-run.pid!, "SIGKILL"), mostMs)
    run.once("exit", (code) => {
      clearTimeout(timer)
      resolve({ ms: performance.now() - began, ok: code === 0 })
    })
  })
}

/** As many as asked for, chosen by the seed: a multiplicative hash of each one's place. */
const sampled = (all: ReadonlyArray<Flip>, count: number): ReadonlyArray<Flip> => {
  const mixed = (n: number) => Math.imul((n + 1) ^ Math.imul(Number(seed), 0x9e3779b1), 0x85ebca6b) >>> 0
  const chosen = all.map((_, n) => n).toSorted((a, b) => mixed(a) - mixed(b))
  return chosen.slice(0, count).flatMap((n) => all[n] ?? [])
}

const score = async (copy: string, name: string, count: number): Promise<boolean> => {
  const tests = `test/${name}/`
  const { ms, ok } = await passes(copy, tests, 600_000)
  if (!ok) {
    console.log(`${name}: its tests fail without a flip`)
    return false
  }
  const files = globSync(`${name}/**/*.ts`, { cwd: copy }).toSorted()
  const all = flipsOf(copy, files)
  const chosen = sampled(all, count)
  const survivors: Array<Flip> = []
  for (const flip of chosen) {
    const file = join(copy, flip.file)
    const text = readFileSync(file, "utf8")
    writeFileSync(file, flipped(text, flip))
    if ((await passes(copy, tests, Math.max(SHORTEST_MS, 5 * ms))).ok) {
      survivors.push(flip)
      console.log(`SURVIVED ${flip.file}:${flip.line}: ${flip.from.slice(0, 60)} → ${flip.to.slice(0, 60)}`)
    }
    writeFileSync(file, text)
  }
  const caught = chosen.length - survivors.length
  const percent = Math.round((100 * caught) / Math.max(1, chosen.length))
  console.log(`${name}: ${caught} of ${chosen.length} flips caught (${percent} %), ${all.length} in all`)
  return chosen.length > 0
}

const copy = mkdtempSync(join(tmpdir(), "daybook-flips-"))
try {
  for (const one of COPIED.filter((path) => existsSync(join(ROOT, path))))
    cpSync(join(ROOT, one), join(copy, one), { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"))
  // Only the syntax is asked for.
  const compilerOptions = { allowImportingTsExtensions: true, noEmit: true, noLib: true, noResolve: true, types: [] }
  const folders = folder === undefined ? FOLDERS : [folder]
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ compilerOptions, include: folders }))
  const count = most === undefined ? (folder === undefined ? 200 : Infinity) : Number(most)
  for (const one of folders) if (!(await score(copy, one, count))) process.exitCode = 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}
