/** The setting `capture` of shops: what makes an amount due, as far as the shop knows it. Pure. */
import { Schema } from "effect"
import type { Document, Order, OrderState } from "./Document.ts"
import type * as Json from "./Json.ts"

export type Trigger = "shipment" | "invoice" | "complete"

/** The setting, with a sentence about the triggers that a shop does not know. */
export const captureOf = <const Known extends ReadonlyArray<Trigger>>(shop: string, known: Known, otherwise: string) =>
  Schema.optionalKey(
    Schema.Literals(known).annotate({
      message: `${shop} knows ${known.map((one) => JSON.stringify(one)).join(" and ")}${otherwise === "" ? "" : `: ${otherwise}`}`
    })
  )

/** Until the order is complete, nothing counts as having left. Of one that was cancelled or put away, what left did. */
const notYet = (state: OrderState): OrderState => ({
  ...state,
  lines: state.lines.map(({ back, left = 0n, line, still }) => ({
    line,
    left: 0n,
    back: 0n,
    still: still + left - back
  }))
})

/** Whether an order is complete by the shop's own word; undefined: its status does not say so any more. */
type Completion = (order: Order) => boolean | undefined

const isEnded: Completion = ({ state, status }) => (state === undefined ? status !== "open" : state.end !== undefined)

/** A status that took the place of the one that would say it: what the ledger remembers counts, or a person is asked. */
const unsaid = (state: OrderState): OrderState => ({
  ...state,
  lines: state.lines.map(({ asBefore: _, back: __, left: ___, ...line }) => ({ ...line, back: 0n }))
})

const ofOrder = (order: Order, isComplete: Completion): Order => {
  const { also, state } = order
  const said = isComplete(order)
  if (state === undefined || said === true) return order
  const change = said === undefined ? unsaid : notYet
  return {
    ...order,
    state: change(state),
    ...(also?.state === undefined ? {} : { also: { ...also, state: change(also.state) } })
  }
}

/** What an order comes to with the trigger `complete`. Where it states no sums, its parcels count once it is complete. */
export const onceComplete = (decoded: Json.Decoded, isComplete: Completion = isEnded): Json.Decoded => {
  const order = decoded.documents.find((one): one is Order => one.kind === "order")
  if (order === undefined) return decoded
  const isEarly = order.state === undefined && isComplete(order) !== true
  const documents = decoded.documents.flatMap((one): ReadonlyArray<Document> => {
    if (one === order) return [ofOrder(order, isComplete)]
    return isEarly && (one.kind === "fulfilment" || one.kind === "return") ? [] : [one]
  })
  return { ...decoded, documents }
}
