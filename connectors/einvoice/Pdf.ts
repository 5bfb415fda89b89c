/**
 * The invoice attached to a PDF/A-3 (Factur-X and ZUGFeRD: ISO 19005-3). The attachment's name is one of a few, in any case and
 * also with a path; where there is none of them, any XML file.
 */
import { Refused } from "./Facts.ts"

/** By preference: a PDF may have the invoice in two versions of ZUGFeRD. */
const NAMES = ["factur-x.xml", "xrechnung.xml", "zugferd-invoice.xml"]
const OTHERS = /^(?:order-x|additional_data)/

const MOST_BYTES = 8 * 2 ** 20

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

export const attachments = async (bytes: Uint8Array): Promise<ReadonlyArray<Uint8Array>> => {
  const { getDocumentProxy } = await import("unpdf")
  const contents: Array<Uint8Array> = []
  try {
    // A copy: the parser takes the bytes for its own.
    const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 })
    for (const { key } of candidates(await pdf.getAttachments())) {
      const content: Uint8Array | null | undefined = await pdf.getAttachmentContent(key)
      if (content !== null && content !== undefined) contents.push(content)
    }
    await pdf.cleanup()
  } catch (cause) {
    const { name } = cause as Error
    throw new Refused(name === "PasswordException" ? "the PDF is encrypted" : "the PDF is damaged and cannot be opened")
  }
  if (contents.some(({ length }) => length > MOST_BYTES))
    throw new Refused("the invoice attached to the PDF is too large")
  return contents
}
