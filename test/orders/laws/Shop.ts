/**
 * Random histories of one of the world's orders, also such as lives do not have: money that is put in order later, or never, gift cards
 * that lower a total, statuses alone; and what each shop's API would say at any time. Knows nothing of the rules.
 */
import type { Dice } from "../../simulation/Dice.ts"
import { Order, type OrderLine, type Placing, type Unit } from "../../world/truth/Order.ts"
import { least, type Minor, most, sum } from "../../world/Values.ts"
import { arithmetic, type Kind, type Price, type Rounding } from "./Arithmetic.ts"
import type { Line, State } from "./Numbers.ts"

const lineOf = (id: string, price: Price, ordered: number): OrderLine => {
  const gross = BigInt(price(ordered))
  return { id, ordered, gross, list: gross, off: 0n, rate: 0n, isVirtual: false }
}

const drawn = (kind: Kind, dice: Dice, rounding: Rounding): Placing & { readonly adjusts: boolean } => {
  const below = (amount: Minor) => BigInt(dice.below(Number(amount)))
  const paid = dice.of(kind === "magento" ? (["at once", "as it ships"] as const) : (["at once", "never"] as const))!
  const adjusts = dice.chance(0.5)
  const carried = new Map<number, number>()
  const lines = Array.from({ length: 1 + dice.below(3) }, (_, n) => {
    const ordered = 1 + dice.below(4)
    return lineOf(`L${n + 1}`, arithmetic(kind, dice, rounding, carried), ordered)
  })
  const goods = sum(lines.map(({ gross }) => gross))
  const shipping = dice.chance(0.6) ? below(2500n) : 0n
  let discount = dice.chance(0.2) ? least(goods, below(500n)) : 0n
  const whole = goods + shipping - discount
  const card = kind !== "magento" && dice.chance(0.25) ? below(whole) : 0n
  // Magento's grand total is without gift cards and store credit.
  if (kind === "magento" && dice.chance(0.2)) discount += below(most(1n, whole))
  return { id: "1", number: "1", day: 0, paid, lines, shipping, card, discount, adjusts }
}

export class Shop extends Order {
  readonly kind: Kind
  readonly dice: Dice
  /** Shopify: whether its total falls by what is given back for no goods. Its documents allow both. */
  readonly adjusts: boolean
  /** What was given back for no goods. */
  loose: Minor = 0n
  allLeft = false
  readonly log: Array<string> = []
  /** By line, on which side its refunded units were, where only the order of refunds and parcels says so. */
  readonly #read = new Map<string, { back: number; off: number; unsure: number }>()
  #later: (() => void) | undefined

  constructor(kind: Kind, dice: Dice, rounding: Rounding = "unit", placing = drawn(kind, dice, rounding)) {
    super(placing)
    this.kind = kind
    this.dice = dice
    this.adjusts = placing.adjusts
    const { card, discount, lines, paid, shipping } = placing
    this.say(
      `${kind}, paid ${paid}: ${lines.map((l) => `${l.ordered} of ${l.id} ${l.gross}`).join(", ")}, shipping ${shipping}, ${discount} off, by card ${card}, deferred ${this.placed}`
    )
  }

