/**
 * What is true of one order, counted unit by unit and coin by coin: what was sold, what left, what came back, what the shop
 * gave back and in which form. What the buyer owes by the deferred payment follows from it.
 */
import { type Day, least, type Minor, most, sum } from "../Values.ts"

export type ShopKind = "shopify" | "magento" | "woocommerce" | "bigcommerce" | "files"

export interface Unit {
  readonly line: string
  readonly value: Minor
  at: "here" | "gone" | "back" | "off"
  everLeft: boolean
}

export interface OrderLine {
  readonly id: string
  readonly ordered: number
  /** What the buyer pays for it: `list` less the discount with its tax. */
  readonly gross: Minor
  readonly list: Minor
  /** A discount before tax, and the tax's percentage. */
  readonly off: Minor
  readonly rate: bigint
  readonly isVirtual: boolean
}

interface Part {
  readonly line: string
  readonly quantity: number
}

export interface Parcel {
  readonly id: string
  readonly day: Day
  readonly parts: ReadonlyArray<Part>
  cancelled: boolean
}

export interface Refund {
  readonly id: string
  readonly day: Day
  readonly parts: ReadonlyArray<Part & { readonly worth: Minor; readonly returned: boolean }>
  /** What went back: by the deferred payment, by other means, as credit in the shop. */
  readonly own: Minor
  readonly cards: Minor
  readonly credit: Minor
  /** How much less the order comes to. */
  readonly less: Minor
}

export interface Edit {
  readonly id: string
  readonly day: Day
  readonly removed: ReadonlyArray<Part>
  readonly added: ReadonlyArray<Part>
}

export interface Placing {
  readonly id: string
  readonly number: string
  readonly day: Day
  /** When the shop counts the deferred payment as paid. */
  readonly paid: "at once" | "as it ships" | "never"
  readonly lines: ReadonlyArray<OrderLine>
  readonly shipping: Minor
  /** What was paid by gift card or store credit. */
  readonly card: Minor
  /** What everything is cheaper by. */
  readonly discount?: Minor
}

export class Order {
  readonly placing: Placing
  readonly placed: Minor
  readonly lines: Array<OrderLine> = []
  readonly units: Array<Unit> = []
  readonly parcels: Array<Parcel> = []
  readonly refunds: Array<Refund> = []
  readonly edits: Array<Edit> = []
  readonly own = { received: 0n, given: 0n }
  readonly card = { received: 0n, given: 0n }
  credit: Minor = 0n
  shipping: Minor
  /** What the shop keeps of goods that came back, less what it gave back for no goods. */
  kept: Minor
  /** Magento: what was cancelled before it was invoiced. */
  canceled: Minor = 0n
  end: { readonly how: "complete" | "cancelled" | "failed"; readonly day: Day } | undefined
  /** The shop calls everything delivered. */
  completed: Day | undefined
  /** The day of the last change. */
  changed: Day
  /** Something went back for good before the order was paid in the shop. */
  lost = false
  #n = 0
  #came: Minor

  constructor(placing: Placing) {
    this.placing = placing
    this.changed = placing.day
    this.shipping = placing.shipping
    this.card.received = placing.card
    this.kept = -(placing.discount ?? 0n)
    for (const line of placing.lines) this.add(line)
    this.#came = this.total()
    this.placed = this.#came - placing.card
    if (placing.paid === "at once") this.own.received = this.placed
    const downloads = this.units.filter((unit) => this.line(unit.line).isVirtual)
    for (const unit of downloads) Object.assign(unit, { at: "gone", everLeft: true })
    if (placing.paid === "as it ships" && downloads.length > 0)
      this.own.received = this.worth(downloads) + this.shipping
  }

  line(id: string): OrderLine {
    return this.lines.find((one) => one.id === id)!
  }

  add(line: OrderLine): void {
    this.lines.push(line)
    const upTo = (n: number) => (line.gross * BigInt(n)) / BigInt(line.ordered)
    for (let n = 0; n < line.ordered; n++)
      this.units.push({ line: line.id, value: upTo(n + 1) - upTo(n), at: "here", everLeft: false })
  }

  all(at: Unit["at"]): ReadonlyArray<Unit> {
    return this.units.filter((unit) => unit.at === at)
  }

  count(line: string, at: Unit["at"]): number {
    return this.units.filter((unit) => unit.line === line && unit.at === at).length
  }

  worth(units: ReadonlyArray<Unit>): Minor {
    return sum(units.map(({ value }) => value))
  }

  /** What the order comes to now, by all means of payment. */
  total(): Minor {
    return most(0n, this.worth(this.all("here")) + this.worth(this.all("gone")) + this.shipping + this.kept)
  }

  get net(): Minor {
    return this.own.received - this.own.given
  }

  balance(): Minor {
    return this.net + this.card.received - this.card.given - this.credit - this.total()
  }

  /** What the buyer owes by the deferred payment: as the shop's money says, or where it has none, as its total says. */
  owed(): Minor {
    if (this.end !== undefined && this.end.how !== "complete") return 0n
    return this.placing.paid === "at once"
      ? this.net
      : most(0n, this.total() - this.card.received + this.card.given + this.credit)
  }

