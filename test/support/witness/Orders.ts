/**
 * The witness for orders: from what a shop states it works out what must be captured, voided and refunded of each order,
 * and compares that with the deferred payment on the service and with the statement that Daybook prints.
 *
 * What is captured beyond all that the shop ever stated at one time, and beyond what somebody captured past Daybook, is
 * never excused. What is missing must be named: by an open matter about the order, or by the statement. Prices are fractions here, so a sum may be off by as many minor units
 * as pieces were rounded; where all of an order has ended, it ends to the minor unit.
 */
import {
  digits,
  fromMinor,
  type PlainDocument,
  type PlainLine,
  type PlainPart,
  type PlainPayment,
  type PrintedOrders,
  say,
  units
} from "./Plain.ts"

export type Shipping = "value" | "quantity" | "first"

export interface OrdersSeen {
  /** The deferred payment of each order that has one, by the order's id. */
  readonly payments: ReadonlyMap<string, PlainPayment>
  readonly printed: ReadonlyArray<PrintedOrders>
  readonly attention: ReadonlySet<string>
  /** Ids of orders that Daybook could not know of at this moment; their payments are in no statement. */
  readonly unknown?: ReadonlySet<string>
}

/** Fractions of a minor unit, so that a price is exact enough. */
const FINE = 1_000_000_000_000n

interface Sums {
  /** In `FINE`. */
  readonly captured: bigint
  readonly voided: bigint
  readonly refunded: bigint
  /** Nothing of it is open any more. */
  readonly over: boolean
  /** How many pieces were rounded. */
  readonly pieces: bigint
  readonly currency: string
}

type Totals = Readonly<Record<"captured" | "voided" | "refunded", bigint>>

const MEMBERS = ["captured", "voided", "refunded"] as const

const NOTHING: Totals = { captured: 0n, voided: 0n, refunded: 0n }

const minor = (amount: bigint, currency: string): bigint => amount / 10n ** BigInt(8 - digits(currency))

const positive = (of: ReadonlyMap<string, bigint>): ReadonlyArray<PlainPart> =>
  [...of].flatMap(([line, quantity]) => (quantity > 0n ? [{ line, quantity }] : []))

/** What an order's facts come to, each priced by the order as it is now. */
const priced = (order: PlainDocument, facts: ReadonlyArray<PlainDocument>, shipping: Shipping): Sums => {
  const currency = order.currency!
  const lines = (order.lines as ReadonlyArray<PlainLine>).map((one) => ({ ...one, minor: minor(one.gross, currency) }))
  const goods = lines.filter(({ type }) => type === "product")
  const others = lines.filter(({ type }) => type !== "product")
  const whole = others.filter(({ type }) => shipping === "first" && type === "shipping")
  const first = whole.reduce((sum, one) => sum + one.minor, 0n) * FINE
  const spread = others.filter((one) => !whole.includes(one))
  const weight = (line: (typeof goods)[number], type: string) =>
    shipping === "quantity" && type === "shipping" ? line.quantity : line.minor
  const price = new Map(
    goods.map((line) => {
      let amount = line.minor * FINE
      for (const other of spread) {
        const all = goods.reduce((sum, one) => sum + weight(one, other.type), 0n)
        if (all > 0n) amount += (other.minor * FINE * weight(line, other.type)) / all
      }
      return [line.id, { amount, quantity: line.quantity }] as const
    })
  )
  const left = new Map(goods.map(({ id, quantity }) => [id, quantity]))
  const sent: Array<PlainPart & { readonly date: string }> = []
  const back = new Map<string, bigint>()
  /** What the buyer had on a day, of each line; what came back is never sent again. */
  const thereBy = (day: string): ReadonlyMap<string, bigint> => {
    const there = new Map([...back].map(([line, quantity]) => [line, -quantity]))
    for (const { date, line, quantity } of sent) if (date <= day) there.set(line, (there.get(line) ?? 0n) + quantity)
    return there
  }
  const totals = { captured: 0n, voided: 0n, refunded: 0n }
  let pieces = BigInt(goods.length)
  let firstGone = first === 0n
  // By their days, returns after all others. What names no lines is all that its day left.
  const rank = ({ date, id, kind, lines }: PlainDocument) =>
    `${kind === "return" ? 1 : 0} ${date} ${(lines as ReadonlyArray<unknown>).length === 0 ? 1 : 0} ${id}`
  for (const fact of facts.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    if (fact.currency !== undefined && fact.currency !== currency) continue
    const what = fact.kind === "fulfilment" ? "captured" : fact.kind === "return" ? "refunded" : "voided"
    const named = fact.lines as ReadonlyArray<PlainPart>
    const bare = named.length === 0 && (fact.amount === undefined || fact.kind === "fulfilment")
    const all = what === "refunded" ? thereBy(fact.date!) : left
    const parts = bare ? positive(all) : named
    let amount = 0n
    for (const { line, quantity } of parts) {
      const of = price.get(line)
      if (of === undefined || quantity === 0n) continue
      amount += (of.amount * quantity) / of.quantity
      pieces++
      if (what === "refunded") back.set(line, (back.get(line) ?? 0n) + quantity)
      else left.set(line, (left.get(line) ?? 0n) - quantity)
      if (what === "captured") sent.push({ line, quantity, date: fact.date! })
    }
    if (what === "captured" && !firstGone && parts.some(({ quantity }) => quantity > 0n)) {
      amount += first
      firstGone = true
    }
    if (fact.amount !== undefined && fact.kind !== "fulfilment") amount = minor(fact.amount, currency) * FINE
    // All that is there comes with no more than was paid for it.
    const most = totals.captured - totals.refunded
    if (what === "refunded" && bare && amount > most) amount = most
    totals[what] += amount
  }
  const total = lines.reduce((sum, one) => sum + one.minor, 0n) * FINE
  const ended = [...left.values()].every((quantity) => quantity <= 0n)
  const over = ended || order.status !== "open"
  if (over) totals.voided = total - totals.captured
  return { ...totals, over, pieces, currency }
}

