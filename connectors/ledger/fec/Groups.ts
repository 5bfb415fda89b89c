/**
 * Lines of customers' accounts that belong together: those with one letter on one account within one file, those that a move
 * between accounts connects, and those that the next year opens with.
 */
import type { Decimal } from "../../../core/money/Decimal.ts"
import type { Item } from "./Item.ts"
import { Sets } from "./Sets.ts"

export interface Group {
  readonly items: ReadonlyArray<Item>
  /** Debits less credits: zero if what belongs together is settled. */
  readonly sum: Decimal
}

/** What one file says of the customers that are looked at. */
export interface Year {
  readonly items: ReadonlyArray<Item>
  /** By customer, what the file closes with. */
  readonly balances: ReadonlyMap<string, Decimal>
}

/** A balance that last year's file itemises. */
export interface Opening {
  readonly item: Item
  readonly amount: Decimal
  readonly before: Decimal
}

export interface Grouped {
  readonly groups: ReadonlyArray<Group>
  /** Opening balances that are not what last year's file closes with. */
  readonly torn: ReadonlyArray<Opening>
}

class Grouping {
  readonly #sets = new Sets()
  readonly #letters = new Map<string, number>()
  readonly #moves = new Map<string, number>()
  readonly #items: Array<Item> = []
  readonly torn: Array<Opening> = []

  add(item: Item): void {
    const node = this.#sets.add()
    item.node = node
    this.#items.push(item)
    if (item.letter !== "")
      this.#link(this.#letters, `${item.file}\u0000${item.account}\u0000${item.customer}\u0000${item.letter}`, node)
    if (item.move !== undefined) this.#link(this.#moves, `${item.file}\u0000${item.move}`, node)
  }

  #link(known: Map<string, number>, key: string, node: number): void {
    const other = known.get(key)
    if (other === undefined) known.set(key, node)
    else this.#sets.join(node, other)
  }

  /** A year that follows another: its opening lines stand for lines of the year before. */
  open(before: Year, year: Year): void {
    const earlier = new Map<string, Array<Item>>()
    const put = (key: string, item: Item) => {
      const known = earlier.get(key)
      if (known === undefined) earlier.set(key, [item])
      else known.push(item)
    }
    for (const item of before.items) {
      put(`${item.customer}\u0000${item.ref}\u0000${item.amount}`, item)
      if (item.role === "invoice" || item.role === "opening") put(`${item.customer}\u0000${item.ref}`, item)
    }
    const opened = new Map<string, { item: Item; amount: Decimal }>()
    for (const item of year.items) {
      if (item.role !== "opening") continue
      item.isRepeated = true
      const sum = opened.get(item.customer)
      opened.set(item.customer, { item: sum?.item ?? item, amount: (sum?.amount ?? 0n) + item.amount })
      const same =
        earlier.get(`${item.customer}\u0000${item.ref}\u0000${item.amount}`)?.shift() ??
        (item.amount > 0n ? earlier.get(`${item.customer}\u0000${item.ref}`)?.[0] : undefined)
      if (same !== undefined && item.ref !== "") this.#sets.join(item.node, same.node)
    }
    for (const [customer, { amount, item }] of opened) {
      const closed = before.balances.get(customer) ?? 0n
      if (closed !== amount) this.torn.push({ item, amount, before: closed })
    }
  }

  groups(): ReadonlyArray<Group> {
    const found = new Map<number, { items: Array<Item>; sum: bigint }>()
    for (const item of this.#items) {
      if (item.isRepeated) continue
      const root = this.#sets.find(item.node)
      const group = found.get(root)
      if (group === undefined) found.set(root, { items: [item], sum: item.amount })
      else {
        group.items.push(item)
        group.sum += item.amount
      }
    }
    return [...found.values()]
  }
}

/** @param years those of one seller, each with the one before it if that is there */
export const grouped = (years: ReadonlyArray<{ readonly year: Year; readonly before?: Year }>): Grouped => {
  const grouping = new Grouping()
  for (const { before, year } of years) {
    for (const item of year.items) grouping.add(item)
    if (before !== undefined) grouping.open(before, year)
  }
  return { groups: grouping.groups(), torn: grouping.torn }
}
