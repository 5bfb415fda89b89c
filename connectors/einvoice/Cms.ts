/**
 * The content of a signed file (CMS, RFC 5652; `.p7m`): DER, or BER with indefinite lengths and content in pieces, or either of
 * them in base64, once or twice. The signature is not checked: the platform that delivered the file did.
 */
import { AGAIN, Refused } from "../Refused.ts"

const SIGNED_DATA = "06092a864886f70d010702"

interface Value {
  readonly tag: number
  /** Where its content begins and ends. */
  readonly from: number
  readonly to: number
  /** Where the next value begins. */
  readonly next: number
}

const broken = (): Refused => new Refused("it is not a signed file (.p7m) that can be opened", undefined, AGAIN)

/** One value; `to` of an indefinite length is found by reading what is within. */
const valueAt = (bytes: Buffer, at: number, deep = 0): Value => {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined || deep > 32) throw broken()
  if (first === 0x80) {
    let inner = at + 2
    while (bytes[inner] !== 0 || bytes[inner + 1] !== 0) inner = valueAt(bytes, inner, deep + 1).next
    return { tag, from: at + 2, to: inner, next: inner + 2 }
  }
  const count = first & 0x80 ? first & 0x7f : 0
  if (count > 4) throw broken()
  const length = count === 0 ? first : bytes.readUIntBE(at + 2, count)
  const from = at + 2 + count
  if (from + length > bytes.length) throw broken()
  return { tag, from, to: from + length, next: from + length }
}

const within = (bytes: Buffer, { from, to }: Value): ReadonlyArray<Value> => {
  const values: Array<Value> = []
  for (let at = from; at < to; ) {
    const value = valueAt(bytes, at)
    values.push(value)
    at = value.next
  }
  return values
}

/** An OCTET STRING, in one piece or in several. */
const octets = (bytes: Buffer, value: Value): ReadonlyArray<Buffer> =>
  (value.tag & 0x20) === 0
    ? [bytes.subarray(value.from, value.to)]
    : within(bytes, value).flatMap((piece) => octets(bytes, piece))

const unwrapped = (bytes: Buffer): Buffer => {
  const outer = valueAt(bytes, 0)
  const [oid, content] = within(bytes, outer)
  if (outer.tag !== 0x30 || oid === undefined || content === undefined) throw broken()
  if (bytes.subarray(outer.from, oid.next).toString("hex") !== SIGNED_DATA) throw broken()
  const [signed] = within(bytes, content)
  const info = signed && within(bytes, signed).find(({ tag }) => tag === 0x30)
  const explicit = info && within(bytes, info)[1]
  const string = explicit && within(bytes, explicit)[0]
  if (string === undefined)
    throw new Refused("it is a signature without the file that was signed", undefined, "get the file that was signed")
  return Buffer.concat(octets(bytes, string))
}

const BASE64 = /^[\sA-Za-z0-9+/=]+$/

export const signedContent = (file: Uint8Array): Buffer => {
  let bytes = Buffer.from(file)
  for (let times = 0; times < 2 && bytes[0] !== 0x30; times++) {
    const text = bytes.toString("latin1").replace(/-----[^-]+-----/g, "")
    if (!BASE64.test(text)) break
    bytes = Buffer.from(text, "base64")
  }
  try {
    return unwrapped(bytes)
  } catch (cause) {
    throw cause instanceof Refused ? cause : broken()
  }
}
