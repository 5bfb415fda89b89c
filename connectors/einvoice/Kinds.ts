/** Recognises electronic invoices by how they begin. */
import { open, readFile, stat } from "node:fs/promises"
import { basename, extname } from "node:path"
import { HEAD_BYTES, HOLDING, isRoot, MOST_BYTES, partsOf, SINGLE, textsOf } from "./Container.ts"

/** How their names end. */
export const ENDINGS = [...SINGLE, ...HOLDING]

/** Whether one of the files in an archive or a mail is an invoice. */
const hasInvoice = async (path: string): Promise<boolean> => {
  for (const { bytes, name, other, refused } of partsOf(basename(path), await readFile(path))) {
    if (refused !== undefined || other !== undefined) continue
    const ending = extname(name).toLowerCase()
    try {
      if (ending === ".pdf" || ending === ".p7m" ? (await textsOf(bytes, ending)).length > 0 : isRoot(bytes))
        return true
    } catch {
      // Another one may be.
    }
  }
  return false
}

export const isInvoice = async (path: string): Promise<boolean> => {
  const ending = extname(path).toLowerCase()
  if (!ENDINGS.includes(ending)) return false
  try {
    if (ending === ".pdf" || ending === ".p7m" || HOLDING.includes(ending))
      return (await stat(path)).size <= MOST_BYTES && (await hasInvoice(path))
    const file = await open(path, "r")
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return isRoot(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  } catch {
    return false
  }
}
