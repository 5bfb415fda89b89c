/**
 * Lists the faults that Daybook must survive, by name, with the tests that show each: a test file, and how the name of a test
 * in it begins, as in the source (placeholders without their dollar sign). `faults.ts` writes the list down, and a test keeps
 * both up to date.
 */
import { ACCESS } from "./AccessFaults.ts"
import { ANSWERS } from "./AnswerFaults.ts"
import { type FaultRow, row, type Shown } from "./FaultRow.ts"

export type { FaultRow }

const SIMULATION: Shown = ["simulation/Simulation.test.ts", "every fact is sent once, and nothing is lost"]
const KILLS: Shown = ["simulation/KillPoints.test.ts", "{scenario.name}: a kill at any step changes nothing in the end"]
const REQUESTS: Shown = [
  "simulation/KillPoints.test.ts",
  "{scenario.name}: nor does a request that fails, in whatever way"
]
const kit = (check: string): Shown => ["../connectors/testing/Checks.ts", check]
const trouble = (check: string): Shown => ["../connectors/testing/Faults.ts", check]
const fuzz: Shown = ["fuzz/Fuzz.test.ts", "of {name}: none stops a run, each is quarantined with a reason or harmless"]

export const FAULTS: ReadonlyArray<FaultRow> = [
  row("kill before and after every request and commit", KILLS, [
    "simulation/KillPoints.test.ts",
    "nor does a second kill, while the next run finds out about the first"
  ]),
  row("kill -9 of the real program", ["crash/Crash.test.ts", "loses nothing and does nothing twice"]),
  row(
    "SIGTERM while paging",
    ["faults/Machine.test.ts", "while it pages through a source: keeps whole pages"],
    ["sync/apply/Crash.test.ts", "at any step: keeps every answer that it heard, and goes on later"]
  ),
  row(
    "two processes on one file",
    ["cli/State.test.ts", "is held by one process; a second run says who holds it"],
    ["sync/state/Database.test.ts", "a second writer is refused with the name of the holder"]
  ),
  row(
    "a sync, an apply, a pull and a person's decision at the same time",
    ["cli/Families.test.ts", "a turn of the paying one and an apply of the paid one send each payment once"],
    ["cli/Families.test.ts", "what the bank states while the books are sent is sent by the next sync"],
    ["cli/Families.test.ts", "a person's decision waits for the run that is going on, and has its effect"],
    ["sync/apply/Meanwhile.test.ts", "a payment of another connection is sent by the next run"],
    ["sync/apply/Meanwhile.test.ts", "what a webhook has read again of the service is not written over what a call"]
  ),
  row(
    "lock file deleted during a run",
    ["cli/Replaced.test.ts", "lets no other process send beside it"],
    ["sync/apply/Recovery.test.ts", "keeps its claims, though its lock file was deleted"]
  ),
  row(
    "state file deleted, replaced, restored or copied",
    ["cli/Replaced.test.ts", "that is {name} under a daemon ends it"],
    ["cli/Replaced.test.ts", "that is put back from a copy sends nothing until it was compared"],
    ["cli/Replaced.test.ts", "that is a copy of another which still exists is not worked with"],
    ["sync/state/Place.test.ts", "so does one that has the number of the file before it, and no lock file beside it"],
    ["sync/state/Place.test.ts", "a crash at any step of the stamping leaves it the one that it was"]
  ),
  row(
    "kill or full disk while a person's decision is stored",
    ["sync/matching/Decided.test.ts", "{name}: a kill at any step leaves it made or not made"],
    ["sync/matching/Decided.test.ts", "{name}: so does a disk that is full at any of its writes"],
    ["sync/stories/OrderDecided.test.ts", "{name}: a kill at any step of it, and of the run after it"],
    ["sync/stories/OrderDecided.test.ts", "a kill at any step of the asking, the approval and the sending"]
  ),
  row("clock set between a kill and the next run", [
    "sync/apply/Recovery.test.ts",
    "is sent once though it arrives late and the clock was set {name}"
  ]),
  row("stale lock", [
    "sync/state/Database.test.ts",
    "a second writer is refused with the name of the holder; a reader reads; a dead holder"
  ]),
  row(
    "disk full",
    ["cli/State.test.ts", "for the state file: says so, keeps what was committed"],
    ["sync/apply/Refusals.test.ts", "a disk that is full stops the run, wherever it fills up"]
  ),
  row(
    "read-only",
    ["sync/state/Database.test.ts", "in a folder that cannot be written is refused in plain words"],
    ["sync/state/ReadOnly.test.ts", "is refused in plain words and left as it is, be it the file"]
  ),
  row("busy", ["faults/Machine.test.ts", "is busy: another program writes into it"]),
  row(
    "truncated or foreign state file",
    ["sync/state/Database.test.ts", "that was cut short is refused"],
    ["sync/state/Database.test.ts", "of another program is refused and left as it is"]
  ),
  row(
    "lost or new state file",
    ["sync/apply/LateArrivals.test.ts", "is an invoice: the new file waits for it before it sends any"],
    ["sync/apply/LateArrivals.test.ts", "is an order: the new file waits for it before it creates any"],
    ["sync/apply/LateArrivals.test.ts", "is a payment, and an older copy takes the file's place"],
    ["cli/LostState.test.ts", "is noticed where the first invoice of the books is {what}"],
    ["cli/LostState.test.ts", "is noticed where the books have only invoices of another name, by their owner"],
    ["cli/LostState.test.ts", "is noticed for a connection that is added later"],
    ["cli/LostState.test.ts", "creates none of them again, pending or paid for"],
    ["cli/LostState.test.ts", "captures nothing again of what the lost file had captured"],
    ["sync/reconciliation/Audit.test.ts", "after the ledger was lost: every payment is taken over, whichever"]
  ),
  row("older program on newer schema", [
    "sync/state/Database.test.ts",
    "of a newer program is refused and left as it is"
  ]),
  row("response lost after apply", REQUESTS, SIMULATION),
  row(
    "late apply",
    ["sync/apply/Refusals.test.ts", "a request that was put off and is on its way when the program dies"],
    ["sync/reconciliation/Unread.test.ts", "does not undo the one that is sent after it"]
  ),
  ...ANSWERS,
  row("truncated JSON", REQUESTS, trouble("tries again when the JSON is cut off")),
  row("key reused with another amount", [
    "sync/stories/OrderHands.test.ts",
    "the key of a {taking} that somebody used with another amount: no double effect, and attention"
  ]),
  row("tied cursors", kit("loses nothing to equal times")),
  row("null cursors", ["faults/Machine.test.ts", "whose records have no time to go by (null)"]),
  row("backward and late cursors", kit("sees what is committed behind its bookmark"), [
    "connectors/contract/records.test.ts",
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
  row("change window exceeded", ["faults/Machine.test.ts", "that keeps its changes for a month only is read whole"]),
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
    ["cli/Flood.test.ts", "each object is read once, whatever the copies and their order"],
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
    ["connectors/contract/records.test.ts", "of {name} ({member}) is quarantined, not taken for one that is"],
    ["core/Client.test.ts", "unknown members and unknown values are kept"]
  ),
  row("missing field, changed type", fuzz, [
    "core/ClientErrors.test.ts",
    "an answer without its members is unknown, and says which"
  ]),
  ...ACCESS,
  row("wrong tenant", ["faults/Machine.test.ts", "that is asked for another tenant's books says what to check"]),
  row(
    "sandbox and live mixed",
    ["cli/State.test.ts", "at another address is refused by plan, apply and sync"],
    ["sync/state/Account.test.ts", "refuses a key of another account, and keeps asking the first one"]
  ),
  row("partial payment", ["faults/Money.test.ts", "a part, then the rest: paid with the last of them"]),
  row("overpayment", ["faults/Money.test.ts", "more than was asked for is reported as it came, and settles"]),
  row("split payment; one payment over many invoices", [
    "faults/Money.test.ts",
    "one over many invoices is one on each"
  ]),
  row("payment moved to another invoice", ["faults/Money.test.ts", "moved to another invoice: back there, forth here"]),
  row("credit note applied and un-applied", [
    "faults/Money.test.ts",
    "applied they lower the invoice, un-applied they raise it"
  ]),
  row("refund after close", ["faults/Money.test.ts", "a refund after the invoice was closed is sent, and reported"]),
  row("debit failing after paid out", ["faults/Money.test.ts", "a debit that fails after it was paid out"]),
  row("chargeback then won", ["faults/Money.test.ts", "a chargeback, and then it is won"]),
  row("negative before its positive", ["faults/Money.test.ts", "before its payment is there it waits"]),
  row(
    "currencies of 0 and 3 decimals",
    ["faults/Money.test.ts", "in currencies of no and of three decimals are sent exactly"],
    ["faults/Money.test.ts", "finer than the service takes: refused with its own words"]
  ),
  row(
    "a connector that throws, dies or rejects",
    ["sync/pull/Ingest.test.ts", "that {name}: its connection fails, and says nothing secret"],
    ["cli/Defects.test.ts", "because it {name}: the others are read, sent and proven"]
  ),
  row(
    "an error that repeats secrets",
    ["security/Planted.test.ts", "are in no output of any command, nor in any file"],
    ["security/Planted.test.ts", "are in no log of the daemon, on no page of it"],
    ["security/Planted.test.ts", "are in no message about a configuration"]
  ),
  row(
    "two people at one attention item",
    ["page/Second.test.ts", "keeps the first person's note"],
    ["page/Second.test.ts", "is reported to whoever comes second at the page, too"]
  ),
  row(
    "a wrong choice of an invoice",
    ["sync/matching/MatchChoices.test.ts", "can be taken back: the rules match the payment again"],
    ["sync/matching/MatchChoices.test.ts", "that is taken back leaves what another choice says"]
  ),
  row(
    "other sites at the page's sign-in",
    ["page/Door.test.ts", "lets a person sign in while another site tries tokens and passwords"],
    ["page/Door.test.ts", "delays only those who send wrong passwords"],
    ["page/Door.test.ts", "rejects a cookie after its owner signed out"],
    ["page/Door.test.ts", "is rejected, and metrics need their token"],
    ["page/Door.test.ts", "that is malformed is answered with 400"]
  ),
  row(
    "ids that are equal once stored",
    ["sync/pull/Ingest.test.ts", "are never taken for each other: each has a key of its own"],
    ["sync/pull/Ingest.test.ts", "that end in half a character: 300 of 600 are quarantined"],
    ["sync/pull/Ingest.test.ts", "that became one key all the same show as a difference"]
  ),
  row("amounts finer than their currency", [
    "sync/pull/Ingest.test.ts",
    "are quarantined with their record, and nothing of them is cut off"
  ]),
  row(
    "facts of another currency than their invoice",
    ["sync/rules/Currencies.test.ts", "is not paid by yen: a payment in another currency is not reported"],
    ["sync/rules/Currencies.test.ts", "is not lowered by a credit note in yen"],
    ["sync/rules/Currencies.test.ts", "is left alone once payments were reported: nothing is sent"],
    ["sync/rules/Currencies.test.ts", "of a payment without a currency is not counted on an invoice in yen"],
    ["sync/matching/MatchChoices.test.ts", "that is finer than the invoice's currency is refused"]
  ),
  row(
    "one-cent remainders",
    ["faults/Money.test.ts", "to one cent: remainders of thirds"],
    ["sync/stories/OrderStory.test.ts", "three parcels, a cancellation, a return: each is sent once, to the minor unit"]
  ),
  row(
    "clocks going forward and back",
    ["faults/Machine.test.ts", "that was set {words} by more than a day"],
    SIMULATION
  ),
  row("UTC+13", kit("shifts no day with the machine's zone")),
  row("month end", ["faults/Machine.test.ts", "that goes back in the middle of a month's end"]),
  row("insured by someone else mid-run", ["sync/apply/Refusals.test.ts", "insured by someone else since it was sent"]),
  row("paid by someone else mid-run", ["faults/Money.test.ts", "marked it as paid meanwhile"]),
  row("deleted by someone else mid-run", ["sync/apply/Refusals.test.ts", "deleted by someone else: one attention"]),
  row(
    "a parcel edited, split, entered again or moved after it was sent",
    ["cli/OrderMoney.test.ts", "a parcel that is {name} is not captured again"],
    ["cli/OrderMoney.test.ts", "a parcel that is moved to another order is not captured there as well"],
    ["cli/OrderMoney.test.ts", "a return that is entered again under another id"]
  ),
  row(
    "captured by someone else",
    ["sync/stories/OrderStory.test.ts", "somebody else captured it: nothing is captured twice"],
    [
      "cli/OrderHands.test.ts",
      "a {hand} that a person accepts {accepted} its goods are in the books is not done again"
    ],
    ["cli/OrderHands.test.ts", "a payment is read once by each run that takes of it, before it does"],
    ["orders/Cases.ts", "a return without lines of an order that was captured by hand"]
  ),
  row(
    "two orders claim one deferred payment",
    ["cli/OrderIdentity.test.ts", "two new orders carry the same one"],
    ["cli/OrderIdentity.test.ts", "an order that was entered anew under its number"],
    ["cli/OrderIdentity.test.ts", "orders of two connections claim the same one"],
    ["orders/Alone.ts", "two created orders of one number, and an older state file put back"]
  ),
  row(
    "an order's deferred payment or number changes",
    ["cli/OrderIdentity.test.ts", "is for a person once something was taken"],
    ["cli/OrderIdentity.test.ts", "a new order takes the number of one that gets another"],
    ["orders/Alone.ts", "a lost state file, and an order under another number with one more parcel"]
  ),
  row(
    "a deferred payment that the service ends, or authorises for another amount",
    ["orders/Totals.ts", "a deferred payment that expires after its first capture"],
    ["orders/Totals.ts", "a deferred payment that is authorised for less than the next parcel"]
  ),
  row(
    "a buyer merged or deleted on the service",
    ["sync/stories/KeptBuyers.test.ts", "that are {what} on the service: a person is told"],
    ["orders/Alone.ts", "a buyer who is merged with another one on the service, before the second order"]
  ),
  row(
    "a refund and a parcel on one day of a shop's own clock",
    ["connectors/shops/woocommerceDays.test.ts", "are the shop's own, east and west of Greenwich"],
    ["connectors/shops/woocommerceDays.test.ts", "of a refund and a parcel the same"],
    ["orders/Totals.ts", "goods that are cancelled on the day on which the others of their line leave"]
  ),
  row(
    "an order and its payment of two currencies",
    ["cli/OrderMoney.test.ts", "an order in GBP on a payment in EUR"],
    ["cli/OrderMoney.test.ts", "an order whose currency is edited after a capture"]
  ),
  row(
    "records missing from a page, repeated or with another amount, while the source's own balance is right",
    ["simulation/Simulation.test.ts", "a source whose records lose a payment"],
    ["cli/Independent.test.ts", "names both amounts where the source itself says another balance"]
  ),
  row(
    "rows lost from the books or the ledger, which agree without them",
    ["cli/Independent.test.ts", "names a payment that was deleted from the books before it was sent"],
    ["cli/Independent.test.ts", "names an invoice that was deleted from the books"],
    ["cli/Independent.test.ts", "names a payment that was sent a second time because the ledger lost it"]
  ),
  row(
    "a source that was not read to its end",
    [
      "sync/reconciliation/Unread.test.ts",
      "nor is anything of an order sent while the latest record of {what} could not be read"
    ],
    ["sync/reconciliation/Unread.test.ts", "a closed order is not voided while its parcels"],
    ["sync/reconciliation/Unread.test.ts", "an invoice is not marked as paid while money that went back may be missing"]
  ),
  row("half-written file", ["connectors/files/trouble.test.ts", "loses its last row only, which is asked after"]),
  row("renamed re-export", ["connectors/files/bookmark.test.ts", "a file under another name is another file"]),
  row("byte-order mark, encodings", [
    "connectors/files/dialects.test.ts",
    "is found: UTF-8 with and without a byte-order mark"
  ]),
  row("decimal comma", ["connectors/files/amounts.test.ts", "has a decimal point, or a comma"]),
  row("1904 workbook", ["connectors/files/workbook.test.ts", "is the same in the 1904 system"]),
  row("duplicate rows", [
    "connectors/files/repeats.test.ts",
    "that differ: the first is read, the second is quarantined"
  ]),
  row(
    "formula injection in what is exported",
    ["export/Csv.test.ts", "put an apostrophe before text that a spreadsheet would run"],
    ["export/Csv.test.ts", "have no cell that begins like a formula, whatever separates cells"],
    ["export/Workbook.test.ts", "that looks like a formula is text, and no cell is a formula"]
  ),
  row("more rows than a sheet can have", ["export/Rows.test.ts", "has 1,048,576 rows in a sheet"]),
  row(
    "a workbook that unpacks to gigabytes",
    ["connectors/files/workbook.test.ts", "is refused by what really comes out"],
    ["connectors/files/workbook.test.ts", "is refused by what its directory says"]
  )
]
