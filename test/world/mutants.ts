/**
 * Programs that assume something of the world that is not so, and those in which what people once found is back. Each must be caught
 * within 200 lives: a life fails of something of which the program as it is does not. `node test/world/mutants.ts` tries all, or those
 * with the given words.
 */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { inCopy } from "../simulation/Trial.ts"
import { ASSUMPTIONS } from "./mistakes/Assumptions.ts"
import type { Mistake } from "./mistakes/Mistake.ts"
import { FINDINGS } from "./mistakes/Findings.ts"
import { lifeOf } from "./Lives.ts"

const LIVES = 200

/** What the program as it is fails of, by seed. */
const known = new Map<number, ReadonlySet<string>>()
const asIs = async (seed: number): Promise<ReadonlySet<string>> => {
  const before =
    known.get(seed) ??
    new Set((await lifeOf(seed).play()).failures.map(({ about, kind, what }) => `${kind}: ${about}: ${what}`))
  known.set(seed, before)
  return before
}

/** The first seed that fails otherwise, and of what. */
const caught = (mutant: Mistake): Promise<string | undefined> =>
  inCopy(mutant, [], async (folder) => {
    const child = spawn(
      process.execPath,
      ["test/world/failures.ts", `${LIVES}`, mutant.where, ...(mutant.needs ?? [])],
      {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"]
      }
    )
    let seed = 0
    try {
      for await (const line of createInterface({ input: child.stdout })) {
        seed++
        const failures = JSON.parse(line) as ReadonlyArray<string>
        if (failures.length === 0) continue
        const before = await asIs(seed)
        const found = failures.find((failure) => !before.has(failure))
        if (found !== undefined) return `seed ${seed}: ${found}`
      }
    } finally {
      child.kill()
    }
    return undefined
  })

let survived = 0
for (const mutant of [...ASSUMPTIONS, ...FINDINGS].filter(({ name }) =>
  name.includes(process.argv.slice(2).join(" "))
)) {
  const found = await caught(mutant)
  if (found === undefined) survived++
  console.log(
    `${found === undefined ? "SURVIVED" : "caught"}: ${mutant.name}${found === undefined ? "" : `\n    ${found.slice(0, 220)}`}`
  )
}
process.exitCode = survived === 0 ? 0 : 1
