/** Recognises ledger and audit files by how they begin. */
import { open } from "node:fs/promises"
import { extname } from "node:path"
import { isExtf } from "./datev/Batch.ts"
import { layoutOf } from "./fec/Lines.ts"

export type LedgerKind = "fec" | "saft-pt" | "datev"

/** How their names end. */
export const ENDINGS = [".txt", ".csv", ".tsv", ".fec", ".xml"]

const HEAD_BYTES = 8192

/** Undefined if it is none of them. */
export const kindOf = async (path: string): Promise<LedgerKind | undefined> => {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    const text = head[0] === 0xff && head[1] === 0xfe ? head.toString("utf16le") : head.toString("latin1")
    if (/<(?:[\w.-]+:)?AuditFile[\s>][\s\S]*?StandardAuditFile-Tax:PT_/.test(text)) return "saft-pt"
    if (isExtf(text.replace("\u00ef\u00bb\u00bf", ""))) return "datev"
    return layoutOf(text.split(/\r?\n|\r/, 1)[0] ?? "") === undefined ? undefined : "fec"
  } finally {
    await file.close()
  }
}

export const isLedger = async (path: string): Promise<boolean> =>
  ENDINGS.includes(extname(path).toLowerCase()) && (await kindOf(path)) !== undefined
