/** The files within a ZIP archive. One is unpacked at a time, never to more than is said, and compared with its checksum. */
import { crc32, inflateRawSync } from "node:zlib"
import { BrokenZip, contentAt, directoryIn, END_BYTES, entriesIn, type ZipEntry } from "../Zip.ts"
import { AGAIN, Refused } from "../Refused.ts"

interface Entry {
  readonly name: string
  /** Its bytes; throws `Refused`. */
  readonly bytes: () => Buffer
}

const damaged = (): Refused => new Refused("the archive is damaged or only a part of one", undefined, AGAIN)

const REFUSED = {
  encrypted: new Refused("it is encrypted", undefined, "unpack the archive with its password"),
  method: new Refused("it is packed in a way that is not read", undefined, "unpack the archive")
}

const inflated = (packed: Buffer, most: number): Buffer => {
  try {
    return inflateRawSync(packed, { maxOutputLength: most })
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE")
      throw new Refused(
        `it unpacks to more than ${Math.floor(most / 2 ** 20)} MB`,
        undefined,
        "unpack the archive, and split it"
      )
    throw damaged()
  }
}

const unpacked = (content: Buffer, { checksum, isDeflated, packed, refused }: ZipEntry, most: number): Buffer => {
  if (refused !== undefined) throw REFUSED[refused]
  if (content.length < packed) throw damaged()
  const bytes = isDeflated ? inflated(content, most) : content
  if (crc32(bytes) !== checksum) throw damaged()
  return bytes
}

/** @param most bytes that one file may unpack to */
export function* entriesOf(zip: Buffer, most: number): Generator<Entry> {
  try {
    const directory = directoryIn(zip.subarray(-END_BYTES), zip.length)
    const { at, length } = directory
    for (const entry of entriesIn(zip.subarray(at, at + length), directory)) {
      const from = contentAt(zip.subarray(entry.at), entry)
      const content = () => zip.subarray(from, from + entry.packed)
      if (!entry.name.endsWith("/")) yield { name: entry.name, bytes: () => unpacked(content(), entry, most) }
    }
  } catch (cause) {
    if (!(cause instanceof BrokenZip)) throw cause
    throw cause.isZip64
      ? new Refused("the archive has more files than are read at once (ZIP64)", undefined, "unpack it")
      : damaged()
  }
}
