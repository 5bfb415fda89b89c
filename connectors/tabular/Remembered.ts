/**
 * Answers that are remembered by the text they were asked with: ledgers say the same days, countries and states again
 * and again. Bounded, so that a file in which no two are alike costs no memory.
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

/** A text of its own: one that was cut out of a piece of the file would keep the whole piece in memory. */
const detached = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le")
