/** Lists the documentation pages: every Markdown file of the project. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

/** Files of the project, including uncommitted ones. */
export const FILES: ReadonlyArray<string> = spawnSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard"],
  { encoding: "utf8" }
)
  .stdout.split("\n")
  .filter((path) => path !== "" && existsSync(path))

export const PAGES = FILES.filter((path) => path.endsWith(".md") && !path.startsWith("test/fixtures/"))
