/**
 * Parses a multipart body: fields as text, files as bytes. An invalid body is rejected with a reason.
 */
import { MultipartParser } from "effect/http"
import type { Upload } from "../../wire/Upload.ts"

/** Maximum parts per form. Assumption: no limit is shown; a document has four. */
const MOST_PARTS = 50

/** Maximum size of a field that is not a file. */
const LARGEST_FIELD_BYTES = 64 * 1024

export type Form = Readonly<Record<string, string | Upload>>

/** If a member occurs twice, the last one is used. */
export const readForm = (
  contentType: string,
  bytes: Uint8Array
): { readonly value: Form } | { readonly refused: string } => {
  const value: Record<string, string | Upload> = Object.create(null)
  let refused: string | undefined
  let done = false
  const parser = MultipartParser.make({
    headers: { "content-type": contentType },
    maxParts: MOST_PARTS,
    maxFieldSize: LARGEST_FIELD_BYTES,
    onField: (info, field) => {
      value[info.name] = MultipartParser.decodeField(info, field)
    },
    onFile: (info) => {
      const chunks: Array<Uint8Array> = []
      return (chunk) => {
        if (chunk !== null) chunks.push(chunk.slice())
        else value[info.name] = { name: info.filename ?? "", type: info.contentType, content: Buffer.concat(chunks) }
      }
    },
    onError: ({ _tag }) => {
      refused ??= _tag === "InvalidBoundary" ? "invalid boundary." : `${_tag}.`
    },
    onDone: () => {
      done = true
    }
  })
  try {
    parser.write(bytes)
    parser.end()
  } catch (cause) {
    refused ??= String(cause)
  }
  if (refused !== undefined || !done) return { refused: `Multipart form parse error - ${refused ?? "no end."}` }
  return { value }
}
