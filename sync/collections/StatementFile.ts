/** The statement of account as a file. Loaded where one is made: the font is large. */
import type * as FileStore from "./FileStore.ts"
import { fontFile } from "./pdf/FontFile.ts"
import { type Font, read } from "./pdf/TrueType.ts"
import { type AccountStatement, statementPdf, unwritable } from "./StatementOfAccount.ts"

let font: Font | undefined

export const statementFile = (
  statement: AccountStatement
): Pick<FileStore.NewFile, "name" | "bytes"> | { readonly why: string } => {
  font ??= read(fontFile())
  const why = unwritable(font, statement)
  return why === undefined ? { name: "statement-of-account.pdf", bytes: statementPdf(font, statement) } : { why }
}
