/**
 * `node test/cluster/kill.ts 20`: so many times the daemon with most tenants is killed (SIGKILL) while calls are under way, and another
 * one started in its place. Ends with 1 when an invoice was created twice or never, or a file is damaged.
 */
import { once } from "node:events"
import { rounds } from "./Rounds.ts"

await rounds(async (fleet, say) => {
  const victim = await fleet.largest()
  const tenants = await fleet.tenantsOf(victim)
  const began = performance.now()
  const exit = once(victim.child, "exit")
  victim.child.kill("SIGKILL")
  await exit
  fleet.forget(victim)
  await fleet.start()
  say({ tenants: tenants.length, takenOverMs: Math.round(await fleet.takenOver(tenants, victim, began)) })
})
