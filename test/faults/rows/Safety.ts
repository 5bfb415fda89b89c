/** Faults: strangers, links and slow neighbours. */
import { type FaultRow, row } from "../../support/FaultRow.ts"

export const SAFETY: ReadonlyArray<FaultRow> = [
  row("a text on which a regular expression takes minutes", [
    "security/Expressions.long.test.ts",
    "take no longer for a long text than it is long"
  ]),
  row(
    "a tenant's configuration that takes half a minute to read",
    ["security/TenantSize.test.ts", "of many connections, or of many kilobytes"],
    ["security/TenantSize.test.ts", "of the largest size with nothing but mistakes"]
  ),
  row(
    "somebody else on the machine while a drill runs",
    ["cli/Drill.long.test.ts", "shows its service's log, which has the key, to nobody"],
    ["core/sandbox/Control.test.ts", "lets nobody without one of its keys"]
  ),
  row(
    "a drill, a witness, a trial or a download that was killed",
    ["cli/Drill.long.test.ts", "passes, leaves everything as it was"],
    ["security/FileModes.long.test.ts", "that a killed process had for a moment"]
  ),
  row("a copy, a vault, an export or an upload whose process is killed before it has its name", [
    "security/FileModes.long.test.ts",
    "that get their name once they are complete"
  ]),
  row(
    "a stranger who measures how long refusals take",
    ["cli/Server.test.ts", "refuses whoever came first before others"],
    ["page/People.test.ts", "makes the same work, whether its name is known"]
  ),
  row("a PDF that has its parser run a program", [
    "connectors/einvoice/confined.test.ts",
    "runs no text as code, writes no file and starts no program"
  ]),
  row("passwords that are guessed from hundreds of networks at once", [
    "page/Accounts.long.test.ts",
    "are let in before those who guess on, from however many addresses"
  ]),
  row(
    "another site in the browser of somebody who is signed in, of another host or of the same",
    ["security/OtherSites.long.test.ts", "neither frames a page nor runs or loads anything in it"],
    ["security/OtherSites.long.test.ts", "sends no form in the name of who is signed in"]
  ),
  row(
    "long work on large books while others wait for an answer",
    ["security/LongWork.long.test.ts", "are looked through, copied and written in parts"],
    ["security/LongWork.long.test.ts", "are looked for in parts where a month was closed"],
    ["page/ThreadOfPages.long.test.ts", "are the same in a thread, and keep nobody waiting"]
  ),
  row("a copy of the books that others open while it is made", [
    "security/FileModes.long.test.ts",
    "that are copies of a state file"
  ])
]
