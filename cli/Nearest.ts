/** The name that a misspelt one was probably meant to be. */

/** Insertions, deletions, changes and swaps of neighbours that lie between two texts. */
const distance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const now = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(last[j]! + 1, now[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1)
      now.push(least)
    }
    before = last
    last = now
  }
  return last[b.length]!
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** One of `names`, when one is near enough to be meant; case and punctuation count for nothing. */
export const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const wanted = plain(name)
  const [best] = names
    .map((one) => ({ one, far: distance(wanted, plain(one)) }))
    .filter(({ far, one }) => far <= Math.max(1, Math.floor(Math.max(wanted.length, plain(one).length) / 3)))
    .toSorted((a, b) => a.far - b.far)
  return best?.one
}
