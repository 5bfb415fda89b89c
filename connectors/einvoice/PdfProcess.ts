/**
 * Unpacks the invoice attached to a PDF for `Pdf.ts`, in a process of its own: a kilobyte may unpack to gigabytes, and the parser has
 * no limit.
 */
import { answerApart } from "../ApartProcess.ts"
import type { PdfContents } from "./Pdf.ts"

/** By preference: a PDF may have the invoice in two versions of ZUGFeRD. */
const NAMES = ["factur-x.xml", "xrechnung.xml", "zugferd-invoice.xml"]
const OTHERS = /^(?:order-x|additional_data)/

const MOST_BYTES = 8 * 2 ** 20
const MOST_MEMORY_MB = 512

interface Named {
  readonly key: string
  readonly name: string
}

/** Those that may be the invoice, the best first. */
const candidates = (found: ReadonlyMap<string, { readonly filename?: string }> | null): ReadonlyArray<Named> => {
  const named = [...(found ?? [])].flatMap(([key, { filename = key }]) => {
    const name = filename.toLowerCase().split(/[\\/]/).at(-1) ?? ""
    return !name.endsWith(".xml") || OTHERS.test(name) ? [] : [{ key, name }]
  })
  const known = NAMES.flatMap((name) => named.filter((one) => one.name === name))
  return known.length > 0 ? known : named
}

const contentsOf = async (bytes: Uint8Array): Promise<PdfContents> => {
  const { getDocumentProxy } = await import("unpdf")
  const contents: Array<Uint8Array> = []
  let size = 0
  try {
    const pdf = await getDocumentProxy(bytes, { verbosity: 0 })
    for (const { key } of candidates(await pdf.getAttachments())) {
      const content: Uint8Array | null | undefined = await pdf.getAttachmentContent(key)
      if (content === null || content === undefined) continue
      size += content.length
      if (size > MOST_BYTES) return { refused: "the invoice attached to the PDF is too large" }
      contents.push(content)
    }
    await pdf.cleanup()
  } catch (cause) {
    const { name } = cause as Error
    return {
      refused: name === "PasswordException" ? "the PDF is encrypted" : "the PDF is damaged and cannot be opened"
    }
  }
  return { contents }
}

answerApart(contentsOf, MOST_MEMORY_MB)