  say = (what: string): void => void this.log.push(what)
  get paid(): Placing["paid"] {
    return this.placing.paid
  }
  #some(at: Unit["at"], most = 9): ReadonlyArray<Unit> {
    const all = this.all(at)
    return all.slice(0, all.length === 0 ? 0 : 1 + this.dice.below(Math.min(all.length, most)))
  }
  #below = (...amounts: ReadonlyArray<Minor>): Minor => BigInt(this.dice.below(Number(amounts.reduce(least)) + 1))

  /** A refund or credit memo of these units is written. */
  #write(units: ReadonlyArray<Unit>): void {
    for (const { line } of units) {
      const read = this.#read.get(line) ?? { back: 0, off: 0, unsure: 0 }
      const all = this.units.filter((u) => u.line === line)
      const left = all.filter((u) => u.everLeft).length
      if (left - read.back - read.unsure <= 0) read.off++
      else if (all.length - left - read.off - read.unsure <= 0) read.back++
      else read.unsure++
      this.#read.set(line, read)
    }
  }
  /** Units of a line that the shop would let leave. Magento counts a refunded unit as one that did not leave. */
  #still(line: string): number {
    const [here, back] = [this.count(line, "here"), this.count(line, "back")]
    if (this.allLeft || this.end !== undefined) return 0
    return this.kind === "magento" ? Math.max(0, here - back) : here
  }
  #send(all: boolean): void {
    const here = this.lines.flatMap(({ id }) =>
      this.all("here")
        .filter(({ line }) => line === id)
        .slice(0, this.#still(id))
    )
    const units = here.slice(0, all ? here.length : here.length === 0 ? 0 : 1 + this.dice.below(here.length))
    this.ship(0, units)
    if (units.length > 0) this.say(`${units.length} leave`)
  }
  /** What comes in for others costs as much, less, or more. */
  #price(worth: Minor, part: number, more: number): number {
    const exact = Number(worth)
    const prices = [exact, Math.floor(exact * part), exact + this.dice.below(more)]
    return this.paid === "never" && this.lost ? exact : this.dice.of(prices)!
  }
  #comesIn(price: number): void {
    this.add(lineOf(`L${this.lines.length + 1}`, () => price, 1))
    this.say(`one for ${price} comes in`)
  }

  readonly #moves: Readonly<Record<string, () => void>> = {
    ship: () => this.#send(false),
    cancel: () => {
      const off = this.paid === "as it ships" ? [] : this.#some("here", 3)
      if (off.length === 0) return
      this.#write(off)
      this.takeOff(off)
      this.say(`${off.length} for ${this.worth(off)} will not leave`)
      if (this.kind !== "shopify" || this.dice.chance(0.7)) this.settle(0)
    },
    return: () => this.#return(),
    amount: () => {
      const amount = this.#below(600n, this.total(), ...(this.paid === "never" ? [] : [this.net]))
      if (amount === 0n) return
      this.give(0, amount)
      if (this.paid !== "never") this.loose += amount
      this.say(`gives back ${amount} for no goods`)
    },
    label: () => {
      const back = this.kind === "shopify" ? this.#some("gone") : []
      for (const u of back) u.at = "here"
      if (back.length > 0) this.say(`a parcel of ${back.length} is cancelled; they are still to leave`)
    },
    swap: () => {
      const off = this.#some("here", 2)
      if (off.length === 0 || (this.kind === "woo" && this.paid === "at once")) return
      const price = this.#price(this.worth(off), 0.7, 300)
      const apart = this.dice.chance(0.5) && !off.some((u) => u.everLeft)
      for (const u of off) u.at = "off"
      this.say(`${off.length} for ${this.worth(off)} are taken off`)
      this.#later = () => {
        this.#comesIn(price)
        if (this.dice.chance(0.7)) this.settle(0)
      }
      if (!apart) this.flush()
    },
    exchange: () => {
      const back = this.#some("gone", 2)
      if (back.length === 0 || this.kind === "woo") return
      const price = this.#price(this.worth(back), 0.6, 400)
      for (const u of back) u.at = "back"
      this.say(`${back.length} for ${this.worth(back)} come back`)
      this.#comesIn(price)
      this.settle(0)
      this.lost ||= BigInt(price) < this.worth(back) || this.paid === "never"
    },
    settle: () => this.settle(0),
    all: () => {
      if (this.kind !== "woo" || this.all("here").length === 0) return
      this.#send(true)
      this.allLeft = true
      this.say("completed")
    }
  }

  step(): void {
    const magento = ["ship", "ship", "cancel", "return", "amount"]
    const others = ["ship", "ship", "ship", "cancel", "return", "amount", "label", "swap", "exchange", "settle", "all"]
    const move = this.dice.of(this.kind === "magento" ? magento : others)!
    if (this.pending) return this.flush()
    if (this.allLeft && ["ship", "cancel", "label", "swap", "exchange"].includes(move)) return
    this.#moves[move]!()
  }

  #return(): void {
    const { dice, kind, paid } = this
    const back = this.#some("gone", 3)
    if (back.length === 0) return
    this.#write(back)
    const worth = this.worth(back)
    this.say(`${back.length} come back, ${worth}`)
    const how = dice.below(5)
    const isCredit = how === 0 && kind === "shopify" && paid === "at once" && this.balance() === 0n
    if (isCredit || how === 1) return this.comeBack(0, back, isCredit ? "credit" : "nothing")
    for (const u of back) u.at = "back"
    const memo =
      paid === "never" && kind === "woo" ? worth : paid === "as it ships" ? least(worth, this.net) : undefined
    if (memo !== undefined) this.own.given += memo
    else if (kind !== "shopify" || paid === "never" || dice.chance(0.6)) this.settle(0)
    else return
    this.lost = true
  }

  get pending(): boolean {
    return this.#later !== undefined
  }
  flush(): void {
    const it = this.#later
    this.#later = undefined
    it?.()
  }

  /** The order ends, and the shop's books are put in order. */
  ends(): void {
    this.flush()
    const { dice, kind, paid } = this
    const here = this.all("here")
    const any = this.units.some((u) => u.everLeft)
    if (dice.chance(0.75) || here.length === 0) {
      this.#send(true)
      this.end = { how: "complete", day: 0 }
    } else if (kind === "woo" && !any && dice.chance(0.7)) {
      // WooCommerce's status alone: lines and total stay as they were, and the money may or may not be given back.
      this.end = { how: "cancelled", day: 0 }
      if (paid === "at once" && dice.chance(0.5)) this.own.given = this.own.received
      return this.say("cancelled by its status alone")
    } else {
      if (!any) this.kept = 0n
      if (paid === "as it ships") this.cancelRest(0)
      else this.takeOff(here)
      this.end = { how: any ? "complete" : "cancelled", day: 0 }
      if (!any) this.shipping = 0n
    }
    if (paid === "as it ships") this.own.received = this.total() + this.own.given
    if (kind === "woo" && this.end?.how === "complete") this.allLeft = true
    // What is still to be paid is not always collected.
    if (this.balance() > 0n || dice.chance(0.6)) this.settle(0)
    this.say(`ends: ${this.end?.how}, ${this.all("off").length} never left`)
  }

  /** After its end: goods come back, and amounts are given back. */
  after(): void {
    const { kind, paid } = this
    const back = this.#some("gone", 2)
    if (this.dice.chance(0.6) && back.length > 0) {
      this.#write(back)
      for (const u of back) u.at = "back"
      const worth = this.worth(back)
      this.say(`after its end ${back.length} come back, ${worth}`)
      if (paid === "at once") this.settle(0, worth)
      else if (paid === "as it ships" || kind === "woo")
        this.own.given += paid === "never" ? worth : least(worth, this.net)
    } else {
      const amount = this.#below(299n, this.total(), paid === "never" ? 0n : this.net)
      if (amount === 0n) return
      this.give(0, amount)
      this.loose += amount
      this.say(`after its end gives back ${amount}`)
    }
  }

  #line({ gross: price, id, ordered }: OrderLine): Line {
    const [gross, back, here] = [Number(price), this.count(id, "back"), this.count(id, "here")]
    const exact = { id, gross, ordered, left: this.count(id, "gone") + back, back, still: this.#still(id) }
    if (this.end?.how === "cancelled" && this.kind === "woo") return { ...exact, still: here }
    if (this.kind === "shopify") return exact
    const read = this.#read.get(id) ?? { back: 0, off: 0, unsure: 0 }
    const left = this.units.filter((u) => u.line === id && u.everLeft).length
    if (this.allLeft || this.end !== undefined) return { ...exact, left, still: 0 }
    // What an edit took off is off for certain: the shop then states other quantities.
    const edited = this.count(id, "off") + back - read.back - read.off - read.unsure
    // More came back than left, or more was taken off than was there: the other side, then.
    const off = read.off + edited + Math.max(0, read.unsure + read.back - left)
    const open = Math.min(read.unsure, Math.max(0, left - read.back))
    const still = Math.max(0, ordered - left - off)
    const unsure = Math.min(open, still)
    return { ...exact, left, back: Math.min(left, read.back + open - unsure), still, unsure }
  }

  /** What the shop's API says now. */
  state(): State {
    const { card, credit, end, own, paid, placing } = this
    const base = {
      currency: "EUR",
      lines: this.lines.map((one) => this.#line(one)),
      says: "total" as const,
      charges: Number(this.shipping - (placing.discount ?? 0n)),
      ...(end === undefined ? {} : { end: end.how as "complete" | "cancelled" }),
      own: { given: Number(own.given), ...(paid === "never" ? {} : { received: Number(own.received) }) },
      others: { received: Number(card.received), given: Number(card.given + credit) }
    }
    // Magento and WooCommerce state the total as ordered, and beside it what was given back.
    const asOrdered = Number(this.total() + own.given + card.given + credit)
    if (this.kind !== "shopify")
      return { ...base, total: asOrdered, ...(this.canceled > 0n ? { cancelled: Number(this.canceled) } : {}) }
    const total = Number(this.total() + (this.adjusts ? 0n : this.loose))
    const net = Number((paid === "never" ? 0n : this.net) + card.received - card.given - credit)
    return { ...base, total, ...(this.adjusts ? { outstanding: total - net } : {}) }
  }
}
