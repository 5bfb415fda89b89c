/** Who else on the machine can read what is written: nobody, however generous the machine is with new files. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import Sqlite from "better-sqlite3"
import { spawnSync } from "node:child_process"
import { globSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { partialOf, sweepTemporary, temporaryFolder } from "../../core/TemporaryFolder.ts"
import { OutputFile } from "../../sync/export/OutputFile.ts"
import * as ConnectionsFile from "../../sync/library/config/ConnectionsFile.ts"
import * as PersonsFile from "../../sync/library/config/PersonsFile.ts"
import { identify } from "../../sync/library/many/Identity.ts"
import { writer } from "../../sync/library/SavedPlan.ts"
import { copyFile } from "../../sync/state/Backup.ts"
import { copyInto } from "../../sync/state/OwnFile.ts"
import { Database } from "../../sync/state/Database.ts"
import { openFile } from "../../sync/vault/VaultFile.ts"
import { books, desk, service, useCommand } from "../support/Cli.ts"

useCommand({ alone: true })

/** Every file below a folder that others than its owner may read or write. */
const open = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const stat = statSync(join(folder, name))
    return stat.isFile() && (stat.mode & 0o077) !== 0
  })

describe("files", () => {
  it("of every command are their owner's alone", { timeout: 120_000 }, async () => {
    const before = process.umask(0o022)
    try {
      const there = await service()
      const here = books(there.url)
      const given = open(here.folder)
      assert.isNotEmpty(given)
      for (const line of [
        "pull",
        "plan --save plan.json",
        "sync",
        "export books.xlsx",
        "export books.csv",
        "export account.xlsx --customer Harbour",
        "close 2026-03 --pack march.zip",
        "views views.sqlite",
        "backup copy.db"
      ]) {
        const { status, stderr } = await here.run(...line.split(" "))
        assert.include([0, 3], status, `${line}: ${stderr}`)
      }
      assert.deepStrictEqual(open(here.folder), given)
    } finally {
      process.umask(before)
    }
  })

  it("that are copies of a state file are so from their first byte on", () => {
    const { path } = desk({})
    const before = process.umask(0)
    const raw = new Sqlite(":memory:")
    try {
      copyInto(raw, path("copy.db"))
      assert.strictEqual(statSync(path("copy.db")).mode & 0o777, 0o600)
      const others = globSync("{sync,cli}/**/*.ts").filter((one) => readFileSync(one, "utf8").includes("VACUUM INTO"))
      assert.deepStrictEqual(others, ["sync/state/OwnFile.ts"])
    } finally {
      process.umask(before)
      raw.close()
    }
  })

  it("that a killed process had for a moment are deleted by the next, and no others", () => {
    const { path, write } = desk({})
    const gone = spawnSync(process.execPath, ["-e", ""]).pid
    const before = process.env["TMPDIR"]
    process.env["TMPDIR"] = path("copies")
    write("copies/.keep", "")
    try {
      const own = basename(temporaryFolder("witness"))
      assert.strictEqual(statSync(path(`copies/${own}`)).mode & 0o777, 0o700)
      const [, kind, host] = /^daybook-(\w+)-(\w+)-/.exec(own)!
      assert.strictEqual(kind, "witness")
      for (const what of ["download", "page", "node", "sample", "trial", "witness"])
        write(`copies/daybook-${what}-${host}-${gone}-abcdef/books.db`, "books")
      const others = [`daybook-trial-00000000-${gone}-abcdef`, `daybook-trial-${host}-1-abcdef`, `somebody-${gone}-a`]
      for (const name of others) write(`copies/${name}/books.db`, "books")
      sweepTemporary()
      assert.sameMembers(readdirSync(path("copies")), [".keep", own, ...others])
    } finally {
      if (before === undefined) delete process.env["TMPDIR"]
      else process.env["TMPDIR"] = before
    }
  })

  it("that get their name once they are complete are found again where a process was killed before that, and no others", async () => {
    const { path, write } = desk({})
    const gone = spawnSync(process.execPath, ["-e", ""]).pid
    const [, host] = /^\.daybook-(\w+)-/.exec(basename(partialOf("/nowhere/a")))!
    write("state/books.db", "")
    const raw = new Sqlite(path("state/books.db"))
    raw.exec("CREATE TABLE state (behind TEXT, owed INTEGER) STRICT")
    raw.close()
    const writers: Readonly<Record<string, (file: string) => unknown>> = {
      connections: (file) => ConnectionsFile.put(file, []),
      persons: (file) => PersonsFile.write(file, []),
      vault: (file) => openFile(file).close(),
      copy: (file) => Effect.runPromiseExit(copyFile({ from: path("state/books.db"), to: file, now: 0 })),
      download: async (file) => (await OutputFile.create(file)).discard(),
      identity: (file) => identify(dirname(file), "acme"),
      plan: (file) => Effect.runPromise(Effect.scoped(writer(file)))
    }
    for (const [name, written] of Object.entries(writers)) {
      const left = `.daybook-${host}-${gone}-0123abcd.part`
      for (const end of ["", "-wal", "-journal", ".vault"]) write(`${name}/${left}${end}`, "books")
      const others = [`.daybook-00000000-${gone}-0123abcd.part`, `.daybook-${host}-1-0123abcd.part`, "mine.part"]
      for (const other of others) write(`${name}/${other}`, "books")
      await written(path(`${name}/it`))
      assert.includeMembers(readdirSync(path(name)), others, name)
      assert.isFalse(
        readdirSync(path(name)).some((one) => one.startsWith(left)),
        name
      )
    }
    const others = globSync("{core,connectors,sync,cli}/**/*.ts").filter((one) => {
      const text = readFileSync(one, "utf8")
      return /\b(?:rename|link)(?:Sync)?\(/.test(text) && /from "node:fs/.test(text) && !text.includes("partialOf(")
    })
    // It moves working copies that are whole, there and back.
    assert.deepStrictEqual(others, ["sync/state/replication/CachedCopy.ts"])
  })

  it("of state are so in a program that uses the library", async () => {
    const before = process.umask(0o022)
    const { folder, path } = desk({})
    try {
      await Effect.runPromise(
        Effect.scoped(
          Effect.provide(
            Effect.sync(() => assert.deepStrictEqual(open(folder), [])),
            Database.layer({ file: path("daybook.db"), mode: "write" })
          )
        )
      )
    } finally {
      process.umask(before)
    }
    assert.deepStrictEqual(open(folder), [])
  })
})
