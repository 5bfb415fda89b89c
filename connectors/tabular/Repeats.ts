/**
 * Which rows of a file were there before: of every row the sixty-four bits of its id's hash, thirty-two of its
 * content's, and its line. Sixteen bytes a row, in one table that grows; nothing of the row itself is kept.
 */

/** Numbers of 32 bits that one row takes: two of its id, one of its content, its line. */
const WIDTH = 4

/** More of the table than this is never full. */
const FULLEST = 0.75

export interface Repeats {
  /**
   * Notes a row. Answers 0 when its id is new, the line of the first row with this id when that row is the same in
   * content, and that line with its sign turned when it is not.
   */
  readonly add: (kind: string, id: string, content: number, line: number) => number
}

/** @param expected rows, where their number is known in advance: the table then need not grow */
export const make = (expected = 0): Repeats => {
  let slots = Math.max(1 << 10, Math.ceil(expected / FULLEST))
  let table = new Uint32Array(slots * WIDTH)
  let free = Math.floor(slots * FULLEST)

  /** Where the entry of a hash is, or where it would stand. A line is never 0, so that 0 is an empty slot. */
  const find = (high: number, low: number): number => {
    // The high bits choose the slot: any number of slots will do, not only powers of two.
    let at = Math.floor(high * (slots / 0x1_0000_0000)) * WIDTH
    while (table[at + 3] !== 0 && (table[at] !== high || table[at + 1] !== low)) {
      at += WIDTH
      if (at === table.length) at = 0
    }
    return at
  }

  const grow = () => {
    const old = table
    slots = Math.ceil(slots * 1.6)
    table = new Uint32Array(slots * WIDTH)
    free = Math.floor(slots * FULLEST) - Math.floor((old.length / WIDTH) * FULLEST)
    for (let from = 0; from < old.length; from += WIDTH) {
      if (old[from + 3] === 0) continue
      const row = old.subarray(from, from + WIDTH)
      const [high = 0, low = 0] = row
      table.set(row, find(high, low))
    }
  }

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
      const at = find(high, low)
      const first = table[at + 3]
      if (first !== undefined && first !== 0) return table[at + 2] === content ? first : -first
      table[at] = high
      table[at + 1] = low
      table[at + 2] = content
      table[at + 3] = line
      if (--free <= 0) grow()
      return 0
    }
  }
}

/** Spreads what two hashes have in common over all their bits. */
export const mix = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
