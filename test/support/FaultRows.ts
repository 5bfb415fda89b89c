/**
 * The faults that must be survived, by name, and where each is shown: a file of tests and how the name of a test in it
 * begins, as it stands in the source (placeholders without their dollar sign). `faults.ts` writes them down, and a test
 * keeps both true.
 */
type Shown = readonly [file: string, test: string]

export interface FaultRow {
  readonly fault: string
  readonly tests: ReadonlyArray<Shown>
}

const SIMULATION: Shown = ["simulation/Simulation.test.ts", "every fact is told once, and nothing is lost"]
const KILLS: Shown = ["simulation/KillPoints.test.ts", "{scenario.name}: a kill at any step changes nothing in the end"]
const REQUESTS: Shown = [
  "simulation/KillPoints.test.ts",
  "{scenario.name}: nor does a request that fails, in whatever way"
]
const kit = (check: string): Shown => ["../connectors/testing/Checks.ts", check]
const trouble = (check: string): Shown => ["../connectors/testing/Faults.ts", check]
const fuzz: Shown = ["fuzz/Fuzz.test.ts", "of {name}: none stops a run, each is set aside with a reason or harmless"]

const row = (fault: string, ...tests: ReadonlyArray<Shown>): FaultRow => ({ fault, tests })

export const FAULTS: ReadonlyArray<FaultRow> = [
  row("kill before and after every request and commit", KILLS, [
    "simulation/KillPoints.test.ts",
    "nor does a second kill, while the next run finds out about the first"
  ]),
  row("kill -9 of the real program", ["crash/Crash.test.ts", "loses nothing and does nothing twice"]),
  row(
    "SIGTERM while paging",
    ["faults/Machine.test.ts", "while it pages through a source: keeps whole pages"],
    ["sync/Crash.test.ts", "at any step: keeps every answer that it heard, and goes on later"]
  ),
  row(
    "two processes on one file",
    ["cli/State.test.ts", "is held by one process; a second one that would write"],
    ["sync/Database.test.ts", "a second writer is refused, and told who holds it"]
  ),
  row("stale lock", [
    "sync/Database.test.ts",
    "a second writer is refused, and told who holds it; a reader reads; a dead holder"
  ]),
  row(
    "disk full",
    ["cli/State.test.ts", "for the state file: says so, keeps what was committed"],
    ["sync/Refusals.test.ts", "a disk that is full stops the run, wherever it fills up"]
  ),
  row("read-only", ["sync/Database.test.ts", "in a folder that cannot be written is refused in plain words"]),
  row("busy", ["faults/Machine.test.ts", "is busy: another program writes into it"]),
  row(
    "truncated or foreign state file",
    ["sync/Database.test.ts", "that was cut short is refused"],
    ["sync/Database.test.ts", "of another program is refused and left as it is"]
  ),
  row("older program on newer schema", ["sync/Database.test.ts", "of a newer program is refused and left as it is"]),
  row("response lost after apply", REQUESTS, SIMULATION),
  row(
    "late apply",
    ["sync/Refusals.test.ts", "a request that was put off and is on its way when the program dies"],
    ["sync/Unread.test.ts", "does not undo the one that is told after it"]
  ),
  row(
    "429 with and without Retry-After",
    ["sync/Apply.test.ts", "waits as long as Retry-After says, for that endpoint only"],
    trouble("waits where it is told to (429, Retry-After)"),
    trouble("waits where it is not told how long (429)")
  ),
  row(
    "429 with a day-long Retry-After",
    ["sync/Apply.test.ts", "a day-long Retry-After stops the run, and the next one goes on"],
    trouble("leaves a limit of a day to a later run")
  ),
  row(
    "5xx bursts",
    ["faults/Machine.test.ts", "to {length} requests in a row"],
    trouble("tries again after a fault of the source (5xx)"),
    trouble("says so when the fault stays (5xx)")
  ),
  row(
    "200 with HTML",
    ["core/ClientErrors.test.ts", "{what}: unknown, because it may have been acted on"],
    trouble("knows a web page from an answer")
  ),
  row("truncated JSON", REQUESTS, trouble("tries again when the JSON is cut off")),
  row("key reused with another amount", [
    "sync/OrderHands.test.ts",
    "the key of a {taking} that somebody used with another amount: no double effect, and attention"
  ]),
  row("tied cursors", kit("loses nothing to equal times")),
  row("null cursors", ["faults/Machine.test.ts", "whose records have no time to go by (null)"]),
  row("backward and late cursors", kit("sees what is committed behind its bookmark"), [
    "connectors/contract/records.test.ts",
    "of an event of {name} hides nothing that comes after it"
  ]),
  row("edits while paging", kit("loses nothing to an edit while it pages"), [
    "sync/Pull.test.ts",
    "edits while it is read: the later state counts, once"
  ]),
  row("last page repeated", kit("ends when the last page is repeated"), [
    "sync/Pull.test.ts",
    "the last page over and over, and empty pages between"
  ]),
  row("empty middle page", kit("goes on behind an empty page")),
  row("change window exceeded", ["faults/Machine.test.ts", "that keeps its changes for a month only is read whole"]),
  row(
    "delete, void, un-void",
    ["faults/Money.test.ts", "voids and restores it in the source"],
    ["sync/Rules.test.ts", "T9: an uninsured invoice that is void or deleted is deleted"]
  ),
  row("payment deleted and re-keyed", ["faults/Money.test.ts", "deleted and entered again under another key"]),
  row("edit that leaves the cursor still", kit("shows by id what its bookmark does not see"), [
    "sync/Sweep.test.ts",
    "finds an edit that no bookmark shows, and what was deleted"
  ]),
  row(
    "webhook 50 times, reordered",
    ["cli/Flood.test.ts", "each object is read once, whatever the copies and their order"],
    ["cli/Hooks.test.ts", "about a transaction that the ledger knows leaves one hint"],
    ["cli/Hooks.test.ts", "is read again, each once, in batches, and then forgotten"]
  ),
  row(
    "webhook forged",
    ["connectors/contract/webhooks.test.ts", "of {name}: the source's is taken; another secret"],
    ["cli/Hooks.test.ts", "is taken when the source signed it, once; refused when anybody else did"]
  ),
  row(
    "new enumeration value",
    ["connectors/contract/records.test.ts", "of {name} ({member}) is set aside, not taken for one that is"],
    ["core/Client.test.ts", "unknown members and unknown values are kept"]
  ),
  row("missing field, changed type", fuzz, [
    "core/ClientErrors.test.ts",
    "an answer without its members is unknown, and says which"
  ]),
  row(
    "token refresh race",
    ["connectors/contract/vault.test.ts", "are refreshed once for many who need one"],
    ["connectors/contract/vault.test.ts", "are changed by one process at a time"]
  ),
  row("lost refresh answer", ["connectors/contract/vault.test.ts", "whose refresh got no answer are still there"]),
  row("token revoked", ["connectors/contract/vault.test.ts", "that were revoked say what to do, and no secret"]),
  row("wrong tenant", ["faults/Machine.test.ts", "that is asked for another tenant's books says what to check"]),
  row(
    "sandbox and live mixed",
    ["cli/State.test.ts", "at another address is refused by plan, apply and sync"],
    ["sync/Account.test.ts", "refuses a key of another account, and keeps asking the first one"]
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
  row("refund after close", ["faults/Money.test.ts", "a refund after the invoice was closed is told, and a person is"]),
  row("debit failing after paid out", ["faults/Money.test.ts", "a debit that fails after it was paid out"]),
  row("chargeback then won", ["faults/Money.test.ts", "a chargeback, and then it is won"]),
  row("negative before its positive", ["faults/Money.test.ts", "before its payment is there it waits"]),
  row(
    "currencies of 0 and 3 decimals",
    ["faults/Money.test.ts", "in currencies of no and of three decimals are told exactly"],
    ["faults/Money.test.ts", "finer than the service takes: refused with its own words"]
  ),
  row(
    "one-cent remainders",
    ["faults/Money.test.ts", "to one cent: remainders of thirds"],
    ["sync/OrderStory.test.ts", "three parcels, a cancellation, a return: each is told once, to the minor unit"]
  ),
  row(
    "clocks going forward and back",
    ["faults/Machine.test.ts", "that was set {words} by more than a day"],
    SIMULATION
  ),
  row("UTC+13", kit("shifts no day with the machine's zone")),
  row("month end", ["faults/Machine.test.ts", "that goes back in the middle of a month's end"]),
  row("insured by someone else mid-run", ["sync/Refusals.test.ts", "insured by someone else since it was told"]),
  row("paid by someone else mid-run", ["faults/Money.test.ts", "marked it as paid meanwhile"]),
  row("deleted by someone else mid-run", ["sync/Refusals.test.ts", "deleted by someone else: one attention"]),
  row("captured by someone else", ["sync/OrderStory.test.ts", "somebody else captured it: nothing is captured twice"]),
  row(
    "a source that was not read to its end",
    ["sync/Unread.test.ts", "a closed order is not voided while its parcels"],
    ["sync/Unread.test.ts", "an invoice is not marked as paid while money that went back may be missing"]
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
    "that differ: the first is read, the second is set aside"
  ]),
  row(
    "formula injection in what is exported",
    ["export/Csv.test.ts", "put an apostrophe before text that a spreadsheet would run"],
    ["export/Workbook.test.ts", "that looks like a formula is text, and no cell is a formula"]
  ),
  row(
    "a workbook that unpacks to gigabytes",
    ["connectors/files/workbook.test.ts", "is refused by what really comes out"],
    ["connectors/files/workbook.test.ts", "is refused by what its directory says"]
  )
]
