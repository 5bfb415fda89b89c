/**
 * The invoice attached to a PDF/A-3 (Factur-X and ZUGFeRD: ISO 19005-3). The attachment's name is one of a few, in any case and
 * also with a path; where there is none of them, any XML file. It is unpacked by another process (`PdfProcess.ts`).
 */
import { type Apart, apart, CONFINED, Ended, TookTooLong } from "../Apart.ts"
import { Refused } from "../Refused.ts"

export type PdfContents = { readonly contents: ReadonlyArray<Uint8Array> } | { readonly refused: string }

/** The process is kept for the next files, for a moment. */
const DEADLINE_MS = 30_000
const KEPT_MS = 5000

let process: Apart | undefined
let kept: NodeJS.Timeout | undefined

const closed = (): void => {
  process?.end()
  process = undefined
}

export const attachments = async (bytes: Uint8Array): Promise<ReadonlyArray<Uint8Array>> => {
  clearTimeout(kept)
  const asked = (process ??= apart("einvoice/PdfProcess", CONFINED))
  try {
    const said = await asked.ask<PdfContents>(Uint8Array.from(bytes), DEADLINE_MS)
    if ("refused" in said)
      throw new Refused(said.refused, undefined, "save the PDF again without a password, or take its XML out")
    return said.contents
  } catch (cause) {
    if (cause instanceof Refused) throw cause
    if (process === asked) closed()
    if (!(cause instanceof TookTooLong || cause instanceof Ended)) throw cause
    throw new Refused("the PDF takes too long or too much memory to open", undefined, "take its XML out")
  } finally {
    clearTimeout(kept)
    kept = setTimeout(closed, KEPT_MS).unref()
  }
}
