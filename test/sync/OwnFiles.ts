/** The user's own files beside a world's state file, and the letters of those that are made. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { statementFile } from "../../sync/collections/StatementFile.ts"
import type { World } from "./World.ts"

/** Loads what sets type, with its fonts, before a world begins: it does not wait for the disk. */
export const lettersLoaded = async (): Promise<void> => {
  const seller = { name: "A", details: [] }
  await statementFile({ seller, buyer: { name: "Ä", details: [] }, currency: "GBP", entries: [] })
}

export const put = ({ folder }: World, name: string, content: string | Buffer): void => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

export const PDF = (text: string) => `%PDF-1.7\n${text}\n%%EOF\n`
