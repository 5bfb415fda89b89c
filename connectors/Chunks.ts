/**
 * Recognises parts of a large file by their bytes, so that they need not be decoded again when little was edited.
 *
 * The file is cut at line ends that its content chooses, so an inserted row moves only the cuts beside it. A chunk's digest
 * covers its bytes and all that they are decoded by: settings, header, decimal mark. Only chunks that begin and end between
 * two rows have one: a quoted cell may span a cut.
 */
import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import type { Carried } from "./tabular/Totals.ts"
import type { Encoding } from "./Bytes.ts"

/** A chunk ends at the first chosen line end after the least, and at the last line end before the most. */
const LEAST_BYTES = 96 << 10
const MOST_BYTES = 160 << 10

/** One line end in so many is chosen. */
const CHOSEN = 64

/** Bytes of a line that choose: a few, because it is done for few lines. */
const LOOKED_AT = 256

/** Decoded at once: small, so that the text is garbage-collected young. */
const SLICE_BYTES = 1 << 15

/** A chunk was passed: read, with its digest if it has one, or skipped. */
export interface Passed {
  readonly digest: string | undefined
  readonly isSkipped: boolean
  readonly lines: number
}

const isChosen = (line: Buffer): boolean => {
  let hash = 0
  for (const byte of line) hash = Math.imul(hash ^ byte, 0x01000193) ^ (hash >>> 15)
  return (hash >>> 8) % CHOSEN === 0
}

/** Where the chunk at the beginning of these bytes ends; 0 if it has no line end. */
const cut = (bytes: Buffer): number => {
  if (bytes.length <= LEAST_BYTES) return bytes.lastIndexOf(10) + 1
  let start = bytes.indexOf(10, LEAST_BYTES) + 1
  while (start > 0) {
    const end = bytes.indexOf(10, start)
    if (end < 0) break
    if (isChosen(bytes.subarray(Math.max(start, end - LOOKED_AT), end))) return end + 1
    start = end + 1
  }
  return bytes.lastIndexOf(10) + 1
}

/** The chunks of a file, each valid only until the next is requested; what follows the last line end is one without. */
async function* cutUp(path: string, from: number): AsyncGenerator<Buffer> {
  const file = await open(path, "r")
  try {
    const memory = Buffer.allocUnsafeSlow(MOST_BYTES)
    for (let [at, held] = [from, 0]; ; ) {
      const { bytesRead } = await file.read(memory, held, MOST_BYTES - held, at)
      at += bytesRead
      held += bytesRead
      if (held === 0) return
      if (bytesRead > 0 && held < MOST_BYTES) continue
      const end = cut(memory.subarray(0, held))
      const length = end === 0 ? held : end
      yield memory.subarray(0, length)
      memory.copyWithin(0, length, held)
      held -= length
    }
  } finally {
    await file.close()
  }
}

export class Chunks {
  /** How the bytes are decoded. Until it is known, chunks have no digest. */
  context: string | undefined
  /** What the reader of rows has passed. */
  passed: Passed | undefined
  /** Whether the next chunk begins with a row: only then may it be skipped. */
  #isBetweenRows = false
  readonly #known: ReadonlyMap<string, string>

  /** @param known digests of chunks that may be skipped, with what `detail` said of them */
  constructor(known: ReadonlyMap<string, string>) {
    this.#known = known
  }

  detail(digest: string): Detail {
    return JSON.parse(this.#known.get(digest) ?? "{}") as Detail
  }

  /** Whether the reader of lines passed a chunk, and the reader of rows is to say so to its own reader. */
  reached(isBetweenRows: boolean): boolean {
    if (this.passed === undefined) return false
    this.#isBetweenRows = isBetweenRows
    const isSaid = isBetweenRows && this.context !== undefined
    if (!isSaid) this.passed = undefined
    return isSaid
  }

  /** Takes what was passed since this was last called. */
  take(): Passed | undefined {
    const { passed } = this
    this.passed = undefined
    return passed
  }

  /** The file's text, without its byte-order mark, and between its pieces what chunk was passed. */
  async *text(path: string, encoding: Encoding, mark: number): AsyncGenerator<string | Passed> {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true })
    for await (const bytes of cutUp(path, mark)) {
      const isWhole = bytes[bytes.length - 1] === 10
      const { context } = this
      const digest =
        isWhole && this.#isBetweenRows && context !== undefined
          ? createHash("sha256").update(context).update(bytes).digest("base64url")
          : undefined
      if (digest !== undefined && this.#known.has(digest)) {
        yield { digest, isSkipped: true, lines: this.detail(digest).lines }
        continue
      }
      for (let at = 0; at < bytes.length; at += SLICE_BYTES)
        yield decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true })
      if (isWhole) yield { digest, isSkipped: false, lines: 0 }
      else this.#isBetweenRows = false
    }
    const rest = decoder.decode()
    if (rest !== "") yield rest
  }
}

/** What later rows need of a chunk. */
export interface Detail extends Carried {
  readonly lines: number
}
