/**
 * Sends a multipart request whose file is read in chunks while it is sent, and checked against its digest: either exactly the
 * file that the user was shown is sent, or nothing.
 */
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import type { Upload } from "./Upload.ts"

/** A file that is read in chunks while it is sent. */
export interface StreamedUpload extends Omit<Upload, "content"> {
  readonly size: number
  /** SHA-256 of its content, in base64url. */
  readonly digest: string
  /** The chunks in order, from 0; undefined after the last. */
  readonly piece: (n: number) => Uint8Array | undefined
}

/** A multipart body that is never completely in memory. */
export interface StreamedForm {
  readonly _tag: "StreamedForm"
  readonly contentType: string
  readonly contentLength: number
  readonly stream: Stream.Stream<Uint8Array, Error>
}

/** Quotes a name in a part's header as browsers do. */
const quoted = (name: string): string =>
  `"${name.replace(/[\r\n"]/g, (one) => (one === '"' ? "%22" : one === "\r" ? "%0D" : "%0A"))}"`

/** The file's chunks. If the file has changed, the stream fails before the end of the form, which makes the form invalid. */
const piecesOf = ({ digest, name, piece, size }: StreamedUpload): Stream.Stream<Uint8Array, Error> =>
  Stream.suspend(() => {
    const hash = createHash("sha256")
    let sent = 0
    return Stream.unfold(0, (n) =>
      Effect.suspend((): Effect.Effect<readonly [Uint8Array, number] | undefined, Error> => {
        const bytes = piece(n)
        if (bytes === undefined)
          return sent === size && hash.digest("base64url") === digest
            ? Effect.undefined
            : Effect.fail(new Error(`${name} was replaced while it was sent`))
        hash.update(bytes)
        sent += bytes.length
        return Effect.succeed([bytes, n + 1])
      })
    )
  })

/**
 * A multipart body with one file, which is read as it is sent. The same members produce the same bytes: the boundary is made
 * from the file's digest, which cannot occur in the file.
 */
export const streamedForm = (members: Readonly<Record<string, string>>, file: StreamedUpload): StreamedForm => {
  const boundary = `form-${file.digest}`
  const field = ([name, value]: readonly [string, string]) =>
    `--${boundary}\r\ncontent-disposition: form-data; name=${quoted(name)}\r\n\r\n${value}\r\n`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename=${quoted(file.name)}\r\ncontent-type: ${file.type}\r\n\r\n`
  const before = Buffer.from(Object.entries(members).map(field).join("") + head)
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    _tag: "StreamedForm",
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: before.length + file.size + after.length,
    stream: Stream.concat(Stream.concat(Stream.succeed(before), piecesOf(file)), Stream.succeed(after))
  }
}

export const isStreamedForm = (body: unknown): body is StreamedForm =>
  typeof body === "object" && body !== null && "_tag" in body && body._tag === "StreamedForm"
