/**
 * Adds up the amounts of rows without a document, up to the row with the relevant total or balance. Whether a row yields a
 * document may be known only after later rows were read.
 */
import type { Decimal } from "../../core/money/Decimal.ts"

export class Missed {
  #sum: Decimal = 0n
  #behind: Decimal = 0n
  #line = 0

  /** The sum over the rows up to the relevant one. */
  get sum(): Decimal {
    return this.#sum
  }

  add(line: number, amount: Decimal): void {
    if (line <= this.#line) this.#sum += amount
    else this.#behind += amount
  }

  /** Makes the row in this line the relevant one. */
  reach(line: number): void {
    this.#sum += this.#behind
    this.#behind = 0n
    this.#line = line
  }
}
