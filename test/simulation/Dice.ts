/**
 * Random numbers from a seed: the same seed gives the same numbers on any machine.
 */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** Dice of their own for everything that has a name, so that what one throws changes nothing for another. */
  static of(seed: number, name: string): Dice {
    let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
    for (let at = 0; at < name.length; at++) state = Math.imul(state ^ name.charCodeAt(at), 0x01000193)
    return new Dice(state ^ (state >>> 15))
  }

  /** From 0 up to, and not including, 1 (mulberry32). */
  throw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from 0 up to, and not including, `n`. */
  below(n: number): number {
    return Math.floor(this.throw() * n)
  }

  of<A>(values: ReadonlyArray<A>): A | undefined {
    return values[this.below(values.length)]
  }

  /** True that often. */
  chance(rate: number): boolean {
    return this.throw() < rate
  }
}
