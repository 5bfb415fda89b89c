/** Faults: what sources answer, repeat, leave out and change. */
import { type FaultRow, row } from "../../support/FaultRow.ts"
import { REQUESTS, kit, trouble, fuzz } from "./Shown.ts"

export const SOURCES: ReadonlyArray<FaultRow> = [
  row("truncated JSON", REQUESTS, trouble("tries again when the JSON is cut off")),
  row("key reused with another amount", [
    "sync/stories/OrderHands.long.test.ts",
    "the key of a {taking} that somebody used with another amount: no double effect, and attention"
  ]),
  row("tied cursors", kit("loses nothing to equal times")),
  row("null cursors", ["faults/Machine.long.test.ts", "whose records have no time to go by (null)"]),
  row("backward and late cursors", kit("sees what is committed behind its bookmark"), [
    "connectors/contract/records.long.test.ts",
    "of an event of {name} hides nothing that comes after it"
  ]),
  row("edits while paging", kit("loses nothing to an edit while it pages"), [
    "sync/pull/Pull.test.ts",
    "edits while it is read: the later state counts, once"
  ]),
  row("last page repeated", kit("ends when the last page is repeated"), [
    "sync/pull/Pull.test.ts",
    "the last page over and over, and empty pages between"
  ]),
  row("last pages repeated in turn", kit("ends when the last pages take turns"), [
    "connectors/contract/paging.test.ts",
    "ends where two pages take turns behind many others"
  ]),
  row("deletions while paging", kit("loses nothing to a deletion while it pages"), [
    "connectors/contract/paging.test.ts",
    "is read again where one was deleted between two runs"
  ]),
  row("empty middle page", kit("goes on behind an empty page")),
  row("change window exceeded", [
    "faults/Machine.long.test.ts",
    "that keeps its changes for a month only is read whole"
  ]),
  row(
    "delete, void, un-void",
    ["faults/Money.test.ts", "voids and restores it in the source"],
    ["sync/rules/Rules.test.ts", "T9: an uninsured invoice that is void or deleted is deleted"]
  ),
  row("payment deleted and re-keyed", ["faults/Money.test.ts", "deleted and entered again under another key"]),
  row("edit that does not move the cursor", kit("shows by id what its bookmark does not see"), [
    "sync/pull/Sweep.test.ts",
    "finds an edit that no bookmark shows, and what was deleted"
  ]),
  row(
    "webhook 50 times, reordered",
    ["cli/Flood.long.test.ts", "each object is read once, whatever the copies and their order"],
    ["cli/Hooks.test.ts", "about a transaction that the ledger knows leaves one queue entry"],
    ["cli/Hooks.test.ts", "is read again, each once, in batches, and then forgotten"]
  ),
  row(
    "webhook forged",
    ["connectors/contract/webhooks.test.ts", "of {name}: the source's is taken; another secret"],
    ["cli/Hooks.test.ts", "is taken when the source signed it, once; refused when anybody else did"]
  ),
  row(
    "new enumeration value",
    ["connectors/contract/records.long.test.ts", "of {name} ({member}) is quarantined, not taken for one that is"],
    ["core/Client.test.ts", "unknown members and unknown values are kept"]
  ),
  row(
    "payout asked about as a customer's money",
    ["sync/movements/Payouts.test.ts", "is asked about by nobody, settled, and in a column of its own"],
    ["sync/movements/Payouts.test.ts", "is not what a customer paid, of whatever amount and day"]
  ),
  row("payout late, short, split, merged or missing", [
    "sync/movements/Payouts.test.ts",
    "is tied to the bank's line {name}"
  ]),
  row("cent of a processor's balance lost", [
    "sync/movements/PayoutAccounts.test.ts",
    "adds up to the cent: opening, entries, payouts, closing, and the bank"
  ]),
  row(
    "a cheque or debit that the bank took back and calls by an invoice's number, or by nothing",
    [
      "sync/matching/MatchTraces.long.test.ts",
      "takes back the payment of its amount that was for it, whichever is read first"
    ],
    ["sync/reconciliation/Returned.test.ts", "is not marked as paid, and is once that is gone"]
  ),
  row(
    "an entry of a ledger that was matched with others later, or in part with several",
    ["connectors/economic/economic.test.ts", "reads the payment with an invoice that was matched by hand"],
    ["connectors/economic/economic.test.ts", "allocates what must be so, and nothing that may be otherwise"]
  ),
  row("a payment that is no longer applied to its invoice", kit("shows by id what its bookmark does not see"), [
    "connectors/netsuite/netsuite.test.ts",
    "reads an invoice again where a payment that was applied to it changed, and deletes what it no longer has"
  ]),
  row("a record called paid, of which nothing was paid or credited", [
    "connectors/contract/contradictions.test.ts",
    "is paid, and nothing was paid or credited"
  ]),
  row("a record whose lines, or whose net amount and tax, do not come to its total", [
    "connectors/contract/sums.test.ts",
    "quarantine the record"
  ]),
  row("a discount that no page says to be in the subtotal", [
    "connectors/contract/sums.test.ts",
    "are found in Chargebee's invoices with discounts"
  ]),
  row("a record that is called paid and has a balance, planted in each connector's own sample", [
    "connectors/contract/planted.long.test.ts",
    "is planted in every connector with invoices"
  ]),
  row("a refund in another currency than its payment", [
    "connectors/gocardless/gocardless.test.ts",
    "is in the currency of its payment"
  ]),
  row("many tenants of one account, which its source counts together", [
    "connectors/contract/together.long.test.ts",
    "keep to one account's limits together"
  ]),
  row("a limit of a day that many tenants have together, and more than a day of asking", [
    "connectors/contract/daily.test.ts",
    "is kept to together, is said without another request, and begins anew"
  ]),
  row("a member of a declaration that nobody reads, or that has another name today", [
    "connectors/rest/declaration.test.ts",
    "has no member that nobody reads, wherever it is"
  ]),
  row("a condition on pages that takes the place of the one on changes", [
    "connectors/rest/declaration.test.ts",
    "has no condition on its pages that takes the place of one on its changes"
  ]),
  row("a connector written with paths of the machine that built the program", [
    "package/Tarball.long.test.ts",
    "names nowhere the folder that it was built in"
  ]),
  row("a record that is gone later, and an amount of another sign or with thousandths", [
    "connectors/contract/meanings.test.ts",
    "refuses one that"
  ]),
  row("missing field, changed type", fuzz, [
    "core/ClientErrors.long.test.ts",
    "an answer without its members is unknown, and says which"
  ])
]
