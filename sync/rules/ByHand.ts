/**
 * Handles amounts that somebody captured, voided or refunded by hand and a person accepted before the fact was in the books.
 * The ledger has such an amount without goods. A fact that arrives later uses up its part of it, and is not sent again.
 */
import type { RemoteOrder } from "../model/RemoteOrder.ts"
import type { OrderPosting, OrderPostingKind } from "../model/DeferredPayment.ts"

/** The pseudo-fact of such an amount in the ledger. */
export const byHand = (order: string): string => `${order}#by-hand`

/** The same, after a person said that it is for none of the goods. */
const apartFromGoods = (order: string): string => `${order}#for-no-goods`

/** Whether a posting is an amount by hand and belongs to no document. */
export const isByHand = (order: string, { fact }: Pick<OrderPosting, "fact">): boolean =>
  fact === byHand(order) || fact === apartFromGoods(order)

/**
 * The rest of such an amount after goods used up a part of it. The rest is for none of the goods in the books; perhaps all of
 * it was for others that are still to come. In minor units; 0 if no goods used up any.
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

/** Amounts by hand that facts can still use up. */
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

  /** Records that a fact was done by hand: returns its posting, and the part that it uses up. */
  take(fact: Omit<OrderPosting, "key">): ReadonlyArray<OrderPosting> {
    const amount = BigInt(fact.amount)
    this.#left[fact.taking] -= amount
    return [{ ...fact, key: "" }, posting(byHand(this.#order), fact.taking, -amount)]
  }
}

/** Text of the attention item about a fact whose amount exceeds what was done by hand. */
export const UNCLEAR = "was done by hand and accepted before its goods were known"

/** Records a person's word that the rest is for none of the goods. */
export const standsApart = (remote: RemoteOrder, order: string, taking: OrderPostingKind): RemoteOrder => {
  const amount = amountOf(order, remote, taking)
  const moved = [posting(byHand(order), taking, -amount), posting(apartFromGoods(order), taking, amount)]
  return { ...remote, postings: [...remote.postings, ...moved] }
}
