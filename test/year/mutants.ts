/**
 * Programs with one mistake each about cover, made from the source as it is now, in a copy of their own: a year over the command
 * line must catch every one. `node test/year/mutants.ts`, or those whose name has the words that follow.
 */
import { execFile } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { apart } from "../support/Built.ts"
import { type Change, mutated } from "../support/Mutated.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

interface Mutant {
  readonly name: string
  readonly changes: ReadonlyArray<Change>
  /** In what the year says of it. */
  readonly caughtBy: RegExp
}

const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: "a month has no limit, neither in the plan nor when a purchase is claimed",
    caughtBy: /was bought in \d{4}-\d\d, which came to/,
    changes: [
      {
        file: "sync/rules/CoverPurchase.ts",
        from: "if (sum <= limit) return undefined",
        to: "if (sum >= 0n) return undefined"
      },
      {
        file: "sync/apply/PurchaseCheck.ts",
        from: "return spent + Decimal.of(price.total) <= Decimal.of(settings.price.per_month)",
        to: "return spent + Decimal.of(price.total) > 0n"
      }
    ]
  },
  {
    name: "the reminder of the last three days is dropped",
    caughtBy: /lapsed after 4 reminders/,
    changes: [
      {
        file: "sync/rules/Collections.ts",
        from: "const stage = days.find((one) => left <= one)",
        to: "const stage = days.find((one) => left <= one && one !== 3)"
      }
    ]
  },
  {
    name: "what became of a policy is read as long as it is not late",
    caughtBy: /its policy is late, and Daybook says active/,
    changes: [
      {
        file: "sync/refresh/CoverSweep.ts",
        from: "AND (read < unixepoch",
        to: "AND due >= :today AND (read < unixepoch"
      }
    ]
  }
]

const said = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, ["test/year/run.ts"], { cwd: folder, env: apart() }, (_, stdout, stderr) =>
      resolve(stdout + stderr)
    )
  })

const tryMutant = async ({ changes, name }: Mutant): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-mutant-"))
  try {
    for (const part of ["core", "connectors", "sync", "cli", "test", "examples", "package.json"])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true })
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
    for (const change of changes) writeFileSync(join(folder, change.file), mutated(name, change))
    return await said(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const words = process.argv.slice(2).join(" ")
let survived = 0
for (const mutant of MUTANTS.filter(({ name }) => name.includes(words))) {
  const text = await tryMutant(mutant)
  const line = text.split("\n").find((one) => mutant.caughtBy.test(one))
  if (line === undefined) survived++
  console.log(line === undefined ? `SURVIVED: ${mutant.name}\n${text}` : `caught: ${mutant.name}\n  ${line}`)
}
console.log(survived === 0 ? "all of them are caught" : `${survived} not caught`)
process.exitCode = survived === 0 ? 0 : 1
