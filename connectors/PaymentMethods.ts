/**
 * Whose money an order's payments are: the deferred payment's method, or others. Pure.
 *
 * A setting names the deferred payment's methods. Without it, it is the only method that is not gift cards, store credit or
 * points; if there are several, nobody said which (`unclear`), and nothing is sent for the order.
 */
import type { OrderState } from "./Document.ts"

/** One movement of money in a shop. */
export interface Movement {
  readonly method: string
  readonly amount: bigint
  readonly direction: "received" | "given"
}

export interface Methods {
  /** The names of the deferred payment's methods, by the connection's setting. */
  readonly named: ReadonlyArray<string> | undefined
  /** Whether a method is gift cards, store credit or points. */
  readonly isCredit: (method: string) => boolean
  /** Methods that count as the deferred payment's beside the only other one, such as "marked as paid". */
  readonly alike?: ReadonlyArray<string>
}

const sum = (all: ReadonlyArray<Movement>, direction: Movement["direction"]): bigint =>
  all.reduce((total, one) => (one.direction === direction ? total + one.amount : total), 0n)

/** The sums by this method and by all others. */
export const split = (
  all: ReadonlyArray<Movement>,
  { alike = [], isCredit, named }: Methods
): Pick<OrderState, "own" | "others" | "unclear"> => {
  const candidates = [...new Set(all.map(({ method }) => method))].filter((method) => !isCredit(method))
  const others = candidates.filter((method) => !alike.includes(method))
  const isOwn = (method: string) => (named === undefined ? candidates.includes(method) : named.includes(method))
  const own = all.filter(({ method }) => isOwn(method))
  const rest = all.filter(({ method }) => !isOwn(method))
  const received = sum(own, "received")
  return {
    own: { given: sum(own, "given"), ...(received > 0n ? { received } : {}) },
    others: { received: sum(rest, "received"), given: sum(rest, "given") },
    ...(named === undefined && others.length > 1 ? { unclear: others } : {})
  }
}
