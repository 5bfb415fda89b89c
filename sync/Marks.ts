/** What a scan of a part has seen so far: a bit for each document, by its number. */
interface Scan {
  readonly scanning: boolean
  seen: Uint8Array
}

export const mark = (part: Scan, id: number): void => {
  if (!part.scanning) return
  const at = id >> 3
  if (at >= part.seen.length) {
    const larger = new Uint8Array(Math.max(part.seen.length * 2, at + 1))
    larger.set(part.seen)
    part.seen = larger
  }
  part.seen[at]! |= 1 << (id & 7)
}

export const isMarked = (part: Scan, id: number): boolean => ((part.seen[id >> 3] ?? 0) & (1 << (id & 7))) !== 0
