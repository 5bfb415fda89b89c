/**
 * Works out what became of each line of an order in shops that write one record for goods that will not leave and for goods
 * that came back. The order of parcels and refunds says which; where it does not, both remain possible (`unsure`). Pure.
 */
import * as Decimal from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"
import type { LinePart, LineState } from "./Document.ts"

/**
 * Formats a moment so that moments compare as texts. Without `millis`, it is the end of that day: goods rarely come back on the
 * day on which they leave, so a refund on it is for goods that were in no parcel. All days must be of the same time zone.
 */
export const moment = (day: Day, millis?: number): string =>
  `${day} ${millis === undefined ? "~" : new Date(millis).toISOString()}`

/** Sorts before every moment. */
export const BEFORE_ALL = ""

/** Goods that left, or of which a refund was written. */
export interface Goods {
  /** In the format of `moment`. */
  readonly at: string
  readonly lines: ReadonlyArray<LinePart>
}

export interface Moves {
  /** Of each line, what was ordered and not explicitly cancelled. */
  readonly lines: ReadonlyArray<LinePart>
  readonly left: ReadonlyArray<Goods>
  readonly refunded: ReadonlyArray<Goods>
}

interface Event {
  readonly at: string
  readonly left: bigint
  readonly refunded: bigint
}

const zeroOrMore = (n: bigint): bigint => (n > 0n ? n : 0n)

/** One line: its units that left, and those refunded on either side or on an unknown one. */
class Side {
  readonly #ordered: bigint
  #left = 0n
  #back = 0n
  #off = 0n
  #unsure = 0n

  constructor(ordered: bigint) {
    this.#ordered = ordered
  }

  add({ left, refunded }: Event): void {
    this.#left += left
    let rest = refunded
    while (rest > 0n) {
      const out = this.#left - this.#back - this.#unsure
      const here = this.#ordered - this.#left - this.#off - this.#unsure
      if (out <= 0n) {
        this.#off += rest
        return
      }
      const part = Decimal.min(rest, here <= 0n ? out : Decimal.min(out, here))
      if (here <= 0n) this.#back += part
      else this.#unsure += part
      rest -= part
    }
  }

  /** What left since, or came back since, decides some of the unknown ones. */
  state(line: string): LineState {
    // More was taken off than is in no parcel: the rest came back.
    const taken = this.#off + zeroOrMore(this.#unsure + this.#back - this.#left)
    const off = Decimal.min(taken, zeroOrMore(this.#ordered - this.#left))
    const open = Decimal.min(this.#unsure, zeroOrMore(this.#left - this.#back))
    const still = zeroOrMore(this.#ordered - this.#left - off)
    const unsure = Decimal.min(open, still)
    const back = Decimal.min(this.#left, this.#back + open - unsure + taken - off)
    return { line, left: this.#left, back, still, ...(unsure === 0n ? {} : { unsure }) }
  }
}

const count = (parts: ReadonlyArray<LinePart>, line: string): bigint =>
  Decimal.sum(parts.flatMap((part) => (part.line === line ? [part.quantity] : [])))

export const lineStates = ({ left, lines, refunded }: Moves): ReadonlyArray<LineState> =>
  lines.map(({ line, quantity }) => {
    const events = [
      ...left.map(({ at, lines: parts }): Event => ({ at, left: count(parts, line), refunded: 0n })),
      ...refunded.map(({ at, lines: parts }): Event => ({ at, left: 0n, refunded: count(parts, line) }))
    ].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    const side = new Side(quantity)
    for (const event of events) side.add(event)
    return side.state(line)
  })

/** The same once nothing more leaves: what was refunded on an unknown side came back if it had left. */
export const ended = (all: ReadonlyArray<LineState>): ReadonlyArray<LineState> =>
  all.map(({ unsure = 0n, ...state }) => ({ ...state, still: zeroOrMore(state.still - unsure) }))
