/**
 * The files within a ZIP archive, by its directory. One is unpacked at a time, never to more than is said, and compared with its
 * checksum (PKWARE's APPNOTE.TXT, 4.3 and 4.4).
 */
import { crc32, inflateRawSync } from "node:zlib"
import { Refused } from "./Facts.ts"

interface Entry {
  readonly name: string
  /** Its bytes; throws `Refused`. */
  readonly bytes: () => Buffer
}

const END = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const DIRECTORY = 0x02014b50
const LOCAL = 0x04034b50
const MOST_ENTRIES = 100_000
const STORED = 0
const DEFLATED = 8

const damaged = (): Refused => new Refused("the archive is damaged or only a part of one; get it again")

const inflated = (packed: Buffer, most: number): Buffer => {
  try {
    return inflateRawSync(packed, { maxOutputLength: most })
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE")
      throw new Refused(`it unpacks to more than ${Math.floor(most / 2 ** 20)} MB`)
    throw damaged()
  }
}

/** @param at where its record in the directory begins */
const unpacked = (zip: Buffer, at: number, most: number): Buffer => {
  const [flags, method, checksum] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16)]
  const [size, local] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)]
  if ((flags & 1) === 1) throw new Refused("it is encrypted; unpack the archive with its password")
  if (local + 30 > zip.length || zip.readUInt32LE(local) !== LOCAL) throw damaged()
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  if (from + size > zip.length) throw damaged()
  const packed = zip.subarray(from, from + size)
  if (method !== STORED && method !== DEFLATED)
    throw new Refused("it is packed in a way that is not read; unpack the archive")
  const bytes = method === STORED ? packed : inflated(packed, most)
  if (crc32(bytes) !== checksum) throw damaged()
  return bytes
}

const nameIn = (zip: Buffer, at: number, length: number): string =>
  zip.toString("utf8", at, at + length).replaceAll("\\", "/")

/** @param most bytes that one file may unpack to */
export function* entriesOf(zip: Buffer, most: number): Generator<Entry> {
  const end = zip.lastIndexOf(END)
  if (end < 0 || end + 22 > zip.length) throw damaged()
  const [count, start] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
  if (start === 0xffffffff || count === 0xffff)
    throw new Refused("the archive has more files than are read at once (ZIP64); unpack it")
  let at = start
  for (let n = 0; n < Math.min(count, MOST_ENTRIES); n++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== DIRECTORY) throw damaged()
    const length = zip.readUInt16LE(at + 28)
    const name = nameIn(zip, at + 46, length)
    const [here, local] = [at, zip.readUInt32LE(at + 42)]
    // The file itself has its name once more.
    if (local + 30 > zip.length || nameIn(zip, local + 30, zip.readUInt16LE(local + 26)) !== name) throw damaged()
    if (!name.endsWith("/")) yield { name, bytes: () => unpacked(zip, here, most) }
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  // The directory ends where its end is written: otherwise it has more files than it says.
  if (at !== end) throw damaged()
}
