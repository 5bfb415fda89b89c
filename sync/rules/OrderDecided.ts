/** What a decision about an order goes by, and what it comes to: `OrderDecision.ts`. Minor units. */
import type { OrderPostingKind } from "../model/DeferredPayment.ts"
import type { Held } from "./OrderOwed.ts"
import type { OrderQuestion, Questions } from "./OrderQuestions.ts"

/** The deferred payment's sums, as just read from the service. */
export interface Seen {
  readonly currency: string
  readonly open: bigint
  readonly captured: bigint
  readonly voided: bigint
  readonly refunded: bigint
  readonly expired: bigint
}

/** What the ledger remembers, and what persons answered. */
export interface Memory {
  /** What the order came to by this method when its payment was found. */
  readonly began?: bigint
  /** Of what was voided: as the rest of an ended order, on no statement. */
  readonly rest?: bigint
  /** The most that the source had stated as given back or cancelled when something was refunded. */
  readonly given?: bigint
  /** By line, the most that ever left: a status that no longer says so does not say otherwise. */
  readonly left?: Readonly<Record<string, bigint>>
  /** What this connection sent; absent: all of it. */
  readonly sent?: Pick<Seen, "captured" | "voided" | "refunded">
  /** Persons' answers, by the picture of the order that they are about. */
  readonly answers?: Readonly<Record<string, string>>
}

export interface DecisionSettings {
  /** The goods of an archived order that never left will not leave. */
  readonly archivedIsOver?: boolean
  /** Nothing is voided but what the source stated. */
  readonly keepsRest?: boolean
}

/** One capture, refund or void: the sum on the service before it and after it. */
export interface OrderStep {
  readonly taking: OrderPostingKind
  readonly amount: bigint
  readonly from: bigint
  readonly to: bigint
  /** Of a void: what nobody stated, the rest of an ended order. */
  readonly rest?: bigint
  readonly why: string
}

/** Minor units. The statement shows them. */
export interface OrderFigures {
  readonly owe: bigint
  /** Of `owe`, for goods that are still to leave. */
  readonly still: bigint
  /** Of `owe`, for what left: what should be charged. */
  readonly due: bigint
  /** What the order comes to beyond what is authorised. */
  readonly short: bigint
  /** Charged beyond `due`: used up by what still leaves, or given back. */
  readonly ahead: bigint
  /** Open and not owed: waits for the order's end. */
  readonly toVoid: bigint
  /** Refunded, on no record of the source any more, and left so by a person. */
  readonly stays: bigint
}

export interface OrderDecided {
  readonly steps: ReadonlyArray<OrderStep>
  readonly asks: ReadonlyArray<OrderQuestion>
  /** What persons answered of this picture. */
  readonly answered: Questions["answered"]
  /** Why nothing is sent at all. */
  readonly held: ReadonlyArray<Held>
  readonly figures: OrderFigures
}
