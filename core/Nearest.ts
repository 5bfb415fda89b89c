/**
 * Finds the name that was most likely meant, for messages about unknown names.
 */

const fold = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** A cell of the table in `distance`. */
const at = (row: ReadonlyArray<number>, column: number): number => row[column] ?? Number.POSITIVE_INFINITY

/** Edit distance: the number of letters to insert, delete, replace or swap with their neighbour. */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (let a = 1; a <= one.length; a++) {
    const now = [a]
    for (let b = 1; b <= other.length; b++) {
      const same = one[a - 1] === other[b - 1]
      let least = Math.min(at(last, b) + 1, at(now, b - 1) + 1, at(last, b - 1) + (same ? 0 : 1))
      if (a > 1 && b > 1 && one[a - 1] === other[b - 2] && one[a - 2] === other[b - 1]) {
        least = Math.min(least, at(before, b - 2) + 1)
      }
      now.push(least)
    }
    before = last
    last = now
  }
  return at(last, other.length)
}

/** The nearest of the names; undefined if none is near. */
export const nearest = (name: string, names: Iterable<string>): string | undefined => {
  const wanted = fold(name)
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const one of names) {
    const folded = fold(one)
    if (folded === "" || wanted === "") continue
    // `Invoice` is near `Invoice number`, but not as near as `Invoices`.
    const within = folded.startsWith(wanted) || wanted.startsWith(folded)
    const far = Math.min(distance(wanted.slice(0, 64), folded.slice(0, 64)), within ? 2.5 : Number.POSITIVE_INFINITY)
    if (far < least && (within || far <= Math.max(1, Math.floor(wanted.length / 3)))) {
      least = far
      best = one
    }
  }
  return best
}

/** `; did you mean "Invoice"?`, or nothing. */
export const didYouMean = (name: string, names: Iterable<string>): string => {
  const near = nearest(name, names)
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`
}
