/**
 * Which shard a tenant is of: a jump consistent hash (Lamping and Veach, 2014) of the first eight bytes of the SHA-256 of
 * its name. The same on every machine and in every version; from M to M + 1 shards one tenant in M + 1 moves, all of them
 * to the new shard.
 */
import { hash } from "node:crypto"

/** One of so many; numbers begin at 1. */
export interface Shard {
  readonly number: number
  readonly of: number
}

const MOST_SHARDS = 4096
const WORD = 1n << 64n

/** The number of a name, of 64 bits. */
const numberOf = (name: string): bigint => hash("sha256", name, "buffer").readBigUInt64BE(0)

/** Answers 1 to `shards`. */
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

/** `3/16`; undefined where it is not one. */
export const parseShard = (text: string): Shard | undefined => {
  const [, first = "", second = ""] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  const [number, of] = [Number(first), Number(second)]
  return number >= 1 && number <= of && of <= MOST_SHARDS ? { number, of } : undefined
}

/** Where in a window of time a name belongs: always the same place, and many names are everywhere alike. */
export const spotOf = (name: string, window: number): number =>
  Number((numberOf(name) * BigInt(Math.max(0, Math.floor(window)))) / WORD)
