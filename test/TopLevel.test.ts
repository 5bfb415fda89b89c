/** Checks what is at the top of the repository: each file is where its tool, or its reader, looks for it; all else is in a folder. */
import { expect, it } from "@effect/vitest"
import { FILES } from "./support/Pages.ts"

const FOLDERS = [".ci", ".github", "cli", "connectors", "core", "examples", "sync", "test"]

/** Beside the README: readers and tools look for `CHANGELOG.md` and `SECURITY.md` here. */
const TEXTS = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"]

const SETTINGS = [".gitignore", "biome.json", "package-lock.json", "package.json", "tsconfig.json", "vitest.config.ts"]

it("has nothing at the top that belongs in a folder", () => {
  const top = new Set(FILES.map((path) => path.split("/")[0]))
  expect([...top].toSorted()).toEqual([...FOLDERS, ...TEXTS, ...SETTINGS].toSorted())
})
