/**
 * How entries are stored: a hash as 32 bytes, and digests of rows as 16 bytes each with how far their number is from the one before. What
 * an entry says, and what its hash is of, is the same text as ever.
 */
import type { Entry } from "./Entry.ts"

/** An entry's row. */
export interface StoredEntry extends Omit<Entry, "content" | "hash"> {
  readonly content: string | Buffer
  readonly hash: Buffer
}

const DIGEST_BYTES = 16

const [DIGESTS, ONE] = [/^\[(\[\d{1,15},"[0-9a-f]{32}"\],?)+\]$/, /\[(\d+),"([0-9a-f]+)"\]/g]

/** A content of digests as bytes; any other as it is. */
const packed = (content: string): string | Buffer => {
  if (!DIGESTS.test(content)) return content
  const bytes: Array<number> = []
  let before = 0
  for (const [, id, digest = ""] of content.matchAll(ONE)) {
    let more = Number(id) - before
    if (more < 0) return content
    before = Number(id)
    for (; more > 127; more = Math.floor(more / 128)) bytes.push((more % 128) | 128)
    bytes.push(more, ...Buffer.from(digest, "hex"))
  }
  const found = Buffer.from(bytes)
  return unpacked(found) === content ? found : content
}

const unpacked = (bytes: Buffer): string => {
  const facts: Array<string> = []
  let id = 0
  for (let at = 0; at < bytes.length; ) {
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++] ?? 0
      id += (byte % 128) * unit
      if (byte < 128) break
    }
    facts.push(`[${id},"${bytes.toString("hex", at, at + DIGEST_BYTES)}"]`)
    at += DIGEST_BYTES
  }
  return `[${facts.join(",")}]`
}

export const toStored = ({
  content,
  hash
}: Pick<Entry, "content" | "hash">): Pick<StoredEntry, "content" | "hash"> => ({
  content: packed(content),
  hash: Buffer.from(hash, "hex")
})

/** Whatever another program has put there instead: its hash does not fit. */
export const fromStored = ({ content, hash, ...row }: StoredEntry): Entry => ({
  ...row,
  content: Buffer.isBuffer(content) ? unpacked(content) : `${content}`,
  hash: Buffer.from(hash).toString("hex")
})
