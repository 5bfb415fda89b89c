/**
 * What somebody captured, voided or refunded by hand and a person accepted, before its fact was in the books: it stands in
 * the ledger as an amount without goods. A fact that comes later takes of it what it comes to, and is not sent again.
 */
import type { RemoteOrder } from "../model/RemoteOrder.ts"
import type { OrderPosting, OrderPostingKind } from "../model/DeferredPayment.ts"

/** The fact under which such an amount stands. */
export const byHand = (order: string): string => `${order}#by-hand`

/** The same, of which a person said that it is for none of the goods. */
const apartFromGoods = (order: string): string => `${order}#for-no-goods`

/** Whether a posting is of no document, but an amount by hand. */
export const isByHand = (order: string, { fact }: Pick<OrderPosting, "fact">): boolean =>
  fact === byHand(order) || fact === apartFromGoods(order)

/**
 * What is left of such an amount of which goods took a part: it is for none of those in the books; perhaps all of it was for
 * others, which are to come. In minor units; 0 where no goods took any.
 */
export const unexplained = (order: string, postings: ReadonlyArray<OrderPosting>, taking: OrderPostingKind): bigint => {
  const left = amountOf(order, { postings }, taking)
  const isTaken = postings.some(
    (one) => one.taking === taking && !isByHand(order, one) && one.key === "" && one.amount !== "0"
  )
  return left > 0n && isTaken ? left : 0n
}

const amountOf = (order: string, { postings }: Pick<RemoteOrder, "postings">, taking: OrderPostingKind): bigint =>
  postings.reduce(
    (sum, one) => (one.fact === byHand(order) && one.taking === taking ? sum + BigInt(one.amount) : sum),
    0n
  )

const posting = (fact: string, taking: OrderPostingKind, amount: bigint): OrderPosting => ({
  fact,
  taking,
  lines: [],
  amount: `${amount}`,
  key: ""
})

/** What of it facts may still take. */
export class ManualAmounts {
  readonly #order: string
  readonly #left: Record<OrderPostingKind, bigint>

  constructor(order: string, remote: Pick<RemoteOrder, "postings">) {
    this.#order = order
    const left = (taking: OrderPostingKind): bigint => {
      const amount = amountOf(order, remote, taking)
      return amount < 0n ? 0n : amount
    }
    this.#left = { capture: left("capture"), void: left("void"), refund: left("refund") }
  }

  left(taking: OrderPostingKind): bigint {
    return this.#left[taking]
  }

  /** A fact was done by hand: its posting, and what it takes of the amount that stood for it. */
  take(fact: Omit<OrderPosting, "key">): ReadonlyArray<OrderPosting> {
    const amount = BigInt(fact.amount)
    this.#left[fact.taking] -= amount
    return [{ ...fact, key: "" }, posting(byHand(this.#order), fact.taking, -amount)]
  }
}

/** In the words of the attention item about a fact that comes to more than what was done by hand. */
export const UNCLEAR = "was done by hand and accepted before its goods were known"

/** A person says that what is left of it is for none of the goods. */
export const standsApart = (remote: RemoteOrder, order: string, taking: OrderPostingKind): RemoteOrder => {
  const amount = amountOf(order, remote, taking)
  const moved = [posting(byHand(order), taking, -amount), posting(apartFromGoods(order), taking, amount)]
  return { ...remote, postings: [...remote.postings, ...moved] }
}
