/**
 * The witness for a shop's orders over a whole history. `sync/witness` computes what must be captured, voided and refunded of
 * each order; here that is compared with everything that the shop ever stated, with open attention items, and with the
 * statement that Daybook prints.
 *
 * A capture beyond the most that the shop ever stated, and beyond what somebody captured without Daybook, is never excused. A
 * missing capture must be named: by an open attention item about the order, or by the statement.
 */
import { FINE, judgeOrder, MEMBERS, type OrderSums, priced } from "../../../sync/witness/Orders.ts"
import { fromMinor, type PlainDocument, type PlainPayment, sayUnits, units } from "../../../sync/witness/Plain.ts"
import type { PrintedOrders } from "./Printed.ts"

export type Shipping = "value" | "quantity" | "first"

export interface OrdersSeen {
  /** The deferred payment of each order that has one, by the order's id. */
  readonly payments: ReadonlyMap<string, PlainPayment>
  readonly printed: ReadonlyArray<PrintedOrders>
  readonly attention: ReadonlySet<string>
  /** Ids of orders that Daybook could not know of at this moment; their payments are in no statement. */
  readonly unknown?: ReadonlySet<string>
}

/** `again`: what is given back because it was cancelled after all, and captured once more where goods leave later. */
type Totals = Readonly<Record<(typeof MEMBERS)[number] | "again", bigint>>

const NOTHING: Totals = { captured: 0n, voided: 0n, refunded: 0n, again: 0n }

/** The most that may be on the service for each order. */
class Most {
  readonly #shipping: Shipping
  /** The most that the shop ever stated, including rounding differences. */
  readonly #sums = new Map<string, Totals>()
  /** Amounts captured without Daybook, for nothing that the shop states. */
  readonly #strange = new Map<string, bigint>()
  /** The goods of each return, as they were stated first. */
  readonly #goods = new Map<string, string>()

  constructor(shipping: Shipping) {
    this.#shipping = shipping
  }

  see(documents: ReadonlyArray<PlainDocument>): void {
    for (const [id, sums] of each(documents, this.#shipping)) {
      const most = this.#sums.get(id) ?? NOTHING
      const strange = (this.#strange.get(id) ?? 0n) * FINE
      const unsaid = most.captured > sums.captured ? most.captured - sums.captured : 0n
      // Cancelled after all: what was captured for it is given back. What was given back is owed again once its return is gone,
      // or is for other goods now, some of which did not leave yet.
      const gone = most.refunded > sums.refunded ? most.refunded - sums.refunded : 0n
      const returned = this.#isMoved(documents, id) ? most.refunded : gone
      const back = (sums.cancelled < unsaid ? sums.cancelled : unsaid) + returned
      const more = { captured: strange, voided: 0n, refunded: 0n }
      const now = (name: (typeof MEMBERS)[number]) => sums[name] + sums.pieces * FINE + more[name]
      const higher = (name: (typeof MEMBERS)[number]) => (now(name) > most[name] ? now(name) : most[name])
      this.#sums.set(id, {
        captured: higher("captured"),
        voided: higher("voided"),
        refunded: higher("refunded"),
        again: back > most.again ? back : most.again
      })
    }
  }

  #isMoved(documents: ReadonlyArray<PlainDocument>, order: string): boolean {
    const returns = documents.filter((one) => one.kind === "return" && one.order === order)
    return returns.some(({ id, lines }) => {
      const goods = JSON.stringify(lines, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
      const first = this.#goods.get(id) ?? goods
      this.#goods.set(id, first)
      return first !== goods
    })
  }

  byHand(id: string, amount: bigint, stated: boolean): void {
    const most = this.#sums.get(id) ?? NOTHING
    this.#sums.set(id, { ...most, captured: most.captured + amount * FINE })
    if (!stated) this.#strange.set(id, this.strange(id) + amount)
  }

  strange(id: string): bigint {
    return this.#strange.get(id) ?? 0n
  }

  beyond(payments: OrdersSeen["payments"]): ReadonlyArray<string> {
    return [...payments].flatMap(([id, payment]) =>
      (["captured", "refunded"] as const).flatMap((name) => {
        const most = this.#sums.get(id) ?? NOTHING
        const may = (most[name] + most.again) / FINE
        return payment[name] <= may
          ? []
          : [`witness: ${id}: ${payment[name]} is ${name}, and no more than ${may} was ever to be (minor units)`]
      })
    )
  }
}

