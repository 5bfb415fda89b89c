/**
 * Encodes a commit for shipping: page numbers and pages, compressed with Zstandard. A large commit is sent in several parts
 * of bounded size, which count only together.
 */
import { promisify } from "node:util"
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { fastest } from "../Zstandard.ts"

/** The number of pages in a part: a mebibyte with pages of the usual size. */
const PART_PAGES = 256

export interface Shipment {
  /** Its number, counted from 1 for each tenant. */
  readonly seq: number
  /** The number of pages in the file after it. */
  readonly size: number
  readonly pageSize: number
  /** The hash of the whole file after it. */
  readonly hash: Buffer
  readonly parts: ReadonlyArray<Buffer>
}

type Pages = ReadonlyArray<readonly [number: number, page: Buffer]>

const written = (pages: Pages): Buffer => {
  const head = Buffer.alloc(4 + 4 * pages.length)
  head.writeUInt32BE(pages.length, 0)
  for (const [at, [number]] of pages.entries()) head.writeUInt32BE(number, 4 + 4 * at)
  return Buffer.concat([head, ...pages.map(([, page]) => page)])
}

const inParts = (pages: Pages): ReadonlyArray<Pages> =>
  Array.from({ length: Math.ceil(pages.length / PART_PAGES) }, (_, part) =>
    pages.slice(part * PART_PAGES, (part + 1) * PART_PAGES)
  )

export const packed = (pages: Iterable<readonly [number, Buffer]>): ReadonlyArray<Buffer> =>
  inParts([...pages]).map((part) => zstdCompressSync(written(part), fastest()))

const pack = promisify(zstdCompress)

/** The pages of a whole file. */
export const pagesOf = (file: Buffer, pageSize: number): Pages =>
  Array.from({ length: file.length / pageSize }, (_, at) => [at + 1, file.subarray(at * pageSize, (at + 1) * pageSize)])

/** Encodes many pages, part by part, without blocking the event loop. */
export async function* packing(pages: Pages): AsyncGenerator<Buffer> {
  for (const part of inParts(pages)) yield await pack(written(part), fastest())
}

/** Calls back with each page of a part. Throws if the part is damaged. */
export const unpack = (part: Buffer, pageSize: number, put: (number: number, page: Buffer) => void): void => {
  const bytes = zstdDecompressSync(part)
  const count = bytes.readUInt32BE(0)
  const from = 4 + 4 * count
  if (bytes.length !== from + count * pageSize) throw new Error(`a part of ${count} pages has ${bytes.length} bytes`)
  for (let at = 0; at < count; at++)
    put(bytes.readUInt32BE(4 + 4 * at), bytes.subarray(from + at * pageSize, from + (at + 1) * pageSize))
}
