/**
 * Manages the tenants that this node of a cluster owns: taking, releasing and losing them. Their configurations are in a
 * folder that all nodes share; their state files are replicated to PostgreSQL, with working copies in a folder of this
 * process that is deleted with it.
 */
import { Clock, Effect } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { join, resolve } from "node:path"
import * as ClusterTables from "../../cluster/ClusterTables.ts"
import { Membership } from "../../cluster/Membership.ts"
import { Silence, type Silent } from "../../cluster/Silence.ts"
import { placing } from "../../cluster/Placement.ts"
import { hasTables } from "../../state/replication/postgres/Schema.ts"
import type { StoreAway } from "../../state/replication/Store.ts"
import type { WebhookNotice } from "../../pull/Notices.ts"
import type { ManyTenants } from "./ManyTenants.ts"
import { Canary } from "./Canary.ts"
import { clusterTenant } from "./ClusterTenant.ts"
import { OtherNodes } from "./OtherNodes.ts"
import type { NodeEndpoint } from "./NodeEndpoint.ts"
import { NodeErrands } from "./NodeErrands.ts"
import { WritingTest } from "./WritingTest.ts"
import { eraseRemoved, knownIn, type KnownTenants, NOBODY } from "./TenantsKnown.ts"
import type { FolderOfTenants } from "./TenantsOfFolder.ts"

/** How often to check who owns what. Milliseconds. */
const LOOKS_MS = 1000
/** How many tenants that do not run a node tells of. */
const MOST_REFUSED = 20
/** How often to check the folder. Milliseconds. */
const SCANS_MS = 15_000
export interface TenantsOfCluster extends FolderOfTenants {
  /** Why this node is not ready; undefined if it is. */
  readonly trouble: () => string | undefined
  /** Whether its loop continues, whatever the results. */
  readonly isAlive: () => boolean
  /** It is about to end: what it has is the others' share from now on. */
  readonly drain: Effect.Effect<void>
  /** The name of this node. */
  readonly node: string
  readonly others: OtherNodes
  /** The tenants of its folder that do not run, for reasons of the cluster: held back, removed, or another's. */
  readonly refused: () => ReadonlyArray<string>
  /** Whether the cluster has this tenant, on whichever node. */
  readonly knows: (tenant: string) => boolean
  /** Passes a webhook on to the node that has this tenant; returns why it could not. */
  readonly passOn: (tenant: string, notice: WebhookNotice) => Effect.Effect<string | undefined>
}

