/**
 * Removes any number of texts from others in one pass. Texts are added and dropped one by one, because tenants come and go, and
 * each may have brought a few.
 */

/** Every text that is removed has at least this many characters. */
const FIRST = 4
/** So many of them find it: no ordinary words, so that nobody makes others slow with many texts that begin like those. */
const FOUND_BY = 16
const SLOTS = 0x1_0000

/** Where the first characters of a text at this place are counted. */
const slotAt = (text: string, at: number): number => {
  let slot = 0
  for (let n = at; n < at + FIRST; n++) slot = (slot * 31 + text.charCodeAt(n)) & (SLOTS - 1)
  return slot
}

export class Redactor {
  /** By the characters that find them, and how many have added each. */
  readonly #texts = new Map<string, Map<string, number>>()
  /** How many texts begin so, to pass over most places quickly. */
  readonly #begins = new Uint32Array(SLOTS)

  add(text: string): void {
    if (text.length < FIRST) return
    const by = text.slice(0, FOUND_BY)
    const own = this.#texts.get(by) ?? new Map<string, number>()
    this.#texts.set(by, own)
    own.set(text, (own.get(text) ?? 0) + 1)
    this.#count(text, 1)
  }

  drop(text: string): void {
    const by = text.slice(0, FOUND_BY)
    const own = this.#texts.get(by)
    const count = own?.get(text)
    if (own === undefined || count === undefined) return
    if (count > 1) own.set(text, count - 1)
    else own.delete(text)
    if (own.size === 0) this.#texts.delete(by)
    this.#count(text, -1)
  }

  #count(text: string, change: number): void {
    const slot = slotAt(text, 0)
    this.#begins[slot] = (this.#begins[slot] ?? 0) + change
  }

  /** The text, with `…` in place of each of them; where several begin, of the longest. */
  redact(text: string): string {
    let [done, kept] = ["", 0]
    for (let at = 0; at + FIRST <= text.length; at++) {
      if (this.#begins[slotAt(text, at)] === 0) continue
      const longest = this.#longestAt(text, at)
      if (longest === 0) continue
      done += `${text.slice(kept, at)}…`
      kept = at + longest
      at = kept - 1
    }
    return kept === 0 ? text : done + text.slice(kept)
  }

  /** The length of the longest one at this place; 0 if there is none. */
  #longestAt(text: string, at: number): number {
    let longest = 0
    for (let characters = FOUND_BY; characters >= FIRST && longest === 0; characters--)
      for (const one of this.#texts.get(text.slice(at, at + characters))?.keys() ?? [])
        if (one.length > longest && text.startsWith(one, at)) longest = one.length
    return longest
  }
}
