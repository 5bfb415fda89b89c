/** Writes the life of a shop's orders by seed: parcels, cancellations, returns, swaps, exchanges, refunds in every form. */
import { Dice } from "../../simulation/Dice.ts"
import { type Day, least, major, type Minor, most, type Zone, ZONES } from "../Values.ts"
import { faultsOf, told } from "./Faults.ts"
import type { Fault } from "./Plan.ts"
import { Order, type OrderLine, type ShopKind } from "./Order.ts"

export interface ShopStyle {
  readonly kind: ShopKind
  /** How many decimals prices have there: an ordinary setting. */
  readonly decimals: 2 | 4
  /** WooCommerce: the status in which everything left, where it is one of the shop's own. */
  readonly shipped: "completed" | "shipped"
  /** Magento: the service's own plugin captures, and Daybook only watches. */
  readonly plugin?: true
  /** WooCommerce: the shop's own time. */
  readonly zone?: Zone
}

/** Orders of the shop that have nothing to do with the service. */
export interface OtherOrder {
  readonly id: string
  readonly day: Day
  readonly payment: "card" | "cheque"
}

export interface ShopWorld {
  readonly orders: Map<string, Order>
  readonly others: Array<OtherOrder>
  /** Orders of which the service's plugin loses its calls. */
  readonly lost: Set<string>
  /** What goes wrong at the next sync. */
  readonly faults: Array<Fault>
}

export interface ShopHappening {
  readonly id: string
  readonly day: Day
  readonly kind: string
  /** Does it, and says it; undefined: there was nothing to do. */
  readonly does: (world: ShopWorld) => string | undefined
}

export interface ShopPlan {
  readonly seed: number
  readonly style: ShopStyle
  readonly happenings: ReadonlyArray<ShopHappening>
  readonly syncs: ReadonlyArray<Day>
  readonly quiet: Day
  /** How many minor units more, or fewer, are authorised than the order comes to. */
  readonly cent: Minor
}

const MOVES: Readonly<Record<ShopKind, ReadonlyArray<string>>> = {
  shopify: [
    "parcel",
    "parcel",
    "parcel",
    "cancel",
    "return",
    "credit",
    "nothing",
    "amount",
    "label",
    "swap",
    "swap",
    "exchange",
    "exchange"
  ],
  magento: ["parcel", "parcel", "parcel", "cancel", "return", "nothing", "amount", "cancel rest"],
  woocommerce: ["cancel", "complete", "complete", "return", "nothing", "amount", "failed"],
  bigcommerce: ["parcel", "parcel", "complete", "cancel", "return", "credit", "amount"],
  files: ["parcel", "parcel", "parcel", "cancel", "return", "nothing", "amount"]
}

/** @param coupon everything is a tenth cheaper: BigCommerce states an order's coupons in one sum */
const lineOf = (id: string, dice: Dice, kind: ShopKind, coupon: boolean): OrderLine => {
  const ordered = 1 + dice.below(4)
  const rate = dice.of([0n, 20n, 19n])!
  const net = BigInt(ordered) * BigInt(dice.chance(0.6) ? 100 * (5 + dice.below(60)) : 150 + dice.below(9000))
  const list = net + (net * rate + 50n) / 100n
  const reduced = kind === "bigcommerce" ? coupon : dice.chance(0.25) && kind !== "shopify"
  const off = reduced ? net / 10n : 0n
  return {
    id,
    ordered,
    rate,
    list,
    off,
    gross: list - off - (off * rate + 50n) / 100n,
    isVirtual: kind === "magento" && dice.chance(0.12)
  }
}

const written = (number: string, lines: ReadonlyArray<OrderLine>): string =>
  `order ${number}: ${lines.map(({ gross, id, isVirtual, ordered }) => `${ordered} of ${id} for ${major(gross)}${isVirtual ? " (a download)" : ""}`).join(", ")}`

class Keeper {
  readonly happenings: Array<ShopHappening> = []
  readonly #seed: number
  readonly #kind: ShopKind
  readonly #plugin: boolean

  constructor(seed: number, kind: ShopKind, plugin: boolean) {
    this.#seed = seed
    this.#kind = kind
    this.#plugin = plugin
  }

