/**
 * Makes the plan of another version of Daybook from the same books, for an upgrade: each version plans a copy of the state file in a process
 * of its own, and what they print is compared.
 */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import type { Configuration } from "../sync/library/config/Configuration.ts"
import { ATTENTION, UsageError } from "../sync/library/Exit.ts"
import type { DocumentDifference } from "../sync/reports/PlanDifference.ts"
import { compareLines, type PlanLine } from "../sync/reports/PlanLines.ts"
import type { StateError, Db } from "../sync/state/Database.ts"
import { trialOf } from "../sync/state/Trial.ts"

/** Longer, and it counts as hanging. Milliseconds. */
const MOST_MS = 600_000

/** A script is run by this Node, an executable by itself. */
const commandOf = (program: string): readonly [string, ...ReadonlyArray<string>] =>
  /\.[cm]?[jt]s$/.test(program) ? [process.execPath, program] : [program]

const linesIn = (text: string): ReadonlyArray<PlanLine> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as PlanLine)

const planOf = (
  program: string,
  { environment, file }: Configuration,
  state: string
): Effect.Effect<ReadonlyArray<PlanLine>, UsageError> =>
  Effect.callback<ReadonlyArray<PlanLine>, UsageError>((resume) => {
    const [command, ...before] = commandOf(program)
    const child = spawn(command, [...before, "plan", "--json", "--config", file, "--state", state], {
      env: { ...environment },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let [said, wrong] = ["", ""]
    const fail = (why: string) => resume(Effect.fail(new UsageError({ why: `${program} makes no plan: ${why}` })))
    child.stdout.setEncoding("utf8").on("data", (text: string) => void (said += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => void (wrong += text))
    child.on("error", ({ message }) => fail(message))
    child.on("close", (status) => {
      if (status !== 0 && status !== ATTENTION) return fail(wrong.trim() || `it ended with ${status}`)
      try {
        const lines = linesIn(said)
        // A plan ends with its sums, also where nothing is to be sent.
        if (!lines.some((line) => line?.["type"] === "summary")) return fail("it prints none")
        resume(Effect.succeed(lines))
      } catch {
        fail("what it prints is no JSON")
      }
    })
    return Effect.sync(() => void child.kill("SIGKILL"))
  }).pipe(
    Effect.timeoutOrElse({
      duration: MOST_MS,
      orElse: () => Effect.fail(new UsageError({ why: `${program} makes no plan: it did not end within ten minutes` }))
    })
  )

export interface VersionsCompared {
  /** How many documents both say the same of. */
  readonly same: number
  readonly calls: { readonly today: number; readonly other: number }
}

const callsIn = (lines: ReadonlyArray<PlanLine>): number => lines.filter(({ type }) => type === "call").length

/** @param by the other version's `daybook.js`, or its executable */
export const compareVersions = (
  db: Db,
  configuration: Configuration,
  by: string,
  onDocument: (one: DocumentDifference) => void
): Effect.Effect<VersionsCompared, StateError | UsageError> =>
  Effect.gen(function* () {
    const program = resolve(by)
    if (!existsSync(program)) return yield* new UsageError({ why: `--by: ${by} was not found` })
    const copies = yield* trialOf(db)
    const today = yield* planOf(process.argv[1] ?? "", configuration, copies.today.file)
    const other = yield* planOf(program, configuration, copies.today.file)
    let same = 0
    compareLines(today, other, (one) => {
      if (one === "same") same++
      else onDocument(one)
    })
    return { same, calls: { today: callsIn(today), other: callsIn(other) } }
  }).pipe(Effect.scoped)
