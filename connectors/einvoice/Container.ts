/**
 * What a file is: XML, or XML within a PDF (Factur-X, ZUGFeRD) or a signed file (.p7m); or an archive (.zip) or a mail (.eml) with
 * such files in it. Yields the files, and of each the invoices' XML.
 */
import { isUtf8 } from "node:buffer"
import { extname } from "node:path"
import { signedContent } from "./Cms.ts"
import { AGAIN, Refused } from "../Refused.ts"
import { attachedTo } from "./Mail.ts"
import { attachments } from "./Pdf.ts"
import { entriesOf } from "./Zip.ts"

export const MOST_BYTES = 32 * 2 ** 20

/** How the names of files end that are one invoice or a few, and of files with such files in them. */
export const SINGLE = [".xml", ".pdf", ".p7m", ".xsig"]
export const HOLDING = [".zip", ".eml"]

export const HEAD_BYTES = 8192

/** The first element, or the one within an envelope. */
const ROOT =
  /<(?:[\w.-]+:)?(?:Invoice|CreditNote|CrossIndustryInvoice|CrossIndustryDocument|FatturaElettronica|FatturaElettronicaSemplificata|Faktura|Facturae|AttachedDocument|StandardBusinessDocument)[\s>]/

export const isRoot = (bytes: Uint8Array): boolean =>
  ROOT.test(Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1").replaceAll("\u0000", ""))

/** Archives in mails in archives. */
const DEEPEST = 4

/** What an archive may unpack to, all in all. */
const MOST_UNPACKED = 2 ** 30

/** A file, or one within it. */
export interface Part {
  /** Of a file within another one, after the other's name. */
  readonly name: string
  readonly bytes: Buffer
  /** Why it cannot be opened. */
  readonly refused?: string
  /** What it is, if it is left out. */
  readonly other?: string
}

/** Whether it is an archive or a mail, by its name. */
export const holds = (name: string): boolean => HOLDING.includes(extname(name).toLowerCase())

const OTHER = "a file of another kind in an archive or a mail"

const isRead = (name: string): boolean => [...SINGLE, ...HOLDING].includes(extname(name).toLowerCase())

/** What systems and mail programs put beside files: of no interest to anybody. */
const isAside = (name: string): boolean =>
  /(?:^|\/)(?:\.|~\$|__MACOSX\/|Thumbs\.db$)|\.(?:png|jpe?g|gif|svg|ics|vcf)$/i.test(name)

/** Mails may have other names for what is attached, or none. */
const nameByContent = (name: string, bytes: Buffer): string => {
  if (isRead(name)) return name
  if (isRoot(bytes)) return `${name}.xml`
  return extname(name) === "" && bytes.subarray(0, 5).toString("latin1") === "%PDF-" ? `${name}.pdf` : name
}

/** The file itself; the files within an archive or a mail, wherever they are in it. */
export function* partsOf(name: string, bytes: Buffer, budget = { left: MOST_UNPACKED }, deep = 0): Generator<Part> {
  if (!holds(name)) return yield { name, bytes }
  const none = Buffer.alloc(0)
  if (deep >= DEEPEST) return yield { name, bytes: none, refused: "it has archives within archives; unpack it" }
  try {
    if (extname(name).toLowerCase() === ".eml") {
      for (const one of attachedTo(bytes)) {
        const own = nameByContent(one.name, one.bytes)
        const inner = `${name}/${own}`
        if (isRead(own)) yield* partsOf(inner, one.bytes, budget, deep + 1)
        else if (!isAside(own)) yield { name: inner, bytes: none, other: OTHER }
      }
      return
    }
    for (const entry of entriesOf(bytes, MOST_BYTES)) {
      if (isAside(entry.name)) continue
      const inner = `${name}/${entry.name}`
      if (!isRead(entry.name)) {
        yield { name: inner, bytes: none, other: OTHER }
        continue
      }
      const [content, refused] = unpackedOf(entry)
      budget.left -= content.length
      if (budget.left < 0)
        throw new Refused(`it unpacks to more than ${MOST_UNPACKED / 2 ** 20} MB`, undefined, "unpack it")
      if (refused === undefined) yield* partsOf(inner, content, budget, deep + 1)
      else yield { name: inner, bytes: content, refused }
    }
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    yield { name, bytes: none, refused: cause.message }
  }
}

const unpackedOf = (entry: { readonly bytes: () => Buffer }): readonly [Buffer, string?] => {
  try {
    return [entry.bytes()]
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    return [Buffer.alloc(0), cause.message]
  }
}

/** Programs declare these, and write UTF-8; what is written in them is not UTF-8 by chance. */
const ONE_BYTE = /^(?:iso-8859|latin|windows-125|us-ascii)/i

/** The text of an XML file: by its byte-order mark, else by the encoding that it declares, else UTF-8. */
export const decode = (bytes: Uint8Array): string => {
  const head = Buffer.from(bytes.subarray(0, 200))
  const mark =
    head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe && head[1] === 0xff ? "utf-16be" : undefined
  const declared =
    mark ??
    /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(head.toString("latin1"))?.[1] ??
    "utf-8"
  const decoder = decoderOf(ONE_BYTE.test(declared) && isUtf8(bytes) ? "utf-8" : declared)
  if (decoder === undefined)
    throw new Refused(`its encoding ${JSON.stringify(declared)} is not known`, undefined, "save it as UTF-8")
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Refused(`it is not written in the encoding that it declares (${declared})`, undefined, AGAIN)
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
