/**
 * Files of a collection: found by a pattern inside the configuration's folder and nowhere else, kept by their content, and
 * bounded.
 */
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as FileStore from "../../../sync/collections/FileStore.ts"
import { patternFile } from "../../../sync/collections/PatternFile.ts"
import { Database } from "../../../sync/state/Database.ts"

const outside = mkdtempSync(join(tmpdir(), "daybook-files-"))
const folder = join(outside, "books")

beforeAll(() => {
  mkdirSync(join(folder, "invoices", "2026"), { recursive: true })
  writeFileSync(join(outside, "secret.pdf"), "%PDF-1.7\nsecret\n%%EOF")
  writeFileSync(join(folder, "invoices", "INV-1.pdf"), "%PDF-1.7\none\n%%EOF")
  writeFileSync(join(folder, "invoices", "2026", "7.pdf"), "%PDF-1.7\nseven\n%%EOF")
  writeFileSync(join(folder, "invoices", "$&.pdf"), "%PDF-1.7\ndollar\n%%EOF")
  symlinkSync(join(outside, "secret.pdf"), join(folder, "invoices", "link.pdf"))
  symlinkSync(outside, join(folder, "invoices", "up"))
})
afterAll(() => rmSync(outside, { recursive: true, force: true }))

const find = (pattern: string, number: string, id = "id-1") => patternFile(folder, pattern, { number, id }, 100)

describe("the file of an invoice", () => {
  test.each([
    ["invoices/{number}.pdf", "INV-1", "INV-1.pdf", "one"],
    ["invoices/{number}.pdf", "2026/7", "7.pdf", "seven"],
    ["invoices/{number}.pdf", "$&", "$&.pdf", "dollar"]
  ])("%s with %s", (pattern, number, name, content) => {
    const found = find(pattern, number)
    expect("why" in found ? found.why : [found.name, String(found.bytes)]).toEqual([
      name,
      `%PDF-1.7\n${content}\n%%EOF`
    ])
  })

  test("is found by the source's id as well", () => {
    expect(find("invoices/{id}.pdf", "x", "INV-1")).toMatchObject({ name: "INV-1.pdf" })
  })

  test.each([
    ["invoices/{number}.pdf", "../../secret", "is not in the configuration's folder"],
    ["invoices/{number}.pdf", "../../../../../../../etc/passwd\0", "is not in the configuration's folder"],
    ["{number}", "/etc/hostname", "is not in the configuration's folder"],
    ["../secret.pdf", "x", "is not in the configuration's folder"],
    ["invoices/{number}.pdf", "link", "is not in the configuration's folder"],
    ["invoices/{number}.pdf", "up/secret", "is not in the configuration's folder"],
    ["invoices/{number}", "2026", "is not a file"],
    ["{number}", ".", "is not in the configuration's folder"],
    ["invoices/{number}.pdf", "INV-2", "invoices/INV-2.pdf was not found; add the file"],
    ["invoices/{number}.pdf", "INV-1.pdf/x", "was not found; add the file"],
    ["invoices/{number}.pdf", "x".repeat(5000), "cannot be read (ENAMETOOLONG)"]
  ])("%s with %s is refused, with what to do", (pattern, number, why) => {
    expect(find(pattern, number)).toMatchObject({ why: expect.stringContaining(why) })
  })

  test("that is too large is not read", () => {
    writeFileSync(join(folder, "large.pdf"), "x".repeat(101))
    expect(find("large.pdf", "1")).toMatchObject({ why: expect.stringContaining("make it smaller") })
  })
})

const PDF = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF`)

const stored = <A>(work: (db: Database["Service"]) => A): A =>
  Effect.runSync(
    Effect.gen(function* () {
      const db = yield* Database
      return yield* db.transaction(() => work(db))
    }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))
  )

describe("files that are kept", () => {
  const file = (slot: string, bytes: Uint8Array, name = "a.pdf") => ({
    slot,
    type: "other",
    name,
    bytes,
    origin: "Pat"
  })
  const keep = (db: Database["Service"], one: ReturnType<typeof file>, now = 1) =>
    FileStore.keep(db, "books/invoice/1", one, now)
  const touched = (db: Database["Service"]) =>
    db.prepare("SELECT n FROM changed WHERE subject = 'books/invoice/1'").pluck().get()

  test("are found by their digest; the same one again changes nothing, another takes its place", () => {
    stored((db) => {
      expect(keep(db, file("person:a", PDF("one")))).toBeUndefined()
      expect(touched(db)).toBe(1)
      expect(keep(db, file("person:a", PDF("one")), 2)).toBeUndefined()
      expect(touched(db)).toBe(1)
      const [kept] = FileStore.list(db, "books/invoice/1")
      expect(kept).toMatchObject({
        name: "a.pdf",
        mime: "application/pdf",
        read: 2,
        origin: "Pat",
        size: PDF("one").length
      })
      const stored = FileStore.kept(db, "books/invoice/1", kept!.digest)
      expect([stored?.size, stored?.piece(0), stored?.piece(1)]).toEqual([PDF("one").length, PDF("one"), undefined])
      keep(db, file("person:a", PDF("two")))
      expect(touched(db)).toBe(2)
      expect(FileStore.list(db, "books/invoice/1").map(({ digest }) => digest)).toEqual([
        FileStore.digestOf(PDF("two"))
      ])
      expect(FileStore.kept(db, "books/invoice/1", kept!.digest)).toBeUndefined()
      expect(stored?.piece(0)).not.toEqual(PDF("one"))
      expect(FileStore.remove(db, "books/invoice/1", "person:a")).toBe(true)
      expect(FileStore.remove(db, "books/invoice/1", "person:a")).toBe(false)
      expect(db.prepare("SELECT count(*) FROM collection_file_piece").pluck().get()).toBe(0)
    })
  })

  test("have names that lead nowhere, with the ending of what they are", () => {
    stored((db) => {
      keep(db, file("person:a", PDF("one"), "../..\\etc/pass\u202ewd\n"))
      expect(FileStore.list(db, "books/invoice/1")[0]!.name).toBe(".._.._etc_pass_wd_.pdf")
    })
  })

  test("are bounded, each and together", () => {
    stored((db) => {
      const large = Buffer.concat([
        Buffer.from("%PDF-1.7"),
        Buffer.alloc(FileStore.LARGEST_FILE_BYTES - 20),
        Buffer.from("%%EOF")
      ])
      expect(keep(db, file("x", Buffer.concat([large, Buffer.alloc(99)])))).toMatch(
        /^a\.pdf has 8(\.1)? MB, and at most 8 MB/
      )
      for (const slot of ["1", "2", "3", "4"]) expect(keep(db, file(slot, large))).toBeUndefined()
      expect(keep(db, file("5", large))).toMatch(
        /with it the files of this invoice have 40 MB, and at most 32 MB are kept: remove one/
      )
      expect(keep(db, file("4", PDF("small")))).toBeUndefined()
    })
  })
})
