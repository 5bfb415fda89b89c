/**
 * `node test/cluster/stalled.ts 60`: PostgreSQL stands still for so many seconds while calls are under way. Within one lease no request
 * leaves any more and no daemon is ready; once it answers, all go on by themselves, also one that was started meanwhile. Ends with 1
 * when that is not so.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Fleet, LEASE_MS } from "./Fleet.ts"

const seconds = Number(process.argv[2] ?? 60)
const fleet = await Fleet.make()
let failed = ""
try {
  await fleet.allReady()
  await fleet.more()
  await fleet.busy()
  const began = performance.now()
  fleet.server.stall()
  // What is under way is answered, and what leaves until the lease is over.
  await sleep(LEASE_MS + 500)
  const ready = await Promise.all(fleet.daemons.map((one) => fleet.ready(one)))
  await fleet.count()
  const [asked, acted] = [fleet.posts, fleet.acted]
  console.log(
    `after one lease: ${asked} asked, ${ready.filter((one) => one.ready).length} of ${ready.length} daemons ready (${ready[0]?.why})`
  )
  await fleet.start()
  await sleep(Math.max(0, seconds * 1000 - (performance.now() - began)))
  await fleet.count()
  console.log(`after ${seconds} seconds: ${fleet.posts - asked} more asked, ${fleet.acted - acted} more created`)
  fleet.server.resume()
  const resumed = performance.now()
  await fleet.allReady()
  console.log(`all ready ${Math.round(performance.now() - resumed)} ms after it answers again`)
  await fleet.done()
  console.log(
    `${fleet.acted} created of ${fleet.expected}, ${Math.round(performance.now() - resumed)} ms after it answers again`
  )
  if (ready.some((one) => one.ready) || fleet.acted !== fleet.expected)
    failed = "a daemon was ready, or an invoice was created twice"
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
if (failed !== "") console.log(failed)
await fleet.end()
process.exit(failed === "" ? 0 : 1)
