/** The tarball: built twice, in other folders, at other times and with another umask, it has the same bytes. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { pack } from "../../cli/release/Pack.ts"
import { atEnd } from "../support/AtEnd.ts"
import { remove, temporary } from "../support/Built.ts"
import { sparing } from "../support/Compiler.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** Every file below a folder. */
const files = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("node_modules"))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

const sum = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")

/** Builds and packs; returns the checksum of each file in it, and of the whole. */
const packed = (name: string, change: (path: string) => void) => {
  const place = temporary()
  atEnd(() => remove(place))
  const folder = join(place, name)
  mkdirSync(folder, { recursive: true })
  const { files: listed } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  for (const path of ["package.json", "README.md", ...listed])
    if (!/dist/.test(path)) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"))
  const build = ["cli/build.js", "--into", join(folder, "dist"), "--unchecked"]
  execFileSync(process.execPath, build, { cwd: ROOT, env: sparing() })
  for (const path of files(folder)) change(path)
  const into = `${folder}-packed`
  mkdirSync(into)
  pack(folder, into)
  const [tarball = ""] = readdirSync(into)
  execFileSync("tar", ["xzf", tarball], { cwd: into })
  const inside = join(into, "package")
  const sums = files(inside).map((path) => `${path.slice(inside.length)} ${sum(path)}`)
  return { sums: sums.toSorted(), whole: sum(join(into, tarball)) }
}

describe("the tarball", () => {
  it("has the same bytes whenever, wherever and by whomever it is made", { timeout: 900_000 }, () => {
    const one = packed("one", () => {})
    const other = packed("another-folder", (path) => {
      utimesSync(path, 1_000_000_000, 1_000_000_000)
      chmodSync(path, statSync(path).mode & 0o700)
    })
    assert.isAbove(one.sums.length, 100)
    assert.deepStrictEqual(one.sums, other.sums)
    assert.strictEqual(one.whole, other.whole)
  })
})
