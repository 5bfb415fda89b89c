/**
 * A file in a multipart request (II 4: collection documents): its name, its media type and its bytes.
 */
import { Schema, SchemaTransformation } from "effect"

export interface Upload {
  readonly name: string
  /** Media type: `application/pdf`. */
  readonly type: string
  readonly content: Uint8Array
}

const isUpload = (value: unknown): value is Upload => {
  if (value === null || typeof value !== "object") return false
  const { content, name, type } = value as Partial<Upload>
  return typeof name === "string" && typeof type === "string" && content instanceof Uint8Array
}

/** A binary member in the OpenAPI document, which identifies files by this name. */
export const Upload = Schema.declare(isUpload, {
  expected: "a file",
  toCodecArbitrary: () =>
    Schema.link<Upload>()(
      Schema.Struct({ name: Schema.String, type: Schema.String, content: Schema.Array(Schema.Int) }),
      SchemaTransformation.transform<Upload, Omit<Upload, "content"> & { readonly content: ReadonlyArray<number> }>({
        decode: ({ content, ...rest }) => ({ ...rest, content: Uint8Array.from(content) }),
        encode: ({ content, ...rest }) => ({ ...rest, content: Array.from(content) })
      })
    ),
  representation: { id: "effect/http/PersistedFile", payload: null }
})

/** Builds a multipart body: absent members are left out, files keep their names. */
export const form = (members: Readonly<Record<string, string | Upload | null | undefined>>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === null) continue
    if (typeof value === "string") data.append(name, value)
    else data.append(name, new Blob([value.content as Uint8Array<ArrayBuffer>], { type: value.type }), value.name)
  }
  return data
}
