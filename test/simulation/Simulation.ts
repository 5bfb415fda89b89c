/**
 * One seed's whole history: a seller whose books change, a network that fails in every way at rates of its own, a
 * machine that dies between any two steps, a person who stops the program, and somebody who buys cover for invoices
 * meanwhile. What must always hold is looked at after every run, the rest once it is quiet.
 */
import { Cause, Effect } from "effect"
import type { Fault } from "../../core/sandbox/Faults.ts"
import { ServiceError } from "../../core/ServiceError.ts"
import { CompanyId } from "../../core/wire/Ids.ts"
import * as Attentions from "../../sync/Attentions.ts"
import { Database } from "../../sync/Database.ts"
import { planning } from "../support/Documents.ts"
import { ask } from "../sync/InWorld.ts"
import { always, violations } from "../sync/Invariants.ts"
import { Killed, World, type Wrap } from "../sync/World.ts"
import { Dice } from "./Dice.ts"
import { Seller } from "./Source.ts"

/** How often each may happen at most; a seed has its own share of each. */
const RATES = {
  lose_request: 0.3,
  lose_response: 0.3,
  late: 0.1,
  error: 0.1,
  limited: 0.1,
  garble: 0.05,
  kill: 0.5,
  interrupt: 0.3,
  insure: 0.05
} as const

/** How long after a request its absence is believed; a late one comes before. */
const SETTLED = 5000

type Rates = Readonly<Record<keyof typeof RATES, number>>

const NETWORK = ["lose_request", "lose_response", "late", "error", "limited", "garble"] as const

const faults = (dice: Dice, rates: Rates) => (): Omit<Fault, "id"> | undefined => {
  const kind = NETWORK.find((one) => dice.chance(rates[one]))
  switch (kind) {
    case undefined:
      return undefined
    case "late":
      return { kind, delay_ms: dice.below(SETTLED) }
    case "error":
      return { kind: "status", status: dice.of([500, 502, 503, 504])! }
    case "limited": {
      const retry_after = dice.of([undefined, 0, 1, 45, 86_400])
      return { kind: "status", status: 429, ...(retry_after === undefined ? {} : { retry_after }) }
    }
    default:
      return { kind }
  }
}

/** Somebody buys cover for one of the transactions, if it can have any. */
const insure = async (world: World, dice: Dice): Promise<void> => {
  const transaction = dice.of([...world.service.transaction.values()])
  if (transaction === undefined) return
  const quote = await ask(world, "POST", "/v1/quotes", { transaction: transaction.id }).catch(() => undefined)
  if (quote !== undefined)
    await ask(world, "POST", "/v1/policies", { quote: quote["id"], stripe_id: "tok_visa" }).catch(() => undefined)
}

/** Everything that is sent here is in order, so nothing of it is refused for good. */
const refusals = async (world: World): Promise<ReadonlyArray<string>> => {
  const listed = await world.life(Effect.map(Database, (db) => Attentions.list(db)))
  return listed._tag === "Failure"
    ? [Cause.pretty(listed.cause)]
    : listed.value.flatMap(({ refused, subject, why }) => (refused ? [`${subject}: ${why}`] : []))
}

/** A run may end early when it dies, or when the service does not let it work. */
const expected = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.every(
    (reason) =>
      (reason._tag === "Die" && reason.defect instanceof Killed) ||
      (reason._tag === "Fail" && reason.error instanceof ServiceError) ||
      reason._tag === "Interrupt"
  )

export interface Outcome {
  readonly seed: number
  /** What does not hold, in words; empty when all is well. */
  readonly found: ReadonlyArray<string>
  readonly requests: number
  readonly kills: number
  /** Answers that said 409: somebody was quicker. */
  readonly conflicts: number
}

export const simulate = async (seed: number, wrap?: Wrap): Promise<Outcome> => {
  const dice = new Dice(seed)
  const rates = Object.fromEntries(Object.entries(RATES).map(([name, most]) => [name, dice.throw() * most])) as Rates
  const strike = faults(dice, rates)
  let quiet = false
  const world: World = new World({
    planning: { ...planning, creditor: { company: CompanyId.make("co-1000") } },
    fault: () => {
      if (quiet) return undefined
      if (dice.chance(rates.insure)) void insure(world, dice)
      return strike()
    },
    ...(wrap === undefined ? {} : { wrap }),
    dice
  })
  const found: Array<string> = []
  let kills = 0
  try {
    const seller = new Seller(dice)
    for (let round = 3 + dice.below(5); round > 0 && found.length === 0; round--) {
      seller.change()
      world.documents = seller.documents
      world.killAt = dice.chance(rates.kill) ? 1 + dice.below(80) : undefined
      world.interruptAt = dice.chance(rates.interrupt) ? 1 + dice.below(60) : undefined
      const exit = await world.sync({ concurrency: 1 + dice.below(4), settleAfter: SETTLED })
      world.interruptAt = undefined
      if (world.dead) kills++
      if (exit._tag === "Failure" && !expected(exit.cause)) found.push(Cause.pretty(exit.cause))
      found.push(...always(world))
    }
    quiet = true
    world.killAt = undefined
    await world.clock.settle()
    for (let n = 0; n < 2 && found.length === 0; n++) {
      const exit = await world.sync({ settleAfter: SETTLED })
      if (exit._tag === "Failure") found.push(`a quiet run fails: ${Cause.pretty(exit.cause)}`)
    }
    const requests = world.instance.journal.length
    if (found.length === 0) {
      found.push(...(await violations(world)), ...(await refusals(world)))
      await world.sync({ settleAfter: SETTLED })
      if (world.instance.journal.length !== requests) found.push("a further quiet run makes requests")
    }
    const conflicts = world.instance.journal.filter(({ status }) => status === 409).length
    return { seed, found, requests, kills, conflicts }
  } finally {
    world.close()
  }
}
