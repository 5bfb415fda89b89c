/**
 * Programs with one mistake each about orders, made from the source as it is now, in a copy of their own: the case that the
 * mend of this mistake came with must catch it, and holds for the program as it is.
 *
 *     node test/orders/mutants.ts                  each of them, and what caught it; ends with 1 if one survives
 *     node test/orders/mutants.ts "currencies"     those whose name has these words
 */
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { apart } from "../support/Built.ts"
import { type Change, type Mutant, MUTANTS } from "./MutantList.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** All that it changes. */
export const changesOf = ({ also = [], file, from, to }: Mutant): ReadonlyArray<Change> => [{ file, from, to }, ...also]

/** The text of a file that it changes. Throws when the source no longer has what is changed, or has it twice. */
export const mutated = (name: string, { file, from, to }: Change): string => {
  const [before, after, more] = readFileSync(join(ROOT, file), "utf8").split(from)
  if (before === undefined || after === undefined || more !== undefined)
    throw new Error(`"${name}": ${file} should have this text once, so the mutant must be written anew:\n${from}`)
  return before + to + after
}

const cases = (
  folder: string,
  items: ReadonlyArray<string>
): Promise<{ readonly held: boolean; readonly said: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ["test/orders/play.ts", ...items], { cwd: folder, env: apart() }, (_, stdout, stderr) =>
      resolve({ held: stdout.includes("everything held"), said: stdout + stderr })
    )
  })

/** What `play.ts` is asked for. */
const wordsOf = ({ item, shop }: Mutant): ReadonlyArray<string> => [item, ...(shop === undefined ? [] : [shop])]

/** What caught it, in the words of its case; undefined when it survived. */
export const tryMutant = async (mutant: Mutant): Promise<string | undefined> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-mutant-"))
  try {
    for (const name of ["core", "connectors", "sync", "cli", "test", "package.json"])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
    for (const change of changesOf(mutant)) writeFileSync(join(folder, change.file), mutated(mutant.name, change))
    const { held, said } = await cases(folder, wordsOf(mutant))
    if (held) return undefined
    // A program that does not run at all is not caught by anything.
    if (!said.startsWith(mutant.item)) throw new Error(`"${mutant.name}" is no program: ${said}`)
    return said.slice(0, said.indexOf("\n"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2).join(" ")
  const chosen = MUTANTS.filter(({ name }) => name.includes(words))
  for (const shop of [undefined, "shopify", "woocommerce"] as const) {
    const items = new Set(chosen.filter((one) => one.shop === shop).map(({ item }) => item))
    if (items.size === 0) continue
    const as = await cases(ROOT, [...items, ...(shop === undefined ? [] : [shop])])
    if (!as.held) throw new Error(`the cases do not hold for the source as it is:\n${as.said}`)
  }
  let survived = 0
  for (const mutant of chosen) {
    const caught = await tryMutant(mutant)
    if (caught === undefined) survived++
    console.log(caught === undefined ? `SURVIVED: ${mutant.name}` : `caught: ${mutant.name}\n    ${caught}`)
  }
  console.log(survived === 0 ? "all of them are caught" : `${survived} not caught`)
  process.exitCode = survived === 0 ? 0 : 1
}
