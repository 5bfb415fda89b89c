/** What matching stores about payments and reversals, and how payments that wait for an amount are grouped. */
import type { Payer } from "./Amounts.ts"

/**
 * `stands`: as the service has it, where the state file that decided it is lost; `none`: for no invoice; `same`: it is the money
 * of another list's payment; `payout`: the seller's own money, which a processor paid out; `tried`: it is not received.
 */
export type How =
  | "choice"
  | "link"
  | "reference"
  | "amount"
  | "customer"
  | "stands"
  | "none"
  | "same"
  | "payout"
  | "tried"
  | ""

/** Whether all of it is for no invoice, and settled. */
export const isForNone = (how: How): boolean => how === "none" || how === "payout" || how === "tried"

/** What a payment or reversal says, as stored. */
export interface MoneyRow extends Payer {
  readonly document: number
  readonly connection: string
  readonly pays: string
  /** The payment that a reversal reverses. */
  readonly of: string | null
  /** 1 for a reversal. */
  readonly back: number
  readonly currency: string
  /** In minor units. */
  readonly amount: bigint
  readonly date: string
  /** As JSON. */
  readonly names: string
}

/** What was decided about it, as stored. */
export interface Placement {
  readonly how: How
  /** If more is known of it than when it was read. */
  readonly payer: Payer
  /** In minor units. */
  readonly matched: bigint
  readonly free: number
  readonly doubt: number
  readonly says: string
  readonly note: string
  readonly rule: string | null
  readonly why: string | null
}

/** What payments that wait for an amount are grouped by, beside their payer. */
export interface Group {
  readonly pays: string
  readonly currency: string
  /** In minor units. */
  readonly amount: string
}

/** Names contain only letters and digits, so a text with this prefix is an id. */
const ID = "#"

/** The key of a payer's group: its id, or else its name. */
export const seedOf = ({ customer, party }: Pick<Payer, "customer" | "party">): string =>
  customer === "" ? party : `${ID}${customer}`

/** The payer of such a key. */
export const payerOfSeed = (seed: string): Pick<Payer, "customer" | "party"> =>
  seed.startsWith(ID) ? { party: "", customer: seed.slice(ID.length) } : { party: seed, customer: "" }
