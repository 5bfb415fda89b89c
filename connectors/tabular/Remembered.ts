/**
 * Caches results by their input text: ledgers repeat the same days, countries and statuses over and over. Bounded, so that a
 * file without repetitions costs no memory.
 */

export const remembered = <A>(most: number, answer: (text: string) => A): ((text: string) => A) => {
  const seen = new Map<string, A>()
  return (text) => {
    const known = seen.get(text)
    if (known !== undefined) return known
    const found = answer(text)
    if (seen.size >= most) seen.clear()
    seen.set(detached(text), found)
    return found
  }
}

/** Copies a text: a slice of a chunk would keep the whole chunk in memory. */
const detached = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le")
