/**
 * `node test/cluster/real.ts 300 300`: three workers with so many tenants, for so many seconds, at the rate of ten thousand tenants
 * that are due every 15 minutes. After a third of the
 * time every tenant gets an invoice more, after half of it a worker is killed with its slots, and another one started. Ends with 1 when more than
 * one run in twenty begins a minute late, an invoice was created twice or never, or a file is damaged.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Fleet } from "./Fleet.ts"
import { signalAll } from "./Shapes.ts"

const [tenants = 300, seconds = 300] = process.argv.slice(2).map(Number)
/** Ten seconds at least, which is how often a connection may run. */
const PERIOD_MS = 1000 * Math.max(10, Math.round((tenants * 900) / 10_000))
const LATE_MS = 60_000

/** Between two runs of a tenant: how much longer than intended. */
const lateness = async (fleet: Fleet, from: number): Promise<ReadonlyArray<number>> => {
  const late: Array<number> = []
  for (const name of fleet.names) {
    const raw = await fleet.copyOf(name)
    if (raw === undefined) throw new Error(`nothing is kept of ${name}`)
    const began = raw
      .prepare("SELECT started FROM run WHERE started >= ? ORDER BY id")
      .pluck()
      .all(from) as Array<number>
    raw.close()
    for (const [at, millis] of began.entries()) if (at > 0) late.push(millis - began[at - 1]! - PERIOD_MS)
  }
  return late.toSorted((a, b) => a - b)
}

const fleet = await Fleet.make(undefined, { tenants, perRound: 1, every: `${PERIOD_MS / 1000} seconds`, slots: 4 })
let failed = ""
try {
  await fleet.allReady()
  await fleet.more()
  await fleet.done()
  const began = Date.now()
  await sleep((seconds * 1000) / 3)
  fleet.write()
  await sleep((seconds * 1000) / 6)
  const victim = fleet.any
  signalAll(victim.child, "SIGKILL")
  fleet.forget(victim)
  await sleep((seconds * 1000) / 6)
  await fleet.start()
  await sleep((seconds * 1000) / 3)
  await fleet.done()
  const ended = Date.now()
  const late = await lateness(fleet, began)
  const { damaged, unclaimed } = await fleet.inspect()
  const at = (share: number) => `${((late[Math.floor((late.length - 1) * share)] ?? Number.NaN) / 1000).toFixed(1)} s`
  const runs = late.length + tenants
  const twice = fleet.acted - fleet.expected
  console.log({
    tenants,
    everySeconds: PERIOD_MS / 1000,
    runs,
    perSecond: Number(((runs * 1000) / (ended - began)).toFixed(1)),
    late: { median: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) },
    created: fleet.acted,
    twice,
    damaged,
    unclaimed
  })
  const expected = Math.floor(((ended - began) / PERIOD_MS) * 0.8) * tenants
  if (runs < expected) failed = `only ${runs} runs, and not ${expected}`
  if ((late[Math.floor(late.length * 0.95)] ?? Number.NaN) >= LATE_MS) failed = "too late"
  if (twice + damaged + unclaimed > 0) failed = "created twice, or without a claim, or damaged"
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
if (failed !== "") console.log(failed)
await fleet.end(failed !== "")
process.exit(failed === "" ? 0 : 1)
