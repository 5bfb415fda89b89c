/**
 * `node test/cluster/workers.ts 20 [what]`: so many times something happens to one of three workers while calls are under way: it is killed
 * with its slots or without, a slot of it is killed, it stands still, sessions with PostgreSQL are severed or hang, it is cut off from
 * PostgreSQL and what is under way arrives late, PostgreSQL is restarted, it is asked to end, or every process that opens a certain tenant
 * ends. Ends with 1 when an invoice was created twice or never, or a statement does not agree.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import type { Daemon, Fleet } from "./Fleet.ts"
import { rounds } from "./Rounds.ts"
import { signalAll } from "./Shapes.ts"

const slotsOf = ({ child: { pid } }: Daemon): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)

const signalled = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Whether a process has the working copy of this tenant open. */
const hasOpen = (pid: number, key: string): boolean => {
  try {
    const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    return open.some((file) => file.includes(`/${key}.db`))
  } catch {
    return false
  }
}

const HAPPENS: Readonly<Record<string, (fleet: Fleet, victim: Daemon) => Promise<number | undefined>>> = {
  "machine killed": async (fleet, victim) => {
    await fleet.replace(victim, () => signalAll(victim.child, "SIGKILL"))
    return undefined
  },
  "worker killed": async (fleet, victim) => {
    await fleet.replace(victim, () => victim.child.kill("SIGKILL"))
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
  "sessions hang": async (fleet) => {
    const { rows } = await fleet.pool.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'daybook'")
    const some = rows.map(({ pid }) => Number(pid)).filter(() => Math.random() < 0.5)
    const stopped = some.filter((pid) => signalled(pid, "SIGSTOP"))
    await sleep(500 + Math.random() * 12_000)
    for (const pid of stopped) signalled(pid, "SIGCONT")
    return stopped.length
  },
  "machine cut off": async (_, victim) => {
    const millis = Math.random() * 25_000
    victim.wire.cut()
    await sleep(millis)
    victim.wire.heal()
    return millis
  },
  "PostgreSQL restarted": async (fleet) => {
    fleet.server.restart(Math.random() < 0.5 ? "fast" : "immediate")
    // The trial's own sessions have ended, too: each says so once.
    for (let n = 0; n < 5; n++) await fleet.pool.query("SELECT 1").catch(() => sleep(200))
    return undefined
  },
  "tenant poisoned": async (fleet) => {
    const name = fleet.names[Math.floor(Math.random() * fleet.names.length)] ?? ""
    const row = async () =>
      (await fleet.pool.query("SELECT key, held FROM daybook.tenant WHERE id = $1", [name])).rows[0]
    const { key } = await row()
    let killed = 0
    // Whatever process opens it ends, until it is held back.
    for (; (await row()).held === null; await sleep(50))
      for (const worker of fleet.daemons)
        for (const slot of slotsOf(worker)) if (hasOpen(slot, key) && signalled(slot, "SIGKILL")) killed++
    fleet.daybook("tenants", "resume", name)
    return killed
  },
  "asked to end": async (fleet, victim) => {
    await fleet.replace(victim, () => victim.child.kill("SIGTERM"))
    return undefined
  }
}

const only = process.argv[3]
const all = Object.keys(HAPPENS).filter((one) => only === undefined || one === only)
let round = 0

await rounds(async (fleet, say) => {
  const what = all[round++ % all.length] ?? ""
  const of = await HAPPENS[what]?.(fleet, fleet.any)
  say({ what, of: of === undefined ? undefined : Math.round(of) })
})
