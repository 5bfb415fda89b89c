/**
 * `node test/cluster/drain.ts 5`: so many times the daemon with most tenants is asked to end (SIGTERM) while calls are under way, and another
 * one started, as in an upgrade of one node after the other. Ends with 1 when an invoice was created twice or never.
 */
import { once } from "node:events"
import { rounds } from "./Rounds.ts"

await rounds(async (fleet, say) => {
  const victim = await fleet.largest()
  const tenants = await fleet.tenantsOf(victim)
  await fleet.start()
  const began = performance.now()
  const exit = once(victim.child, "exit")
  victim.child.kill("SIGTERM")
  const takenOver = await fleet.takenOver(tenants, victim, began)
  await exit
  fleet.forget(victim)
  say({ tenants: tenants.length, takenOverMs: Math.round(takenOver), status: victim.child.exitCode })
})
