/** A daemon copies its state file in a thread: a large one takes seconds, and the others are answered meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import Sqlite from "better-sqlite3"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as BackupApart from "../../../sync/library/BackupApart.ts"
// Loaded before anything is measured.
import "../../../sync/library/KillableThread.ts"
import { type ReaderEntry, ReaderThread } from "../../../sync/pull/ReaderThread.ts"
import { Database } from "../../../sync/state/Database.ts"
import { busyDuring } from "../../support/Busy.ts"

const READER: ReaderEntry = { module: new URL("../../../cli/Reader.ts", import.meta.url), connectors: [] }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-copied-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** What a copy of a state file comes to; with 60,000 rows it has 60 MB. */
const copied = (reader: ReaderEntry | undefined, to: (path: string) => string, rows = 10) =>
  Effect.gen(function* () {
    const path = yield* folder
    return yield* Effect.gen(function* () {
      const { raw } = yield* Database
      raw.exec(`CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
        SELECT i, hex(randomblob(500)) AS text FROM n`)
      return { ...(yield* busyDuring(BackupApart.backupApart(to(path)))), path }
    }).pipe(Effect.provide(Database.layer({ file: join(path, "daybook.db"), mode: "share" })))
  }).pipe(Effect.provideService(ReaderThread, reader))

const inFile = (path: string) => join(path, "copy.db")

describe("a copy of a large state file", () => {
  it.live("leaves others answered, is whole, and is marked as a copy", () =>
    Effect.gen(function* () {
      const { busy, done, path } = yield* copied(READER, inFile, 60_000)
      assert.strictEqual(done._tag, "Success")
      assert.isBelow(busy, 100)
      const copy = new Sqlite(inFile(path), { readonly: true })
      assert.strictEqual(copy.prepare("SELECT count(*) FROM filler").pluck().get(), 60_000)
      assert.match(String(copy.prepare("SELECT behind FROM state").pluck().get()), /^it is a backup of 2/)
      copy.close()
      assert.isFalse(existsSync(`${inFile(path)}.part`))
    })
  )

  it.live("is refused in the same words in a thread", () =>
    Effect.gen(function* () {
      for (const to of [(path: string) => path, (path: string) => join(path, "none", "copy.db")]) {
        const whys = []
        for (const reader of [READER, undefined]) {
          const { done, path } = yield* copied(reader, to)
          assert.strictEqual(done._tag, "Failure")
          if (done._tag === "Failure") whys.push(done.failure.message.replaceAll(path, ""))
        }
        assert.strictEqual(whys[0], whys[1])
      }
    })
  )
})
