/**
 * Marks rows of a table as seen, one bit for each: a million rows take 125 kB.
 */
export class Bitmap {
  readonly #bits: Uint8Array
  readonly #last: number

  /** @param last the highest row number; later rows count as seen */
  constructor(last: number) {
    this.#last = last
    this.#bits = new Uint8Array((last >> 3) + 1)
  }

  add(id: number): void {
    if (id <= this.#last) this.#bits[id >> 3] = (this.#bits[id >> 3] ?? 0) | (1 << (id & 7))
  }

  has(id: number): boolean {
    return id > this.#last || ((this.#bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0
  }
}
