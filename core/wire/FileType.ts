/**
 * Detects a file's type by its first and last bytes, because a name and a media type are only claims. Recognises the types
 * that a collections partner can open and that cannot execute anything: PDF, PNG, JPEG. Three signatures need no library.
 */

export interface FileType {
  /** Media type. */
  readonly type: "application/pdf" | "image/png" | "image/jpeg"
  readonly name: "PDF" | "PNG" | "JPEG"
  readonly extensions: readonly [string, ...ReadonlyArray<string>]
}

export const PDF: FileType = { type: "application/pdf", name: "PDF", extensions: ["pdf"] }
const PNG: FileType = { type: "image/png", name: "PNG", extensions: ["png"] }
const JPEG: FileType = { type: "image/jpeg", name: "JPEG", extensions: ["jpg", "jpeg"] }

/** The recognised types, as listed in errors. */
export const KNOWN = "PDF, PNG or JPEG"

/** How far before the end of the file a PDF's end marker may be: some programs write more after it. */
const PDF_END_BYTES = 1024

const PNG_BEGINS = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG_BEGINS = [0xff, 0xd8, 0xff]

const begins = (bytes: Uint8Array, with_: ReadonlyArray<number>): boolean =>
  bytes.length >= with_.length && with_.every((byte, i) => bytes[i] === byte)

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")

/** The type of a file, or in words why it is none of these. */
export const of = (bytes: Uint8Array): FileType | { readonly why: string } => {
  if (bytes.length === 0) return { why: "the file is empty" }
  if (/^(\xef\xbb\xbf)?\s*%PDF-/.test(text(bytes.subarray(0, 64))))
    return text(bytes.subarray(-PDF_END_BYTES)).includes("%%EOF") ? PDF : { why: "the PDF has no end: it is cut off" }
  if (begins(bytes, PNG_BEGINS))
    return text(bytes.subarray(-16)).includes("IEND") ? PNG : { why: "the PNG has no end: it is cut off" }
  if (begins(bytes, JPEG_BEGINS)) return JPEG
  return { why: `the file is not a ${KNOWN}` }
}

/** The name with an extension that matches the file's type. */
export const named = (name: string, { extensions }: FileType): string =>
  extensions.some((one) => name.toLowerCase().endsWith(`.${one}`)) ? name : `${name}.${extensions[0]}`
