/** A shop that exports its orders: what was cancelled, came back or was given back each has a row with its amount. */
import type { Order, Parcel, Refund } from "../truth/Order.ts"
import { iso, type Minor } from "../Values.ts"
import { type ListedFact, type ListedOrder, orderFiles } from "./OrderFiles.ts"
import type { Kept, ShopView } from "./ShopView.ts"

const view = orderFiles(["deferred_payment"])

const goodsOf = (parts: ReadonlyArray<{ readonly line: string; readonly quantity: number }>) =>
  Object.fromEntries(parts.map(({ line, quantity }) => [line, quantity]))

export class ShopTables implements ShopView {
  readonly #kept: Kept
  readonly link = "carried"
  readonly answers = () => undefined
  readonly source = () => view.source

  constructor(kept: Kept) {
    this.#kept = kept
  }

  #order({ end, lines, placing: { day, id, number, shipping } }: Order): ListedOrder {
    const status = end === undefined ? "open" : end.how === "complete" ? "closed" : "cancelled"
    const delivery = { id: "delivery", type: "shipping", quantity: 1, gross: shipping }
    return {
      ...{ id, number, placed: iso(day), status, currency: "EUR" },
      lines: [
        ...lines.map((line) => ({ id: line.id, quantity: line.ordered, gross: line.gross })),
        ...(shipping === 0n ? [] : [delivery])
      ],
      more: { deferred_payment: this.#kept.payments.get(number) ?? "" }
    }
  }

  #facts({ parcels, placing: { id: order }, refunds }: Order): ReadonlyArray<ListedFact> {
    const fact = (kind: ListedFact["kind"], one: Parcel | Refund, amount?: Minor): ListedFact => ({
      ...{
        kind,
        id: `${order}-${one.id}`,
        order,
        date: iso(one.day),
        goods: goodsOf(one.parts),
        amount,
        currency: "EUR"
      }
    })
    return [
      ...parcels.filter(({ cancelled }) => !cancelled).map((one) => fact("parcel", one)),
      ...refunds.map((one) =>
        fact(one.parts.some(({ returned }) => !returned) ? "cancellation" : "return", one, one.own)
      )
    ]
  }

  files(): ReadonlyMap<string, string> {
    const { orders, others } = this.#kept
    const foreign: ReadonlyArray<ListedOrder> = others.map(({ day, id }) => ({
      ...{ id, number: id, placed: iso(day), status: "open", currency: "EUR" },
      lines: [{ id: "71", quantity: 1, gross: 3000 }]
    }))
    const listed = [...orders.values()]
    const files = view.files(
      [...listed.map((one) => this.#order(one)), ...foreign],
      listed.flatMap((one) => this.#facts(one))
    )
    return new Map(Object.entries(files))
  }
}