  #parts(units: ReadonlyArray<Unit>): ReadonlyArray<Part> {
    const by = Map.groupBy(units, ({ line }) => line)
    return [...by].map(([line, those]) => ({ line, quantity: those.length }))
  }

  #refund(
    day: Day,
    units: ReadonlyArray<Unit>,
    returned: boolean,
    given: { readonly own?: Minor; readonly cards?: Minor; readonly credit?: Minor }
  ): void {
    const { cards = 0n, credit = 0n, own = 0n } = given
    const parts = this.#parts(units).map((part) => ({
      ...part,
      returned,
      worth: this.worth(units.filter(({ line }) => line === part.line))
    }))
    const total = this.total()
    this.refunds.push({ id: `${++this.#n}`, day, parts, own, cards, credit, less: this.#came - total })
    this.#came = total
    this.own.given += own
    this.card.given += cards
    this.credit += credit
    this.changed = day
  }

  ship(day: Day, units: ReadonlyArray<Unit>): void {
    if (units.length === 0) return
    const isFirst = this.units.every(({ everLeft }) => !everLeft)
    for (const unit of units) Object.assign(unit, { at: "gone", everLeft: true })
    if (this.placing.paid === "as it ships")
      this.own.received = least(
        this.total() + this.own.given,
        this.own.received + this.worth(units) + (isFirst ? this.shipping : 0n)
      )
    this.parcels.push({ id: `${++this.#n}`, day, parts: this.#parts(units), cancelled: false })
    this.changed = day
  }

  /** What is the buyer's goes back: first by the deferred payment. */
  #split(amount: Minor): { readonly own: Minor; readonly cards: Minor } {
    const own = least(amount, most(0n, this.net))
    return { own, cards: amount - own }
  }

  /** Units that will not leave. */
  takeOff(units: ReadonlyArray<Unit>): void {
    for (const unit of units) unit.at = "off"
    if (this.units.every(({ at }) => at === "off")) this.shipping = 0n
  }

  /** Units that will not leave; the shop gives their price back where it was paid. */
  cancel(day: Day, units: ReadonlyArray<Unit>): void {
    if (units.length === 0) return
    this.takeOff(units)
    const back = most(0n, this.balance())
    this.#refund(day, units, false, this.#split(back))
    this.lost ||= back > 0n
  }

  /** The shop's money comes in line with its total: too much goes back, up to an amount; what is dearer is paid by other means. */
  settle(day: Day, upTo?: Minor): void {
    if (this.placing.paid !== "at once") return
    const balance = this.balance()
    if (balance > 0n) this.#refund(day, [], false, this.#split(upTo === undefined ? balance : least(balance, upTo)))
    else if (upTo === undefined) this.card.received -= balance
  }

  comeBack(day: Day, units: ReadonlyArray<Unit>, how: "money" | "credit" | "nothing"): void {
    for (const unit of units) unit.at = "back"
    if (units.length === 0) return
    const worth = this.worth(units)
    this.lost ||= how === "money" || this.placing.paid === "never"
    if (how === "credit") return this.#refund(day, units, true, { credit: worth })
    if (how === "nothing") {
      this.kept += worth
      return this.#refund(day, units, true, {})
    }
    const asItShips = this.placing.paid === "as it ships"
    const back = least(worth, most(0n, asItShips ? this.net : this.balance()))
    // What was given back for no goods before was a part of it.
    if (asItShips) this.kept += worth - back
    this.#refund(day, units, true, this.#split(back))
  }

  /** Money goes back for no goods. */
  give(day: Day, amount: Minor): void {
    this.kept -= amount
    this.lost = true
    this.#refund(day, [], false, this.placing.paid === "never" ? {} : { own: amount })
  }

  /** The last parcel's label was wrong: its goods are still to leave. */
  relabel(day: Day): boolean {
    const parcel = this.parcels.findLast(({ cancelled }) => !cancelled)
    if (parcel === undefined || this.refunds.some(({ day: at }) => at >= parcel.day)) return false
    parcel.cancelled = true
    for (const { line, quantity } of parcel.parts)
      for (const unit of this.units.filter((one) => one.line === line && one.at === "gone").slice(0, quantity))
        unit.at = "here"
    this.changed = day
    return true
  }

  /** Units are taken off, or come back, for others. */
  replace(day: Day, units: ReadonlyArray<Unit>, line: OrderLine, cameBack: boolean): void {
    const removed = this.#parts(units)
    for (const unit of units) unit.at = cameBack ? "back" : "off"
    this.add(line)
    this.edits.push({
      id: `${++this.#n}`,
      day,
      removed: cameBack ? [] : removed,
      added: [{ line: line.id, quantity: line.ordered }]
    })
    const back = most(0n, this.balance())
    if (cameBack) this.#refund(day, units, true, this.#split(back))
    else if (back > 0n) this.#refund(day, [], false, this.#split(back))
    // What is dearer is paid by other means.
    if (this.placing.paid !== "never" && this.balance() < 0n) this.card.received -= this.balance()
    this.changed = day
  }

  finish(day: Day, how: "complete" | "cancelled" | "failed"): void {
    if (how === "complete") this.ship(day, this.all("here"))
    if (how === "complete" && this.placing.paid === "as it ships") this.own.received = this.total() + this.own.given
    if (how === "cancelled" && this.placing.paid === "at once") this.cancel(day, this.all("here"))
    this.end = { how, day }
    if (how === "complete") this.completed = day
    this.changed = day
  }

  /** Magento's button: what was not invoiced will not leave. */
  cancelRest(day: Day): void {
    const here = this.all("here")
    this.canceled = this.units.some(({ everLeft }) => everLeft) ? this.worth(here) : this.placed
    for (const unit of here) unit.at = "off"
    this.end = { how: this.units.some(({ everLeft }) => everLeft) ? "complete" : "cancelled", day }
    if (this.end.how === "cancelled") this.shipping = 0n
    this.changed = day
  }
}
