/**
 * Random histories of shops' orders, and what each shop's API would say at any time. Knows nothing of the rules. What is true is
 * counted unit by unit and coin by coin.
 */
import { arithmetic, type Kind, type Price, type Rounding } from "./Arithmetic.ts"
import type { Random } from "./Random.ts"
import type { Line, Minor, State } from "./Numbers.ts"

interface Unit {
  readonly line: string
  readonly value: Minor
  at: "here" | "gone" | "back" | "off"
  everLeft: boolean
}

const sum = (units: ReadonlyArray<Unit>): Minor => units.reduce((all, { value }) => all + value, 0)

export class Shop {
  readonly kind: Kind
  readonly r: Random
  /** When the shop counts the deferred payment as paid. */
  readonly paid: "at once" | "as it ships" | "never"
  /** Shopify: whether its total falls by what is given back for no goods. Its documents allow both. */
  readonly adjusts: boolean
  readonly units: Array<Unit> = []
  readonly lines: Array<{ readonly id: string; readonly gross: Minor; readonly ordered: number }> = []
  shipping: Minor
  /** Discounts, fees, and what the shop keeps of goods that came back. */
  other: Minor = 0
  own = { received: 0, given: 0 }
  card = { received: 0, given: 0 }
  credit: Minor = 0
  loose: Minor = 0
  canceled: Minor = 0
  end: State["end"]
  allLeft = false
  readonly placed: Minor
  readonly delivery: Minor
  readonly discount: Minor
  readonly log: Array<string> = []
  /** Something went back for good: what comes in now may not be authorised any more. */
  lost = false
  /** By line, on which side its refunded units were, where only the order of refunds and parcels says so. */
  readonly #read = new Map<string, { back: number; off: number; unsure: number }>()
  #next = 0
  #later: (() => void) | undefined

  constructor(kind: Kind, r: Random, rounding: Rounding = "unit") {
    this.kind = kind
    this.r = r
    this.paid = kind === "magento" ? r.pick(["at once", "as it ships"] as const) : r.pick(["at once", "never"] as const)
    this.adjusts = r.chance(0.5)
    for (let n = 1 + r.below(3), carried = new Map(); n > 0; n--)
      this.#add(arithmetic(kind, r, rounding, carried), 1 + r.below(4))
    this.shipping = r.chance(0.6) ? r.below(2500) : 0
    if (r.chance(0.2)) this.other = -Math.min(sum(this.units), r.below(500))
    if (kind !== "magento" && r.chance(0.25)) this.card.received = r.below(this.total())
    // Magento's grand total is without gift cards and store credit.
    if (kind === "magento" && r.chance(0.2)) this.other -= r.below(Math.max(1, this.total()))
    this.delivery = this.shipping
    this.discount = this.other
    this.placed = this.total() - this.card.received
    if (this.paid === "at once") this.own.received = this.placed
    this.say(
      `${kind}, paid ${this.paid}: ${this.lines.map((l) => `${l.ordered} of ${l.id} ${l.gross}`).join(", ")}, shipping ${this.shipping}, other ${this.other}, by card ${this.card.received}, deferred ${this.placed}`
    )
  }

