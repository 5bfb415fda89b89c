/** Documents and entries are numbered without a gap: a number that is missing shows that something else is. */

/** Numbers of one series, each counted once: a bit for each, in pieces of so many. */
const PIECE = 1024

/** More pieces than these are no series. */
const MOST_PIECES = 10_000

export class Numbers {
  readonly #pieces = new Map<number, Uint8Array>()
  least = Infinity
  most = -Infinity
  count = 0

  add(one: number): void {
    const [nth, at] = [Math.floor(one / PIECE), one % PIECE]
    let piece = this.#pieces.get(nth)
    if (piece === undefined) {
      if (this.#pieces.size === MOST_PIECES) return
      this.#pieces.set(nth, (piece = new Uint8Array(PIECE / 8)))
    }
    const [byte, bit] = [piece[at >> 3] ?? 0, 1 << (at & 7)]
    if ((byte & bit) !== 0) return
    piece[at >> 3] = byte | bit
    this.count++
    this.least = Math.min(this.least, one)
    this.most = Math.max(this.most, one)
  }

  /** Whether so few are missing that they were taken out: more are left out by how a program numbers. */
  get isTorn(): boolean {
    const missing = this.most - this.least + 1 - this.count
    return missing > 0 && missing <= mostOdd(this.count)
  }
}

/** Of so many, what is odd about more than these is how a program writes. */
export const mostOdd = (count: number): number => Math.max(2, Math.floor(count / 50))

/** What a number begins with, and its digits behind that; undefined where it has none. */
export const runningIn = (text: string): { readonly begins: string; readonly number: number } | undefined => {
  let from = text.length
  while (from > 0 && text.length - from < 9 && isDigit(text.charCodeAt(from - 1))) from--
  return from === text.length ? undefined : { begins: text.slice(0, from), number: Number(text.slice(from)) }
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** What numbers begin with, at most: who numbers by customer has one for each. */
export const MOST_SERIES = 1000
