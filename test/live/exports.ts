/**
 * Reads every table in a folder as `daybook init` would: `node test/live/exports.ts FOLDER [TEXT]`, where only files whose path
 * has the text are read. Says of each what is asked, or what it comes to, and how many rows would be quarantined.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, extname, join, relative } from "node:path"
import { TABLES } from "../../connectors/files/Settings.ts"
import { readAll, sumsOf } from "../sync/setup/Reading.ts"

const saidOf = async (path: string): Promise<string> => {
  try {
    const { documents, found, quarantined } = await readAll({ [basename(path)]: readFileSync(path) })
    const asked = found.questions.filter(({ suggestion }) => suggestion === undefined)
    if (asked.length > 0) return `asks ${asked.map(({ flag }) => flag).join(" ")}`
    return `${JSON.stringify(sumsOf(documents))}${quarantined.length === 0 ? "" : `; ${quarantined.length} quarantined, like ${quarantined[0]}`}`
  } catch (cause) {
    return `fails: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

const [folder, text = ""] = process.argv.slice(2)
if (folder === undefined) {
  console.error("node test/live/exports.ts FOLDER [TEXT]")
  process.exit(2)
}
const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((name) => join(folder, name))
  .filter((path) => statSync(path).isFile() && path.includes(text) && TABLES.includes(extname(path).toLowerCase()))
for (const path of all.toSorted()) console.log(`${relative(folder, path)}: ${await saidOf(path)}`)
