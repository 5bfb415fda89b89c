/** Mistakes in what is attached to orders. */
import type { UnitMutant } from "./unitMutants.ts"

const PAPERS = "test/cli/OrderPapers.long.test.ts"

const mutant = (name: string, words: string, file: string, from: string, to: string): UnitMutant => ({
  name,
  caughtBy: [PAPERS, words],
  changes: [{ file, from, to }]
})

export const PAPERS_OF_ORDERS: ReadonlyArray<UnitMutant> = [
  mutant(
    "an invoice that is void keeps the place of the one that was written for it",
    "in the place of a void one",
    "sync/plan/OrderPapers.ts",
    'gone.includes(one.fact) ? { ...one, amount: "0" } : one',
    "gone.includes(one.fact) ? { ...one } : one"
  ),
  mutant(
    "a document goes before its capture",
    "go after the capture",
    "sync/rules/OrderPapers.ts",
    "paper.amount <= room + cents ||",
    "paper.amount > 0n ||"
  ),
  mutant(
    "a document of the whole order never goes where a part was voided",
    "nothing more will be captured",
    "sync/rules/OrderPapers.ts",
    "(room > 0n && isSettled())",
    "(room < 0n && isSettled())"
  ),
  mutant(
    "a document is attached in each run",
    "of less than was captured",
    "sync/rules/OrderPapers.ts",
    "remote.currency || isThere) continue",
    "remote.currency) continue"
  ),
  mutant(
    "a document that is sent again has a key of its own",
    "there once",
    "sync/model/Call.ts",
    'if (call.operation === "orders.putDocument") return call.key',
    'if (call.operation === "orders.putDocument") return String(Math.random())'
  ),
  mutant(
    "a credit note goes before its money went back",
    "its money went back",
    "sync/rules/OrderPapers.ts",
    "credit_note: givenUp(remote)",
    "credit_note: BigInt(remote.captured)"
  )
]
