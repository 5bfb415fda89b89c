/**
 * Detects repeated rows of a file. For every row it keeps 64 bits of its id's hash, 32 bits of its content's hash, and its
 * line: sixteen bytes in a growing hash table, and nothing of the row itself.
 */

/** 32-bit numbers per row: two for its id, one for its content, one for its line. */
const WIDTH = 4

/** Maximum load factor. */
const FULLEST = 0.85

/**
 * The table is kept in so many parts, by the first bits of the id's hash: each grows by itself, so that little is copied at a
 * time, and no large block of memory is asked for. The C library would keep such a block when it is released.
 */
const PARTS = 64
const PART_BITS = 6

export interface Repeats {
  /**
   * Adds a row. Returns 0 if its id is new, the line of the first row with this id if that row has the same content, and
   * that line negated if it has not.
   */
  readonly add: (kind: string, id: string, content: number, line: number) => number
}

class Part {
  #slots: number
  #table: Uint32Array
  #free: number

  constructor(slots: number) {
    this.#slots = slots
    this.#table = new Uint32Array(slots * WIDTH)
    this.#free = Math.floor(slots * FULLEST)
  }

  add(high: number, low: number, content: number, line: number): number {
    const table = this.#table
    const at = this.#find(high, low)
    const first = table[at + 3]
    if (first !== undefined && first !== 0) return table[at + 2] === content ? first : -first
    table[at] = high
    table[at + 1] = low
    table[at + 2] = content
    table[at + 3] = line
    if (--this.#free <= 0) this.#grow()
    return 0
  }

  /** The slot of a hash: its entry, or the empty slot for it. Lines are never 0, so 0 marks an empty slot. */
  #find(high: number, low: number): number {
    const table = this.#table
    // The bits after those of the part choose the slot, so the number of slots need not be a power of two.
    let at = Math.floor(((high << PART_BITS) >>> 0) * (this.#slots / 0x1_0000_0000)) * WIDTH
    while (table[at + 3] !== 0 && (table[at] !== high || table[at + 1] !== low)) {
      at += WIDTH
      if (at === table.length) at = 0
    }
    return at
  }

  #grow(): void {
    const old = this.#table
    this.#slots = Math.ceil(this.#slots * 1.6)
    this.#table = new Uint32Array(this.#slots * WIDTH)
    this.#free = Math.floor(this.#slots * FULLEST) - Math.floor((old.length / WIDTH) * FULLEST)
    for (let from = 0; from < old.length; from += WIDTH) {
      if (old[from + 3] === 0) continue
      const row = old.subarray(from, from + WIDTH)
      const [high = 0, low = 0] = row
      this.#table.set(row, this.#find(high, low))
    }
  }
}

/** @param expected the number of rows, if known in advance, so that the table need not grow */
export const make = (expected = 0): Repeats => {
  const slots = Math.max(1 << 5, Math.ceil(expected / FULLEST / PARTS))
  const parts = Array.from({ length: PARTS }, () => new Part(slots))
  return {
    add: (kind, id, content, line) => {
      let high = kind.charCodeAt(0)
      let low = id.length
      for (let n = 0; n < id.length; n++) {
        const code = id.charCodeAt(n)
        high = Math.imul(high ^ code, 0x9e3779b1)
        low = Math.imul(((low << 13) | (low >>> 19)) ^ code, 0x85ebca77)
      }
      high = mix(high ^ (low >>> 16))
      low = mix(low ^ high)
      return (parts[high >>> (32 - PART_BITS)] as Part).add(high, low, content, line)
    }
  }
}

/** Mixes the bits of a hash, so that differences between two hashes spread over all bits. */
export const mix = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
