/**
 * Makes orders, by hand and at random: `order()` is a shop's order `O1` of 100.00 for three products and shipping. Random ones
 * collide on purpose: few lines, odd amounts, facts that claim too much, and books that change.
 */
import { Arbitrary } from "effect"
import type {
  Cancellation,
  Document,
  Fulfilment,
  Order,
  OrderFact,
  OrderLine,
  Return
} from "../../connectors/Document.ts"
import * as Documents from "../../connectors/Document.ts"
import { of } from "../../core/money/Decimal.ts"
import type { OrderSettings, Planning } from "../../sync/model/Connection.ts"
import type { OrderFacts } from "../../sync/model/OrderFacts.ts"
import { oneOf } from "./Books.ts"
import { day, planning } from "./Documents.ts"

export const line = (id: string, quantity: string, gross: string, type: OrderLine["type"] = "product"): OrderLine => ({
  id,
  type,
  quantity: of(quantity),
  gross: of(gross)
})

export const order = (changes: Partial<Order> = {}): Order => ({
  kind: "order",
  id: "O1",
  number: "SHOP-1",
  status: "open",
  currency: "GBP",
  placed: day("2026-03-01"),
  deferredPayment: "defpay-1",
  lines: [
    line("chairs", "4", "60.00"),
    line("lamps", "3", "20.00"),
    line("rug", "1", "10.00"),
    line("delivery", "1", "10.00", "shipping")
  ],
  ...changes
})

type Lines = Readonly<Record<string, string>>

const fact = (id: string, lines: Lines, date: string, order: string) => ({
  id,
  order,
  date: day(date),
  lines: Object.entries(lines).map(([line, quantity]) => ({ line, quantity: of(quantity) }))
})

export const parcel = (id: string, lines: Lines = {}, date = "2026-03-02", order = "O1"): Fulfilment => ({
  kind: "fulfilment",
  ...fact(id, lines, date, order)
})

export const cancellation = (id: string, lines: Lines = {}, date = "2026-03-03", order = "O1"): Cancellation => ({
  kind: "cancellation",
  ...fact(id, lines, date, order)
})

export const returned = (id: string, lines: Lines = {}, date = "2026-03-09", order = "O1"): Return => ({
  kind: "return",
  ...fact(id, lines, date, order)
})

/** The facts about O1. */
export const aboutOrder = (documents: ReadonlyArray<Document>, deleted = false): OrderFacts => ({
  key: "books/order/O1",
  connection: "books",
  order: documents.find((one): one is Order => one.kind === "order" && one.id === "O1"),
  deleted,
  movements: documents.flatMap((document) =>
    Documents.isOrderFact(document) && document.order === "O1"
      ? [{ key: Documents.key("books", document.kind, document.id), document }]
      : []
  )
})

/** One moment in an order's life, and how many calls of its plan are sent before the next. */
export interface Step {
  readonly documents: ReadonlyArray<Document>
  readonly status: string
  readonly made: number
}

export interface OrderHistory {
  readonly planning: Planning
  readonly steps: ReadonlyArray<Step>
}

const LINES = ["a", "b", "c"]

const orders = (amounts: ReadonlyArray<string>, overheads: ReadonlyArray<OrderLine>): Arbitrary.Arbitrary<Order> =>
  Arbitrary.map(
    Arbitrary.all({ status: oneOf<Order["status"]>("open", "open", "closed", "cancelled") }),
    ({ status }) =>
      order({
        status,
        lines: [...LINES.map((id, n) => line(id, ["3", "1", "2.5"][n]!, amounts[n]!)), ...overheads]
      })
  )

const KINDS: ReadonlyArray<OrderFact["kind"]> = ["fulfilment", "fulfilment", "fulfilment", "cancellation", "return"]

/** A fact that exists in half of the books. Under one id it is always the same, unless it is edited. */
const facts = (id: string): Arbitrary.Arbitrary<OrderFact | undefined> =>
  Arbitrary.map(
    Arbitrary.all({
      there: oneOf(true, true, false),
      kind: oneOf(...KINDS),
      line: oneOf("a", "a", "b", "c", "all", "ship", "nothing"),
      quantity: oneOf("1", "1", "2", "0.5", "9"),
      more: oneOf(true, false),
      amount: oneOf(undefined, undefined, "0.01", "1.00", "7.50", "500.00"),
      date: oneOf("2026-03-02", "2026-03-03", "2026-03-04")
    }),
    ({ amount, date, kind, line, more, quantity, there }) => {
      if (!there) return undefined
      const lines: Lines = line === "all" ? {} : { [line]: quantity, ...(more ? { c: "1" } : {}) }
      const made = { kind, ...fact(`${kind}-${id}`, lines, date, "O1") }
      return kind === "fulfilment" || amount === undefined ? made : { ...made, amount: of(amount) }
    }
  )

const settings: Arbitrary.Arbitrary<OrderSettings> = Arbitrary.all({
  shipping: oneOf("value", "quantity", "first"),
  fees: oneOf("value", "first"),
  discounts: oneOf("value", "quantity"),
  void_remainder: oneOf(true, true, true, false)
})

/** Up to four moments: the shop's books may say anything at each, but prices do not change. */
export const orderHistories: Arbitrary.Arbitrary<OrderHistory> = Arbitrary.flatMap(
  Arbitrary.all({
    a: oneOf("10.00", "0.01", "33.33", "0.00"),
    b: oneOf("5.00", "0.02", "0.00"),
    c: oneOf("7.77", "0.03"),
    shipping: oneOf("0.00", "4.99", "0.01"),
    discount: oneOf("0.00", "-0.01", "-2.50"),
    fee: oneOf("0.00", "1.00"),
    settings
  }),
  ({ a, b, c, discount, fee, settings, shipping }) => {
    const cheap = of(a) + of(b) + of(c) < of("2.50")
    const overheads = [
      ...(shipping === "0.00" ? [] : [line("ship", "1", shipping, "shipping")]),
      ...(fee === "0.00" ? [] : [line("fee", "1", fee, "fee")]),
      ...(discount === "0.00" || cheap ? [] : [line("off", "1", discount, "discount")])
    ]
    return Arbitrary.map(
      Arbitrary.array(
        Arbitrary.all({
          order: orders([a, b, c], overheads),
          facts: Arbitrary.all(["1", "2", "3", "4", "5"].map(facts)),
          status: oneOf("accepted", "accepted", "accepted", "pending_review"),
          made: oneOf(99, 99, 0, 1, 2, 3)
        }),
        { minLength: 1, maxLength: 4 }
      ),
      (steps) => ({
        planning: { ...planning, orders: settings },
        steps: steps.map(({ facts, made, order, status }) => ({
          documents: [order, ...facts.filter((one) => one !== undefined)],
          status,
          made
        }))
      })
    )
  }
)
