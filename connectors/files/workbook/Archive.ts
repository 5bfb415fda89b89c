/**
 * The parts of a workbook: a ZIP archive, read from its directory. A part is unpacked as it is read, never to more than the
 * directory says, and compared with its checksum. An archive that says far more than its own size is rejected before anything
 * is unpacked.
 */
import { type FileHandle, open as openFile } from "node:fs/promises"
import { pipeline } from "node:stream"
import { crc32, createInflateRaw } from "node:zlib"
import { BrokenZip, contentAt, directoryIn, END_BYTES, entriesIn, headBytes, type ZipEntry } from "../../Zip.ts"
import { NotATable } from "../Table.ts"

/** Largest unpacked size, however large the file is; and of the directory, which workbooks with many pictures do not reach. */
const LARGEST_BYTES = 2 ** 31
const HARMLESS_BYTES = 2 ** 26
const LARGEST_DIRECTORY_BYTES = 2 ** 22
const RATIO = 200

/** Reading a small chunk takes longer than unpacking it; the text of a large one outlives the young generation. */
const CHUNK_BYTES = 2 ** 16

/** How workbooks with a password and those of Excel 97 begin. */
const COMPOUND_FILE = Buffer.from("d0cf11e0a1b11ae1", "hex")

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
        `it unpacks to ${unpacked} bytes or more, which is over the limit`,
        "set unpacked_limit to allow more megabytes"
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
const directory = async (file: FileHandle, size: number): Promise<ReadonlyArray<ZipEntry>> => {
  const start = Buffer.alloc(COMPOUND_FILE.length)
  await file.read(start, 0, start.length, 0)
  if (start.equals(COMPOUND_FILE)) {
    throw new NotATable("it has a password or is an old .xls workbook", "save it as .xlsx or .csv without a password")
  }
  const tail = Buffer.alloc(Math.min(size, END_BYTES))
  await file.read(tail, 0, tail.length, size - tail.length)
  try {
    const found = directoryIn(tail, size)
    if (found.length > LARGEST_DIRECTORY_BYTES) throw new BrokenZip(true)
    const listing = Buffer.alloc(found.length)
    await file.read(listing, 0, found.length, found.at)
    return [...entriesIn(listing, found)]
  } catch (cause) {
    if (!(cause instanceof BrokenZip)) throw cause
    throw new NotATable(
      cause.isZip64 ? "its archive directory is too large" : "it is not an XLSX workbook, or only a part of one"
    )
  }
}

const REFUSED = { encrypted: "it is encrypted", method: "it is packed in a way that is not read" }

const damaged = (name: string, why: string) =>
  new NotATable(`its archive is damaged at ${name} (${why})`, "save it again")

async function* text(file: FileHandle, entry: ZipEntry | undefined): AsyncGenerator<string> {
  if (entry === undefined) return
  const decoder = new TextDecoder()
  for await (const chunk of whole(file, entry)) yield decoder.decode(chunk, { stream: true })
  const rest = decoder.decode()
  if (rest !== "") yield rest
}

const check = async (file: FileHandle, entry: ZipEntry | undefined): Promise<void> => {
  if (entry === undefined) return
  for await (const _ of whole(file, entry)) {
    // Its length and its checksum are compared at the end.
  }
}

/** Unpacks a part; throws if it is not what the archive says. */
async function* whole(file: FileHandle, entry: ZipEntry): AsyncGenerator<Buffer> {
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

async function* unpack(file: FileHandle, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { at, isDeflated, packed, refused } = entry
  if (refused !== undefined) throw damaged(entry.name, REFUSED[refused])
  const head = Buffer.alloc(headBytes(entry))
  const { bytesRead } = await file.read(head, 0, head.length, at)
  const start = startOf(head.subarray(0, bytesRead), entry)
  if (packed === 0) return
  const bytes = file.createReadStream({
    start,
    end: start + packed - 1,
    highWaterMark: CHUNK_BYTES,
    autoClose: false
  })
  const unpacked = isDeflated ? pipeline(bytes, createInflateRaw({ chunkSize: CHUNK_BYTES }), () => {}) : bytes
  yield* unpacked as AsyncIterable<Buffer>
}

const startOf = (head: Buffer, entry: ZipEntry): number => {
  try {
    return contentAt(head, entry)
  } catch (cause) {
    if (!(cause instanceof BrokenZip)) throw cause
    throw damaged(entry.name, "the archive has no such part at the position that it says")
  }
}
