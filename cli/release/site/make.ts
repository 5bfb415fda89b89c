/**
 * Makes the documentation site in `site/`, or the folder that is named: one folder for each version, which stays when another is made.
 *
 *     node cli/release/site/make.ts [FOLDER]
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { site } from "./Site.ts"

const into = resolve(process.argv[2] ?? "site")
process.chdir(fileURLToPath(new URL("../../..", import.meta.url)))
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }
const files = new Set(spawnSync("git", ["ls-files"], { encoding: "utf8" }).stdout.split("\n"))
const pages = [...files]
  .filter((path) => path.endsWith(".md") && !path.startsWith("test/fixtures/"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }))
const made = await site(".", pages, files, { into, version })
console.log(`${made.length} pages: open ${into}/index.html`)
