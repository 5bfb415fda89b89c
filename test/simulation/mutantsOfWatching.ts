/** Mistakes where others act on the service, too: a plugin of the shop, another seller, another Daybook. */
import type { UnitMutant } from "./unitMutants.ts"

const ODD = "test/orders/laws/OddDays.test.ts"
const WRITER = "test/sync/apply/OtherWriter.test.ts"
const ACCOUNT = "sync/rules/OrderAccount.ts"

const mutant = (
  name: string,
  caughtBy: UnitMutant["caughtBy"],
  file: string,
  from: string,
  to: string
): UnitMutant => ({
  name,
  caughtBy,
  changes: [{ file, from, to }]
})

export const WATCHING: ReadonlyArray<UnitMutant> = [
  mutant(
    "another seller's capture on the same payment is taken for a plugin's",
    [ODD, "a marketplace"],
    ACCOUNT,
    "max(short, surplus, captured - refunded",
    "max(short, captured - refunded"
  ),
  mutant(
    "what is only watched is captured",
    ["test/cli/Watch.test.ts", "is an attention item for each fault"],
    "sync/rules/Orders.ts",
    "if (isWatched(planning)) return watch(facts, remote, planning, looked)",
    "if (isWatched(planning) && looked) return watch(facts, remote, planning, looked)"
  ),
  mutant(
    "another Daybook's invoice is created once more",
    [WRITER, "that has already created an invoice"],
    "sync/apply/OtherWriter.ts",
    "if (found !== undefined) yield* doubt(db, found)",
    ""
  ),
  mutant(
    "another Daybook's payment is reported once more",
    [WRITER, "that has reported a payment as"],
    "sync/apply/OtherWriter.ts",
    "if (job.alone) return true",
    "return true"
  )
]
