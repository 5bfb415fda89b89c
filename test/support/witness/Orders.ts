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

type Totals = Readonly<Record<(typeof MEMBERS)[number], bigint>>

const NOTHING: Totals = { captured: 0n, voided: 0n, refunded: 0n }

/** The most that may be on the service for each order, if each fact counts in the one order that is its home. */
class Most {
  readonly #shipping: Shipping
  readonly #homes: ReadonlyMap<string, string>
  /** Facts that may count in each of their homes. */
  readonly #everywhere: ReadonlySet<string>
  /** The most that the shop ever stated, including rounding differences. */
  readonly #sums = new Map<string, Totals>()
  /** Amounts captured without Daybook, for nothing that the shop states. */
  readonly #strange = new Map<string, bigint>()

  constructor(shipping: Shipping, homes: ReadonlyMap<string, string>, everywhere: ReadonlySet<string>) {
    this.#shipping = shipping
    this.#homes = homes
    this.#everywhere = everywhere
  }

  see(documents: ReadonlyArray<PlainDocument>): void {
    const atHome = documents.filter(
      (one) =>
        one.order === undefined || this.#everywhere.has(factOf(one)) || this.#homes.get(factOf(one)) === one.order
    )
    for (const [id, sums] of each(atHome, this.#shipping)) {
      const most = this.#sums.get(id) ?? NOTHING
      const strange = (this.#strange.get(id) ?? 0n) * FINE
      const unsaid = most.captured > sums.captured ? most.captured - sums.captured : 0n
      // Cancelled after all: what was captured for it is given back.
      const more = { captured: strange, voided: 0n, refunded: sums.cancelled < unsaid ? sums.cancelled : unsaid }
      const now = (name: keyof Totals) => sums[name] + sums.pieces * FINE + more[name]
      const higher = (name: keyof Totals) => (now(name) > most[name] ? now(name) : most[name])
      this.#sums.set(id, {
        captured: higher("captured"),
        voided: higher("voided"),
        refunded: higher("refunded")
      })
    }
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
        const may = (this.#sums.get(id) ?? NOTHING)[name] / FINE
        return payment[name] <= may
          ? []
          : [`witness: ${id}: ${payment[name]} is ${name}, and no more than ${may} was ever to be (minor units)`]
      })
    )
  }
}

const factOf = ({ id, kind }: PlainDocument): string => `${kind}/${id}`

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

/** The most ways of assigning homes that are tried for facts that moved. */
const MOST_HOMES = 1000

export class OrderWitness {
  readonly #connection: string
  readonly #shipping: Shipping
  /** Everything that was reported, in order. */
  readonly #history: Array<(most: Most) => void> = []
  /** The orders that each fact has ever belonged to. */
  readonly #homes = new Map<string, Array<string>>()
  readonly #first = new Map<string, string>()
  readonly #accepted = new Set<string>()
  readonly #everywhere = new Set<string>()
  /** Computed with each fact in the order that it first belonged to. */
  readonly #most: Most

  constructor(connection: string, shipping: Shipping) {
    this.#connection = connection
    this.#shipping = shipping
    this.#most = new Most(shipping, this.#first, this.#everywhere)
  }

  #note(what: (most: Most) => void): void {
    this.#history.push(what)
    what(this.#most)
  }

  /**
   * The shop's documents from now on. Must be called for every change, so that nothing that the shop ever stated is missed.
   *
   * @param isForgotten whether Daybook's only record of sending a fact (`fulfilment/P1`) was in a lost file: if the shop moves
   *   the fact then, or moved it before, it may be sent for both orders
   */
  see(documents: ReadonlyArray<PlainDocument>, isForgotten: (fact: string) => boolean = () => false): void {
    for (const one of documents) {
      if (one.order === undefined) continue
      const fact = factOf(one)
      const homes = this.#homes.get(fact)
      if (homes === undefined) {
        this.#homes.set(fact, [one.order])
        this.#first.set(fact, one.order)
        continue
      }
      if (!homes.includes(one.order)) homes.push(one.order)
      if (homes.length > 1 && isForgotten(fact)) this.#everywhere.add(fact)
    }
    this.#note((most) => most.see(documents))
  }

  /**
   * Somebody captured this without Daybook, in minor units. What was captured before stays captured, even if the shop later
   * takes back the reason, so this amount comes on top. If it was for goods that the shop states, Daybook does not capture
   * those again.
   */
  byHand(id: string, amount: bigint, stated: boolean): void {
    this.#note((most) => most.byHand(id, amount, stated))
  }

  /** A user accepted what was sent for an order, or adopted what others sent: the order is no longer checked. */
  accepted(id: string): void {
    this.#accepted.add(id)
  }

  /**
   * Must be true at every moment: nothing is captured or refunded beyond what the shop stated at some time. A fact that the
   * shop moved is sent for one of its orders, never for both; that may be the order it belonged to when it was read.
   */
  always({ payments: all }: Pick<OrdersSeen, "payments">): ReadonlyArray<string> {
    const payments = new Map([...all].filter(([id]) => !this.#accepted.has(id)))
    const found = this.#most.beyond(payments)
    if (found.length === 0) return []
    for (const homes of this.#given()) {
      const most = new Most(this.#shipping, homes, this.#everywhere)
      for (const what of this.#history) what(most)
      if (most.beyond(payments).length === 0) return []
    }
    return found
  }

  /** Every way to assign each fact to one of its homes. */
  *#given(): Generator<ReadonlyMap<string, string>> {
    const moved = [...this.#homes].filter(([, homes]) => homes.length > 1)
    const ways = moved.reduce((count, [, homes]) => count * homes.length, 1)
    for (let way = 1; way < Math.min(ways, MOST_HOMES); way++) {
      let rest = way
      const chosen = moved.map(([fact, homes]) => {
        const home = homes[rest % homes.length]!
        rest = Math.floor(rest / homes.length)
        return [fact, home] as const
      })
      yield new Map([...this.#first, ...chosen])
    }
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
