/**
 * What is read again and what is not: the bookmark knows files by their content and by the settings they were read
 * with, and only those that were read to the end.
 */
import { expect, it } from "vitest"
import { renameSync, rmSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Looks from "../../../connectors/Looks.ts"
import { type Bookmark, ids, invoices, pull, row, table, write } from "./support.ts"

const YEARS = { "in/2023.csv": table(row("A")), "in/2024.csv": table(row("B")) }
const source = (more: object = {}) => invoices(more, "in")

it("a file whose content is as it was is not read again, and listed as unchanged", async () => {
  const folder = write(YEARS)
  const first = await pull(folder, source())
  expect(first.unchanged).toEqual([])
  expect(Object.keys(first.bookmark!.files)).toEqual(["invoices/in/2023.csv", "invoices/in/2024.csv"])
  utimesSync(join(folder, "in/2023.csv"), 1_700_000_000, 1_700_000_000)
  const again = await pull(folder, source(), { after: first.bookmark })
  expect(again.documents).toEqual([])
  expect(again.pages.map(({ scan }) => scan)).toEqual([undefined])
  expect(again.unchanged).toEqual(["invoices/in/2023.csv", "invoices/in/2024.csv"])
  expect(again.bookmark!.files).toEqual(first.bookmark!.files)
})

/** Pulls at another time: an hour later, when files were written to long ago. */
const LATER_MS = 3_600_000

/** What the bookmark would know the file by, had it had another content. */
const otherwise = (bookmark: Bookmark): Bookmark => ({
  ...bookmark,
  files: Object.fromEntries(
    Object.entries(bookmark.files).map(([part, digest]) => [part, digest.replace(/ .* /, " another ")])
  )
})

it("a file that was not written to since is not looked into; one that was written to just before is", async () => {
  const folder = write(YEARS)
  const { bookmark: settled } = await pull(folder, source(), { later: LATER_MS })
  const trusted = await pull(folder, source(), { after: otherwise(settled!), later: LATER_MS })
  expect([trusted.unchanged.length, ids(trusted.documents)]).toEqual([2, []])
  // Written to within the same moment, it would look the same.
  const { bookmark: fresh } = await pull(folder, source())
  expect(ids((await pull(folder, source(), { after: otherwise(fresh!), later: LATER_MS })).documents)).toEqual([
    "A",
    "B"
  ])
  // A bookmark of before knows no looks.
  const old = { files: otherwise(settled!).files }
  expect(ids((await pull(folder, source(), { after: old, later: LATER_MS })).documents)).toEqual(["A", "B"])
})

it("a file of the same length and time but another content is read again: its entry has another time", async () => {
  const folder = write(YEARS)
  const file = join(folder, "in/2024.csv")
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  const { bookmark: after } = await pull(folder, source(), { later: LATER_MS })
  // The disk's clock goes on by then.
  await setTimeout(20)
  write({ "in/2024.csv": table(row("C")) }, folder)
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  expect(ids((await pull(folder, source(), { after, later: LATER_MS })).documents)).toEqual(["C"])
})

it("a look is trusted of a file that was written to well before it, and of no other time, file or disk", () => {
  const at = Date.UTC(2026, 0, 1)
  const file = (written: number, rest = "7 1") => `79 ${written}000000 ${written}000000 ${rest}`
  const old = { file: file(at - 3001), at }
  expect(Looks.isSame(old, { ...old, at: at + 1 })).toBe(true)
  expect(Looks.isSame(undefined, old)).toBe(false)
  for (const written of [at - 3000, at, at + 60_000])
    expect(Looks.isSame({ file: file(written), at }, { file: file(written), at: at + 1 })).toBe(false)
  for (const other of [file(at - 3001, "8 1"), file(at - 3001, "7 2"), file(at - 4000), old.file.replace("79", "80")])
    expect(Looks.isSame(old, { file: other, at: at + 1 })).toBe(false)
})

it("a file that changed is read whole again, and no other", async () => {
  const folder = write(YEARS)
  const { bookmark: after } = await pull(folder, source())
  write({ "in/2024.csv": table(row("B"), row("C")) }, folder)
  const { bookmark, documents, pages, unchanged } = await pull(folder, source(), { after })
  expect(ids(documents)).toEqual(["B", "C"])
  expect(unchanged).toEqual(["invoices/in/2023.csv"])
  expect(pages.map(({ scan }) => scan)).toEqual([
    { name: "invoices/in/2024.csv", begins: true, copy: { from: "2024-01-01", asOf: "2024-12-31" } },
    { name: "invoices/in/2024.csv", ends: true },
    undefined
  ])
  expect(bookmark!.files["invoices/in/2023.csv"]).toBe(after!.files["invoices/in/2023.csv"])
  expect(bookmark!.files["invoices/in/2024.csv"]).not.toBe(after!.files["invoices/in/2024.csv"])
})

it("other settings read everything again: the same bytes may mean something else", async () => {
  const folder = write(YEARS)
  const { bookmark: after } = await pull(folder, source())
  const { documents, unchanged } = await pull(folder, source({ statuses: { Sent: "draft" } }), { after })
  expect(documents.map((one) => one.kind === "invoice" && one.status)).toEqual(["draft", "draft"])
  expect(unchanged).toEqual([])
})

it("a file that vanished leaves the bookmark, and a notice says so", async () => {
  const folder = write(YEARS)
  const { bookmark: after } = await pull(folder, source())
  rmSync(join(folder, "in/2023.csv"))
  const { bookmark, documents, notices, unchanged } = await pull(folder, source(), { after })
  expect(documents).toEqual([])
  expect(notices).toEqual([
    { origin: "invoices/in/2023.csv", what: "the file is no longer there; the documents read from it are kept" }
  ])
  expect(unchanged).toEqual(["invoices/in/2024.csv"])
  expect(Object.keys(bookmark!.files)).toEqual(["invoices/in/2024.csv"])
  // Back again, it is read again.
  write({ "in/2023.csv": YEARS["in/2023.csv"] }, folder)
  expect(ids((await pull(folder, source(), { after: bookmark })).documents)).toEqual(["A"])
})

it("a file under another name is another file: it is read, and the old one has vanished", async () => {
  const folder = write(YEARS)
  const { bookmark: after } = await pull(folder, source())
  renameSync(join(folder, "in/2023.csv"), join(folder, "in/2025.csv"))
  const { documents, notices, origins } = await pull(folder, source(), { after })
  expect([ids(documents), origins]).toEqual([["A"], ["in/2025.csv:2"]])
  expect(notices.map(({ origin }) => origin)).toEqual(["invoices/in/2023.csv"])
})

it("a pull that dies at any page begins the file in hand anew, and loses nothing", async () => {
  const rows = (from: number) => table(...Array.from({ length: 2500 }, (_, n) => row(`INV-${from + n}`)))
  const folder = write({ "in/1.csv": rows(0), "in/2.csv": rows(5000) })
  const whole = await pull(folder, source())
  expect(whole.documents).toHaveLength(5000)
  for (let pages = 0; pages <= whole.pages.length; pages++) {
    const before = pages === 0 ? undefined : await pull(folder, source(), { pages })
    const { documents, unchanged } = await pull(folder, source(), { after: before?.bookmark })
    const done = unchanged.length * 2500
    expect(documents).toHaveLength(5000 - done)
    expect(new Set([...ids(before?.documents ?? []), ...ids(documents)]).size).toBe(5000)
    for (const part of unchanged) {
      expect(before!.pages.some((page) => page.scan?.name === part && page.scan.ends === true)).toBe(true)
    }
  }
})

it("pages are small, begin and end their part once, and mark it as read with the last one only", async () => {
  const folder = write({ "invoices.csv": table(...Array.from({ length: 4321 }, (_, n) => row(`INV-${n}`))) })
  const { pages } = await pull(folder, invoices())
  expect(Math.max(...pages.map(({ read }) => read.length))).toBeLessThanOrEqual(2000)
  expect(pages.map(({ scan }) => scan?.begins === true).indexOf(true)).toBe(0)
  expect(pages.filter(({ scan }) => scan?.begins)).toHaveLength(1)
  expect(pages.filter(({ scan }) => scan?.ends)).toEqual([pages.at(-1)])
  for (const { bookmark } of pages.slice(0, -1)) expect(bookmark).toEqual({ files: {}, looks: {} })
  expect(Object.keys(pages.at(-1)!.bookmark.files)).toEqual(["invoices/invoices.csv"])
})

it("of many files is not made again for each, and loses none of them where a pull is interrupted", async () => {
  const many = Array.from({ length: 200 }, (_, n) => [`in/${n}.csv`, table(row(`I-${n}`))] as const)
  const folder = write(Object.fromEntries(many))
  const whole = await pull(folder, source())
  expect(new Set(whole.pages.map(({ bookmark }) => bookmark)).size).toBeLessThan(90)
  expect(Object.keys(whole.bookmark!.files).length).toBe(200)
  // The last page before it was interrupted has a bookmark from some files earlier.
  const part = await pull(folder, source(), { pages: 301 })
  expect(Object.keys(part.bookmark!.files).length).toBeLessThan(150)
  const rest = await pull(folder, source(), { after: part.bookmark })
  expect(new Set([...ids(part.documents), ...ids(rest.documents)]).size).toBe(200)
  expect(rest.documents.length).toBeLessThan(75)
  expect((await pull(folder, source(), { after: rest.bookmark })).documents).toEqual([])
})
