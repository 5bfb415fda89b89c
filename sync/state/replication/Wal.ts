/**
 * Reads what was committed to a WAL since the last read: the pages, and the file's current number of pages. There is one
 * reader, in the process that writes, and this process decides when the log is checkpointed (`begunAnew`).
 *
 * A frame counts if its salts are those of the log's header, its checksum follows from the frame before, and it is, or is
 * followed by, a commit frame. Later frames may be left from an earlier round, because a restarted log keeps its old tail.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs"
import type { Stepwise } from "../Breathe.ts"

export interface Committed {
  /** By page number, starting with 1; the last version of each. */
  readonly pages: ReadonlyMap<number, Buffer>
  /** The number of pages in the file. */
  readonly size: number
}

type Sums = readonly [number, number]

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682
/** How many frames are read at once: few first, because most reads find few. */
const FIRST_FRAMES = 16
const MORE_FRAMES = 256

/** A buffer with its own memory, so that it can be read as words. */
const aligned = (size: number): Buffer => Buffer.from(new ArrayBuffer(size))

/** The log's checksum over words, in the byte order that its header states. */
const checksum = (bytes: Buffer, from: number, to: number, [a, b]: Sums, isBig: boolean): Sums => {
  let [first, second] = [a, b]
  if (isBig)
    for (let at = from; at < to; at += 8) {
      first = (first + bytes.readUInt32BE(at) + second) | 0
      second = (second + bytes.readUInt32BE(at + 4) + first) | 0
    }
  else {
    // The byte order of nearly every machine, in which whole words can be read.
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, (to - from) >> 2)
    for (let at = 0; at < words.length; at += 2) {
      first = (first + (words[at] ?? 0) + second) | 0
      second = (second + (words[at + 1] ?? 0) + first) | 0
    }
  }
  return [first >>> 0, second >>> 0]
}

/** What one read has collected. */
interface Look {
  readonly pages: Map<number, Buffer>
  size: number
  /** Frames up to the last commit. */
  frames: number
}

export class Wal {
  readonly #file: string
  #handle: number | undefined
  #salts = ""
  #isBig = false
  #pageSize = 4096
  /** The position after the last commit that was read. */
  #offset = HEADER_BYTES
  #sums: Sums = [0, 0]
  /** Whether we checkpointed the whole log, so that it may restart. */
  #isCopied = true

  /** @param file the database */
  constructor(file: string) {
    this.#file = `${file}-wal`
  }

  get pageSize(): number {
    return this.#pageSize
  }

  /** How many bytes of the log were not read, or more. */
  get unread(): number {
    return Math.max(0, this.#length() - this.#offset)
  }

  /** How many bytes of the log were read. */
  get bytes(): number {
    return this.#offset
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  /** Everything that was read is now in the file: the next commit may restart the log. */
  begunAnew(): void {
    this.#isCopied = true
  }

  /** Undefined: nothing was committed. Throws if there may have been commits that can no longer be read. One read at a time. */
  *read(): Stepwise<Committed | undefined> {
    const length = this.#length()
    if (length < HEADER_BYTES) return undefined
    this.#lookAtHeader()
    const look = yield* this.#frames(length)
    if (look.frames === 0) return undefined
    this.#offset += look.frames * this.#step
    this.#isCopied = false
    // Pages that were truncated since.
    for (const number of look.pages.keys()) if (number > look.size) look.pages.delete(number)
    return look
  }

  get #step(): number {
    return FRAME_HEADER_BYTES + this.#pageSize
  }

  #length(): number {
    if (this.#handle === undefined) {
      if (!existsSync(this.#file)) return 0
      this.#handle = openSync(this.#file, "r")
    }
    return fstatSync(this.#handle).size
  }

  #bytes(from: number, size: number): Buffer {
    const bytes = aligned(size)
    const read = readSync(this.#handle ?? -1, bytes, 0, size, from)
    if (read !== size) throw new Error(`${this.#file} ends after ${from + read} bytes while it is read`)
    return bytes
  }

  #lookAtHeader(): void {
    const head = this.#bytes(0, HEADER_BYTES)
    const salts = head.toString("latin1", 16, 24)
    if (salts === this.#salts) return
    const magic = head.readUInt32BE(0)
    if ((magic & ~1) !== MAGIC) throw new Error(`${this.#file} is not a write-ahead log`)
    // Earlier frames are gone: they were checkpointed without checking whether they had been read.
    if (!this.#isCopied) throw new Error("the log restarted before all of it was read")
    this.#isBig = (magic & 1) === 1
    this.#sums = checksum(head, 0, 24, [0, 0], this.#isBig)
    if (this.#sums[0] !== head.readUInt32BE(24) || this.#sums[1] !== head.readUInt32BE(28))
      throw new Error(`the header of ${this.#file} is damaged`)
    const size = head.readUInt32BE(8)
    this.#pageSize = size === 1 ? 65_536 : size
    this.#salts = salts
    this.#offset = HEADER_BYTES
  }

  *#frames(length: number): Stepwise<Look> {
    const step = this.#step
    const look: Look = { pages: new Map(), size: 0, frames: 0 }
    const open = new Map<number, Buffer>()
    let sums = this.#sums
    let frames = 0
    for (let most = FIRST_FRAMES; ; most = MORE_FRAMES) {
      const here = Math.min(most, Math.floor((length - this.#offset) / step) - frames)
      if (here <= 0) return look
      const bytes = this.#bytes(this.#offset + frames * step, here * step)
      for (let at = 0; at < bytes.length; at += step) {
        const next = this.#sumsOf(bytes, at, sums)
        if (next === undefined) return look
        sums = next
        frames++
        open.set(bytes.readUInt32BE(at), bytes.subarray(at + FRAME_HEADER_BYTES, at + step))
        const size = bytes.readUInt32BE(at + 4)
        if (size === 0) continue
        for (const [number, page] of open) look.pages.set(number, page)
        open.clear()
        look.size = size
        look.frames = frames
        this.#sums = sums
      }
      yield
    }
  }

  /** Undefined: not a frame of this round. */
  #sumsOf(bytes: Buffer, at: number, before: Sums): Sums | undefined {
    if (bytes.toString("latin1", at + 8, at + 16) !== this.#salts) return undefined
    const head = checksum(bytes, at, at + 8, before, this.#isBig)
    const sums = checksum(bytes, at + FRAME_HEADER_BYTES, at + this.#step, head, this.#isBig)
    return sums[0] === bytes.readUInt32BE(at + 16) && sums[1] === bytes.readUInt32BE(at + 20) ? sums : undefined
  }
}
