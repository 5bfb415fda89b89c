/** Makes a program with a mistake of the source as it is, and tries the simulation or a test on it. */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { apart } from "../support/Built.ts"
import type { Change, Mutant } from "./mutants.ts"
import type { UnitMutant } from "./unitMutants.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** Seeds within which a mutant must be caught, and calm ones that it must pass. */
export const SEEDS = 300
const CALM = 20

/** Weeks of collections within which one must be caught. */
const WEEKS = 12

type Mutated = { readonly name: string; readonly changes: ReadonlyArray<Change> }

/** The files of a mutant. Throws when the source no longer has the text that is changed, or has it twice. */
export const mutated = ({ changes, name }: Mutated): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const { file, from, to } of changes) {
    const [before, after, more] = (files.get(file) ?? readFileSync(join(ROOT, file), "utf8")).split(from)
    if (before === undefined || after === undefined || more !== undefined)
      throw new Error(`"${name}": ${file} should have this text once, so the mutant must be written anew:\n${from}`)
    files.set(file, before + to + after)
  }
  return files
}

const node = (folder: string, ...args: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr))
  })

const runs = (folder: string, ...words: ReadonlyArray<string>): Promise<string> =>
  node(folder, "test/simulation/run.ts", ...words, "--plain", "--first")

export interface Decision {
  readonly name: string
  /** The seed or the test that caught it, and what did not hold; undefined when it survived. */
  readonly caught?: { readonly by: string; readonly found: string }
  /** Why it is no fair mutant: it fails where nothing goes wrong. */
  readonly unfair?: string
}

const ENGINE = ["core", "connectors", "sync", "test", "package.json", "CHANGELOG.md", "SECURITY.md"]

/** Works with a mutant in a copy of the source that is its own. */
export const inCopy = async <A>(
  mutant: Mutated,
  more: ReadonlyArray<string>,
  work: (folder: string) => Promise<A>
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-mutant-"))
  try {
    for (const name of [...ENGINE, ...more]) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
    for (const [file, text] of mutated(mutant)) writeFileSync(join(folder, file), text)
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const tryWeeks = (mutant: Mutant): Promise<Decision> =>
  inCopy(mutant, [], async (folder) => {
    const { name } = mutant
    for (let seed = 1; seed <= WEEKS; seed++) {
      const said = await node(folder, "test/simulation/CollectionHistory.ts", "1", `${seed}`)
      const [, found] = /^seed \d+: (.*)$/m.exec(said) ?? []
      if (found !== undefined) return { name, caught: { by: `week ${seed}`, found } }
      if (!said.includes("1 histories")) return { name, unfair: said }
    }
    return { name }
  })

export const tryMutant = async (
  mutant: Mutant,
  seeds = mutant.seeds ?? SEEDS,
  calm = CALM,
  first = 1
): Promise<Decision> => {
  if (mutant.history === "collections") return tryWeeks(mutant)
  return inCopy(mutant, [], async (folder) => {
    const more = [
      ...(mutant.pays === true ? ["--pays"] : []),
      ...(mutant.lies === true ? ["--lies"] : []),
      ...(mutant.history === "cover" ? ["--cover"] : []),
      ...(mutant.more ?? [])
    ]
    // What is about limits of price fails without a fault as well.
    const quiet = mutant.history === "cover" ? "" : await runs(folder, `${calm}`, "--calm", ...more)
    if (mutant.history !== "cover" && !quiet.includes(": 0 failed")) return { name: mutant.name, unfair: quiet }
    const said = await runs(folder, `${seeds}`, `${first}`, ...(mutant.double === true ? ["--double"] : []), ...more)
    const [, seed, found] = /^seed (\d+):.*\n {2}(.*)$/m.exec(said) ?? []
    if (seed === undefined) {
      if (!said.includes(`${seeds} seeds`)) return { name: mutant.name, unfair: said }
      return { name: mutant.name }
    }
    return { name: mutant.name, caught: { by: `seed ${seed}`, found: found! } }
  })
}

/** Of what a file of tests came to, as vitest writes it. */
interface Tested {
  readonly testResults: ReadonlyArray<{
    readonly message?: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly fullName: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

const VITEST = ["node_modules/vitest/vitest.mjs", "run", "--retry=0", "--reporter=json", "--outputFile=tested.json"]

/** Tries the one test that must catch it: with more of what is tried by chance than a run of all tests has time for. */
export const tryUnitMutant = (mutant: UnitMutant): Promise<Decision> =>
  inCopy(
    mutant,
    ["cli", "examples", "CHANGELOG.md", "SECURITY.md", "vitest.config.ts", "tsconfig.json"],
    async (folder) => {
      const { name } = mutant
      const [file, words] = mutant.caughtBy
      const only = ["-t", words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")]
      const said = await new Promise<string>((resolve) => {
        const options = {
          cwd: folder,
          env: { ...apart(), DAYBOOK_EFFORT: "1", DAYBOOK_LONG: "all" },
          maxBuffer: 2 ** 26
        }
        execFile(process.execPath, [...VITEST, ...only, file], options, (_, stdout, stderr) => resolve(stdout + stderr))
      })
      const tested = join(folder, "tested.json")
      if (!existsSync(tested)) return { name, unfair: said }
      const { testResults } = JSON.parse(readFileSync(tested, "utf8")) as Tested
      const all = testResults.flatMap(({ assertionResults }) => assertionResults)
      const failed = all.find(({ status }) => status === "failed")
      if (failed !== undefined) {
        const found = failed.failureMessages[0]?.split("\n")[0] ?? ""
        return { name, caught: { by: `"${failed.fullName}"`, found } }
      }
      // A program that cannot be loaded is not caught by anything.
      if (!all.some(({ status }) => status === "passed")) return { name, unfair: testResults[0]?.message ?? said }
      return { name }
    }
  )
