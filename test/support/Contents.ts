/** What a state file and a folder contain, to see whether something changed. */
import Sqlite from "better-sqlite3"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** Everything in the state file, except who signed in and the chain that proves it, and whether the file was closed properly. */
export const contents = (file: string): Readonly<Record<string, string>> => {
  const db = new Sqlite(file, { readonly: true })
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('sign_in', 'chain') ORDER BY name")
    .pluck()
    .all() as ReadonlyArray<string>
  const asText = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value)
  const rows = tables.map((name) => {
    const all = db.prepare(`SELECT * FROM "${name}"`).all() as ReadonlyArray<Record<string, unknown>>
    const kept = name === "state" ? all.map(({ clean, place, stamp, ...rest }) => rest) : all
    return [name, JSON.stringify(kept, asText)] as const
  })
  db.close()
  return Object.fromEntries(rows.map(([name, text]) => [name, createHash("sha256").update(text).digest("hex")]))
}

/** The files of a folder but for its state file, each with its digest. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("daybook.db") && statSync(join(folder, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}`
    )
    .toSorted()
