/**
 * An export is there whole or not at all, whatever the disk, the person or the machine does; and what went wrong is
 * said in words.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { exportError } from "../../sync/export/ExportError.ts"
import { exportTo } from "../../sync/export/index.ts"
import { invoice, payment } from "../support/Documents.ts"
import { books, booksInFile, type Db, folder, readBook } from "./Reading.ts"
import { keep } from "./State.ts"

const many = (count: number) => Array.from({ length: count }, (_, i) => invoice({ id: `I${i}`, gross: "1.00" }))

/** Why it failed. */
const refused = (db: Db, file: string) =>
  exportTo(db, file).pipe(
    Effect.flip,
    Effect.map((error) => ({ kind: (error as { readonly kind: string }).kind, message: error.message }))
  )

type Write = FileHandle["write"]

/** What every write of a file does, for as long as the test lives. */
const writing = (how: (real: Write) => (...args: Parameters<Write>) => unknown) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const handle = await open(fileURLToPath(import.meta.url))
      const type = Object.getPrototypeOf(handle) as { write: unknown }
      await handle.close()
      const real = type.write as Write
      type.write = function (this: FileHandle, ...args: Parameters<Write>) {
        return how(real.bind(this) as Write)(...args)
      }
      return () => {
        type.write = real
      }
    }),
    (restore) => Effect.sync(restore)
  )

const failure = (code: string) => Object.assign(new Error(`${code}: it did not work, write`), { code })

describe("where it goes", () => {
  it.effect("an ending that is no format's is refused, and says which there are", () =>
    Effect.gen(function* () {
      const db = yield* books
      const place = yield* folder
      for (const name of ["books.xls", "books", "books.xlsx.bak", "csv"]) {
        assert.deepStrictEqual(yield* refused(db, join(place, name)), {
          kind: "ending",
          message: `${join(place, name)}: the ending decides the format: .xlsx or .csv`
        })
      }
      assert.deepStrictEqual(readdirSync(place), [])
      const { files } = yield* exportTo(db, join(place, "BOOKS.XLSX"))
      assert.deepStrictEqual(files, [join(realpathSync(place), "BOOKS.XLSX")])
    })
  )

  it.effect("a folder that is not there, a folder of that name, and a file on the way have messages of their own", () =>
    Effect.gen(function* () {
      const db = yield* books
      const place = yield* folder
      mkdirSync(join(place, "taken.xlsx"))
      writeFileSync(join(place, "file"), "")
      const missing = join(place, "nowhere", "books.xlsx")
      assert.deepStrictEqual(yield* refused(db, missing), {
        kind: "no folder",
        message: `${missing}: its folder does not exist; create it, or name a file elsewhere`
      })
      assert.strictEqual((yield* refused(db, join(place, "nowhere", "books.csv"))).kind, "no folder")
      assert.strictEqual((yield* refused(db, join(place, "file", "books.xlsx"))).kind, "no folder")
      const taken = join(place, "taken.xlsx")
      assert.deepStrictEqual(yield* refused(db, taken), {
        kind: "not a file",
        message: `${taken}: this is a folder; name a file in it`
      })
      assert.deepStrictEqual(readdirSync(place).sort(), ["file", "taken.xlsx"])
    })
  )

  it.effect("a folder in which nobody may write is refused", () =>
    Effect.gen(function* () {
      const db = yield* books
      const place = yield* folder
      chmodSync(place, 0o555)
      // The superuser may write anywhere.
      const root = process.getuid?.() === 0
      if (root) process.seteuid!(65534)
      const why = yield* refused(db, join(place, "books.xlsx")).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            if (root) process.seteuid!(0)
            chmodSync(place, 0o755)
          })
        )
      )
      assert.deepStrictEqual(why, {
        kind: "not writable",
        message: `${join(place, "books.xlsx")}: it cannot be written here; check the permissions of the file and of its folder`
      })
    })
  )

  it.effect("an earlier export is replaced, keeps its permissions, and its place behind a link", () =>
    Effect.gen(function* () {
      const db = yield* books
      const place = yield* folder
      const file = join(place, "books.xlsx")
      mkdirSync(join(place, "kept"))
      writeFileSync(join(place, "kept", "real.xlsx"), "old", { mode: 0o600 })
      symlinkSync(join("kept", "real.xlsx"), file)
      yield* exportTo(db, file)
      assert.isTrue(lstatSync(file).isSymbolicLink())
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(readBook(join(place, "kept", "real.xlsx")).names[0], "Summary")
      assert.deepStrictEqual(readdirSync(join(place, "kept")), ["real.xlsx"])
    })
  )
})

