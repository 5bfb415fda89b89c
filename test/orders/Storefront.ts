/**
 * Where the orders stand that a desk reads: files, or the interface of a shop. What a shop cannot say, nobody may make it
 * say: its goods, parcels and refunds have rules of their own.
 */
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Fact, files, type Goods, type Kind, type Order, source } from "./Books.ts"

type Json = Readonly<Record<string, unknown>>

/** What a shop can say, beyond parcels, cancellations and returns that name their goods. */
export interface Abilities {
  /** Facts without lines: all that is left. */
  readonly bare: ReadonlyArray<Kind>
  /** What was given back of an order in all. */
  readonly totals: boolean
  /** A parcel without lines ends its order. */
  readonly ending: boolean
  /** An order that is left out of the export while its facts are in it. */
  readonly hidden: boolean
  /** A parcel that belongs to another order from now on, and is known to be the same. */
  readonly moved: boolean
  /** An amount in another currency than its order's. */
  readonly foreign: boolean
  /** Goods of a line that are cancelled after others of it have left. */
  readonly partly: boolean
  /** Whether goods that came back had left, where others of their line are still to leave. */
  readonly apart: boolean
}

export interface Storefront {
  /** The `source` member of a connection that reads it. */
  readonly source: Json
  readonly environment: Readonly<Record<string, string>>
  readonly can: Abilities
  /** It says this from now on. */
  readonly say: (orders: ReadonlyArray<Order>, facts: ReadonlyArray<Fact>) => void
  /** An order's id as it is in the books. */
  readonly id: (order: string) => string
  readonly close: () => Promise<void>
}

/** Text in place of a file, so that nobody reads a half of it. */
export const put = (folder: string, name: string, text: string): void => {
  const path = join(folder, name)
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

/** Files in a folder, which can say anything. */
export const filesIn = (folder: string): Storefront => ({
  source,
  environment: {},
  can: {
    bare: ["parcel", "cancellation", "return"],
    totals: true,
    ending: false,
    hidden: true,
    moved: true,
    foreign: true,
    partly: true,
    apart: true
  },
  say: (orders, facts) => {
    for (const [name, text] of Object.entries(files(orders, facts))) put(folder, name, text)
  },
  id: (order) => order,
  close: async () => {}
})

/** Numbers for names, as shops give them. */
export class Numbers {
  readonly #known = new Map<string, number>()

  of(name: string): number {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const next = 1001 + this.#known.size
    this.#known.set(name, next)
    return next
  }
}

/** Records by their ids, each with when it last changed. */
export class Stamps {
  readonly #known = new Map<string, { readonly text: string; readonly at: string }>()

  /** @param record as it is now, but for the stamp */
  of(id: string, record: unknown): string {
    const text = JSON.stringify(record)
    const before = this.#known.get(id)
    if (before?.text === text) return before.at
    const at = new Date().toISOString()
    this.#known.set(id, { text, at })
    return at
  }
}

/** Minor units as an amount; where nothing is said, nothing. */
export const money = (minor: number, currency: string): string =>
  currency === "JPY" ? `${minor}` : `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, "0")}`

/** Ten in the morning, so many days after the first of March 2026. */
export const moment = (day: number): string =>
  new Date(Date.UTC(2026, 2, 1 + day, 10)).toISOString().replace(/\.\d+Z$/, "")

/** What is there of each line of an order, by what its facts say: in the warehouse, or with the buyer. */
export const whatIsLeft = (order: Order, facts: ReadonlyArray<Fact>, kind: Kind): Goods => {
  const [here, there] = [new Map<string, number>(), new Map<string, number>()]
  for (const { id, quantity, type } of order.lines) if (type === "product") here.set(id, quantity)
  for (const fact of facts) {
    if (fact.order !== order.id) continue
    const from = fact.kind === "return" ? there : here
    const all = Object.keys(fact.goods).length === 0 && fact.amount === undefined
    for (const [line, quantity] of all ? [...from] : Object.entries(fact.goods)) {
      from.set(line, (from.get(line) ?? 0) - quantity)
      if (fact.kind === "parcel") there.set(line, (there.get(line) ?? 0) + quantity)
    }
  }
  return Object.fromEntries([...(kind === "return" ? there : here)].filter(([, quantity]) => quantity > 0))
}
