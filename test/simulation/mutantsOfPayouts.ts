/** Mistakes about payouts of processors, each with the test that catches it. */
import type { UnitMutant } from "./unitMutants.ts"

const TEST = "test/sync/movements/Payouts.test.ts"
const RULE = "sync/movements/Payouts.ts"
const LINES = "sync/matching/PayoutLines.ts"
const REPORT = "sync/reports/Payouts.ts"

const mutant = (name: string, words: string, file: string, from: string, to: string): UnitMutant => ({
  name: `payouts: ${name}`,
  caughtBy: [words === ADDS_UP ? "test/sync/movements/PayoutAccounts.test.ts" : TEST, words],
  changes: [{ file, from, to }]
})

const ADDS_UP = "adds up to the cent"

export const PAYOUTS: ReadonlyArray<UnitMutant> = [
  mutant(
    "a line is taken by its amount though another one names the payout",
    `by what it says, whenever it comes`,
    RULE,
    "  byName(left)\n",
    ""
  ),
  mutant(
    "a reference that all payouts have identifies one",
    `of one reference on all of them, by amount`,
    RULE,
    "one.amount === payout.amount && isNamed(payout, one)",
    "isNamed(payout, one)"
  ),
  mutant("a line is taken whenever it comes", `by amount from four days after`, RULE, "after: 4", "after: 9"),
  mutant(
    "a difference that no bank charges is a charge",
    `never with a difference that no bank charges`,
    RULE,
    "less > 0n && less * CHARGE <= payout.amount",
    "less > 0n"
  ),
  mutant("a difference is absorbed", ADDS_UP, RULE, "apart: total(lines) - total(payouts)", "apart: 0n"),
  mutant("several in one line are not looked for", ADDS_UP, RULE, 'left.tie("sum", run, [line])', "void run"),
  mutant("one in several lines is not looked for", ADDS_UP, RULE, 'left.tie("sum", [payout], run)', "void run"),
  mutant(
    "a customer's line of a payout's amount is the payout",
    "is not what a customer paid, of whatever amount and day",
    RULE,
    "byAmount(left, (_, line) => line.isFree, false)",
    "byAmount(left, () => true, false)"
  ),
  mutant(
    "whoever has a name like a processor's is one",
    "who is not known yet: somebody is asked",
    LINES,
    "found.some(([name]) => isOfBrand(payer, name))",
    "found.length > 0"
  ),
  mutant(
    "a number within a longer one names a payout",
    `not by a longer number that has its own in it`,
    LINES,
    "wanted.references.filter((one) => says(text, one))",
    "wanted.references.filter((one) => text.includes(one))"
  ),
  mutant(
    "a failed payout is looked for",
    `not if it failed`,
    LINES,
    'status !== "failed" && amount > 0n',
    "amount > 0n"
  ),
  mutant(
    "a line is asked about once its payout is read after it",
    "is so as well if the payout is read after it",
    LINES,
    "if (!before.has(line)) again.run(line)",
    ""
  ),
  mutant(
    "a line stays a payout whose payout is gone",
    "and no more once the payout is gone",
    LINES,
    'db.prepare("DELETE FROM payout_line WHERE line = ?").run(line)',
    ""
  ),
  mutant(
    "payouts of one owner are looked for at the bank of another",
    "is of the owner of its connection only",
    LINES,
    "if (new Set(owners.values()).size < 2)",
    "if (new Set(owners.values()).size < 9)"
  ),
  mutant(
    "a payout is missing though the bank was not read so far",
    "is in transit until the bank was read past its days",
    REPORT,
    "last >= due && today > due",
    "today > due"
  ),
  mutant(
    "a payout's line is a difference",
    "is asked about by nobody, settled, and in a column of its own",
    "sync/matching/Rows.ts",
    'how === "none" || how === "payout"',
    'how === "none"'
  ),
  {
    name: "payouts: a payout that cannot be read is a customer's money",
    caughtBy: ["test/sync/plan/Unreadable.test.ts", "may be money of an invoice, unless"],
    changes: [{ file: "sync/plan/Surroundings.ts", from: "'return', 'payout')", to: "'return')" }]
  },
  {
    name: "payouts: Stripe's payout holds itself",
    caughtBy: ["test/connectors/stripe/payouts.test.ts", "hold what they pay out, and not themselves"],
    changes: [
      {
        file: "connectors/stripe/PayoutMapping.ts",
        from: 'transactions.filter((each) => idOf(each.get("source")) !== id)',
        to: "transactions"
      }
    ]
  },
  {
    name: "payouts: a key that may not read Stripe's payouts reads nothing",
    caughtBy: ["test/connectors/stripe/payouts.test.ts", "are left out with a notice if the key may not read"],
    changes: [
      { file: "connectors/stripe/Payouts.ts", from: "Stream.catchIf(isNotAllowed", to: "Stream.catchIf(() => false" }
    ]
  }
]