  say = (what: string): void => void this.log.push(what)
  #add(price: Price, quantity: number): void {
    const [id, gross] = [`L${++this.#next}`, price(quantity)]
    this.lines.push({ id, gross, ordered: quantity })
    const upTo = (n: number) => Math.round((gross * n) / quantity)
    for (let n = 0; n < quantity; n++)
      this.units.push({ line: id, value: upTo(n + 1) - upTo(n), at: "here", everLeft: false })
  }
  #all = (at: Unit["at"]): Array<Unit> => this.units.filter((u) => u.at === at)
  #some(at: Unit["at"], most = 9): Array<Unit> {
    const all = this.#all(at)
    return all.slice(0, all.length === 0 ? 0 : 1 + this.r.below(Math.min(all.length, most)))
  }
  /** What the order comes to now, of all methods. */
  total = (): Minor => Math.max(0, sum(this.#all("here")) + sum(this.#all("gone")) + this.shipping + this.other)
  ownNet = (): Minor => this.own.received - this.own.given
  balance(): Minor {
    return this.ownNet() + this.card.received - this.card.given - this.credit - this.total()
  }
  /** What is owed by this method: as the shop's money says, or where it has none, as its total says. */
  owed(): Minor {
    return this.end === "cancelled"
      ? 0
      : this.paid === "at once"
        ? this.ownNet()
        : Math.max(0, this.total() - this.card.received + this.card.given + this.credit)
  }

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
  #give(amount: Minor): void {
    const own = Math.min(amount, this.ownNet())
    this.own.given += own
    this.card.given += amount - own
    if (own > 0) this.lost = true
    this.say(`gives back ${own} by this method, ${amount - own} by card`)
  }
  /** Brings the shop's money into line with its total. */
  settle(): void {
    if (this.paid === "never") return
    const balance = this.balance()
    if (this.paid === "as it ships") return
    if (balance > 0) this.#give(balance)
    if (balance < 0) {
      this.card.received -= balance
      this.say(`${-balance} more is paid by card`)
    }
  }

  /** Units of a line that the shop would let leave. Magento counts a refunded unit as one that did not leave. */
  #still(line: string): number {
    const n = (at: Unit["at"]) => this.units.filter((u) => u.line === line && u.at === at).length
    return this.allLeft || this.end === "complete" || this.end === "cancelled"
      ? 0
      : this.kind === "magento"
        ? Math.max(0, n("here") - n("back"))
        : n("here")
  }
  ship(all = false): void {
    const isFirst = this.units.every((u) => !u.everLeft)
    const here = this.lines.flatMap(({ id }) =>
      this.units.filter((u) => u.line === id && u.at === "here").slice(0, this.#still(id))
    )
    const units = here.slice(0, all ? here.length : here.length === 0 ? 0 : 1 + this.r.below(here.length))
    for (const u of units) {
      u.at = "gone"
      u.everLeft = true
    }
    if (this.paid === "as it ships")
      this.own.received = Math.min(
        this.total() + this.own.given,
        this.own.received + sum(units) + (isFirst && units.length > 0 ? this.shipping : 0)
      )
    if (units.length > 0) this.say(`${units.length} leave`)
  }

  step(): void {
    const { r } = this
    const moves =
      this.kind === "magento"
        ? ["ship", "ship", "cancel", "return", "amount"]
        : ["ship", "ship", "ship", "cancel", "return", "amount", "label", "swap", "exchange", "settle", "all"]
    const move = r.pick(moves)
    if (this.#later !== undefined) return this.flush()
    if (this.allLeft && ["ship", "cancel", "label", "swap", "exchange"].includes(move)) return
    if (move === "ship") this.ship()
    else if (move === "cancel") {
      const off = this.#some("here", 3)
      if (this.paid === "as it ships" || off.length === 0) return
      this.#write(off)
      for (const u of off) u.at = "off"
      if (this.units.every((u) => u.at === "off")) this.shipping = 0
      this.say(`${off.length} for ${sum(off)} will not leave`)
      if (this.kind !== "shopify" || r.chance(0.7)) this.settle()
    } else if (move === "return") {
      const back = this.#some("gone", 3)
      if (back.length === 0) return
      this.#write(back)
      for (const u of back) u.at = "back"
      this.say(`${back.length} come back, ${sum(back)}`)
      const how = r.below(5)
      if (how === 0 && this.kind === "shopify" && this.paid === "at once" && this.balance() === sum(back)) {
        this.credit += sum(back)
        this.say("for store credit")
      } else if (how === 1) {
        this.other += sum(back)
        this.lost ||= this.paid === "never"
        this.say("nothing is given back: under warranty, or the shop keeps the money")
      } else if (this.paid === "never" && this.kind === "woo") {
        this.own.given += sum(back)
        this.lost = true
        this.say("a refund is written")
      } else if (this.paid === "as it ships") {
        this.own.given += Math.min(sum(back), this.ownNet())
        this.say("a credit memo is written")
      } else if (this.kind !== "shopify" || this.paid === "never" || r.chance(0.6)) {
        this.settle()
        this.lost = true
      }
    } else if (move === "amount") {
      const amount = r.below(Math.min(600, this.total(), this.paid === "never" ? 1e9 : this.ownNet()) + 1)
      if (amount === 0) return
      this.other -= amount
      this.lost = true
      if (this.paid === "never") this.say(`the total is lowered by ${amount}`)
      else {
        this.own.given += amount
        this.loose += amount
        this.say(`gives back ${amount} for no goods`)
      }
    } else if (move === "label") {
      const back = this.kind === "shopify" ? this.#some("gone") : []
      for (const u of back) u.at = "here"
      if (back.length > 0) this.say(`a parcel of ${back.length} is cancelled; they are still to leave`)
    } else if (move === "swap") {
      const off = this.#some("here", 2)
      if (off.length === 0 || (this.kind === "woo" && this.paid === "at once")) return
      const worth = sum(off)
      const price =
        this.paid === "never" && this.lost ? worth : r.pick([worth, Math.floor(worth * 0.7), worth + r.below(300)])
      const apart = r.chance(0.5) && !off.some((u) => u.everLeft)
      for (const u of off) u.at = "off"
      this.say(`${off.length} for ${worth} are taken off`)
      this.#later = () => {
        this.#add(() => price, 1)
        this.say(`one for ${price} comes in`)
        if (r.chance(0.7)) this.settle()
      }
      if (!apart) this.flush()
    } else if (move === "exchange") {
      const back = this.#some("gone", 2)
      if (back.length === 0 || this.kind === "woo") return
      const worth = sum(back)
      const price =
        this.paid === "never" && this.lost ? worth : r.pick([worth, Math.floor(worth * 0.6), worth + r.below(400)])
      for (const u of back) u.at = "back"
      this.#add(() => price, 1)
      this.say(`${back.length} for ${worth} are exchanged for one of ${price}`)
      this.settle()
      if (price < worth || this.paid === "never") this.lost = true
    } else if (move === "settle") this.settle()
    else if (move === "all" && this.kind === "woo" && this.#all("here").length > 0) {
      this.ship(true)
      this.allLeft = true
      this.say("completed")
    }
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
  finish(): void {
    this.flush()
    const here = this.#all("here")
    if (this.r.chance(0.75) || here.length === 0) {
      this.ship(true)
      if (this.paid === "as it ships") this.own.received = this.total() + this.own.given
      this.end = "complete"
    } else if (this.kind === "woo" && this.units.every((u) => !u.everLeft) && this.r.chance(0.7)) {
      // WooCommerce's status alone: lines and total stay as they were, and the money may or may not be given back.
      this.end = "cancelled"
      if (this.paid === "at once" && this.r.chance(0.5)) this.#give(this.ownNet())
      return this.say("cancelled by its status alone")
    } else {
      const any = this.units.some((u) => u.everLeft)
      if (!any) {
        this.shipping = 0
        this.other = Math.max(0, this.other) === 0 ? -sum(this.#all("gone")) : this.other
        this.other = 0
      }
      for (const u of here) u.at = "off"
      if (this.paid === "as it ships") {
        this.canceled = any ? sum(here) : this.placed
        this.own.received = this.total() + this.own.given
      }
      this.end = any ? "complete" : "cancelled"
    }
    if (this.kind === "woo" && this.end === "complete") this.allLeft = true
    // What is still to be paid is not always collected.
    if (this.balance() > 0 || this.r.chance(0.6)) this.settle()
    this.say(`ends: ${this.end}, ${this.#all("off").length} never left`)
  }

  /** After its end: goods come back, and amounts are given back. */
  after(): void {
    const { r } = this
    const back = this.#some("gone", 2)
    if (r.chance(0.6) && back.length > 0) {
      this.#write(back)
      for (const u of back) u.at = "back"
      const worth = sum(back)
      this.say(`after its end ${back.length} come back, ${worth}`)
      if (this.paid === "at once") this.#give(Math.max(0, Math.min(worth, this.balance())))
      else if (this.paid === "as it ships" || this.kind === "woo")
        this.own.given += this.paid === "never" ? worth : Math.min(worth, this.ownNet())
    } else {
      const amount = r.below(Math.min(300, this.total(), this.paid === "never" ? 0 : this.ownNet()) + 1)
      this.other -= amount
      this.own.given += amount
      this.loose += amount
      if (amount > 0) this.say(`after its end gives back ${amount}`)
    }
  }

  /** What the shop's API says now. */
  state(): State {
    const { card, credit, end, own, paid } = this
    const lines: ReadonlyArray<Line> = this.lines.map(({ gross, id, ordered }) => {
      const n = (at: Unit["at"]) => this.units.filter((u) => u.line === id && u.at === at).length
      const exact = { left: n("gone") + n("back"), back: n("back"), still: this.#still(id) }
      if (this.end === "cancelled" && this.kind === "woo") return { id, gross, ordered, ...exact, still: n("here") }
      if (this.kind === "shopify") return { id, gross, ordered, ...exact }
      const read = this.#read.get(id) ?? { back: 0, off: 0, unsure: 0 }
      const left = this.units.filter((u) => u.line === id && u.everLeft).length
      if (this.allLeft || end !== undefined) return { id, gross, ordered, left, back: n("back"), still: 0 }
      // What an edit took off is off for certain: the shop then states other quantities.
      const edited = n("off") + n("back") - read.back - read.off - read.unsure
      // More came back than left, or more was taken off than was there: the other side, then.
      const off = read.off + edited + Math.max(0, read.unsure + read.back - left)
      const open = Math.min(read.unsure, Math.max(0, left - read.back))
      const here = Math.max(0, ordered - left - off)
      const unsure = Math.min(open, here)
      return { id, gross, ordered, left, back: Math.min(left, read.back + open - unsure), still: here, unsure }
    })
    const base = {
      currency: "EUR",
      lines,
      says: "total" as const,
      charges: this.shipping + this.discount,
      ...(end === undefined ? {} : { end }),
      others: { received: card.received, given: card.given + credit }
    }
    const its = paid === "never" ? { given: own.given } : { ...own }
    // Magento and WooCommerce state the total as ordered, and beside it what was given back.
    if (this.kind !== "shopify")
      return {
        ...base,
        total: this.total() + own.given + card.given + credit,
        own: its,
        ...(this.canceled > 0 ? { cancelled: this.canceled } : {})
      }
    const total = this.total() + (this.adjusts ? 0 : this.loose)
    const net = (paid === "never" ? 0 : this.ownNet()) + card.received - card.given - credit
    return { ...base, total, own: its, ...(this.adjusts ? { outstanding: total - net } : {}) }
  }
}
