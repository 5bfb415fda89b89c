/** What happens to an order, and what it comes to. Amounts are in whole minor units. */
import type { Order, OrderFact } from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"

export interface Event {
  /** `off`: taken off before it left; `back`: it came back; `unship`: its parcel is cancelled; `money`: for no goods. */
  readonly what: "ship" | "unship" | "off" | "back" | "money" | "add"
  readonly units?: number
  readonly line?: number
  /** Of `add`, for all of its units. */
  readonly price?: number
  /** What is given back, by the deferred payment and by other methods. */
  readonly own?: number
  readonly others?: number
}

export interface Story {
  /** The price of the units of the first line. */
  readonly price: number
  readonly units: number
  readonly delivery?: number
  /** Paid by a gift card. */
  readonly card?: number
  readonly events: ReadonlyArray<Event>
  readonly end?: "complete" | "refunded" | "cancelled"
  readonly currency?: string
  readonly carried?: string
}

interface Line {
  readonly id: number
  readonly price: number
  readonly ordered: number
  left: number
  back: number
  off: number
}

/** What the events come to. */
export const told = ({ card = 0, delivery = 0, events, price, units }: Story) => {
  const lines: Array<Line> = [{ id: 1, price, ordered: units, left: 0, back: 0, off: 0 }]
  let [own, others, loose] = [0, 0, 0]
  for (const one of events) {
    own += one.own ?? 0
    others += one.others ?? 0
    if (one.what === "money") loose += (one.own ?? 0) + (one.others ?? 0)
    if (one.what === "add")
      lines.push({ id: one.line ?? 2, price: one.price ?? 0, ordered: one.units ?? 1, left: 0, back: 0, off: 0 })
    const line = lines.find(({ id }) => id === (one.line ?? 1))!
    const count = one.units ?? 0
    if (one.what === "ship") line.left += count
    if (one.what === "unship") line.left -= count
    if (one.what === "off") line.off += count
    if (one.what === "back") line.back += count
  }
  const worth = ({ ordered, price: all }: Line, count: number) => Math.round((all * count) / ordered)
  const goods = lines.reduce((sum, one) => sum + worth(one, one.ordered - one.off - one.back), 0)
  const kept = lines.reduce((sum, one) => sum + worth(one, one.ordered - one.off), 0)
  const placed = price + delivery
  return {
    lines,
    own,
    others,
    loose,
    placed,
    deferred: placed - (lines.length > 1 ? 0 : card),
    now: goods + delivery,
    kept: kept + delivery,
    worth
  }
}

export const major = (minor: number, places = 2): string => (minor / 100).toFixed(places)
export const fields = (record: object) => new Json.Fields(Json.parse(JSON.stringify(record)) as Json.Members)
export const day = (n: number) => `2026-03-${String(n + 2).padStart(2, "0")}`

export interface Books {
  readonly order: Order
  readonly facts: ReadonlyArray<OrderFact>
}

export const booksOf = ({ documents }: Json.Decoded): Books => ({
  order: documents.find((one) => one.kind === "order") as Order,
  facts: documents.filter((one) => one.kind !== "order") as unknown as ReadonlyArray<OrderFact>
})

export const CARRIED = "defpay-1"
