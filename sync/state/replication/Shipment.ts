/**
 * Encodes a commit for shipping: page numbers and pages, compressed with Zstandard. A large commit is sent in several parts
 * of bounded size, which count only together.
 */
import { read as readBytes } from "node:fs"
import { promisify } from "node:util"
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { fastest } from "../Zstandard.ts"
import { ContentHash } from "./ContentHash.ts"

const pack = promisify(zstdCompress)
const read = promisify(readBytes)

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

/** Few enough pages that others need not have their turn before all of them are encoded. */
export const inParts = (pages: Pages): ReadonlyArray<Pages> =>
  Array.from({ length: Math.ceil(pages.length / PART_PAGES) }, (_, part) =>
    pages.slice(part * PART_PAGES, (part + 1) * PART_PAGES)
  )

export const packed = (part: Pages): Buffer => zstdCompressSync(written(part), fastest())

/** The pages of a whole file, which nobody changes meanwhile, part by part. */
export async function* filePages(handle: number, size: number, pageSize: number): AsyncGenerator<Pages> {
  for (let first = 0; first < size; first += PART_PAGES) {
    const length = Math.min(PART_PAGES, size - first)
    const { buffer, bytesRead } = await read(
      handle,
      Buffer.alloc(length * pageSize),
      0,
      length * pageSize,
      first * pageSize
    )
    if (bytesRead < buffer.length) throw new Error(`it ends before page ${first + length}`)
    yield Array.from({ length }, (_, at) => [first + at + 1, buffer.subarray(at * pageSize, (at + 1) * pageSize)])
  }
}

/** The content of a whole file. */
export const contentOf = async (parts: AsyncIterable<Pages>): Promise<ContentHash> => {
  const content = new ContentHash()
  for await (const part of parts) for (const [number, page] of part) content.put(number, page)
  return content
}

/** Encodes many pages, part by part, without blocking the event loop. */
export async function* packing(parts: AsyncIterable<Pages>): AsyncGenerator<Buffer> {
  for await (const part of parts) yield await pack(written(part), fastest())
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
