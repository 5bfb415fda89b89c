/**
 * What a file is: XML, or XML within a PDF (Factur-X, ZUGFeRD), a signed file (.p7m), a mail's envelope (SBDH) or an attached
 * document. Yields the invoices' XML.
 */
import { signedContent } from "./Cms.ts"
import { Refused } from "./Facts.ts"
import { attachments } from "./Pdf.ts"

export const MOST_BYTES = 32 * 2 ** 20

/** The text of an XML file: by its byte-order mark, else by the encoding that it declares, else UTF-8. */
export const decode = (bytes: Uint8Array): string => {
  const head = Buffer.from(bytes.subarray(0, 200))
  const mark =
    head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined
  const declared =
    mark ??
    /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(head.toString("latin1"))?.[1] ??
    "utf-8"
  const decoder = decoderOf(declared)
  if (decoder === undefined) throw new Refused(`its encoding ${JSON.stringify(declared)} is not known`)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Refused(`it is not written in the encoding that it declares (${declared})`)
  }
}

const decoderOf = (encoding: string) => {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    return undefined
  }
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.subarray(0, text.length)).toString("latin1") === text

/** The XML of a file's invoices: the texts, or none where a PDF has none attached. */
export const textsOf = async (bytes: Uint8Array, ending: string): Promise<ReadonlyArray<string>> => {
  if (startsWith(bytes, "%PDF")) return (await attachments(bytes)).map(decode)
  if (ending === ".p7m") return [decode(signedContent(bytes))]
  return [decode(bytes)]
}
