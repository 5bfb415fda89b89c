/**
 * Orders that share one deferred payment and come to what it authorises, as the sellers' parts of one checkout do: their lines, facts
 * and sums are added, and they are decided as one order. Pure.
 */
import type { Order, OrderFact, OrderState } from "../../connectors/Document.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { authorised, isPaid, type RemoteOrder } from "../model/RemoteOrder.ts"
import { beganAt } from "./OrderPlan.ts"
import { max } from "./WholeUnits.ts"

type Movements = OrderFacts["movements"]

export interface OrderPart {
  readonly key: string
  readonly order: Order
  readonly movements: Movements
}

const isForTheRest = ({ document }: Movements[number]): boolean =>
  document.lines.length === 0 && (document.kind === "fulfilment" || document.amount === undefined)

/** Whether they are parts of one sale: anything else is two orders that claim one payment, about which a person is asked. */
export const areParts = (parts: ReadonlyArray<OrderPart>, remote: RemoteOrder | undefined): boolean => {
  const [first] = parts
  if (first === undefined) return false
  const isAlike = ({ movements, order: { currency, state } }: OrderPart): boolean =>
    currency === first.order.currency &&
    (state === undefined) === (first.order.state === undefined) &&
    !movements.some(isForTheRest)
  if (!parts.every(isAlike)) return false
  if (remote === undefined || !isPaid(remote)) return true
  const [all, lines] = parts.reduce(
    ([sum, count], { order }) => [sum + beganAt(order), count + order.lines.length + 1] as const,
    [0n, 0] as readonly [bigint, number]
  )
  const apart = all - authorised(remote)
  return max(apart, -apart) <= BigInt(lines)
}

const added = (all: ReadonlyArray<bigint>): bigint => all.reduce((sum, one) => sum + one, 0n)

/** The sum of what each of them states; absent if one does not. */
const whole = <N extends string>(name: N, all: ReadonlyArray<bigint | undefined>) => {
  const stated = all.filter((one) => one !== undefined)
  return (stated.length < all.length ? {} : { [name]: added(stated) }) as { readonly [name in N]?: bigint }
}

const stateOf = (orders: ReadonlyArray<Order>): { readonly state?: OrderState } => {
  const all = orders.flatMap(({ id, state }) => (state === undefined ? [] : [{ id, state }]))
  if (all.length === 0) return {}
  const states = all.map(({ state }) => state)
  const ends = new Set(states.map(({ end }) => end))
  const [end] = [...ends]
  const unclear = states.flatMap((one) => one.unclear ?? [])
  const isOver = !ends.has(undefined)
  return {
    state: {
      lines: all.flatMap(({ id, state }) => state.lines.map((line) => ({ ...line, line: `${id}:${line.line}` }))),
      total: added(states.map(({ total }) => total)),
      ...whole(
        "outstanding",
        states.map((one) => one.outstanding)
      ),
      placed: added(orders.map(({ lines, state }) => state?.placed ?? added(lines.map(({ gross }) => gross)))),
      ...whole(
        "charges",
        states.map((one) => one.charges)
      ),
      own: {
        given: added(states.map(({ own }) => own.given)),
        ...whole(
          "received",
          states.map(({ own }) => own.received)
        )
      },
      others: {
        received: added(states.map(({ others }) => others.received)),
        given: added(states.map(({ others }) => others.given))
      },
      ...(unclear.length === 0 ? {} : { unclear: [...new Set(unclear)] }),
      cancelled: added(states.map(({ cancelled = 0n }) => cancelled)),
      // What of them ended in another way than the others is asked about once all have.
      ...(isOver ? { end: ends.size === 1 && end !== undefined ? end : "complete" } : {})
    }
  }
}

const totalsOf = (orders: ReadonlyArray<Order>): Pick<Order, "totals"> => {
  const of = (name: keyof NonNullable<Order["totals"]>) =>
    whole(
      name,
      orders.map(({ totals }) => totals?.[name])
    )
  const totals = { ...of("shipped"), ...of("cancelled"), ...of("refunded"), ...of("now"), ...of("outstanding") }
  const otherwise = added(orders.map((one) => one.totals?.otherwise ?? 0n))
  return { totals: { ...totals, otherwise } }
}

/** Their sum, as the order `head`, with the facts of all. */
export const asOne = (
  parts: ReadonlyArray<OrderPart>,
  head: Order
): { readonly order: Order; readonly movements: Movements } => {
  const orders = parts.map(({ order }) => order)
  const { also: _, state: __, totals: ___, ...rest } = head
  return {
    order: {
      ...rest,
      status: orders.some(({ status }) => status === "open") ? "open" : head.status,
      lines: orders.flatMap(({ id, lines }) => lines.map((line) => ({ ...line, id: `${id}:${line.id}` }))),
      ...stateOf(orders),
      ...(orders.some(({ totals }) => totals !== undefined) ? totalsOf(orders) : {})
    },
    movements: parts.flatMap(({ movements, order: { id } }) =>
      movements.map(({ document, key }) => ({ key, document: ofHead(document, id, head.id) }))
    )
  }
}

const ofHead = <D extends OrderFact>(fact: D, id: string, head: string): D => ({
  ...fact,
  order: head,
  lines: fact.lines.map((part) => ({ ...part, line: `${id}:${part.line}` }))
})
