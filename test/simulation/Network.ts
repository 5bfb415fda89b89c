/**
 * Random faults of network, service and machine: how often each occurs at most, and how a run may end because of it.
 */
import type { Cause } from "effect"
import { SourceError } from "../../connectors/Connector.ts"
import type { Fault } from "../../core/sandbox/server/Faults.ts"
import { ServiceError } from "../../core/ServiceError.ts"
import { RunError } from "../../sync/schedule/RunEvents.ts"
import { StateError } from "../../sync/state/StateError.ts"
import { ask } from "../sync/InWorld.ts"
import type { World } from "../sync/World.ts"
import { Killed } from "../sync/WorldOptions.ts"
import type { Dice } from "./Dice.ts"

/** How often each may happen at most; a seed has its own share of each. Those of pages are in `Feed.ts`. */
export const RATES = {
  lose_request: 0.3,
  lose_response: 0.3,
  late: 0.1,
  error: 0.1,
  limited: 0.1,
  garble: 0.05,
  kill: 0.5,
  interrupt: 0.3,
  second: 0.2,
  clock: 0.3,
  insure: 0.05
} as const

/** How long after a request its absence is believed; a late one comes before. */
export const SETTLED = 5000
export type Rates = Readonly<Record<keyof typeof RATES, number>>

const NETWORK = ["lose_request", "lose_response", "late", "error", "limited", "garble"] as const

export const strike = (dice: Dice, rates: Rates): Omit<Fault, "id"> | undefined => {
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
export const insure = async (world: World, dice: Dice): Promise<void> => {
  const transaction = dice.of([...world.service.transaction.values()])
  if (transaction === undefined) return
  const quote = await ask(world, "POST", "/v1/quotes", { transaction: transaction.id }).catch(() => undefined)
  if (quote !== undefined)
    await ask(world, "POST", "/v1/policies", { quote: quote["id"], stripe_id: "tok_visa" }).catch(() => undefined)
}

/** A run may end early when it dies, when source or service do not let it work, or when its lock, its file or its machine was taken from it. */
export const expected = (
  cause: Cause.Cause<unknown>,
  taken: { readonly lock: boolean; readonly file: boolean; readonly machine: boolean }
): boolean =>
  cause.reasons.every(
    (reason) =>
      (reason._tag === "Die" && reason.defect instanceof Killed) ||
      // A turn of the daemon says in a sentence what stopped it.
      (reason._tag === "Fail" && reason.error instanceof RunError) ||
      (reason._tag === "Fail" && (reason.error instanceof ServiceError || reason.error instanceof SourceError)) ||
      (reason._tag === "Fail" && reason.error instanceof StateError && reason.error.kind === "full") ||
      (reason._tag === "Fail" &&
        reason.error instanceof StateError &&
        ((reason.error.kind === "replaced" && (taken.lock || taken.file)) ||
          (reason.error.kind === "locked" && taken.lock) ||
          // One that ran beside the one that died has its file closed under it.
          (taken.machine && reason.error.message.includes("connection is not open")))) ||
      reason._tag === "Interrupt"
  )
