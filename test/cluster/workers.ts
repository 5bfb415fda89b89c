/**
 * `node test/cluster/workers.ts 20 [what]`: so many times something happens to one of three workers while calls are under way: it is killed
 * with its slots or without, a slot of it is killed, it stands still, its sessions are severed, or it is asked to end. Ends with 1 when
 * an invoice was created twice or never.
 */
import { readFileSync } from "node:fs"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { type Daemon, Fleet } from "./Fleet.ts"
import { rounds } from "./Rounds.ts"
import { signalAll, WORKERS } from "./Shapes.ts"

const slotsOf = ({ child: { pid } }: Daemon): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)

const replaced = async (fleet: Fleet, victim: Daemon, end: () => void) => {
  const exit = once(victim.child, "exit")
  end()
  await exit
  fleet.forget(victim)
  await fleet.start()
}

const HAPPENS: Readonly<Record<string, (fleet: Fleet, victim: Daemon) => Promise<number | undefined>>> = {
  "machine killed": async (fleet, victim) => {
    await replaced(fleet, victim, () => signalAll(victim.child, "SIGKILL"))
    return undefined
  },
  "worker killed": async (fleet, victim) => {
    await replaced(fleet, victim, () => victim.child.kill("SIGKILL"))
    return undefined
  },
  "slot killed": async (_, victim) => {
    const slots = slotsOf(victim)
    const slot = slots[Math.floor(Math.random() * slots.length)]
    if (slot !== undefined) process.kill(slot, "SIGKILL")
    return undefined
  },
  "machine stopped": async (_, victim) => {
    const millis = Math.random() * 30_000
    signalAll(victim.child, "SIGSTOP")
    await sleep(millis)
    signalAll(victim.child, "SIGCONT")
    return millis
  },
  "slot stopped": async (_, victim) => {
    const millis = Math.random() * 10_000
    const slots = slotsOf(victim)
    for (const slot of slots) process.kill(slot, "SIGSTOP")
    await sleep(millis)
    for (const slot of slots) process.kill(slot, "SIGCONT")
    return millis
  },
  "sessions severed": async (fleet) => {
    let severed = 0
    for (let n = 0; n < 5; n++) {
      const cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'daybook'"
      severed += (await fleet.pool.query(cut)).rowCount ?? 0
      await sleep(Math.random() * 300)
    }
    return severed
  },
  "asked to end": async (fleet, victim) => {
    await replaced(fleet, victim, () => victim.child.kill("SIGTERM"))
    return undefined
  }
}

const only = process.argv[3]
const all = Object.keys(HAPPENS).filter((one) => only === undefined || one === only)
let round = 0

await rounds(
  async (fleet, say) => {
    const what = all[round++ % all.length] ?? ""
    const victim = fleet.daemons[Math.floor(Math.random() * fleet.daemons.length)]
    if (victim === undefined) return
    const of = await HAPPENS[what]?.(fleet, victim)
    say({ what, of: of === undefined ? undefined : Math.round(of) })
  },
  async () => {},
  () => Fleet.make(undefined, WORKERS)
)