/** What may be on the service at most of each order, where each fact counts in the one order that is its home. */
class Most {
  readonly #shipping: Shipping
  readonly #homes: ReadonlyMap<string, string>
  /** Facts that may stand in each of their homes. */
  readonly #everywhere: ReadonlySet<string>
  /** The most that the shop ever stated at one time, and with it what is off by rounding. */
  readonly #sums = new Map<string, Totals>()
  /** What somebody captured past Daybook, for nothing that the shop states. */
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
      const now = (name: keyof Totals) => sums[name] + sums.pieces * FINE + (name === "captured" ? strange : 0n)
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

/** What each order's facts come to. */
const each = (documents: ReadonlyArray<PlainDocument>, shipping: Shipping): ReadonlyMap<string, Sums> => {
  const facts = Map.groupBy(
    documents.filter(({ order }) => order !== undefined),
    ({ order }) => order!
  )
  return new Map(
    documents
      .filter(({ kind }) => kind === "order")
      .map((order) => [order.id, priced(order, facts.get(order.id) ?? [], shipping)])
  )
}

/** In how many ways facts that moved are given a home, at most. */
const MOST_HOMES = 1000

export class OrderWitness {
  readonly #connection: string
  readonly #shipping: Shipping
  /** Everything that it was told, in its order. */
  readonly #history: Array<(most: Most) => void> = []
  /** The orders that each fact ever was of. */
  readonly #homes = new Map<string, Array<string>>()
  readonly #first = new Map<string, string>()
  readonly #accepted = new Set<string>()
  readonly #everywhere = new Set<string>()
  /** Where each fact counts in the order that it was first of. */
  readonly #most: Most

  constructor(connection: string, shipping: Shipping) {
    this.#connection = connection
    this.#shipping = shipping
    this.#most = new Most(shipping, this.#first, this.#everywhere)
  }

  #tell(what: (most: Most) => void): void {
    this.#history.push(what)
    what(this.#most)
  }

  /**
   * The shop states this from now on. To be told of every change, so that nothing that it ever stated is forgotten.
   *
   * @param isForgotten whether what was sent of a fact (`fulfilment/P1`) was known in a file alone that is lost: where the
   *   shop moves it then, it may be sent for both orders
   */
  see(documents: ReadonlyArray<PlainDocument>, isForgotten: (fact: string) => boolean = () => false): void {
    for (const one of documents) {
      if (one.order === undefined) continue
      const fact = factOf(one)
      const homes = this.#homes.get(fact)
      if (homes === undefined) {
        this.#homes.set(fact, [one.order])
        this.#first.set(fact, one.order)
      } else if (!homes.includes(one.order)) {
        homes.push(one.order)
        if (isForgotten(fact)) this.#everywhere.add(fact)
      }
    }
    this.#tell((most) => most.see(documents))
  }

  /**
   * Somebody captured this past Daybook, in minor units. Whatever was captured before stays captured, also where the shop
   * takes back later what it was for, so it comes on top; and for goods that the shop states, those of it are not captured
   * once more.
   */
  byHand(id: string, amount: bigint, stated: boolean): void {
    this.#tell((most) => most.byHand(id, amount, stated))
  }

  /** A person let stand what was sent for an order, or took over what others told of it: from now on it is for them. */
  accepted(id: string): void {
    this.#accepted.add(id)
  }

  /**
   * At every moment: nothing is captured or refunded beyond what the shop stated at some time. A fact that the shop moved
   * is sent for the one order or the other, and never for both: it may be the one that it was of when it was read.
   */
  always({ payments: all }: Pick<OrdersSeen, "payments">): ReadonlyArray<string> {
    const payments = new Map([...all].filter(([id]) => !this.#accepted.has(id)))
    const found = this.#most.beyond(payments)
    if (found.length === 0) return []
    for (const homes of this.#given()) {
      const most = new Most(this.#shipping, homes, this.#everywhere)
      for (const told of this.#history) told(most)
      if (most.beyond(payments).length === 0) return []
    }
    return found
  }

  /** Every way to give each fact one of its homes. */
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

  /** Everything that does not hold once it is quiet, in words. */
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
      if (payment.currency !== sums.currency) {
        found.push(`witness: ${key} is in ${sums.currency}, its payment in ${payment.currency}, and nobody was told`)
        continue
      }
      for (const name of MEMBERS) {
        const is = payment[name] * FINE
        const strange = name === "captured" ? this.#most.strange(id) * FINE : 0n
        const apart = is > sums[name] + strange ? is - sums[name] - strange : sums[name] - is
        if (apart > sums.pieces * FINE)
          found.push(
            `witness: ${key}: ${(sums[name] + FINE / 2n) / FINE} is to be ${name}, ${payment[name]} is (minor units), and nobody was told`
          )
      }
      if (sums.over && payment.open !== 0n) found.push(`witness: ${key} is over, and ${payment.open} is still open`)
    }
    return [...found, ...this.#statementsSay(statements, seen)]
  }

  /** The sums of the statement are those of the service. */
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
            `witness: the statement says ${say(said, currency)} is ${name}, the service says ${say(there, currency)}`
          )
      }
    }
    return found
  }
}
