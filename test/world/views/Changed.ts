/** When what a program shows last changed, and names as vendors make them. */
import { createHash } from "node:crypto"
import { type Day, instant } from "../Values.ts"

const HOUR = 9

/** Everything that somebody saw is as old as the day on which it was first so. */
export class Changed {
  readonly #seen = new Map<string, { readonly text: string; readonly at: number }>()

  /** The instant from which on a record was what it is on this day. */
  at(id: string, record: unknown, day: Day): number {
    const text = JSON.stringify(record, (_, value) => (typeof value === "bigint" ? `${value}` : value))
    const before = this.#seen.get(id)
    if (before?.text === text) return before.at
    const now = { text, at: instant(day, HOUR) }
    this.#seen.set(id, now)
    return now.at
  }
}

export const guid = (name: string): string => {
  const hex = createHash("sha256").update(name).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-"
  )
}

/** A whole number that a name has for good, as programs count their records. */
export class Numbered {
  readonly #given = new Map<string, number>()

  of(name: string): string {
    const given = this.#given.get(name) ?? this.#given.size + 101
    this.#given.set(name, given)
    return `${given}`
  }
}
