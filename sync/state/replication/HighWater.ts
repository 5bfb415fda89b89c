/**
 * Remembers, outside the store, up to where a tenant's shipments were stored. If the store has less when the tenant is opened, it
 * was restored from a backup or lost confirmed transactions, and what was sent since then would be sent again.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs"
import type { Kept } from "./Store.ts"

/** Always as long, so that each replaces the one before. */
const line = (seq: number, hash: Buffer): string => `${String(seq).padStart(16, "0")} ${hash.toString("hex")}\n`
const LINE = /^(\d{16}) ([0-9a-f]{32})\n$/

const readMark = (file: string): { readonly seq: number; readonly hash: string } | undefined => {
  try {
    const [, seq, hash] = LINE.exec(readFileSync(file, "latin1")) ?? []
    return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
  } catch {
    return undefined
  }
}

export class HighWater {
  readonly #file: string
  readonly #handle: number | undefined

  constructor(file: string) {
    this.#file = file
    try {
      this.#handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
    } catch {
      // The folder is read-only here: then this node remembers nothing.
    }
  }

  /** Why the store's data cannot be trusted, in words; undefined if it continues what was stored. */
  problem(kept: Pick<Kept, "seq" | "hash">): string | undefined {
    const known = readMark(this.#file)
    if (known === undefined || known.seq < kept.seq) return undefined
    if (known.seq > kept.seq)
      return `the cluster's PostgreSQL has ${kept.seq} of its ${known.seq} shipments: it was restored from a backup, or lost what it had confirmed`
    return known.hash === kept.hash.toString("hex")
      ? undefined
      : "the cluster's PostgreSQL has another content than was shipped: it was restored from a backup"
  }

  /** Before anybody is told that this shipment is stored. */
  put(seq: number, hash: Buffer): void {
    if (this.#handle !== undefined) writeSync(this.#handle, line(seq, hash), 0, "latin1")
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
  }
}
