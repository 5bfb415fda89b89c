/**
 * `node test/cluster/behind.ts`: while calls are under way, PostgreSQL is replaced by a server from an earlier backup, which lacks claims of
 * calls that the service has. Nothing may be sent twice: tenants that lost something send nothing until they are reconciled, and then go
 * on. Ends with 1 when that is not so.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Fleet } from "./Fleet.ts"

const fleet = await Fleet.make()
let failed = ""
try {
  await fleet.allReady()
  await fleet.more()
  await fleet.done()
  fleet.server.backup()
  await fleet.more()
  await fleet.busy()
  fleet.server.failOver()
  await fleet.allReady()
  // Longer than the age of a claim, the schedule, and what is under way: now whatever would be sent was sent.
  await sleep(25_000)
  await fleet.count()
  const [created, asked] = [fleet.acted, fleet.posts]
  console.log(`after the failover: ${created} of ${fleet.expected} created, ${asked} asked`)
  if (asked > created) failed = "the service refused a call, which was a second one"
  if (created >= fleet.expected) failed = "every tenant went on: nothing was noticed"
  fleet.daybook("cluster", "reconcile", ...fleet.names)
  await fleet.done()
  console.log(`after daybook cluster reconcile: ${fleet.acted} of ${fleet.expected} created, ${fleet.posts} asked`)
  if (fleet.acted !== fleet.expected || fleet.posts !== fleet.expected) failed = "an invoice was created twice"
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
console.log(failed === "" ? "all as it should be" : `FAILED: ${failed}`)
await fleet.end()
process.exit(failed === "" ? 0 : 1)
