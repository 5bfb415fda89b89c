/** What a history is asked for, and what it came to. */
import type { Wrap } from "../sync/World.ts"
import type { MoveRates } from "./Moves.ts"
import type { Happening } from "./Story.ts"

export interface Outcome {
  readonly seed: number
  /** What does not hold, in words; empty when all is well. */
  readonly found: ReadonlyArray<string>
  readonly happened: ReadonlyArray<Happening>
  readonly requests: number
  readonly kills: number
  /** Answers that said 409: somebody was quicker. */
  readonly conflicts: number
  /** Invoices of which the source says another balance, in the end, than its records come to. */
  readonly lies: number
  /** Invoices that were handed over to collections. */
  readonly handedOver: number
}

export interface SimulateOptions {
  readonly wrap?: Wrap | undefined
  /** What is left out of the story. */
  readonly without?: ReadonlySet<string>
  /** Nothing goes wrong in it. */
  readonly calm?: boolean
  /** Another source has payments for the seller's invoices in every seed, not in a quarter of them. */
  readonly pays?: boolean
  /** The source states its balances in every seed, not in half of them, and its records lie in all of these. */
  readonly lies?: boolean
  /** Cover is quoted and bought, as the configuration says. */
  readonly cover?: boolean
  /** Highest rates of moves, in place of those of the table. */
  readonly moves?: Partial<MoveRates>
}
