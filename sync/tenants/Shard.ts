/**
 * Assigns tenants to shards: a jump consistent hash (Lamping and Veach, 2014) of the first eight bytes of the SHA-256 of the
 * name. The same on every machine and in every version; from M to M + 1 shards one tenant in M + 1 moves, always to the new
 * shard.
 */
import { hash } from "node:crypto"

/** A shard's number, starting at 1, and the number of shards. */
export interface Shard {
  readonly number: number
  readonly of: number
}

const MOST_SHARDS = 4096
const WORD = 1n << 64n

/** A 64-bit number derived from a name. */
const numberOf = (name: string): bigint => hash("sha256", name, "buffer").readBigUInt64BE(0)

/** Returns 1 to `shards`. */
export const shardOf = (name: string, shards: number): number => {
  let key = numberOf(name)
  let bucket = 0
  for (let next = 0; next < shards; ) {
    bucket = next
    key = (key * 2862933555777941757n + 1n) % WORD
    next = Math.floor((bucket + 1) * (2 ** 31 / (Number(key >> 33n) + 1)))
  }
  return bucket + 1
}

/** Parses `3/16`; undefined if invalid. */
export const parseShard = (text: string): Shard | undefined => {
  const [, first = "", second = ""] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  const [number, of] = [Number(first), Number(second)]
  return number >= 1 && number <= of && of <= MOST_SHARDS ? { number, of } : undefined
}

/** A name's fixed position in a time window; names are distributed evenly. */
export const spotOf = (name: string, window: number): number =>
  Number((numberOf(name) * BigInt(Math.max(0, Math.floor(window)))) / WORD)