class NodeLoop {
  readonly #all: ManyTenants
  readonly #folder: string
  readonly #endpoint: NodeEndpoint
  readonly #clock: Clock.Clock
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })
  readonly #leaving = new Set<string>()
  readonly #errands: NodeErrands
  readonly #canary: Canary
  readonly #silence = new Silence()
  /** Those that it has because nobody else took them. */
  #orphans: ReadonlySet<string> = new Set()
  #silent: ReadonlyArray<Silent> = []
  /** Why it can run nothing on this machine; undefined: it can. */
  #sick: string | undefined
  readonly #writing: WritingTest
  tenants: KnownTenants = NOBODY
  /** The identities of the tenants that were added, by name. */
  readonly #added = new Map<string, string>()
  #scanned = Number.NEGATIVE_INFINITY
  /** The folder could not be read, which was said. */
  #isAway = false
  /** When a check last ended, successfully or not. Monotonic milliseconds. */
  #looked: number
  /** Why the last check failed. */
  #failed: string | undefined
  #isFirst = true

  constructor(all: ManyTenants, folder: string, endpoint: NodeEndpoint, clock: Clock.Clock) {
    this.#all = all
    this.#folder = folder
    this.#endpoint = endpoint
    this.#clock = clock
    this.#errands = new NodeErrands(all, folder, endpoint.sessions)
    this.#canary = new Canary(all.scheduler, () => this.#now)
    this.#writing = new WritingTest(endpoint.work)
    this.#looked = this.#now
    this.#delay.enable()
  }

  get #now(): number {
    return Number(this.#clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  }

  /** Checks run one after the other with a time limit. If none ends any more, nothing is renewed, and others take over. */
  isAlive(): boolean {
    return this.#now - this.#looked < 2 * this.#endpoint.node.leaseMs
  }

  trouble(): string | undefined {
    const { membership } = this.#endpoint
    if (membership === undefined) return this.#failed ?? "it joins the cluster"
    if (!membership.isValid()) return `its lease is over${this.#failed === undefined ? "" : `: ${this.#failed}`}`
    if (!this.isAlive()) return "it has not checked its tenants for two leases"
    return (
      this.#failed ??
      this.#sick ??
      (this.#isFirst ? "it looks for its tenants" : this.#canary.trouble(this.#endpoint.node.leaseMs))
    )
  }

  /** Joins again and again: a life ends when others have buried this node. */
  get run(): Effect.Effect<never> {
    const life = Effect.gen({ self: this }, function* () {
      const { beats, node } = this.#endpoint
      const membership = yield* Membership.join(beats, node)
      this.#endpoint.membership = membership
      this.#canary.restart()
      this.#sick = undefined
      yield* Effect.logInfo(`joined the cluster as ${node.name}`)
      yield* Effect.raceFirst(this.#renewing(membership), this.#looking(membership))
      yield* Effect.logWarning("other nodes consider this one dead; it closes its tenants and joins again")
      yield* Effect.forEach(this.#all.names(), (name) => this.#all.leave(name), { concurrency: "unbounded" })
      this.#added.clear()
      this.#endpoint.membership = undefined
    })
    const again = Effect.catch(life, ({ why }) =>
      Effect.suspend(() => {
        this.#looked = this.#now
        return this.#fails(why)
      })
    )
    return Effect.forever(Effect.andThen(again, Effect.sleep(LOOKS_MS)))
  }

  #fails(why: string): Effect.Effect<void> {
    if (why === this.#failed) return Effect.void
    this.#failed = why
    return Effect.logError(why)
  }

  #renewing(membership: Membership): Effect.Effect<void> {
    const { leaseMs } = this.#endpoint.node
    return Effect.gen({ self: this }, function* () {
      while (!membership.isLost) {
        const renewed = this.isAlive() ? yield* Effect.result(membership.renew(this.#said())) : undefined
        yield* Effect.sleep(renewed?._tag === "Success" ? leaseMs / 3 : LOOKS_MS / 2)
      }
    })
  }

  /** What others see of this node. */
  #said(): unknown {
    const { due, looked, mostOpen, open, running, waiting } = this.#all.counts
    const delayMs = Math.round(this.#delay.max / 1e6)
    this.#delay.reset()
    return {
      due,
      looked,
      open,
      mostOpen,
      running,
      waiting,
      delayMs,
      process: process.pid,
      page: this.#endpoint.page,
      ...this.#canary.said(),
      /** Tenants of its folder that do not run, and why. */
      refused: Object.fromEntries([...this.tenants.refused].slice(0, MOST_REFUSED)),
      knows: this.tenants.ids.size,
      leaseMs: this.#endpoint.node.leaseMs,
      trouble: this.#failed ?? this.#sick ?? this.#canary.trouble(this.#endpoint.node.leaseMs) ?? null
    }
  }

  #looking(membership: Membership): Effect.Effect<void> {
    const { leaseMs } = this.#endpoint.node
    const once = Effect.timeoutOrElse(this.#look(membership), {
      duration: leaseMs,
      orElse: () => Effect.fail({ why: "PostgreSQL does not answer" })
    })
    return Effect.gen({ self: this }, function* () {
      while (!membership.isLost) {
        const done = yield* Effect.result(once)
        this.#looked = this.#now
        if (done._tag === "Success") this.#isFirst = false
        if (done._tag === "Failure") yield* this.#fails(done.failure.why)
        else if (this.#failed !== undefined) {
          this.#failed = undefined
          yield* Effect.logInfo("the cluster answers")
        }
        yield* Effect.sleep(LOOKS_MS)
      }
    })
  }

  #look(membership: Membership): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const { sessions } = this.#endpoint
      yield* hasTables(sessions)
      yield* this.#scan
      yield* this.#test(membership)
      const { held, nodes } = yield* ClusterTables.look(sessions, membership.id, this.#silent)
      this.#silent = this.#silence.silent(
        nodes.filter(({ id }) => id !== membership.id),
        this.#now
      )
      const seen = nodes.find(({ id }) => id === membership.id)?.canary
      if (seen != null) this.#canary.seen(Number(seen))
      const own = new Set(held.map(({ id }) => id))
      const isOwn = (name: string) => {
        const id = this.#added.get(name) ?? ""
        return own.has(id) && this.tenants.ids.get(name) === id
      }
      for (const name of this.#all.names()) if (!this.#leaving.has(name) && !isOwn(name)) yield* this.#letGo(name)
      const names = new Map([...this.tenants.ids].map(([name, id]) => [id, name]))
      const isBusy = (id: string) => this.#all.status(names.get(id) ?? "")?.state === "running"
      const { release, room } = placing(
        membership.id,
        { nodes, held: held.map((one) => ({ ...one, isOrphan: this.#orphans.has(one.id) })), tenants: names },
        isBusy
      )
      for (const id of release) {
        const name = held.find((one) => one.id === id)?.name ?? ""
        if (!this.#leaving.has(name)) yield* this.#letGo(name, membership, id)
      }
      const more = yield* ClusterTables.takeFree(sessions, membership, names.keys(), room)
      const taken = [...more, ...(yield* this.#takeOrphans(membership, names.keys(), own))]
      const open = new Set(this.#added.values())
      for (const id of [...own, ...taken]) {
        const name = names.get(id)
        // Under an earlier name it may still be open.
        if (name === undefined || this.#added.has(name) || open.has(id)) continue
        this.#added.set(name, id)
        yield* this.#all.add(clusterTenant(this.#endpoint, join(this.#folder, name), name, id, membership))
      }
      const isAdded = ({ id, name }: ClusterTables.TenantSeen) => this.#added.get(name) === id
      yield* this.#errands.run(membership.id, held.filter(isAdded))
    })
  }

  /** What nobody has taken for a lease is taken beyond the share: others may not know it. */
  #takeOrphans(membership: Membership, ids: Iterable<string>, own: ReadonlySet<string>) {
    return Effect.gen({ self: this }, function* () {
      if (this.#sick !== undefined) return []
      const { sessions } = this.#endpoint
      const free = yield* ClusterTables.free(sessions, membership, ids)
      const orphans = this.#silence.orphans(free, membership.millis, this.#now)
      const taken =
        orphans.length === 0 ? [] : yield* ClusterTables.takeFree(sessions, membership, orphans, orphans.length)
      this.#orphans = new Set([...[...this.#orphans].filter((id) => own.has(id)), ...taken])
      return taken
    })
  }

  /** A node that cannot write working copies gives its tenants to others until it can. */
  #test(membership: Membership): Effect.Effect<void, StoreAway> {
    return Effect.gen({ self: this }, function* () {
      const why = yield* this.#writing.look(this.#now)
      if ((why === undefined) !== (this.#sick === undefined)) {
        yield* membership.drain(why !== undefined)
        yield* why === undefined ? Effect.logInfo("working copies can be written again") : Effect.logError(why)
      }
      this.#sick = why
    })
  }

  get #scan(): Effect.Effect<void, StoreAway> {
    return Effect.suspend(() => {
      if (this.#now - this.#scanned < SCANS_MS) return Effect.void
      const scan = Effect.gen({ self: this }, function* () {
        yield* eraseRemoved(this.#endpoint.sessions, this.#folder)
        const before = this.tenants.refused
        this.tenants = yield* knownIn(this.#endpoint.sessions, this.#folder)
        for (const [name, why] of this.tenants.refused)
          if (before.get(name) !== why) yield* Effect.annotateLogs(Effect.logError(why), { tenant: name })
        this.#scanned = this.#now
        if (this.#isAway) yield* Effect.logInfo(`the folder of tenants ${this.#folder} can be read again`)
        this.#isAway = false
      })
      // A volume may be away for a moment: the tenants that are known stay, and the next look sees what it holds.
      return Effect.catchIf(
        scan,
        (error): error is string => typeof error === "string",
        (why) => {
          if (this.#isAway) return Effect.void
          this.#isAway = true
          return Effect.logError(
            `the folder of tenants ${this.#folder} cannot be read: ${why}; those that are known go on`
          )
        }
      )
    })
  }

  /** Lets its runs end, and then releases it, unless it was lost. */
  #letGo(name: string, membership?: Membership, id = ""): Effect.Effect<void> {
    this.#leaving.add(name)
    this.#errands.forget(name)
    const released =
      membership === undefined
        ? Effect.void
        : Effect.ignore(ClusterTables.release(this.#endpoint.sessions, membership.id, id))
    return this.#all.leave(name).pipe(
      Effect.andThen(released),
      Effect.ensuring(
        Effect.sync(() => {
          this.#leaving.delete(name)
          this.#added.delete(name)
        })
      ),
      Effect.forkDetach,
      Effect.asVoid
    )
  }
}

export const ofCluster = (all: ManyTenants, named: string, endpoint: NodeEndpoint): Effect.Effect<TenantsOfCluster> =>
  Effect.map(Clock.Clock, (clock) => {
    const folder = resolve(named)
    const loop = new NodeLoop(all, folder, endpoint, clock)
    return {
      folder,
      scan: Effect.void,
      elsewhere: () => [...loop.tenants.ids.keys()].filter((name) => all.status(name) === undefined),
      follow: loop.run,
      trouble: () => loop.trouble(),
      isAlive: () => loop.isAlive(),
      node: endpoint.node.name,
      others: new OtherNodes(endpoint.sessions, (name) => all.status(name) !== undefined),
      refused: () => [...loop.tenants.refused.keys()],
      knows: (tenant) => loop.tenants.ids.has(tenant) && !loop.tenants.refused.has(tenant),
      passOn: (tenant, notice) =>
        ClusterTables.passOn(endpoint.sessions, loop.tenants.ids.get(tenant) ?? "", notice).pipe(
          Effect.map((isKept) => (isKept ? undefined : "too many wait for the node that has it, or no node knows it")),
          Effect.catch(({ why }) => Effect.succeed(why))
        ),
      drain: Effect.ignore(Effect.suspend(() => endpoint.membership?.drain(true) ?? Effect.void))
    }
  })
