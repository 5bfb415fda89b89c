/**
 * Remembers, outside the store, up to where a tenant's shipments were stored. If the store has less when the tenant is opened, it
 * was restored from a backup or lost confirmed transactions, and what was sent since then would be sent again.
 *
 * Each mark is flushed to disk (on a network volume: to its server) while the work continues: nobody waits milliseconds for it.
 * Marks of the last moment are lost only if the machine loses power; that matters only if the store loses the same shipments.
 */
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync
} from "node:fs"
import { dirname, join } from "node:path"
import type { Kept } from "./Store.ts"

/** In the folder of a tenant whose state is in PostgreSQL. */
export const SHIPPED = "daybook.shipped"

/** Whether the state of the tenant with this folder is in PostgreSQL, so that a state file here would lack what was sent. */
export const isInCluster = (folder: string): boolean =>
  (statSync(join(folder, SHIPPED), { throwIfNoEntry: false })?.size ?? 0) > 0

/** Always as long, so that each replaces the one before. */
const line = (seq: number, hash: Buffer): string => `${String(seq).padStart(16, "0")} ${hash.toString("hex")}\n`
const LINE = /^(\d{16}) ([0-9a-f]{32})\n$/

interface Mark {
  readonly seq: number
  readonly hash: string
}

/** Undefined: nothing was remembered yet. What cannot be read is not nothing. */
const readMark = (file: string): Mark | "damaged" | undefined => {
  let text: string
  try {
    text = readFileSync(file, "latin1")
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "damaged"
  }
  const [, seq, hash] = LINE.exec(text) ?? []
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash }
  return text === "" ? undefined : "damaged"
}

/** Creates it if necessary, so that it is still there after a power failure. */
const openMark = (file: string): number => {
  const isNew = !existsSync(file)
  const handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  if (!isNew) return handle
  const folder = openSync(dirname(file), "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
  return handle
}

/** Calls back once what was written is on disk, or cannot be. */
export type Flush = (handle: number, done: () => void) => void

export class HighWater {
  readonly #file: string
  readonly #handle: number | undefined
  readonly #flush: Flush
  /** The last mark that this tenure found or wrote. */
  #last: Mark | "damaged" | undefined
  #flushing = false
  /** There is a newer mark than the one that is being flushed. */
  #isNewer = false
  #closed = false

  /** @param flush for tests */
  constructor(file: string, flush: Flush = fdatasync) {
    this.#file = file
    this.#flush = flush
    this.#last = readMark(file)
    try {
      this.#handle = openMark(file)
    } catch {
      // The folder is read-only here: then nothing is remembered.
    }
  }

  /** Whether anything can be remembered here. */
  get isKept(): boolean {
    return this.#handle !== undefined
  }

  /** Why the store's data cannot be trusted, in words; undefined if it continues what was stored. */
  problem(kept: Pick<Kept, "seq" | "hash">, known = this.#last): string | undefined {
    if (known === "damaged")
      return `${this.#file} is damaged or cannot be read, so that nobody knows whether PostgreSQL has lost anything`
    if (known === undefined || known.seq < kept.seq) return undefined
    if (known.seq > kept.seq)
      return `PostgreSQL has ${kept.seq} of its ${known.seq} shipments: it was restored from a backup, or lost what it had confirmed`
    return known.hash === kept.hash.toString("hex")
      ? undefined
      : "PostgreSQL has another content than was shipped: it was restored from a backup"
  }

  /**
   * Before anybody is told that this shipment is stored.
   *
   * @returns why it does not count, and nothing may be sent: another tenure's shipments were stored meanwhile, and the store has
   *   lost them. Otherwise it would have refused this one.
   */
  put(seq: number, hash: Buffer): string | undefined {
    const found = readMark(this.#file)
    const isOwn = JSON.stringify(found) === JSON.stringify(this.#last)
    if (!isOwn && found === "damaged") return this.problem({ seq, hash }, found)
    if (!isOwn && typeof found === "object" && found.seq >= seq)
      return `another process has stored ${found.seq} shipments of it, and PostgreSQL has lost them: it has ${seq}`
    if (this.#handle === undefined) return undefined
    this.#last = { seq, hash: hash.toString("hex") }
    writeSync(this.#handle, line(seq, hash), 0, "latin1")
    this.#isNewer = true
    this.#flushNext(this.#handle)
    return undefined
  }

  close(): void {
    this.#closed = true
    if (this.#handle !== undefined) this.#flushNext(this.#handle)
  }

  /** One at a time: the next one covers all marks that came meanwhile. */
  #flushNext(handle: number): void {
    if (this.#flushing) return
    if (this.#isNewer) {
      this.#isNewer = false
      this.#flushing = true
      this.#flush(handle, () => {
        this.#flushing = false
        this.#flushNext(handle)
      })
    } else if (this.#closed) closeSync(handle)
  }
}
