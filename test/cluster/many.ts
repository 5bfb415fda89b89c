/**
 * `node test/cluster/many.ts 10000`: so many tenants, each due every 15 minutes, for an hour of the test's clock on the schedulers of three
 * nodes, of which one dies after 25 minutes and comes back after 40. Placement, leases' expiry, fairness, spread and slots are those of
 * the daemons; the runs are not: each takes its node's only core for 30 ms, as opening, restoring and syncing does, and then
 * waits for a source, of which one in fifty is slow. Ends with 1 when the 95th percentile of lateness is not below a minute, or a tenant
 * was run by two nodes at the same time, or twice for the same due time.
 */
import { Clock, Effect, Exit, Scope, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import { placing } from "../../sync/cluster/Placement.ts"
import { slotsOf } from "../../sync/tenants/Limits.ts"
import { Loop, type TurnHandle } from "../../sync/tenants/Loop.ts"
import { SPREAD_MS, spread, windowOf } from "../../sync/tenants/Spread.ts"
import { diceOf } from "../support/RandomWork.ts"

const [count = 10_000] = process.argv.slice(2).map(Number)
const [PERIOD_MS, HOUR_MS, LEASE_MS, LOOKS_MS] = [900_000, 3_600_000, 10_000, 1000]
const [DIES_MS, RETURNS_MS] = [25 * 60_000, 40 * 60_000]
const CORE_MS = 30
/** As many as a node takes at once. */
const MOST_TAKEN = 200
const dice = diceOf(1)

interface Tenant {
  readonly name: string
  owner: Node | undefined
  due: number
  /** The node that runs it now. */
  runs: Node | undefined
}

interface Node {
  readonly id: string
  readonly loop: Loop
  readonly core: Semaphore.Semaphore
  readonly has: Set<string>
  readonly scope: Scope.Closeable
  diedAt: number | undefined
}

const tenants = new Map<string, Tenant>()
for (let n = 0; n < count; n++) {
  const name = `tenant${n}`
  tenants.set(name, { name, owner: undefined, due: Math.floor((n * PERIOD_MS) / count), runs: undefined })
}
const nodes: Array<Node> = []
const late: Array<number> = []
const called = new Set<string>()
const counts = { runs: 0, twice: 0, together: 0, cutOff: 0, takenOver: 0, released: 0 }

const again = (node: Node, { due, name }: Tenant, now: number) =>
  node.loop.reschedule(name, spread(name, { due, now, window: due > now ? windowOf(due - now, SPREAD_MS) : SPREAD_MS }))

const turn = (node: () => Node) => (handle: TurnHandle) =>
  Effect.gen(function* () {
    const [me, tenant] = [node(), tenants.get(handle.name)!]
    const began = yield* Clock.currentTimeMillis
    if (tenant.owner !== me) return
    if (tenant.runs !== undefined) counts.together++
    tenant.runs = me
    counts.runs++
    late.push(began - tenant.due)
    yield* me.core.withPermits(1)(Effect.sleep(CORE_MS))
    handle.asksSource()
    yield* Effect.sleep(dice(50) === 0 ? 2000 + dice(28_000) : 50 + dice(400))
    handle.sourceAnswered()
    const call = `${tenant.name} ${tenant.due}`
    if (called.has(call)) counts.twice++
    called.add(call)
    tenant.due = began + PERIOD_MS
    tenant.runs = undefined
    again(me, tenant, yield* Clock.currentTimeMillis)
  })

const start = (id: string) =>
  Effect.gen(function* () {
    const scope = Scope.makeUnsafe()
    const holder: { node?: Node } = {}
    const loop = yield* Loop.make({ slots: slotsOf(300, 8), turn: turn(() => holder.node!) })
    const core = yield* Semaphore.make(1)
    const node: Node = { id, loop, core, has: new Set(), scope, diedAt: undefined }
    holder.node = node
    nodes.push(node)
    yield* Effect.provideService(Effect.forkScoped(loop.run), Scope.Scope, scope)
  })

/** What a node does once a second. */
const look = (node: Node, now: number) => {
  const isBuried = ({ diedAt }: Node) => diedAt !== undefined && now - diedAt > LEASE_MS
  const alive = nodes.filter((one) => !isBuried(one)).map(({ id }) => ({ id, name: id, draining: false }))
  const held = [...node.has].map((id) => ({ id, wanted: null }))
  const isBusy = (name: string) => tenants.get(name)?.runs !== undefined
  const { release, room } = placing(node.id, { nodes: alive, tenants, held }, isBusy)
  // A run in progress would end first.
  for (const name of release.filter((one) => !isBusy(one))) {
    counts.released++
    node.has.delete(name)
    node.loop.forget(name)
    tenants.get(name)!.owner = undefined
  }
  let taken = 0
  for (const tenant of tenants.values()) {
    if (taken >= Math.min(room, MOST_TAKEN)) return
    if (tenant.owner !== undefined && !isBuried(tenant.owner)) continue
    if (tenant.owner !== undefined) counts.takenOver++
    if (tenant.runs !== undefined) counts.cutOff++
    tenant.owner = node
    tenant.runs = undefined
    node.has.add(tenant.name)
    again(node, tenant, now)
    taken++
  }
}

const program = Effect.gen(function* () {
  for (const id of ["a", "b", "c"]) yield* start(id)
  for (let now = 0; now < HOUR_MS; now += LOOKS_MS) {
    if (now === DIES_MS) {
      const dead = nodes[2]!
      dead.diedAt = now
      yield* Scope.close(dead.scope, Exit.void)
    }
    if (now === RETURNS_MS) yield* start("d")
    for (const node of nodes) if (node.diedAt === undefined) look(node, now)
    yield* TestClock.adjust(LOOKS_MS)
  }
  for (const { scope } of nodes) yield* Scope.close(scope, Exit.void)
})

const cpu = process.cpuUsage()
await Effect.runPromise(Effect.scoped(Effect.provide(program, TestClock.layer())))
const { system, user } = process.cpuUsage(cpu)
const sorted = late.toSorted((a, b) => a - b)
const at = (share: number) => `${((sorted[Math.floor(sorted.length * share)] ?? 0) / 1000).toFixed(1)} s`
console.log({ tenants: count, ...counts, median: at(0.5), p95: at(0.95), p99: at(0.99), most: at(0.999999) })
console.log(`${((system + user) / 1e6).toFixed(0)} s of processor time`)
const isHeld = (sorted[Math.floor(sorted.length * 0.95)] ?? 0) < 60_000 && counts.twice + counts.together === 0
process.exit(isHeld && counts.runs >= 3.9 * count ? 0 : 1)
