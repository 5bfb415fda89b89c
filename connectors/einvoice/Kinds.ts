/** Recognises electronic invoices by how they begin. */
import { open, readFile, stat } from "node:fs/promises"
import { extname } from "node:path"
import { MOST_BYTES, textsOf } from "./Container.ts"

/** How their names end. */
export const ENDINGS = [".xml", ".pdf", ".p7m", ".xsig"]

const HEAD_BYTES = 8192

/** The first element, or the one within an envelope. */
const ROOT =
  /<(?:[\w.-]+:)?(?:Invoice|CreditNote|CrossIndustryInvoice|CrossIndustryDocument|FatturaElettronica|FatturaElettronicaSemplificata|Faktura|Facturae|AttachedDocument|StandardBusinessDocument)[\s>]/

export const isInvoice = async (path: string): Promise<boolean> => {
  const ending = extname(path).toLowerCase()
  if (!ENDINGS.includes(ending)) return false
  try {
    if (ending === ".pdf" || ending === ".p7m")
      return (await stat(path)).size <= MOST_BYTES && (await textsOf(await readFile(path), ending)).length > 0
    const file = await open(path, "r")
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return ROOT.test(buffer.subarray(0, bytesRead).toString("latin1").replaceAll("\u0000", ""))
    } finally {
      await file.close()
    }
  } catch {
    return false
  }
}
