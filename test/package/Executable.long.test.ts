/**
 * The single executable of this platform, started where there is no Node and no package: it unpacks itself once, and does what the
 * command does, with what the command starts of itself.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { executable } from "../../cli/release/executable/Executable.ts"
import { atEnd } from "../support/AtEnd.ts"
import { copyLibrary, remove, temporary } from "../support/Built.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const place = temporary()
const file = join(place, "daybook")
const home = join(place, "home")

const run = (args: ReadonlyArray<string>, cwd = home, env: Readonly<Record<string, string>> = {}) =>
  spawnSync(file, args, { cwd, encoding: "utf8", env: { PATH: "/nowhere", HOME: home, ...env } })

beforeAll(async () => {
  atEnd(() => remove(place))
  mkdirSync(home)
  const built = join(place, "built")
  copyLibrary(built)
  await executable(ROOT, join(built, "dist"), file)
}, 300_000)

describe("the single executable", { timeout: 300_000 }, () => {
  it("says its version, and unpacks itself for the user alone", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
    assert.deepStrictEqual([run(["--version"]).stdout, run(["--version"]).status], [`daybook ${version}\n`, 0])
    const all = join(home, ".cache/daybook")
    assert.strictEqual(readdirSync(all).length, 1)
    assert.strictEqual(statSync(all).mode & 0o077, 0)
  })

  it("runs the demo, and a drill with programs that it starts of itself", () => {
    const demo = run(["demo"])
    assert.strictEqual(demo.status, 0, demo.stderr)
    assert.include(demo.stdout, "Prove that source, books and service agree")
    const drill = run(["drill"], join(home, "daybook-demo"), { SERVICE_KEY: "sandbox-key" })
    assert.strictEqual(drill.status, 0, drill.stderr)
    assert.include(drill.stdout, "nothing lost, nothing twice")
  })

  it("says what to do where it cannot unpack itself, and trusts no folder in which others may write", () => {
    const nowhere = run(["--version"], home, { XDG_CACHE_HOME: "/dev/null/cache" })
    assert.strictEqual(nowhere.status, 1)
    assert.include(nowhere.stderr, "Set XDG_CACHE_HOME to a folder of your own")
    chmodSync(join(home, ".cache/daybook"), 0o777)
    const { status, stderr } = run(["--version"])
    assert.strictEqual(status, 1)
    assert.include(stderr, "others may write in it")
  })
})
