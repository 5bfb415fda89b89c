/**
 * Amounts of rows that gave no document, up to the row whose total or balance counts. That a row gives none may be known
 * only after rows behind it were looked at.
 */
import type { Decimal } from "../../core/money/Decimal.ts"

export class Missed {
  #sum: Decimal = 0n
  #behind: Decimal = 0n
  #line = 0

  /** Of the rows up to the one that counts. */
  get sum(): Decimal {
    return this.#sum
  }

  add(line: number, amount: Decimal): void {
    if (line <= this.#line) this.#sum += amount
    else this.#behind += amount
  }

  /** From here on the row in this line is the one that counts. */
  reach(line: number): void {
    this.#sum += this.#behind
    this.#behind = 0n
    this.#line = line
  }
}