describe("when it goes wrong", () => {
  const ENDINGS = ["xlsx", "csv"] as const

  for (const ending of ENDINGS) {
    it.effect(`a full disk says so, leaves nothing behind and the earlier export as it was (.${ending})`, () =>
      Effect.gen(function* () {
        const db = yield* books
        yield* keep(db, "books", many(2000))
        const place = yield* folder
        const file = join(place, `books.${ending}`)
        yield* exportTo(db, file)
        const before = readdirSync(place).map((name) => [name, readFileSync(join(place, name), "latin1")] as const)
        yield* keep(db, "books", many(1000))
        let room = 3
        yield* writing(
          (real) =>
            (...args) =>
              room-- > 0 ? real(...args) : Promise.reject(failure("ENOSPC"))
        )
        assert.deepStrictEqual(yield* refused(db, file), {
          kind: "full",
          message: `${file}: the disk is full; nothing was left behind: free some space and export again`
        })
        assert.isBelow(room, 0)
        const after = readdirSync(place).map((name) => [name, readFileSync(join(place, name), "latin1")] as const)
        assert.deepStrictEqual(after, before)
      })
    )

    it.effect(`stopping it leaves nothing behind (.${ending})`, () =>
      Effect.gen(function* () {
        const db = yield* books
        yield* keep(db, "books", many(2000))
        const place = yield* folder
        const exit = yield* Effect.exit(
          exportTo(db, join(place, `books.${ending}`), {
            onProgress: (sheet, rows) => (sheet === "Invoices" && rows > 500 ? Effect.interrupt : Effect.void)
          })
        )
        assert.isTrue(Exit.hasInterrupts(exit))
        assert.deepStrictEqual(readdirSync(place), [])
      })
    )
  }

  it.effect("a disk that takes less than it was given at a time gets the rest", () =>
    Effect.gen(function* () {
      const db = yield* books
      yield* keep(db, "books", many(300))
      const place = yield* folder
      yield* exportTo(db, join(place, "whole.xlsx"))
      yield* writing(
        (real) =>
          (...[bytes, offset, length, position]: ReadonlyArray<unknown>) =>
            real(bytes as Uint8Array, offset as number, Math.ceil((length as number) / 2), position as number)
      )
      yield* exportTo(db, join(place, "halves.xlsx"))
      assert.isTrue(readFileSync(join(place, "whole.xlsx")).equals(readFileSync(join(place, "halves.xlsx"))))
    })
  )

  it("every error of the disk has its words, and one that is not known is quoted", () => {
    const why = (code: string) => exportError("books.xlsx", failure(code)).message
    for (const code of ["ENOENT", "EISDIR", "EACCES", "EROFS", "EBUSY", "ENOSPC", "EDQUOT", "EFBIG", "ENAMETOOLONG"]) {
      assert.match(why(code), /^books\.xlsx: [a-z][^:]+[;:] [a-z].+$/, code)
      assert.notInclude(why(code), code)
    }
    assert.strictEqual(why("EIO"), "books.xlsx: it could not be written (EIO: it did not work, write)")
  })

  it.effect("a process that is killed leaves the earlier workbook, and the next export succeeds", () =>
    Effect.gen(function* () {
      const { db, file: state } = yield* booksInFile
      yield* keep(db, "books", many(2000))
      const place = yield* folder
      const file = join(place, "books.xlsx")
      yield* exportTo(db, file)
      const before = readFileSync(file)
      yield* keep(db, "books", many(1500))
      const killed = spawnSync(process.execPath, [fileURLToPath(new URL("Killed.ts", import.meta.url)), state, file])
      assert.strictEqual(killed.signal, "SIGKILL", String(killed.stderr))
      assert.isTrue(readFileSync(file).equals(before))
      yield* exportTo(db, file)
      assert.strictEqual(
        readBook(file)
          .table("Invoices")
          .filter((row) => row["Status in the books"]?.v === "open").length,
        1500
      )
    })
  )
})

describe("while others write", () => {
  it.effect("all sheets show the moment at which it began", () =>
    Effect.gen(function* () {
      const { db } = yield* booksInFile
      yield* keep(db, "books", many(1000))
      const file = join(yield* folder, "books.xlsx")
      const late = invoice({ id: "late", gross: "5000.00" })
      let written = false
      const { sheets } = yield* exportTo(db, file, {
        onProgress: (sheet) => {
          if (sheet !== "Invoices" || written) return Effect.void
          written = true
          return Effect.orDie(keep(db, "books", [...many(1000), late, payment("late", { late: "1.00" })]))
        }
      })
      assert.isTrue(written)
      assert.deepStrictEqual(sheets.slice(1, 3), [
        { name: "Invoices", rows: 1000 },
        { name: "Payments", rows: 0 }
      ])
      assert.strictEqual(readBook(file).table("Summary")[0]!["Invoiced"]!.v, 1000)
      // The next one has it.
      yield* exportTo(db, file)
      assert.strictEqual(readBook(file).table("Summary")[0]!["Invoiced"]!.v, 6000)
    })
  )

  it.effect("two exports to one file at once leave one whole workbook", () =>
    Effect.gen(function* () {
      const { db } = yield* booksInFile
      yield* keep(db, "books", many(1000))
      const place = yield* folder
      const file = join(place, "books.xlsx")
      yield* Effect.all([exportTo(db, file), exportTo(db, file)], { concurrency: 2 })
      assert.deepStrictEqual(readdirSync(place), ["books.xlsx"])
      assert.strictEqual(readBook(file).table("Invoices").length, 1000)
    })
  )
})
