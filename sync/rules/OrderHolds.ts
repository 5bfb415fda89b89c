/**
 * Why nothing of an order may be sent although its sums add up: its record or one of its facts cannot be read, the source was
 * not read to its end, or a fact names what the order does not have (H1, H2). Pure.
 *
 * A shop's record is the whole order, unless another connection ships it. Of files and databases, an unread or unreadable fact may be about any of the goods.
 */
import type { Order, OrderFact } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { OrderPostingKind } from "../model/DeferredPayment.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { ownLines } from "./OrderStanding.ts"

export interface Hold {
  readonly why: string
  readonly todo: string
}

const CORRECT = "correct the record in the source; nothing of this order is sent before it can be read"

/** A fact for all that the order's other facts leave, in place of goods or an amount of its own. */
const isForTheRest = (fact: OrderFact): boolean =>
  fact.lines.length === 0 && (fact.kind === "fulfilment" || fact.amount === undefined)

/** Records of the order and its facts that could not be read: what is known of them is outdated. */
const unreadable = ({ key: own, movements, outdated = [] }: OrderFacts): ReadonlyArray<Hold> =>
  outdated.map((key) => {
    const document = movements.find((one) => one.key === key)?.document
    const its = key === own || document === undefined ? "this order" : `its ${document.kind} of ${document.date}`
    return {
      why: `the source's latest record of ${its} could not be read, and the books have an older one`,
      todo: CORRECT
    }
  })

/** What a fact says that its order cannot have. */
const unfit = (order: Order, document: OrderFact): string | undefined => {
  const its = `its ${document.kind} of ${document.date}`
  const { currency } = document
  if (currency !== undefined && currency !== order.currency)
    return `${its} is in ${currency}, and the order in ${order.currency}`
  const amount = document.kind === "fulfilment" ? undefined : document.amount
  if (amount !== undefined && !Currency.fits(amount, order.currency))
    return `${its} states an amount with more decimal places than ${order.currency} has`
  const goods = ownLines(order)
  for (const { line } of document.lines) {
    if (!order.lines.some(({ id }) => id === line)) return `${its} names line ${line}, which the order does not have`
    const isShared = !goods.some(({ id }) => id === line)
    if (isShared && document.kind !== "fulfilment" && amount === undefined)
      return `${its} is for line ${line}, which is spread over the products: it needs an amount`
  }
  return undefined
}

/** Reasons for which nothing of the order is sent, until somebody corrects the source. */
export const holds = (facts: OrderFacts, order: Order): ReadonlyArray<Hold> => {
  const unread = unreadable(facts)
  if (order.state !== undefined && facts.elsewhere === undefined) return unread
  const stated = order.state === undefined ? facts.movements : facts.movements.filter(isParcel)
  const wrong = inOrder(stated).flatMap(({ document }) => {
    const why = unfit(order, document)
    return why === undefined
      ? []
      : [{ why, todo: "correct it in the source; nothing of this order is sent until then" }]
  })
  return [...unread, ...wrong, ...(order.state === undefined ? backBeforeItLeft(facts) : [])]
}

/** As their keys have it: the same items in the same order, whatever was read first. */
const inOrder = (movements: OrderFacts["movements"]): OrderFacts["movements"] =>
  movements.toSorted((a, b) => (a.key < b.key ? -1 : 1))

const isParcel = ({ document }: OrderFacts["movements"][number]): boolean => document.kind === "fulfilment"

/** A return of everything that left, while nothing did: its parcel is not in the books. */
const backBeforeItLeft = ({ deleted, movements }: OrderFacts): ReadonlyArray<Hold> => {
  const left = movements.flatMap(({ document }) => (document.kind === "fulfilment" ? [document.date] : []))
  return inOrder(movements).flatMap(({ document }) => {
    const { date, kind } = document
    if (deleted || kind !== "return" || !isForTheRest(document) || left.some((day) => day <= date)) return []
    return [
      {
        why: `its return of ${date} is for everything that was shipped, and nothing had been shipped by then`,
        todo: "check its parcels and their dates in the source; nothing of this order is sent until then"
      }
    ]
  })
}

/** Operations that wait because a fact of some order of the source cannot be read: it may be one of this order. */
export const waiting = (
  { elsewhere, movements, unreadable: kinds = [] }: OrderFacts,
  order: Order
): ReadonlyArray<OrderPostingKind> =>
  (order.state !== undefined && elsewhere === undefined) || kinds.length === 0
    ? []
    : movements.some(({ document }) => document.kind === "fulfilment" && isForTheRest(document))
      ? ["capture", "refund", "void"]
      : ["refund", "void"]

/** Whether the books may not have all facts of the order yet. */
export const isUnread = ({ elsewhere, unread }: OrderFacts, order: Order): boolean =>
  (order.state === undefined || elsewhere === true) && unread === true