  /** Something happens to an order, if it is there and can. */
  #step(id: string, order: string, day: Day, kind: string, does: (of: Order, dice: Dice) => string | undefined): void {
    this.happenings.push({
      id,
      day,
      kind,
      does: ({ orders }) => {
        const of = orders.get(order)
        const what = of === undefined ? undefined : does(of, Dice.of(this.#seed, id))
        return what === undefined ? undefined : `${order}: ${what}`
      }
    })
  }

  sell(n: number): void {
    const dice = Dice.of(this.#seed, `order.${n}`)
    const number = `${1001 + n}`
    const day = 1 + dice.below(10)
    const drawn =
      this.#kind === "magento"
        ? dice.of(["at once", "as it ships"] as const)!
        : this.#kind === "bigcommerce" || this.#kind === "files"
          ? "at once"
          : dice.of(["at once", "at once", "never"] as const)!
    // The plugin captures with the shop's invoices, which are written as it ships.
    const paid = this.#plugin ? "as it ships" : drawn
    const coupon = dice.chance(0.25)
    const lines = Array.from({ length: 1 + dice.below(2) }, (_, at) =>
      lineOf(`${n + 1}${at + 1}`, dice, this.#kind, coupon)
    )
    const shipping = dice.chance(0.4) ? BigInt(100 * (1 + dice.below(15))) : 0n
    const whole = lines.reduce((all, { gross }) => all + gross, shipping)
    const card = this.#kind !== "magento" && this.#kind !== "files" && dice.chance(0.2) ? whole / 4n : 0n
    const what = `${written(number, lines)}, delivery ${major(shipping)}${card > 0n ? `, ${major(card)} of it by gift card` : ""}, counted as paid ${paid}`
    this.happenings.push({
      id: `sale.${number}`,
      day,
      kind: card > 0n ? "sale, partly by gift card" : "sale",
      does: ({ orders }) => {
        orders.set(number, new Order({ id: number, number, day, paid, lines, shipping, card }))
        return what
      }
    })
    let at = day
    for (let step = 2 + dice.below(4); step > 0; step--) {
      at += 1 + dice.below(5)
      this.#move(number, at, step, dice.of(MOVES[this.#kind])!, paid)
    }
    this.#ending(number, at + 3, dice)
    const loses = Dice.of(this.#seed, `loses.${n}`)
    if (this.#plugin && loses.chance(0.6))
      this.happenings.push({
        id: `${number}.loses`,
        day: day + 1 + loses.below(6),
        kind: "the plugin loses a call",
        does: ({ lost }) => {
          lost.add(number)
          return `${number}: what the plugin sends is lost`
        }
      })
  }

  #move(number: string, at: Day, step: number, move: string, paid: string): void {
    const id = `${number}.${step}.${move}`
    const open = (of: Order) => of.end === undefined && of.completed === undefined
    const some = (of: Order, at: "here" | "gone", dice: Dice) => {
      const all = of.all(at).filter(({ line }) => !of.line(line).isVirtual || at === "gone")
      return all.slice(0, all.length === 0 ? 0 : 1 + dice.below(Math.min(all.length, 3)))
    }
    const moves: Readonly<Record<string, (of: Order, dice: Dice) => string | undefined>> = {
      parcel: (of, dice) => {
        const units = open(of) ? some(of, "here", dice) : []
        of.ship(at, units)
        return units.length === 0 ? undefined : `a parcel of ${units.length} leaves`
      },
      cancel: (of, dice) => {
        if (!open(of) || paid === "as it ships") return undefined
        const units = some(of, "here", dice)
        of.cancel(at, units)
        return units.length === 0 ? undefined : `${units.length} will not leave, for ${major(of.worth(units))}`
      },
      return: (of, dice) => this.#back(of, some(of, "gone", dice), at, "money"),
      credit: (of, dice) =>
        paid === "at once" && of.balance() === 0n ? this.#back(of, some(of, "gone", dice), at, "credit") : undefined,
      nothing: (of, dice) => (paid === "never" ? undefined : this.#back(of, some(of, "gone", dice), at, "nothing")),
      amount: (of, dice) => {
        const most_ = paid === "never" ? 0n : least(600n, of.net)
        const amount = most_ <= 0n ? 0n : (most_ * BigInt(1 + dice.below(10))) / 10n
        if (amount === 0n || of.end !== undefined) return undefined
        of.give(at, amount)
        return `${major(amount)} is given back for no goods`
      },
      label: (of) => (open(of) && of.relabel(at) ? "a parcel is cancelled for a new label" : undefined),
      swap: (of, dice) => this.#replace(of, open(of) ? some(of, "here", dice) : [], at, id, dice, false),
      exchange: (of, dice) => this.#replace(of, open(of) ? some(of, "gone", dice) : [], at, id, dice, true),
      complete: (of) => {
        if (!open(of)) return undefined
        of.ship(at, of.all("here"))
        of.completed = at
        return "the shop calls it completed"
      },
      "cancel rest": (of) => {
        if (!open(of) || paid !== "as it ships" || of.all("here").length === 0) return undefined
        of.cancelRest(at)
        return "what was not invoiced is cancelled"
      },
      failed: (of, dice) => {
        if (
          !open(of) ||
          paid !== "never" ||
          of.units.some(({ everLeft }) => everLeft) ||
          of.refunds.length > 0 ||
          !dice.chance(0.5)
        )
          return undefined
        of.finish(at, "failed")
        return "the shop's status is: failed"
      }
    }
    this.#step(id, number, at, KINDS[move] ?? move, moves[move]!)
  }

  #back(
    of: Order,
    units: ReadonlyArray<Order["units"][number]>,
    at: Day,
    how: "money" | "credit" | "nothing"
  ): string | undefined {
    if (units.length === 0) return undefined
    of.comeBack(at, units, how)
    return `${units.length} come back, ${major(of.worth(units))}, for ${how}`
  }

  #replace(
    of: Order,
    units: ReadonlyArray<Order["units"][number]>,
    at: Day,
    id: string,
    dice: Dice,
    cameBack: boolean
  ): string | undefined {
    if (units.length === 0) return undefined
    const worth = of.worth(units)
    const gross =
      of.placing.paid === "never" && of.lost
        ? worth
        : dice.of([worth, worth, most(1n, (worth * 7n) / 10n), worth + 300n])!
    const line: OrderLine = {
      id: `9${id.replaceAll(/\D/g, "")}`,
      ordered: 1,
      gross,
      list: gross,
      off: 0n,
      rate: 0n,
      isVirtual: false
    }
    of.replace(at, units, line, cameBack)
    return `${units.length} for ${major(worth)} ${cameBack ? "come back, exchanged" : "are swapped"} for one of ${major(gross)}`
  }

  #ending(number: string, at: Day, dice: Dice): void {
    const how = dice.of(["complete", "complete", "complete", "cancelled"] as const)!
    this.#step(`${number}.end`, number, at, `ends: ${how}`, (of) => {
      if (of.end !== undefined) return undefined
      const left = of.units.some(({ everLeft }) => everLeft)
      of.finish(at, how === "cancelled" && left ? "complete" : how)
      return `it ends, ${of.end === undefined ? "" : (of.end as { readonly how: string }).how}`
    })
    if (dice.chance(0.4))
      this.#step(`${number}.after`, number, at + 4, "return after the end", (of) =>
        of.end?.how === "complete" ? this.#back(of, of.all("gone").slice(0, 1), at + 4, "money") : undefined
      )
  }

  other(n: number, dice: Dice): void {
    const payment = dice.of(["card", "cheque"] as const)!
    const day = 1 + dice.below(20)
    this.happenings.push({
      id: `other.${n}`,
      day,
      kind: `an order paid by ${payment}`,
      does: ({ others }) => {
        others.push({ id: `${2001 + n}`, day, payment })
        return `order ${2001 + n} is paid by ${payment}`
      }
    })
  }
}

