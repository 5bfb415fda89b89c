/**
 * Computes one hash over all pages of a database that can be updated page by page: the exclusive or of the hashes of all
 * pages, each with its number. Two files with the same value hold the same pages. It detects loss and confusion on the way,
 * not forgery.
 */
import { hash } from "node:crypto"

const HASH_BYTES = 16

export class ContentHash {
  #pages = Buffer.alloc(256 * HASH_BYTES)
  #size = 0
  readonly #value = Buffer.alloc(HASH_BYTES)

  /** @param pages as another had them */
  static of(pages: Buffer): ContentHash {
    const made = new ContentHash()
    made.#pages = Buffer.from(pages)
    made.#size = pages.length / HASH_BYTES
    // As numbers of four bytes: there are many of them.
    const words = new Int32Array(new Uint8Array(pages).buffer)
    const sum = new Int32Array(made.#value.buffer, made.#value.byteOffset, HASH_BYTES / 4)
    for (let at = 0; at < words.length; at++) sum[at % 4] = (sum[at % 4] ?? 0) ^ (words[at] ?? 0)
    return made
  }

  /** The hashes of all pages, one after the other. */
  get pages(): Buffer {
    return this.#pages.subarray(0, this.#size * HASH_BYTES)
  }

  get value(): Buffer {
    return Buffer.from(this.#value)
  }

  /** Updates the hash with a page's new content. */
  put(number: number, page: Buffer): void {
    const at = (number - 1) * HASH_BYTES
    if (at >= this.#pages.length) this.#grow(at)
    this.#size = Math.max(this.#size, number)
    const one = hashed(number, page)
    for (let n = 0; n < HASH_BYTES; n++) {
      const fresh = one[n] ?? 0
      this.#value[n] = (this.#value[n] ?? 0) ^ (this.#pages[at + n] ?? 0) ^ fresh
      this.#pages[at + n] = fresh
    }
  }

  /** Truncates to this number of pages. */
  cut(size: number): void {
    for (let number = size + 1; number <= this.#size; number++) {
      const at = (number - 1) * HASH_BYTES
      for (let n = 0; n < HASH_BYTES; n++) {
        this.#value[n] = (this.#value[n] ?? 0) ^ (this.#pages[at + n] ?? 0)
        this.#pages[at + n] = 0
      }
    }
    this.#size = size
  }

  #grow(least: number): void {
    const more = Buffer.alloc(Math.max(this.#pages.length * 2, (least + HASH_BYTES) * 2))
    this.#pages.copy(more)
    this.#pages = more
  }
}

let scratch = Buffer.alloc(0)

const hashed = (number: number, page: Buffer): Buffer => {
  if (scratch.length !== page.length + 4) scratch = Buffer.alloc(page.length + 4)
  scratch.writeUInt32BE(number, 0)
  page.copy(scratch, 4)
  return hash("sha256", scratch, "buffer").subarray(0, HASH_BYTES)
}
