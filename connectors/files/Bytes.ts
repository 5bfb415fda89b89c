/**
 * The bytes of a file: what they are a digest of, how they are encoded, and the file as a stream of UTF-8.
 */
import { isUtf8 } from "node:buffer"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252"

export interface Facts {
  readonly digest: string
  readonly bytes: number
  readonly encoding: Encoding
  /** Bytes of the byte-order mark. */
  readonly mark: number
}

const CHUNK = 1 << 18

/** Reads a file once to its end. */
export const facts = async (path: string): Promise<Facts> => {
  const hash = createHash("sha256")
  let bytes = 0
  let head: Buffer | undefined
  let valid = true
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    head ??= Buffer.from(chunk.subarray(0, 4))
    bytes += chunk.length
    if (!valid) continue
    const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = wholeCharacters(whole)
    valid = isUtf8(whole.subarray(0, end))
    rest = Buffer.from(whole.subarray(end))
  }
  const [encoding, mark] = encodingOf(head ?? Buffer.alloc(0), valid && rest.length === 0)
  return { digest: hash.digest("base64url"), bytes, encoding, mark }
}

/** Where the last character that is complete ends. */
const wholeCharacters = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
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
  return [utf8 ? "utf-8" : "windows-1252", 0]
}

/** The file as UTF-8, from its `skip`th byte of UTF-8 on, without its byte-order mark. */
export async function* utf8(path: string, encoding: Encoding, mark: number, skip = 0): AsyncGenerator<Buffer> {
  if (encoding === "utf-8") {
    yield* createReadStream(path, { highWaterMark: CHUNK, start: mark + skip }) as AsyncIterable<Buffer>
    return
  }
  const decoder = new TextDecoder(encoding)
  let left = skip
  const take = (text: string): Buffer => {
    const bytes = Buffer.from(text)
    const from = Math.min(left, bytes.length)
    left -= from
    return bytes.subarray(from)
  }
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK, start: mark }) as AsyncIterable<Buffer>) {
    yield take(decoder.decode(chunk, { stream: true }))
  }
  yield take(decoder.decode())
}

/** What tells that a file was written to: its length and its time. */
export const stamp = async (path: string): Promise<string> => {
  const { mtimeMs, size } = await stat(path)
  return `${size} ${mtimeMs}`
}