/** What each move is called where situations are counted. */
const KINDS: Readonly<Record<string, string>> = {
  nothing: "return for nothing",
  credit: "return for store credit",
  amount: "refund for no goods"
}

const KINDS_OF_SHOPS = ["shopify", "magento", "woocommerce", "bigcommerce", "files"] as const

export const shopPlanOf = (seed: number): ShopPlan => {
  const dice = Dice.of(seed, "shop")
  const kind = KINDS_OF_SHOPS[seed % KINDS_OF_SHOPS.length]!
  const plugin = kind === "magento" && Dice.of(seed, "plugin").chance(0.3)
  const keeper = new Keeper(seed, kind, plugin)
  for (let n = 0; n < 1 + dice.below(2); n++) keeper.sell(n)
  if (dice.chance(0.15)) keeper.other(0, dice)
  const quiet = Math.max(...keeper.happenings.map(({ day }) => day)) + 1
  const syncs = [...new Set(Array.from({ length: 2 + dice.below(5) }, () => 1 + dice.below(quiet)))].toSorted(
    (a, b) => a - b
  )
  return {
    seed,
    style: {
      kind,
      decimals: kind === "woocommerce" && dice.chance(0.15) ? 4 : 2,
      shipped: dice.chance(0.3) ? "shipped" : "completed",
      ...(plugin ? { plugin } : {}),
      ...(kind === "woocommerce" && Dice.of(seed, "zone").chance(0.5)
        ? { zone: Dice.of(seed, "where").of(ZONES)! }
        : {})
    },
    happenings: [
      ...keeper.happenings,
      ...faultsOf(seed, quiet, kind !== "files").map(({ day, fault, id, kind: what }) => ({
        id,
        day,
        kind: what,
        does: ({ faults }: ShopWorld) => {
          faults.push(fault)
          return told(fault, what)
        }
      }))
    ].toSorted((a, b) => a.day - b.day),
    syncs,
    quiet,
    // What the plugin captures is what was authorised.
    cent: dice.chance(0.08) && !plugin ? dice.of([-1n, 1n])! : 0n
  }
}
