/** Makes a program with a mistake of the source as it is, and tries the simulation on it. */
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Mutant } from "./mutants.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** Seeds within which a mutant must be caught, and calm ones that it must pass. */
export const SEEDS = 300
const CALM = 20

/** The files of a mutant. Throws when the source no longer has the text that is changed, or has it twice. */
export const mutated = ({ changes, name }: Mutant): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const { file, from, to } of changes) {
    const [before, after, more] = (files.get(file) ?? readFileSync(join(ROOT, file), "utf8")).split(from)
    if (before === undefined || after === undefined || more !== undefined)
      throw new Error(`"${name}": ${file} should have this text once, so the mutant must be written anew:\n${from}`)
    files.set(file, before + to + after)
  }
  return files
}

const runs = (folder: string, ...words: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve) => {
    const args = ["test/simulation/run.ts", ...words, "--plain", "--first"]
    execFile(process.execPath, args, { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr))
  })

export interface Decision {
  readonly name: string
  /** The seed that caught it, and what did not hold; undefined when it survived. */
  readonly caught?: { readonly seed: number; readonly found: string }
  /** Why it is no fair mutant: it fails where nothing goes wrong. */
  readonly unfair?: string
}

export const tryMutant = async (
  mutant: Mutant,
  seeds = mutant.seeds ?? SEEDS,
  calm = CALM,
  first = 1
): Promise<Decision> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-mutant-"))
  try {
    for (const name of ["core", "connectors", "sync", "test", "package.json"])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
    for (const [file, text] of mutated(mutant)) writeFileSync(join(folder, file), text)
    const pays = mutant.pays === true ? ["--pays"] : []
    const quiet = await runs(folder, `${calm}`, "--calm", ...pays)
    if (!quiet.includes(": 0 failed")) return { name: mutant.name, unfair: quiet }
    const said = await runs(folder, `${seeds}`, `${first}`, ...(mutant.double === true ? ["--double"] : []), ...pays)
    const [, seed, found] = /^seed (\d+):.*\n {2}(.*)$/m.exec(said) ?? []
    if (seed === undefined) {
      if (!said.includes(`${seeds} seeds`)) return { name: mutant.name, unfair: said }
      return { name: mutant.name }
    }
    return { name: mutant.name, caught: { seed: Number(seed), found: found! } }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
