/**
 * `node test/cluster/suspended.ts 20`: so many times a worker's machine is suspended for up to 24 seconds while calls are under way, and
 * goes on: its monotonic clock did not count that. Ends with 1 when an invoice was created twice or never, or a statement does not agree.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { rounds } from "./Rounds.ts"
import { signalAll } from "./Shapes.ts"

await rounds(
  async (fleet, say) => {
    const { child } = fleet.any
    const millis = Math.round(6000 + Math.random() * 18_000)
    signalAll(child, "SIGSTOP")
    await sleep(millis)
    signalAll(child, "SIGCONT")
    say({ suspendedMs: millis })
  },
  { before: ["--import", new URL("StandingClocks.ts?monotonic", import.meta.url).href] }
)
