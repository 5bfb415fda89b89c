/**
 * `daybook/testing`: the conformance kit. One line runs the whole suite against a connector, in any test runner that has
 * `describe` and `it`:
 *
 *     conformance({ describe, it }, subject)
 *
 * A check that does not apply is skipped, and its reason is printed.
 */
import { type Check, READING } from "./Checks.ts"
import { TROUBLE } from "./Faults.ts"
import { FIGURES } from "./Figures.ts"
import { FILES } from "./Files.ts"
import { MARKS } from "./Marks.ts"
import { MEANINGS } from "./Meanings.ts"
import { MOVES } from "./Moves.ts"
import { PLAUSIBLE } from "./Plausible.ts"
import { COUNTED } from "./Requests.ts"
import { SIGNED } from "./Signed.ts"
import { type Subject, Wrong } from "./Subject.ts"
import { WHOLENESS } from "./Wholeness.ts"

export * as Staging from "./Staging.ts"
export type { Run, Stage, Subject } from "./Subject.ts"
export { bookmark, difference, fold, run, vaultOf, Wrong } from "./Subject.ts"
export { copy, digits, type List, simulate, textOf, type Source } from "./Simulator.ts"

export type Result =
  | { readonly check: string; readonly outcome: "holds" }
  | { readonly check: string; readonly outcome: "does not apply"; readonly why: string }
  | { readonly check: string; readonly outcome: "wrong"; readonly why: string }

const ALL: Readonly<Record<string, Check>> = {
  ...READING,
  ...WHOLENESS,
  ...MARKS,
  ...MEANINGS,
  ...MOVES,
  ...PLAUSIBLE,
  ...FIGURES,
  ...COUNTED,
  ...FILES,
  ...SIGNED,
  ...TROUBLE
}

/** The names of the checks, in order. */
export const checks: ReadonlyArray<string> = Object.keys(ALL)

/** Runs one check against a source of its own. Never rejects. */
export const prove = async (subject: Subject, check: string): Promise<Result> => {
  const proof = ALL[check]
  if (proof === undefined) return { check, outcome: "wrong", why: "there is no such check" }
  const given = subject.skips?.[check]
  if (given !== undefined) return { check, outcome: "does not apply", why: given }
  const stage = subject.open()
  try {
    const why = await proof(subject, stage)
    return why === undefined ? { check, outcome: "holds" } : { check, outcome: "does not apply", why }
  } catch (cause) {
    const why =
      cause instanceof Wrong ? cause.message : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    return { check, outcome: "wrong", why }
  } finally {
    stage.close?.()
  }
}

export interface Runner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: (context: { readonly skip: (why: string) => void }) => Promise<void>) => unknown
}

/** Runs the whole suite, with one test per check. */
export const conformance = ({ describe, it }: Runner, subject: Subject): void => {
  describe(`${subject.connector.name} is a connector`, () => {
    for (const check of checks) {
      it(check, async (context) => {
        const result = await prove(subject, check)
        if (result.outcome === "wrong") throw new Error(result.why)
        if (result.outcome === "does not apply") {
          console.info(`${subject.connector.name}, "${check}": skipped, because ${result.why}`)
          context.skip(result.why)
        }
      })
    }
  })
}
