/**
 * An entry of the chain, and how it is bound to the one before: its hash is the SHA-256 over canonical JSON of that one's hash and
 * of all that the entry says. Pure.
 */
import { hash } from "node:crypto"

export interface Entry {
  readonly n: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly kind: string
  /** Canonical JSON. */
  readonly content: string
  readonly hash: string
}

/** The latest entry, so that it is known elsewhere: who has it can tell whether anything before it was changed. */
export interface Head {
  readonly entry: number
  readonly hash: string
}

export const sha256 = (text: string | Uint8Array): string => hash("sha256", text)

/** What the first entry follows. */
export const START = { n: 0, hash: "0".repeat(64) } as const

export const hashOf = (before: string, { at, content, kind, n }: Omit<Entry, "hash">): string =>
  sha256(`["${before}",${n},${at},${JSON.stringify(kind)},${content}]`)

/** What is wrong with an entry, if it does not follow the one before. */
export const broken = (before: Pick<Entry, "n" | "hash">, entry: Entry): string | undefined => {
  const missing = entry.n - before.n - 1
  if (missing === 1) return `entry ${before.n + 1} was removed`
  if (missing > 0) return `entries ${before.n + 1} to ${entry.n - 1} were removed`
  if (missing < 0) return `entry ${entry.n} is not where it was`
  return entry.hash === hashOf(before.hash, entry)
    ? undefined
    : `entry ${entry.n} was changed, or is not the one that followed entry ${before.n}`
}
