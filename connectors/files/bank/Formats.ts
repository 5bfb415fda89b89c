/**
 * Detects the format of a bank file from its beginning, and opens it.
 */
import { open } from "node:fs/promises"
import type { Encoding, Facts } from "../../Bytes.ts"
import { canonical } from "./Account.ts"
import { bacs } from "./Bacs.ts"
import { bai2 } from "./Bai2.ts"
import { camt } from "./Camt.ts"
import { cfonb } from "./Cfonb.ts"
import { coda } from "./Coda.ts"
import type { Source } from "../../Lines.ts"
import { type Events, NotABankFile } from "./Entry.ts"
import { mt940 } from "./Mt940.ts"
import { norma43 } from "./Norma43.ts"
import { ofx } from "./Ofx.ts"
import { pain002 } from "./Pain002.ts"
import { unreadAs } from "./Unread.ts"

/** In the order in which they are tried. */
export const FORMATS = ["pain002", "bacs", "camt", "mt940", "ofx", "bai2", "coda", "norma43", "cfonb120"] as const
export type Format = (typeof FORMATS)[number]

/** File name extensions that are read from a folder; a file that is configured by name may have any extension. */
export const BANK_ENDINGS = [
  ".xml",
  ".sta",
  ".mt940",
  ".mt942",
  ".940",
  ".942",
  ".swi",
  ".txt",
  ".ofx",
  ".qfx",
  ".qbo",
  ".bai",
  ".bai2",
  ".cod",
  ".coda",
  ".n43",
  ".c43",
  ".q43",
  ".aeb",
  ".cfonb",
  ".afb",
  ".120"
]

const READERS: { readonly [F in Format]: (source: Source, bank: Asked["bank"]) => Events } = {
  pain002: (source, { rejects }) => pain002(rejects)(source),
  bacs,
  camt,
  mt940,
  ofx,
  bai2,
  coda,
  norma43,
  cfonb120: cfonb
}

/** How much of a file's beginning is needed to detect the format. */
const HEAD_BYTES = 4096

const SIGNS: { readonly [F in Format]: RegExp } = {
  pain002: /<(?:[\w.-]+:)?CstmrPmtStsRpt(?:V0\d)?[\s>]/,
  bacs: /<(?:[\w.-]+:)?(?:BACS|Voca)Document[\s>]/,
  camt: /<(?:[\w.-]+:)?(?:BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)|Document)[\s>]/,
  mt940: /^(?:\{1:.*\{4:)?:(?:20|25|28C?|60[FM]):/m,
  ofx: /^\s*OFXHEADER:|<\?OFX|<OFX>/i,
  bai2: /^\s*01\s*,[^\n]*,[^\n]*(?:,|\/\s*\n88\s*,)/,
  coda: /^0{5}\d{6}\d{3}05.{100,114}\r?\n1/,
  norma43: /^11\d{18}\d{12}[12]\d{14}\d{3}/,
  cfonb120: /^01\d{5}.{9}[A-Z]{3}\d.{70}.{12,14}[{}A-R]/
}

interface Asked {
  readonly path: string
  readonly place: string
  readonly bank: { readonly format?: Format; readonly encoding?: string; readonly rejects?: "reversal" }
}

export const headOf = async (path: string, { encoding, mark }: Facts): Promise<string> => {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, mark)
    return new TextDecoder(encoding).decode(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** Encodings that an XML declaration names and that cannot be detected from the bytes. */
const DECLARED: Readonly<Record<string, Encoding>> = {
  "iso-8859-2": "iso-8859-2",
  "iso-8859-15": "iso-8859-15",
  "windows-1250": "windows-1250"
}

/** Writes the accounts of all messages alike, and names the kind of each message. */
async function* normalised(format: Format, events: Events): Events {
  for await (const event of events) {
    if (event.type !== "begin") yield event
    else {
      const { account, kind, rank } = event.head
      const series = `${format} ${kind} ${rank}`
      yield { ...event, head: { ...event.head, account: canonical(account), series } }
    }
  }
}

export interface Opened {
  readonly format: Format
  /** Reads the file from its beginning. */
  readonly events: () => Events
}

/** Throws `NotABankFile` if it has none of the formats. */
export const openBank = async ({ bank, path, place }: Asked, facts: Facts): Promise<Opened> => {
  const head = await headOf(path, facts)
  const unread = bank.format === undefined ? unreadAs(head) : undefined
  if (unread !== undefined) throw new NotABankFile(...unread)
  const format = bank.format ?? FORMATS.find((one) => SIGNS[one].test(head))
  if (format === undefined)
    throw new NotABankFile(
      `it is not a bank statement that can be read (${FORMATS.join(", ")})`,
      `correct source.${place}.path, or write columns if it is a table`
    )
  const declared = DECLARED[/^<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(head)?.[1]?.toLowerCase() ?? ""]
  const set = bank.encoding === "latin1" ? "windows-1252" : (bank.encoding as Encoding | undefined)
  const encoding = set ?? (facts.encoding === "windows-1252" ? (declared ?? facts.encoding) : facts.encoding)
  return { format, events: () => normalised(format, READERS[format]({ path, encoding, mark: facts.mark }, bank)) }
}