/** The sums of each order's facts. */
const each = (documents: ReadonlyArray<PlainDocument>, shipping: Shipping): ReadonlyMap<string, OrderSums> => {
  const facts = Map.groupBy(
    documents.filter(({ order }) => order !== undefined),
    ({ order }) => order!
  )
  return new Map(
    documents
      .filter(({ kind }) => kind === "order")
      .map((order) => [order.id, priced(order, facts.get(order.id) ?? [], { shipping })])
  )
}

export class OrderWitness {
  readonly #connection: string
  readonly #shipping: Shipping
  readonly #accepted = new Set<string>()
  readonly #most: Most

  constructor(connection: string, shipping: Shipping) {
    this.#connection = connection
    this.#shipping = shipping
    this.#most = new Most(shipping)
  }

  /** The shop's documents from now on. Must be called for every change, so that nothing that the shop ever stated is missed. */
  see(documents: ReadonlyArray<PlainDocument>): void {
    this.#most.see(documents)
  }

  /**
   * Somebody captured this without Daybook, in minor units. What was captured before stays captured, even if the shop later
   * takes back the reason, so this amount comes on top. If it was for goods that the shop states, Daybook does not capture
   * those again.
   */
  byHand(id: string, amount: bigint, stated: boolean): void {
    this.#most.byHand(id, amount, stated)
  }

  /** A user accepted what was sent for an order, or adopted what others sent: the order is no longer checked. */
  accepted(id: string): void {
    this.#accepted.add(id)
  }

  /**
   * Must be true at every moment: nothing is captured or refunded beyond what the shop stated of this order at some time. A
   * parcel that the shop moves to another order left for that one; what the first was charged for it is used up by what leaves
   * next, or a person is asked when it ends.
   */
  always({ payments: all }: Pick<OrdersSeen, "payments">): ReadonlyArray<string> {
    return this.#most.beyond(new Map([...all].filter(([id]) => !this.#accepted.has(id))))
  }

  /** Every violation once nothing is running, in words. */
  judge(documents: ReadonlyArray<PlainDocument>, seen: OrdersSeen): ReadonlyArray<string> {
    const found: Array<string> = [...this.always(seen)]
    const statements = seen.printed.filter(({ connection }) => connection === this.#connection)
    const named = new Set(statements.flatMap(({ differences }) => differences.map(({ document }) => document)))
    for (const [id, sums] of each(documents, this.#shipping)) {
      const payment = seen.payments.get(id)
      const key = `${this.#connection}/order/${id}`
      const keys = [
        key,
        ...documents.flatMap((one) => (one.order === id ? [`${this.#connection}/${one.kind}/${one.id}`] : []))
      ]
      if (payment === undefined || keys.some((one) => seen.attention.has(one) || named.has(one))) continue
      for (const { service, source, what } of judgeOrder(key, sums, payment, {}, this.#most.strange(id)))
        found.push(`witness: ${key}: ${what}: ${source} by what the shop states, the service says ${service}`)
    }
    return [...found, ...this.#statementsSay(statements, seen)]
  }

  /** The statement's sums must be those of the service. */
  #statementsSay(statements: ReadonlyArray<PrintedOrders>, seen: OrdersSeen): ReadonlyArray<string> {
    const found: Array<string> = []
    const known = [...seen.payments].filter(([id]) => seen.unknown?.has(id) !== true).map(([, payment]) => payment)
    for (const currency of new Set([...known.map((one) => one.currency), ...statements.map((one) => one.currency)])) {
      const one = statements.find((statement) => statement.currency === currency)
      for (const name of [...MEMBERS, "open"] as const) {
        const held = known.reduce((sum, payment) => sum + (payment.currency === currency ? payment[name] : 0n), 0n)
        const [said, there] = [units(one?.[name] ?? "0"), fromMinor(held, currency)]
        if (said !== there)
          found.push(
            `witness: the statement says ${sayUnits(said, currency)} is ${name}, the service says ${sayUnits(there, currency)}`
          )
      }
    }
    return found
  }
}
