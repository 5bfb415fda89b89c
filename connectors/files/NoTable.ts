/** Says what a file is that is neither a table nor a known format of a bank, by its first bytes and its name, and what to do. */
const CSV_OR_EXCEL = "export the list as CSV or Excel"

const BY_BYTES: ReadonlyArray<readonly [sign: RegExp, why: string, advice: string]> = [
  [/^\xd0\xcf\x11\xe0/, "it is a workbook of Excel 97", "save it as .xlsx or CSV"],
  [/^\s*%PDF-/, "it is a PDF", CSV_OR_EXCEL],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|table)/i, "it is a web page", CSV_OR_EXCEL]
]

const ARCHIVES: Readonly<Record<string, readonly [why: string, advice: string]>> = {
  ".ods": ["it is a spreadsheet of OpenDocument", "save it as .xlsx or CSV"],
  ".numbers": ["it is a spreadsheet of Numbers", "save it as .xlsx or CSV"]
}

export const noTable = (head: Uint8Array, ending: string): readonly [why: string, advice: string] | undefined => {
  const text = Buffer.from(head).toString("latin1")
  if (text.startsWith("PK\x03\x04"))
    return ARCHIVES[ending] ?? ["it is a ZIP archive", "unpack it, and give the files that are in it"]
  const [, why, advice] = BY_BYTES.find(([sign]) => sign.test(text)) ?? []
  return why === undefined || advice === undefined ? undefined : [why, advice]
}
