/** Faults: kills, full disks, locks and state files. */
import { type FaultRow, row } from "../../support/FaultRow.ts"
import { SIMULATION, KILLS, REQUESTS } from "./Shown.ts"

export const MACHINE: ReadonlyArray<FaultRow> = [
  row("a month that is closed on the page after something else was read, before its last day, or for books of others", [
    "page/Months.long.test.ts",
    "is closed by who may, as exactly what was shown, and what is read after it is late"
  ]),
  row("a month's statement that leaves out an invoice, because it was settled before or after", [
    "page/Months.long.test.ts",
    "is closed by who may, as exactly what was shown, and what is read after it is late"
  ]),
  row("a payment that is matched, a currency or a connection that is other after its month was closed", [
    "page/Months.long.test.ts",
    "is closed by who may, as exactly what was shown, and what is read after it is late"
  ]),
  row(
    "a customer is removed from PostgreSQL, and another gets the name",
    ["sync/cluster/Erasure.long.test.ts", "leaves nothing in any table"],
    ["sync/cluster/Erasure.long.test.ts", "stays with a tenant that is renamed"],
    ["cli/TenantErased.long.test.ts", "is in no table, no copy and no queue any more"]
  ),
  row("the volume with the files of sources is not mounted at a worker", [
    "sync/engine/Ready.test.ts",
    "knows that the volume of its files is not mounted"
  ]),
  row("nobody notices that more tenants are due than the slots can run", [
    "cli/ClusterCommands.long.test.ts",
    "show whether they run when they are due"
  ]),
  row("a newer version that is wrong runs every tenant at once", [
    "sync/engine/Worker.long.test.ts",
    "run the tenants of the next version if they are its"
  ]),
  row("nobody is told of a tenant that no worker runs any more", [
    "sync/engine/GivenUp.test.ts",
    "A tenant that was given up is told of"
  ]),
  row(
    "a tenant without a folder is started twice at once, killed, or stopped while another goes on",
    ["cli/TenantsDatabase.long.test.ts", "has each thing done once though it is started twice at once"],
    ["cli/TenantsDatabase.long.test.ts", "goes on in a process that was stopped only if nobody has taken it"]
  ),
  row(
    "a worker or a slot is killed or stopped in the middle of a run, and others go on",
    ["cli/TenantsWork.long.test.ts", "go on with what a killed slot and a killed worker left"],
    ["cli/TenantsWork.long.test.ts", "leave to others what they had when they were stopped"],
    ["sync/engine/Worker.long.test.ts", "take the job of a worker that is not heard of any more"]
  ),
  row("a tenant ends the process of its run again and again", [
    "sync/engine/Worker.long.test.ts",
    "give up a tenant with which four processes ended"
  ]),
  row("a tenant that was given up is asked for while people are still being told of it", [
    "sync/engine/Worker.long.test.ts",
    "run it again once a person asks for it"
  ]),
  row("the queue of jobs is lost, or empty", [
    "sync/engine/Worker.long.test.ts",
    "run what a lost queue has forgotten"
  ]),
  row(
    "the copy of a tenant that a machine has kept is old, or was changed",
    ["sync/state/replication/CachedCopy.test.ts", "is fetched as a whole if it was changed"],
    ["sync/state/replication/CachedCopy.test.ts", "stays nowhere once another has taken the tenant"]
  ),
  row(
    "a decision about a tenant in PostgreSQL is taken twice, or where another has the tenant",
    ["sync/state/replication/Inbox.long.test.ts", "a request is begun once"],
    ["cli/TenantsPages.long.test.ts", "are the same at each worker"]
  ),
  row("a process that only reads a tenant stores something of it, or takes it", [
    "sync/state/replication/ReadCopy.test.ts",
    "shows what was shipped so far"
  ]),
  row("somebody who signed out at one worker is signed in at another", [
    "sync/state/replication/Inbox.long.test.ts",
    "a session that has ended stays so"
  ]),
  row("a full disk on a worker", [
    "sync/engine/Worker.long.test.ts",
    "give a job back uncounted when they stop, or nothing can be written here"
  ]),
  row("the folder of a tenant that was moved to PostgreSQL is used again", [
    "cli/TenantsDatabase.long.test.ts",
    "is planned, changed and copied from its row"
  ]),
  row("a file is written where there is a device or a pipe, which the program would replace", [
    "cli/Devices.test.ts",
    "is not replaced by a file, whichever command is to write one"
  ]),
  row("what the service holds of an invoice is stored short, and read as something else", [
    "sync/model/Remote.test.ts",
    "is read as it was, in the same order, whatever does not follow from other fields"
  ]),
  row(
    "calls that ended are packed while a run sends, and what was packed is damaged or changed",
    ["sync/state/calls/CallPages.test.ts", "are packed, and found by everything as before"],
    ["sync/state/calls/CallPages.test.ts", "are named where a page, or what leads to it, was changed"],
    ["sync/state/calls/CallPages.test.ts", "are seen by who asks whether something was sent since"]
  ),
  row("a standby of PostgreSQL that lacks what was confirmed takes its place", [
    "sync/state/replication/Promoted.long.test.ts",
    "takes nothing of who opened it before, and reads the service before it sends anything"
  ]),
  row(
    "a machine all of whose clocks stood still goes on",
    ["sync/apply/SentTwice.test.ts", "I4: is told, whether its receipt was refused or nobody waited for it any more"],
    ["sync/apply/SentTwice.test.ts", "is named with what was sent in its place, once, and not where a receipt has it"]
  ),
  row(
    "a process stands still between its claim and its request, while another opens the tenant",
    ["sync/state/replication/FreshClaims.test.ts", "leaves for five seconds after a write that the store accepted"],
    ["sync/state/replication/FreshClaims.test.ts", "looks open calls up only once nothing of an earlier opening"]
  ),
  row("PostgreSQL's clock is set back", [
    "sync/engine/Worker.long.test.ts",
    "begin anew what waits for a clock that was set back"
  ]),
  row("PostgreSQL is replaced by an earlier backup of itself", [
    "cli/TenantsDatabase.long.test.ts",
    "sends nothing once PostgreSQL is an earlier backup of itself"
  ]),
  row(
    "PostgreSQL is away when a worker starts, or hangs while it works",
    ["cli/TenantsWork.long.test.ts", "wait for a PostgreSQL that is away"],
    ["sync/engine/Ready.test.ts", "is not ready while PostgreSQL is away"]
  ),
  row("kill before and after every request and commit", KILLS, [
    "simulation/KillPoints.long.test.ts",
    "nor does a second kill, while the next run finds out about the first"
  ]),
  row("kill -9 of the real program", ["crash/Crash.long.test.ts", "loses nothing and does nothing twice"]),
  row(
    "SIGTERM while paging",
    ["faults/Machine.long.test.ts", "while it pages through a source: keeps whole pages"],
    ["sync/apply/Crash.test.ts", "at any step: keeps every answer that it heard, and goes on later"]
  ),
  row(
    "two processes on one file",
    ["cli/State.long.test.ts", "is held by one process; a second run says who holds it"],
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
    ["cli/Replaced.long.test.ts", "lets no other process send beside it"],
    ["sync/apply/Recovery.test.ts", "keeps its claims, though its lock file was deleted"]
  ),
  row(
    "state file deleted, replaced, restored or copied",
    ["cli/Replaced.long.test.ts", "that is {name} under a daemon ends it"],
    ["cli/Replaced.long.test.ts", "that is put back from a copy sends nothing until it was compared"],
    ["cli/Replaced.long.test.ts", "that is a copy of another which still exists is not worked with"],
    ["sync/state/Place.test.ts", "so does one that has the number of the file before it, and no lock file beside it"],
    ["sync/state/Place.test.ts", "a crash at any step of the stamping leaves it the one that it was"]
  ),
  row(
    "kill or full disk while a person's decision is stored",
    ["sync/matching/Decided.long.test.ts", "{name}: a kill at any step leaves it made or not made"],
    ["sync/matching/Decided.long.test.ts", "{name}: so does a disk that is full at any of its writes"],
    ["sync/stories/OrderDecided.long.test.ts", "{name}: a kill at any step of it, and of the run after it"],
    ["sync/stories/OrderDecided.long.test.ts", "a kill at any step of the asking, the approval and the sending"]
  ),
  row(
    "a setting that is wrong for some of many tenants",
    ["cli/TenantsPlan.test.ts", "groups the tenants by the ways in which they differ"],
    ["cli/TenantsPlan.test.ts", "names a tenant that cannot be planned, with why"],
    ["cli/TenantsPlan.test.ts", "changes tenants one after the other, and stops at the first"]
  ),
  row(
    "nobody has tried whether it recovers",
    ["cli/Drill.long.test.ts", "passes, leaves everything as it was"],
    ["cli/Drill.test.ts", "names what is missing, and what is there twice"]
  ),
  row(
    "books, orders or cover changed since a report was printed",
    ["cli/AsOf.long.test.ts", "says of each past run what was printed then"],
    ["cli/AsOf.long.test.ts", "says of each past run what was printed of orders"],
    ["cli/AsOf.long.test.ts", "says of each past run what was insured, spent and due then"]
  ),
  row(
    "a mapping or a version of Daybook that would send something else",
    ["cli/WhatIf.long.test.ts", "reads what is mapped otherwise under the settings of each"],
    ["cli/Upgrade.long.test.ts", "is compared from the same books; nothing is written and nobody is asked"]
  ),
  row(
    "an assistant prepares a decision, and what it is about changes before a person looks",
    ["page/Drafts.long.test.ts", "about a plan has the documents chosen, and what is sent is what was approved"],
    ["cli/Assistant.long.test.ts", "changes nothing, whatever is asked"]
  ),
  row("this machine's clock set forth and back while the service is read", [
    "core/wire/ServiceClock.test.ts",
    "says what time it was first while something was read"
  ]),
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
    ["cli/State.long.test.ts", "for the state file: says so, keeps what was committed"],
    ["sync/apply/Refusals.long.test.ts", "a disk that is full stops the run, wherever it fills up"]
  ),
  row(
    "read-only",
    ["sync/state/Database.test.ts", "in a folder that cannot be written is refused in plain words"],
    ["sync/state/ReadOnly.test.ts", "is refused in plain words and left as it is, be it the file"]
  ),
  row("busy", ["faults/Machine.long.test.ts", "is busy: another program writes into it"]),
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
    ["cli/LostState.long.test.ts", "is noticed where the first invoice of the books is {what}"],
    ["cli/LostState.long.test.ts", "is noticed where the books have only invoices of another name, by their owner"],
    ["cli/LostState.long.test.ts", "is noticed for a connection that is added later"],
    ["cli/LostState.long.test.ts", "creates none of them again, pending or paid for"],
    ["cli/LostState.long.test.ts", "captures nothing again of what the lost file had captured"],
    ["sync/reconciliation/Audit.test.ts", "after the ledger was lost: every payment is taken over, whichever"],
    ["sync/reconciliation/Audit.test.ts", "of a part of the list that agrees but for one: names what differs"]
  ),
  row("older program on newer schema", [
    "sync/state/Database.test.ts",
    "of a newer program is refused and left as it is"
  ]),
  row("response lost after apply", REQUESTS, SIMULATION),
  row(
    "late apply",
    ["sync/apply/Refusals.long.test.ts", "a request that was put off and is on its way when the program dies"],
    ["sync/reconciliation/Unread.long.test.ts", "does not undo the one that is sent after it"]
  )
]
