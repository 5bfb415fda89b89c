/**
 * `node test/cluster/stop.ts 20`: so many times the daemon with most tenants stands still (SIGSTOP) while calls are under way, until others
 * have its tenants, and then goes on (SIGCONT): it must send nothing of what they have by now, and join anew. Ends with 1 when an
 * invoice was created twice or never.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Daemon, LEASE_MS } from "./Fleet.ts"
import { rounds } from "./Rounds.ts"

const stopped: Array<Daemon> = []

await rounds(
  async (fleet, say) => {
    const victim = await fleet.largest()
    const tenants = await fleet.tenantsOf(victim)
    const began = performance.now()
    victim.child.kill("SIGSTOP")
    victim.isStopped = true
    stopped.push(victim)
    // Also in the middle of a takeover, and before anybody has noticed.
    const takenOver = Math.random() < 0.6 ? Math.round(await fleet.takenOver(tenants, victim, began)) : undefined
    if (takenOver === undefined) await sleep(Math.random() * 1.6 * LEASE_MS)
    else await sleep(Math.random() * 1000)
    victim.child.kill("SIGCONT")
    victim.isStopped = false
    say({ tenants: tenants.length, takenOverMs: takenOver, stoodMs: Math.round(performance.now() - began) })
  },
  // It comes back by itself.
  (fleet) => fleet.allReady()
)
