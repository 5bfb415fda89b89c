/**
 * Repeats scenarios with one fault each: the process is killed at one step of one run, or one request fails in one way. Every
 * step is tried. The service must always end in the same state as without a fault.
 */
import { Cause } from "effect"
import type { Fault } from "../../core/sandbox/server/Faults.ts"
import type { Entity } from "../../core/sandbox/store/Store.ts"
import { open } from "../sync/InWorld.ts"
import { violations } from "../sync/Invariants.ts"
import { World, type WorldOptions } from "../sync/World.ts"
import type { Scenario } from "./Scenarios.ts"

/** What goes wrong, and where. Runs, steps and requests are counted from 1. */
export interface Point {
  readonly run: number
  readonly kill?: number
  /** Dies once more, at this step of the run that comes after. */
  readonly again?: number
  readonly request?: number
  readonly fault?: Omit<Fault, "id">
}

export interface Played {
  /** Of each run, its steps and its requests. */
  readonly steps: ReadonlyArray<number>
  readonly requests: ReadonlyArray<number>
  /** Steps of the run after a kill. */
  readonly recovery: number
  readonly operations: ReadonlyArray<string>
  /** What the service holds in the end. */
  readonly holds: unknown
  /** What does not hold. */
  readonly found: ReadonlyArray<string>
}

const only = (entity: Entity | undefined, ...names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, entity?.[name]]))

const byText = (a: object, b: object): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** What the service holds, without the identifiers and times that it gives. */
const holdings = ({ service }: World) => ({
  owners: [
    ...[...service.organisation.values()].map((one) => only(one, "unique_id", "name")),
    ...[...service.user.values()].map((one) => only(one, "email", "name", "phone")),
    service.membership.size,
    service.order.size,
    service.offer.size
  ],
  transactions: [...service.transaction.values()]
    .map((one) => ({
      ...only(one, "unique_id", "number", "status", "gross_amount", "net_amount", "due_date", "debtor", "debtor_name"),
      ...only(one, "paid_date", "currency"),
      payments: service.payment.by(one.id).map((payment) => only(payment, "amount", "date", "details", "type"))
    }))
    .toSorted(byText),
  cover: [
    [...service.quote.values()]
      .map((one) => ({
        ...only(one, "status"),
        policy: one["policy"] !== null,
        invoice: service.transaction.get(String(one["transaction"]))?.["number"]
      }))
      .toSorted(byText),
    [...service.policy.values()].map((one) => only(one, "status", "due_date"))
  ],
  collections: [
    [...service.collection.values()].map((one) => {
      const {
        accepted_collections_terms,
        confirmed_correct,
        created,
        id,
        modified,
        policy,
        sent,
        transaction,
        ...fields
      } = one
      const isMade = [accepted_collections_terms, confirmed_correct, sent].map((moment) => moment !== null)
      return { ...fields, isMade }
    }),
    [...service.document.values()].map((one) => only(one, "type", "name", "description", "content")).toSorted(byText)
  ],
  payments: [...service.deferred_payment.values()].map((one) => ({
    ...only(one, "authorisation", "protected_captures", "unprotected_captures", "voided_authorisation", "refunds"),
    reference: service.order.get(String(one["order"]))?.["unique_id"],
    events: service.ledger.by(one.id).map((event) => only(event, "type", "amount"))
  }))
})

/** How long after a request its absence is believed; a late one comes before. */
export const SETTLED = 5000

export const play = async (scenario: Scenario, point?: Point, options: WorldOptions = {}): Promise<Played> => {
  let run = 0
  let asked = 0
  const world = new World({
    ...(scenario.planning === undefined ? {} : { planning: scenario.planning }),
    ...(scenario.pays === undefined ? {} : { pays: scenario.pays }),
    fault: () => (++asked === point?.request && run === point.run ? point.fault : undefined),
    ...options
  })
  const found: Array<string> = []
  const [steps, requests]: [Array<number>, Array<number>] = [[], []]
  let recovery = 0
  const go = async (when: string) => {
    const exit = await world.sync({ concurrency: 1, settleAfter: SETTLED })
    if (exit._tag === "Failure") found.push(`${when} of run ${run} fails: ${Cause.pretty(exit.cause)}`)
  }
  const die = async (at: number) => {
    world.killAt = at
    await world.sync({ concurrency: 1, settleAfter: SETTLED })
    world.killAt = undefined
    if (!world.dead) found.push(`it did not die at step ${at} of run ${run}`)
  }
  try {
    for (const stage of scenario.stages) {
      run++
      world.documents = await stage(world)
      const dies = run === point?.run ? point.kill : undefined
      if (dies !== undefined) await die(dies)
      if (dies !== undefined && point?.again !== undefined) await die(point.again)
      asked = 0
      const before = world.instance.journal.length
      await go("the run")
      if (dies !== undefined) recovery = world.steps.length
      steps.push(world.steps.length)
      requests.push(world.instance.journal.length - before)
      // Nothing is told of what a later stage may say: a fault may leave a claim to the next run.
      if (run === point?.run && point.fault !== undefined) await go("the run after")
      await world.clock.settle()
    }
    found.push(...(await violations(world)))
    const before = world.instance.journal.length
    await go("a further run")
    if (world.instance.journal.length !== before) found.push("a further run makes requests")
    const operations = open(world, "SELECT DISTINCT operation FROM claim").map(({ operation }) => String(operation))
    return { steps, requests, recovery, operations, holds: holdings(world), found }
  } finally {
    world.close()
  }
}

/** Every step of every run of a scenario. */
export const kills = ({ steps }: Played): ReadonlyArray<Point> =>
  steps.flatMap((count, at) => Array.from({ length: count }, (_, n) => ({ run: at + 1, kill: n + 1 })))

const FAULTS: ReadonlyArray<Omit<Fault, "id">> = [
  { kind: "lose_request" },
  { kind: "lose_response" },
  { kind: "late", delay_ms: SETTLED - 1 },
  { kind: "garble" },
  { kind: "status", status: 500 },
  { kind: "status", status: 429, retry_after: 7 }
]

/** Every request of every run of a scenario, failing in every way. */
export const failures = ({ requests }: Played): ReadonlyArray<Point> =>
  requests.flatMap((count, at) =>
    Array.from({ length: count }, (_, n) => n + 1).flatMap((request) =>
      FAULTS.map((fault) => ({ run: at + 1, request, fault }))
    )
  )

/** A few at a time: they wait for the disk more than they work. */
export const each = async <A>(all: ReadonlyArray<A>, work: (one: A) => Promise<void>): Promise<void> => {
  for (let at = 0; at < all.length; at += 6) await Promise.all(all.slice(at, at + 6).map(work))
}
