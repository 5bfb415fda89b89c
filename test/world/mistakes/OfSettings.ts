/** What was found about settings, state files, other hands on the service and what stands there, and brings it back. */
import { change, type Finding, finding } from "./Mistake.ts"

export const OF_SETTINGS: ReadonlyArray<Finding> = [
  finding(
    "engine 05",
    "of whom paid for others once, the own name says nothing any more",
    [
      change(
        "sync/matching/Whose.ts",
        "const isSame = paidBy(payer, invoice) !== undefined",
        "const isSame = aliases.length === 0 && paidBy(payer, invoice) !== undefined"
      )
    ],
    "bank (",
    ["another customer pays"]
  ),
  finding(
    "engine 12",
    "payments of a list that no longer pays are taken back without a word",
    [change("sync/plan/SettingChanges.ts", "if (members.length === 0) return", "if (members.length >= 0) return")],
    "",
    ["pays removed"]
  ),
  finding(
    "engine 15",
    "a statement that is refused takes away what reports of the day had",
    [
      change(
        "connectors/files/bank/Survey.ts",
        "    if (this.#refused.has(now.nth)) return\n    this.#span",
        "    if (this.#refused.has(now.nth) && opening === undefined) return\n    this.#span"
      )
    ],
    "files interim",
    ["statement does not add up"]
  ),
  finding(
    "engine 25",
    "of a state file that is put back, what the service has is not what a person chose",
    [
      change(
        "sync/matching/Standing.ts",
        "  if (rows.length === 0) return undefined",
        "  if (rows.length >= 0) return undefined"
      )
    ],
    "bank (",
    ["backup restored"]
  ),
  finding(
    "engine 26",
    "a later payment moves what is reported of an earlier one",
    [
      change(
        "sync/matching/Standing.ts",
        "  if (rows.length === 0) return undefined",
        "  if (rows.length >= 0) return undefined"
      ),
      change("sync/matching/Standing.ts", "HAVING count(*) = 1", "HAVING count(*) = 0")
    ],
    "bank ("
  ),
  finding(
    "engine 28",
    "what only a report of the day had goes with it, whatever the statement has",
    [change("sync/books/Versions.ts", "unread.filter((row) => !this.statedElsewhere(row))", "unread")],
    "files interim"
  ),
  finding(
    "engine 29",
    "what somebody else reported on the service does not count",
    [change("sync/rules/PaymentsOfOthers.ts", "if (others <= 0n) return []", "if (others >= 0n) return []")],
    "",
    ["paid by hand on the service"]
  ),
  finding(
    "engine 33",
    "a second Daybook sends everything once more",
    [change("sync/apply/OtherWriter.ts", "return isSent ? undefined : `", "return isSent || true ? undefined : `")],
    "",
    ["second server"]
  ),
  finding(
    "engine 34, 35",
    "what moves to another invoice is reported there before it is taken back",
    [change("sync/plan/Moves.ts", "if (amount <= 0n) continue", "if (amount >= 0n) continue")],
    "",
    ["booked: wrong invoice"]
  ),
  finding(
    "apis 9",
    "a refund says that nothing left",
    [
      change(
        "connectors/bigcommerce/Mapping.ts",
        "(isRefunded && wasMarked(fields, parcels))",
        "(isRefunded && parcels.length < 0)"
      )
    ],
    "kind bigcommerce",
    ["complete"]
  ),
  finding(
    "apis 17",
    "Stripe's days are those of UTC",
    [
      change(
        "connectors/stripe/Stripe.ts",
        "dayOf: zone === undefined ? undefined : dayOf(zone)",
        'dayOf: zone === "" ? dayOf(zone) : undefined'
      )
    ],
    "program stripe"
  ),
  finding(
    "apis 19",
    "a difference of nothing is one",
    [
      change(
        "sync/rules/OrderComparison.ts",
        "near(one, other, its)\n        ? []",
        'near(one, other, its) && what !== "captured"\n        ? []'
      )
    ],
    "kind magento"
  ),
  finding(
    "reality R9, F6",
    "a cent less that was authorised is lacking for ever",
    [
      change(
        "sync/rules/OrderComparison.ts",
        "figures.short <= rounding(its) ? figures.short : 0n",
        "0n * rounding(its)"
      )
    ],
    "authorised a cent less"
  ),
  finding(
    "reality R11, F10",
    "orders that are paid otherwise wait for ever",
    [
      change(
        "sync/rules/OrderScope.ts",
        "if (otherwise === true) return",
        "if (otherwise === true && methods.length === 0) return"
      )
    ],
    "kind",
    ["an order paid by cheque"]
  )
]
