/**
 * The directory of a ZIP archive, which every reader of one goes by (PKWARE's APPNOTE.TXT, 4.3 and 4.4). It is at the archive's
 * end, and each file has its name once more before its content: an archive in which the two differ is damaged.
 */

export interface ZipEntry {
  readonly name: string
  readonly isDeflated: boolean
  /** Why its content cannot be read, if so. */
  readonly refused?: "encrypted" | "method"
  readonly checksum: number
  readonly packed: number
  readonly unpacked: number
  /** Where the archive has it. */
  readonly at: number
}

/** The archive is damaged, only a part of one, or has more files than are read at once. */
export class BrokenZip extends Error {
  readonly isZip64: boolean
  constructor(isZip64 = false) {
    super(isZip64 ? "it is ZIP64" : "it is damaged or only a part of one")
    this.isZip64 = isZip64
  }
}

/** How many bytes of an archive's end are needed to find its directory. */
export const END_BYTES = 65_557
/** How many bytes stand before an entry's name and content. */
const HEAD_BYTES = 30

const END = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const DIRECTORY = 0x02014b50
const LOCAL = 0x04034b50
const STORED = 0
const DEFLATED = 8

export interface Directory {
  readonly count: number
  readonly at: number
  readonly length: number
}

/** @param tail the archive's last bytes, of `END_BYTES` or all of it */
export const directoryIn = (tail: Buffer, size: number): Directory => {
  const end = tail.lastIndexOf(END)
  if (end < 0 || end + 22 > tail.length) throw new BrokenZip()
  const [count, length, at] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (at === 0xffffffff || count === 0xffff) throw new BrokenZip(true)
  // The directory ends where its end is written: otherwise it has more files than it says.
  if (at + length !== size - tail.length + end) throw new BrokenZip()
  return { count, at, length }
}

/** As programs agree about it: they write slashes either way. */
const nameIn = (bytes: Buffer, at: number, length: number): string =>
  bytes.toString("utf8", at, at + length).replaceAll("\\", "/")

/** @param listing the bytes of the directory */
export function* entriesIn(listing: Buffer, { count }: Directory): Generator<ZipEntry> {
  let at = 0
  for (let n = 0; n < count; n++) {
    if (at + 46 > listing.length || listing.readUInt32LE(at) !== DIRECTORY) throw new BrokenZip()
    const [length, method] = [listing.readUInt16LE(at + 28), listing.readUInt16LE(at + 10)]
    const name = nameIn(listing, at + 46, length)
    const isEncrypted = (listing.readUInt16LE(at + 8) & 1) === 1
    yield {
      name,
      isDeflated: method === DEFLATED,
      ...(isEncrypted
        ? { refused: "encrypted" }
        : method !== STORED && method !== DEFLATED
          ? { refused: "method" }
          : {}),
      checksum: listing.readUInt32LE(at + 16),
      packed: listing.readUInt32LE(at + 20),
      unpacked: listing.readUInt32LE(at + 24),
      at: listing.readUInt32LE(at + 42)
    }
    at += 46 + length + listing.readUInt16LE(at + 30) + listing.readUInt16LE(at + 32)
  }
  if (at !== listing.length) throw new BrokenZip()
}

/** How many bytes of an archive, from where it has an entry, say where the content of that begins. */
export const headBytes = ({ name }: Pick<ZipEntry, "name">): number => HEAD_BYTES + Buffer.byteLength(name)

/** Where an entry's content begins. @param head the bytes from where the archive has it */
export const contentAt = (head: Buffer, { at, name }: ZipEntry): number => {
  if (head.length < headBytes({ name }) || head.readUInt32LE(0) !== LOCAL) throw new BrokenZip()
  const length = head.readUInt16LE(26)
  if (nameIn(head, HEAD_BYTES, length) !== name) throw new BrokenZip()
  return at + HEAD_BYTES + length + head.readUInt16LE(28)
}
