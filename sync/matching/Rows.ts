/** What matching stores about payments and reversals, and how payments that wait for an amount are grouped. */
import type { Payer } from "./Amounts.ts"

export type How = "choice" | "link" | "reference" | "amount" | "customer" | ""

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
export interface Placement extends Payer {
  readonly how: How
  /** In minor units. */
  readonly matched: bigint
  readonly free: number
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
export const seedOf = ({ customer, party }: Payer): string => (customer === "" ? party : `${ID}${customer}`)

/** The payer of such a key. */
export const payerOfSeed = (seed: string): Payer =>
  seed.startsWith(ID) ? { party: "", customer: seed.slice(ID.length) } : { party: seed, customer: "" }
