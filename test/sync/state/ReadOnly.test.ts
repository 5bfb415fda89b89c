/**
 * A state file that cannot be written in a folder that can. To the superuser every file is open, so a process of somebody
 * else asks where the tests run as root; else permissions hold for us as well.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../../sync/state/Database.ts"

const HOLDER = join(import.meta.dirname, "..", "Holder.ts")
const WHY = "it cannot be written here; check the permissions of the file and of its folder"

/** What a process says that would hold it to write. */
const asked = (file: string): string => {
  const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  return spawnSync(process.execPath, [HOLDER, file], { ...somebody, encoding: "utf8", timeout: 20_000 }).stdout
}

describe("a state file that is read-only", () => {
  it.effect("is refused in plain words and left as it is, be it the file, its lock or both", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "daybook-readonly-"))
      chmodSync(folder, 0o777)
      const file = join(folder, "daybook.db")
      yield* Effect.provide(Database, Database.layer({ file, mode: "write" }))
      const before = readFileSync(file)
      for (const [state, lock] of [
        [0o444, 0o666],
        [0o666, 0o444],
        [0o444, 0o444]
      ] as const) {
        chmodSync(file, state)
        chmodSync(`${file}.lock`, lock)
        const what = `${state.toString(8)} ${lock.toString(8)}`
        assert.strictEqual(asked(file), `state file ${file}: ${WHY}\n`, what)
        assert.isTrue(before.equals(readFileSync(file)), what)
      }
      rmSync(folder, { recursive: true })
    })
  )
})
