/**
 * Reads a file's bytes: computes their digest, detects their encoding, and streams the file as text.
 */
import { isAscii, isUtf8 } from "node:buffer"
import { createHash } from "node:crypto"
import { open } from "node:fs/promises"

export type Encoding =
  | "utf-8"
  | "utf-16le"
  | "utf-16be"
  | "windows-1252"
  | "windows-1250"
  | "iso-8859-2"
  | "iso-8859-15"

export interface Facts {
  readonly digest: string
  readonly bytes: number
  readonly encoding: Encoding
  /** Length of the byte-order mark, in bytes. */
  readonly mark: number
}

/** Small, so that the text of a chunk is garbage-collected young. */
const CHUNK_BYTES = 1 << 15

/** Where no text is made of them: asking for bytes takes about as long as looking at 32 KB of them. */
const LOOKED_AT_BYTES = 1 << 18

/** Reads a file in chunks. Each chunk is valid only until the next is requested, because they share one buffer. */
async function* pieces(path: string, size: number, start = 0): AsyncGenerator<Buffer> {
  const file = await open(path, "r")
  try {
    const memory = Buffer.allocUnsafeSlow(size)
    for (let at = start; ; ) {
      const { bytesRead } = await file.read(memory, 0, size, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield memory.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Reads a file to its end. */
export const facts = async (path: string): Promise<Facts> => {
  const hash = createHash("sha256")
  let bytes = 0
  let head: Buffer | undefined
  let valid = true
  let beyondAscii = false
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of pieces(path, LOOKED_AT_BYTES)) {
    hash.update(chunk)
    head ??= Buffer.from(chunk.subarray(0, 4))
    bytes += chunk.length
    if (!valid) continue
    const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = wholeCharacters(whole)
    valid = isUtf8(whole.subarray(0, end))
    beyondAscii ||= valid && !isAscii(whole.subarray(0, end))
    rest = Buffer.from(whole.subarray(end))
  }
  // A file that is cut off within its last character is still UTF-8 if its other characters show it.
  const [encoding, mark] = encodingOf(head ?? Buffer.alloc(0), valid && (rest.length === 0 || beyondAscii))
  return { digest: hash.digest("base64url"), bytes, encoding, mark }
}

/** The position after the last complete character. */
const wholeCharacters = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.readUInt8(bytes.length - back)
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.length - back : bytes.length
    }
    if (byte < 0x80) break
  }
  return bytes.length
}

const encodingOf = (head: Buffer, utf8: boolean): readonly [Encoding, number] => {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return ["utf-8", 3]
  if (head[0] === 0xff && head[1] === 0xfe) return ["utf-16le", 2]
  if (head[0] === 0xfe && head[1] === 0xff) return ["utf-16be", 2]
  // UTF-16 without a byte-order mark: a header starts with ASCII letters, so every second byte is zero.
  if (head.length === 4 && head[1] === 0 && head[3] === 0 && head[0] !== 0 && head[2] !== 0) return ["utf-16le", 0]
  if (head.length === 4 && head[0] === 0 && head[2] === 0 && head[1] !== 0 && head[3] !== 0) return ["utf-16be", 0]
  return [utf8 ? "utf-8" : "windows-1252", 0]
}

/** Streams the file as text, without its byte-order mark. Bytes that are invalid in the encoding become U+FFFD. */
export async function* text(path: string, encoding: Encoding, mark: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  for await (const chunk of pieces(path, CHUNK_BYTES, mark)) {
    yield decoder.decode(chunk, { stream: true })
  }
  const rest = decoder.decode()
  if (rest !== "") yield rest
}
