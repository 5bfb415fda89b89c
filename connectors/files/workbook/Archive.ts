/**
 * The parts of a workbook: a ZIP archive, read from its directory. A part is unpacked as it is read, never to more than the
 * directory says, and compared with its checksum. An archive that says far more than its own size is rejected before anything
 * is unpacked.
 */
import { type FileHandle, open as openFile } from "node:fs/promises"
import { pipeline } from "node:stream"
import { crc32, createInflateRaw } from "node:zlib"
import { NotATable } from "../Table.ts"

/** Largest unpacked size, however large the file is; and of the directory, which workbooks with many pictures do not reach. */
const LARGEST_BYTES = 2 ** 31
const HARMLESS_BYTES = 2 ** 26
const LARGEST_DIRECTORY_BYTES = 2 ** 22
const RATIO = 200

/** Reading a small chunk takes longer than unpacking it; the text of a large one outlives the young generation. */
const CHUNK_BYTES = 2 ** 16

const DEFLATED = 8

/** How workbooks with a password and those of Excel 97 begin. */
const COMPOUND_FILE = Buffer.from("d0cf11e0a1b11ae1", "hex")

interface Entry {
  readonly name: string
  readonly method: number
  readonly checksum: number
  readonly packed: number
  readonly unpacked: number
  readonly at: number
}

export interface Archive {
  /** The name of a part as the archive has it, if it has it: programs disagree about capitals and slashes. */
  readonly find: (path: string) => string | undefined
  /** A part's text, piece by piece. Throws at its end if the part is damaged. */
  readonly text: (name: string) => AsyncGenerator<string>
  /** Throws if a part is damaged. To be called first where what is read is used before the part has been read to its end. */
  readonly check: (name: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** @param limit largest unpacked size, in megabytes */
export const open = async (path: string, limit: number | undefined): Promise<Archive> => {
  const file = await openFile(path, "r")
  try {
    const { size } = await file.stat()
    const entries = await directory(file, size)
    const budget =
      limit === undefined ? Math.min(LARGEST_BYTES, Math.max(HARMLESS_BYTES, size * RATIO)) : limit * 2 ** 20
    const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
    if (unpacked > budget) {
      throw new NotATable(
        `it unpacks to ${unpacked} bytes or more, which is over the limit (set unpacked_limit to allow more megabytes)`
      )
    }
    const byName = new Map(entries.map((entry) => [alike(entry.name), entry]))
    return {
      find: (name) => byName.get(alike(name))?.name,
      text: (name) => text(file, byName.get(alike(name))),
      check: (name) => check(file, byName.get(alike(name))),
      close: () => file.close()
    }
  } catch (cause) {
    await file.close()
    throw cause
  }
}

const alike = (name: string): string => name.replaceAll("\\", "/").replace(/^\//, "").toLowerCase()

/** The entries of the archive's directory. */
const directory = async (file: FileHandle, size: number): Promise<ReadonlyArray<Entry>> => {
  const start = Buffer.alloc(COMPOUND_FILE.length)
  await file.read(start, 0, start.length, 0)
  if (start.equals(COMPOUND_FILE)) {
    throw new NotATable("it has a password or is an old .xls workbook; save it as .xlsx or .csv without a password")
  }
  const tail = Buffer.alloc(Math.min(size, 65_557))
  await file.read(tail, 0, tail.length, size - tail.length)
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > tail.length) {
    throw new NotATable("it is not an XLSX workbook, or only a part of one; save it as .xlsx or .csv")
  }
  const length = tail.readUInt32LE(end + 12)
  const offset = tail.readUInt32LE(end + 16)
  if (offset === 0xffffffff || length > LARGEST_DIRECTORY_BYTES)
    throw new NotATable("its archive directory is too large")
  const listing = Buffer.alloc(length)
  await file.read(listing, 0, length, offset)
  const entries: Array<Entry> = []
  for (let at = 0; at + 46 <= length && listing.readUInt32LE(at) === 0x02014b50; ) {
    const name = listing.readUInt16LE(at + 28)
    entries.push({
      name: listing.toString("utf8", at + 46, at + 46 + name),
      method: listing.readUInt16LE(at + 10),
      checksum: listing.readUInt32LE(at + 16),
      packed: listing.readUInt32LE(at + 20),
      unpacked: listing.readUInt32LE(at + 24),
      at: listing.readUInt32LE(at + 42)
    })
    at += 46 + name + listing.readUInt16LE(at + 30) + listing.readUInt16LE(at + 32)
  }
  return entries
}

const damaged = (name: string, why: string) =>
  new NotATable(`its archive is damaged at ${name} (${why}); save it again`)

async function* text(file: FileHandle, entry: Entry | undefined): AsyncGenerator<string> {
  if (entry === undefined) return
  const decoder = new TextDecoder()
  for await (const chunk of whole(file, entry)) yield decoder.decode(chunk, { stream: true })
  const rest = decoder.decode()
  if (rest !== "") yield rest
}

const check = async (file: FileHandle, entry: Entry | undefined): Promise<void> => {
  if (entry === undefined) return
  for await (const _ of whole(file, entry)) {
    // Its length and its checksum are compared at the end.
  }
}

/** Unpacks a part; throws if it is not what the archive says. */
async function* whole(file: FileHandle, entry: Entry): AsyncGenerator<Buffer> {
  let [bytes, checksum] = [0, 0]
  try {
    for await (const chunk of unpack(file, entry)) {
      bytes += chunk.length
      if (bytes > entry.unpacked) break
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (cause) {
    // What zlib says of what it cannot unpack.
    if ((cause as { readonly code?: unknown }).code?.toString().startsWith("Z_") !== true) throw cause
    throw damaged(entry.name, (cause as Error).message)
  }
  if (bytes !== entry.unpacked) {
    const comparison = bytes > entry.unpacked ? "longer" : "shorter"
    throw damaged(entry.name, `it is ${comparison} than the ${entry.unpacked} bytes that the archive says`)
  }
  if (checksum !== entry.checksum) throw damaged(entry.name, "its checksum is wrong")
}

async function* unpack(file: FileHandle, { at, method, name, packed }: Entry): AsyncGenerator<Buffer> {
  const head = Buffer.alloc(30)
  await file.read(head, 0, 30, at)
  if (head.readUInt32LE(0) !== 0x04034b50)
    throw damaged(name, "the archive has no such part at the position that it says")
  const start = at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (packed === 0) return
  const bytes = file.createReadStream({
    start,
    end: start + packed - 1,
    highWaterMark: CHUNK_BYTES,
    autoClose: false
  })
  const unpacked = method === DEFLATED ? pipeline(bytes, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {}) : bytes
  yield* unpacked as AsyncIterable<Buffer>
}
