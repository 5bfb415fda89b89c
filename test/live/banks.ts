/**
 * Reads every bank file in a folder, such as the test files of other parsers: `node test/live/banks.ts FOLDER [TEXT]`, where
 * only files whose path has the text are read. Says of each what became of it: how many documents, or why it was quarantined.
 * Whatever neither becomes a document nor has a reason is a failure, and so is an error that the connector did not foresee.
 */
import { copyFileSync, readdirSync, rmSync, statSync } from "node:fs"
import { basename, extname, join, relative } from "node:path"
import { BANK_ENDINGS } from "../../connectors/files/bank/Formats.ts"
import { pull, write } from "../connectors/files/support.ts"
import { end } from "../support/AtEnd.ts"

interface Found {
  readonly what: "read" | "nothing" | "quarantined" | "failed"
  readonly says: string
}

const read = async (path: string): Promise<Found> => {
  const ending = extname(path).toLowerCase()
  // A file of any extension: only a folder is searched by extension.
  const name = BANK_ENDINGS.includes(ending) ? basename(path) : `${basename(path)}.txt`
  const folder = write({})
  try {
    copyFileSync(path, join(folder, name))
    const { documents, error, quarantined } = await pull(folder, { payments: { path: name } })
    const reasons = [
      ...new Set(
        quarantined.map(({ field, why }) => `${field === undefined || field === "" ? "" : `${field}: `}${why}`)
      )
    ]
    const said = reasons.join(" | ")
    if (error !== undefined) return { what: "failed", says: `${error.reason._tag}: ${error.message}` }
    if (documents.length > 0)
      return { what: "read", says: `${documents.length} documents${said === "" ? "" : `; quarantined: ${said}`}` }
    return said === "" ? { what: "nothing", says: "no money came in" } : { what: "quarantined", says: said }
  } catch (cause) {
    return { what: "failed", says: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [folder, text = ""] = process.argv.slice(2)
if (folder === undefined) {
  console.error("node test/live/banks.ts FOLDER [TEXT]")
  process.exit(2)
}
const counts = { read: 0, nothing: 0, quarantined: 0, failed: 0 }
const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((name) => join(folder, name))
  .filter((path) => statSync(path).isFile() && path.includes(text))
for (const path of all.toSorted()) {
  const { says, what } = await read(path)
  counts[what]++
  console.log(`${what.padEnd(12)}${relative(folder, path)}: ${says.slice(0, 300)}`)
}
console.log(
  Object.entries(counts)
    .map(([what, n]) => `${n} ${what}`)
    .join(", ")
)
await end()
process.exitCode = counts.failed === 0 ? 0 : 1
