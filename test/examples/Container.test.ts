/**
 * The container image of the operations example, built and started: where a container engine is there, and in the nightly run,
 * as it takes minutes.
 */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atEnd } from "../support/AtEnd.ts"
import { EFFORT, WHOLE } from "../support/Effort.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const IMAGE = "daybook-test-image"

const engine = ["docker", "podman"].find((name) => spawnSync(name, ["info"], { timeout: 20_000 }).status === 0)

describe("the container image", { timeout: 900_000 }, () => {
  it("is built, and runs the command", ({ skip }) => {
    if (engine === undefined) skip("there is no container engine that runs on this machine")
    if (EFFORT < WHOLE) skip("it takes minutes: npm run nightly builds it")
    const ask = (...args: ReadonlyArray<string>) => spawnSync(engine!, args, { cwd: ROOT, encoding: "utf8" })
    const built = ask("build", "-f", "examples/5-operations/Dockerfile", "-t", IMAGE, ".")
    atEnd(() => void ask("rmi", "-f", IMAGE))
    assert.strictEqual(built.status, 0, built.stderr)
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
    assert.strictEqual(ask("run", "--rm", IMAGE, "--version").stdout, `daybook ${version}\n`)
    // Its native module is there: a state file is made, and then missing is only a configuration.
    const ran = ask("run", "--rm", IMAGE, "sync")
    assert.strictEqual(ran.status, 2, ran.stderr)
    assert.include(ran.stderr, "there is no daybook.config.ts or daybook.config.json in this folder")
    const native = ask(
      "run",
      "--rm",
      "--entrypoint",
      "node",
      IMAGE,
      "-e",
      'new (require("better-sqlite3"))(":memory:").close()'
    )
    assert.strictEqual(native.status, 0, native.stderr)
  })
})
