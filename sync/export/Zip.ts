/**
 * Writes a ZIP archive into a file, part by part, in constant memory.
 *
 * Sizes and checksums are filled into each part's header once they are known, so that streaming readers find them there.
 * Parts carry no date, so the same books give the same bytes. Compression runs in a separate thread while the next piece is
 * prepared. No part may exceed 4 GiB uncompressed, nor the archive 4 GiB compressed; otherwise it throws `TooLarge`.
 */
import { once } from "node:events"
import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib"
import { TooLarge } from "./ExportError.ts"
import type { OutputFile } from "./OutputFile.ts"
import { given } from "../../core/Entry.ts"

const PART = "a part"

const LIMIT_BYTES = 0xffff_ffff

/** Level 6 would make files a tenth smaller and take twice as long. */
const LEVEL = 3

/** 1980-01-01, the earliest date in the format. */
const DATE = 0x21

interface Part {
  readonly name: Buffer
  readonly offset: number
  crc: number
  packed: number
  unpacked: number
}

const fields = (view: Buffer, at: number, part: Part) => {
  view.writeUInt16LE(20, at) // version 2.0 unpacks it
  view.writeUInt16LE(0, at + 2)
  view.writeUInt16LE(8, at + 4) // deflate
  view.writeUInt16LE(0, at + 6)
  view.writeUInt16LE(DATE, at + 8)
  view.writeUInt32LE(part.crc, at + 10)
  view.writeUInt32LE(part.packed, at + 14)
  view.writeUInt32LE(part.unpacked, at + 18)
  view.writeUInt16LE(part.name.length, at + 22)
}

const localHeader = (part: Part): Buffer => {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  fields(header, 4, part)
  return Buffer.concat([header, part.name])
}

const directoryEntry = (part: Part): Buffer => {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(20, 4)
  fields(entry, 6, part)
  entry.writeUInt32LE(part.offset, 42)
  return Buffer.concat([entry, part.name])
}

export class Zip {
  readonly #file: OutputFile
  readonly #parts: Array<Part> = []
  #part: Part | undefined
  #deflate: DeflateRaw | undefined
  #packed: Array<Buffer> = []
  #running: Promise<void> = Promise.resolve()

  constructor(file: OutputFile) {
    this.#file = file
  }

  /** Uncompressed bytes of the current part. */
  get size(): number {
    return this.#part?.unpacked ?? 0
  }

  readonly begin = async (name: string): Promise<void> => {
    this.#part = { name: Buffer.from(name, "latin1"), offset: this.#file.position, crc: 0, packed: 0, unpacked: 0 }
    await this.#file.append(localHeader(this.#part))
    this.#deflate = createDeflateRaw({ level: LEVEL, chunkSize: 1 << 17 })
    this.#deflate.on("data", (bytes: Buffer) => this.#packed.push(bytes))
    // The write that an error belongs to throws it.
    this.#deflate.on("error", () => undefined)
  }

  /** Returns once the previous piece is compressed, so that one is always in progress. */
  readonly write = async (bytes: Buffer): Promise<void> => {
    const part = given(this.#part, PART)
    await this.#running
    await this.#flush()
    part.crc = crc32(bytes, part.crc)
    part.unpacked += bytes.length
    if (part.unpacked > LIMIT_BYTES) throw new TooLarge("one sheet passes 4 GiB; export fewer connections at a time")
    const deflate = given(this.#deflate, PART)
    this.#running = new Promise((resolve, reject) =>
      deflate.write(bytes, (error) => (error == null ? resolve() : reject(error)))
    )
    // The next write awaits it; until then a rejection must not count as unhandled.
    this.#running.catch(() => undefined)
  }

  readonly end = async (): Promise<void> => {
    const part = given(this.#part, PART)
    await this.#running
    const deflate = given(this.#deflate, PART)
    const ended = once(deflate, "end")
    deflate.end()
    await ended
    await this.#flush()
    await this.#file.overwrite(localHeader(part), part.offset)
    this.#parts.push(part)
    this.#part = undefined
  }

  /** Adds a small part at once. */
  readonly add = async (name: string, content: string | Buffer): Promise<void> => {
    await this.begin(name)
    await this.write(typeof content === "string" ? Buffer.from(content) : content)
    await this.end()
  }

  readonly finish = async (): Promise<void> => {
    const offset = this.#file.position
    const directory = Buffer.concat(this.#parts.map(directoryEntry))
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(this.#parts.length, 8)
    end.writeUInt16LE(this.#parts.length, 10)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(offset, 16)
    await this.#file.append(Buffer.concat([directory, end]))
  }

  readonly #flush = async (): Promise<void> => {
    const packed = this.#packed
    this.#packed = []
    for (const bytes of packed) {
      given(this.#part, PART).packed += bytes.length
      await this.#file.append(bytes)
    }
    if (this.#file.position > LIMIT_BYTES) throw new TooLarge("the workbook passes 4 GiB; export to .csv instead")
  }
}
