/** Mistakes where others act, too: a plugin, another seller or Daybook, somebody who deletes a refund; and at an order's end. */
import type { UnitMutant } from "./unitMutants.ts"

const ODD = "test/orders/laws/OddDays.test.ts"
const LAWS = "test/orders/laws/Laws.test.ts"
const WRITER = "test/sync/apply/OtherWriter.test.ts"
const GONE = "test/orders/laws/Withdrawn.test.ts"
const PARTS = "test/sync/rules/OrderParts.test.ts"
const PARCELS = "test/sync/rules/OrderParcels.test.ts"
const NEWS = "test/sync/stories/OrderNews.long.test.ts"
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
    "a person is asked what the rest is for that was given back",
    ["test/orders/laws/Endings.test.ts", "what was given back is in no question of its rest"],
    ACCOUNT,
    "stated >= excess ? excess : ",
    ""
  ),
  mutant(
    "what may have come back of a cancelled order is given back once more",
    ["test/connectors/shops/endedInPart.test.ts", "keeps what the shop keeps: "],
    ACCOUNT,
    "priceOfRest(this.#its, least)",
    "priceOfRest(this.#its, this.#owed.still)"
  ),
  mutant(
    "a person is asked between goods that came back and their money",
    [NEWS, " days: "],
    "sync/rules/OrderPlan.ts",
    "!(isNews && isPassing(one))",
    "!(facts.deleted && isPassing(one))"
  ),
  mutant(
    "nobody is asked about money that never follows its goods",
    [NEWS, " days: "],
    "sync/plan/OrderNews.ts",
    "now < read + WEEK_MS ?",
    "now > 0 ?"
  ),
  mutant(
    "an order is not looked at again when its money never follows its goods",
    [NEWS, " days: "],
    "sync/plan/DueSubjects.ts",
    'kind !== "buyer" ? [WOKEN]',
    'kind === "invoice" ? [WOKEN]'
  ),
  mutant(
    "a refund of Vendure that became store credit is given back to the buyer as well",
    ["test/connectors/shops/everyShop.test.ts", "money goes back as store credit"],
    "connectors/vendure/Mapping.ts",
    "to === undefined ? method : ELSEWHERE + to",
    "to === undefined ? method : method"
  ),
  mutant(
    "money that is to follow its goods is a difference",
    [NEWS, " days: "],
    "sync/reconciliation/OrderStatement.ts",
    "row.later === 1n",
    "row.deleted === 1n"
  ),
  mutant(
    "goods of a closed order that will not leave take a share of money given back with them",
    [ODD, "money back for no goods, and then the rest is closed"],
    "sync/rules/OrderOwed.ts",
    "if (its.rest !== undefined) return max(its.rest, still)",
    "if (its.rest !== undefined) return still"
  ),
  mutant(
    "money given back that was voided of a closed order's rest is not refunded",
    [LAWS, "hold in"],
    ACCOUNT,
    "this.#over ? min(voided, byCancelling) : voided",
    "voided"
  ),
  mutant(
    "orders that claim one payment by mistake are taken for parts of one sale",
    [PARTS, "are asked about, and nothing is sent, where they come to something else"],
    "sync/rules/OrderParts.ts",
    "return max(apart, -apart) <= BigInt(lines)",
    "return max(apart, -apart) >= 0n"
  ),
  mutant(
    "what a shop took back is still to leave where another system ships",
    [PARCELS, "say which side a unit was on"],
    "sync/rules/OrderParcels.ts",
    "const still = ordered - out - off",
    "const still = ordered - out"
  ),
  mutant(
    "what was voided of a closed order for money given back is voided again",
    [GONE, "is voided once"],
    ACCOUNT,
    "this.#todo(this.#voidedOfStated)",
    "this.#todo(this.#settledByVoid)"
  ),
  mutant(
    "a refund whose record is deleted is charged again",
    [GONE, "is not charged again"],
    ACCOUNT,
    "return answer === undefined ? min(gone, amount) : 0n",
    "return answer === undefined ? 0n : 0n"
  ),
  mutant(
    "the ledger forgets what was stated as given back",
    [GONE, "waits, however it disappears"],
    "sync/rules/OrderPlan.ts",
    'taking === "refund" ? max(most',
    'taking === "capture" ? max(most'
  ),
  mutant(
    "what a person left given back is charged",
    [GONE, "stays given back, and what leaves later is charged"],
    ACCOUNT,
    "if (answer === STAYS) this.#stays = gone",
    ""
  ),
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
