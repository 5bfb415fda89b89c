/** The statement of account as a file. Loaded where one is made: what sets type is large. */
import type * as FileStore from "./FileStore.ts"
import { type AccountStatement, statementPdf } from "./StatementOfAccount.ts"

export const statementFile = async (
  statement: AccountStatement
): Promise<Pick<FileStore.NewFile, "name" | "bytes"> | { readonly why: string }> => {
  const made = await statementPdf(statement)
  return "why" in made ? made : { name: "statement-of-account.pdf", bytes: made }
}
