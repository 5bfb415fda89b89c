/**
 * `node test/cluster/stalled.ts 60`: PostgreSQL stands still for so many seconds while calls are under way. Within seconds no request
 * leaves any more and no worker is ready; once it answers, all go on by themselves, also one that was started meanwhile. Ends with 1
 * when that is not so.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Fleet } from "./Fleet.ts"

/** Claims are too old by then, and workers know that nobody answers. Milliseconds. */
const KNOWN_MS = 15_000

const seconds = Number(process.argv[2] ?? 60)
const fleet = await Fleet.make()
let failed = ""
try {
  await fleet.allReady()
  await fleet.more()
  await fleet.busy()
  const began = performance.now()
  fleet.server.stall()
  // What is under way is answered, and what leaves until claims are too old.
  await sleep(KNOWN_MS)
  const ready = await Promise.all(fleet.daemons.map((one) => fleet.ready(one)))
  await fleet.count()
  const [asked, acted] = [fleet.posts, fleet.acted]
  console.log(
    `after ${KNOWN_MS / 1000} seconds: ${asked} asked, ${ready.filter((one) => one.ready).length} of ${ready.length} workers ready (${ready[0]?.why})`
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
    failed = "a worker was ready, or an invoice was created twice"
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
if (failed !== "") console.log(failed)
await fleet.end()
process.exit(failed === "" ? 0 : 1)
