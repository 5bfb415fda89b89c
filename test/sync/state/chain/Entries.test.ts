/** Entries of the chain: every byte that is changed, every entry that is removed, and every two that are swapped are found. */
import { assert, describe, it } from "@effect/vitest"
import { broken, type Entry, hashOf, START } from "../../../../sync/state/chain/Entry.ts"
import { times } from "../../../support/Effort.ts"

const ENTRIES = Math.min(10_000, times(6000))

const entries = (() => {
  const all: Array<Entry> = []
  let hash: string = START.hash
  for (let n = 1; n <= ENTRIES; n++) {
    const content = JSON.stringify([[n, hashOf(hash, { n, at: n, kind: "é", content: "[]" }).slice(0, 32)]])
    const entry = { n, at: 1_700_000_000_000 + n, kind: ["claim", "receipt", "ledger"][n % 3]!, content }
    all.push({ ...entry, hash: (hash = hashOf(hash, entry)) })
  }
  return all
})()

const previous = (n: number) => entries[n - 1] ?? START

/** The number of the first entry that does not follow the one before. */
const first = (chain: ReadonlyArray<Entry>, from: number, to: number): number | undefined => {
  for (let at = from; at <= to; at++) {
    const entry = chain[at]
    if (entry !== undefined && broken(chain[at - 1] ?? START, entry) !== undefined) return entry.n
  }
  return undefined
}

/** A text with one byte changed. */
const flipped = (text: string, at: number): string => {
  const bytes = Buffer.from(text)
  bytes[at] = bytes[at]! ^ 1
  return bytes.toString("latin1")
}

describe("a chain", () => {
  it("is whole as it was written", () => assert.isUndefined(first(entries, 0, ENTRIES)))

  it("shows every byte that was changed, in the entry in which it was", () => {
    for (const [index, entry] of entries.entries()) {
      for (const name of ["kind", "content", "hash"] as const)
        for (let at = 0; at < Buffer.byteLength(entry[name]); at++)
          assert.isDefined(
            broken(previous(index), { ...entry, [name]: flipped(entry[name], at) }),
            `${entry.n} ${name} ${at}`
          )
      for (let bit = 0; bit < 48; bit++)
        for (const name of ["n", "at"] as const) {
          const other = Number(BigInt(entry[name]) ^ (1n << BigInt(bit)))
          assert.isDefined(broken(previous(index), { ...entry, [name]: other }), `${entry.n} ${name} ${bit}`)
        }
    }
  })

  it("shows every entry that was removed, also where those after it were numbered anew", () => {
    for (let at = 0; at < ENTRIES - 1; at++) {
      const next = entries[at + 1]!
      assert.strictEqual(broken(previous(at), next), `entry ${at + 1} was removed`)
      assert.isDefined(broken(previous(at), { ...next, n: at + 1 }))
    }
  })

  it("shows every two neighbours that were swapped, as they were or with each other's numbers", () => {
    for (let at = 0; at < ENTRIES - 1; at++) {
      const [one, two] = [entries[at]!, entries[at + 1]!]
      assert.isDefined(broken(previous(at), two))
      assert.isDefined(broken(previous(at), { ...two, n: one.n }))
      assert.isDefined(broken(two, one))
    }
  })
})
