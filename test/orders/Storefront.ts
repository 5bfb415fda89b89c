/**
 * Where the orders stand that a desk reads: files, or the interface of a shop. What a shop cannot say, nobody may make it
 * say: its goods, parcels and refunds have rules of their own.
 */
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Fact, files, type Order, source } from "./Books.ts"

type Json = Readonly<Record<string, unknown>>

export interface Storefront {
  /** The `source` member of a connection that reads it. */
  readonly source: Json
  readonly environment: Readonly<Record<string, string>>
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

/** Ten in the morning, so many days after the first of March 2026. */
export const moment = (day: number): string =>
  new Date(Date.UTC(2026, 2, 1 + day, 10)).toISOString().replace(/\.\d+Z$/, "")
