/**
 * Folders of electronic invoices: what is read again and when, whose the invoices are, and what two files say of one number.
 * Pulls that are cut off go on without losing anything.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Exit, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "../../../connectors/Connector.ts"
import { einvoice } from "../../../connectors/einvoice/EInvoice.ts"
import type { Bookmark } from "../../../connectors/einvoice/Known.ts"
import type { Settings } from "../../../connectors/einvoice/Settings.ts"
import { archive } from "../files/Archives.ts"
import { mail, pdf } from "./Wrapped.ts"
import { read as linesOf } from "./Lines.ts"
import * as Xml from "./Xml.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "daybook-einvoice-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Written long ago, so that the next pull believes its times. */
const put = (name: string, text: string | Uint8Array): void => {
  writeFileSync(join(folder, name), text)
  utimesSync(join(folder, name), 1_000_000, 1_000_000)
}

const LATER = Date.now() + 3_600_000

/** The pages of a pull, or the first of them where it is cut off. */
const pull = async (settings: Partial<Settings> = {}, after?: Bookmark, pages = Infinity) => {
  const stream = einvoice.pull({ path: ".", ...settings }, after, { folder })
  const cut = pages === Infinity ? stream : Stream.take(stream, pages)
  const exit = await Effect.runPromiseExit(
    Stream.runCollect(cut).pipe(Effect.provide(Layer.mergeAll(NodeFileSystem.layer, FetchHttpClient.layer)))
  )
  return Exit.isSuccess(exit) ? (exit.value as ReadonlyArray<Page<Bookmark>>) : String(exit.cause)
}

const ok = (pages: ReadonlyArray<Page<Bookmark>> | string) => {
  if (typeof pages === "string") throw new Error(pages)
  return {
    documents: pages.flatMap(({ read }) =>
      read.map(
        ({ document }) => `${document.id}${document.kind === "invoice" && document.status === "void" ? " void" : ""}`
      )
    ),
    refused: pages.flatMap(({ quarantined }) => quarantined.map(({ id, why }) => `${id}: ${why}`)),
    whys: pages.flatMap(({ quarantined }) => quarantined.map(({ origin, why }) => [origin, why] as const)),
    origins: pages.flatMap(({ quarantined, read }) => [...read, ...quarantined].map(({ origin }) => origin)),
    notices: pages.flatMap(({ notices = [] }) => notices.map(({ what }) => what)),
    unchanged: pages.flatMap(({ unchanged = [] }) => unchanged),
    bookmark: pages.at(-1)!.bookmark
  }
}

describe("a folder of electronic invoices", () => {
  it("is read once: what did not change is not opened again", async () => {
    for (const n of [1, 2, 3]) put(`${n}.xml`, Xml.ubl({ number: `R-${n}` }))
    const first = ok(await pull())
    expect(first.documents).toEqual(["R-1", "R-2", "R-3"])
    expect(Object.keys(first.bookmark.files)).toHaveLength(3)
    // A look is believed once it is older than the file's own times.
    const looked = Object.fromEntries(
      Object.entries(first.bookmark.looks).map(([name, look]) => [name, { ...look, at: LATER }])
    )
    const second = ok(await pull({}, { ...first.bookmark, looks: looked }))
    expect([second.documents, second.unchanged]).toEqual([[], ["1.xml", "2.xml", "3.xml"]])
  })

  it("has few bookmarks, each of which is written once, however many files there are", async () => {
    for (let n = 1; n <= 200; n++) put(`${n}.xml`, Xml.ubl({ number: `R-${n}` }))
    const pages = await pull()
    if (typeof pages === "string") throw new Error(pages)
    const bookmarks = new Set(pages.map(({ bookmark }) => bookmark))
    expect([pages.length > 200, bookmarks.size < 100, [...bookmarks].every(Object.isFrozen)]).toEqual([
      true,
      true,
      true
    ])
    expect(Object.keys(pages.at(-1)!.bookmark.files)).toHaveLength(200)
  })

  it("reads a credit note of several invoices after these, and again each time: more may be known of them", async () => {
    const note = (number: string) => Xml.ubl({ number, type: "381", preceding: ["R-1", "R-2"] })
    put("0.xml", note("C-0"))
    put("1.zip", archive({ "a.xml": Buffer.from(note("C-1")), "b.xml": Buffer.from(Xml.ubl({ number: "R-1" })) }))
    put("2.xml", Xml.ubl({ number: "R-2" }))
    const { bookmark, documents, notices, unchanged } = ok(await pull())
    expect([documents, notices]).toEqual([["R-1", "C-1", "R-2", "C-0"], []])
    const looks = Object.entries(bookmark.looks).map(([name, look]) => [name, { ...look, at: LATER }])
    const next = ok(await pull({}, { ...bookmark, looks: Object.fromEntries(looks) }))
    expect([next.documents, next.unchanged, unchanged]).toEqual([["R-1", "C-1", "C-0"], ["2.xml"], []])
  })

  it("belongs to whoever issued nearly all of it, and asks where several share it", async () => {
    for (let n = 1; n <= 9; n++) put(`${n}.xml`, Xml.ubl({ number: `R-${n}` }))
    put("bought.xml", Xml.ubl({ number: "P-1", seller: "Some Supplier", vat: "DE111222333" }))
    const { documents, notices } = ok(await pull())
    expect(documents).toHaveLength(9)
    expect(notices).toEqual(["an invoice that somebody else issued; left out"])
    put("bought2.xml", Xml.ubl({ number: "P-2", seller: "Some Supplier", vat: "DE111222333" }))
    expect(await pull()).toMatch(/issued by several sellers \(Northwind Tea BV \(BE0403019261\): 9; Some Supplier/)
    expect(ok(await pull({ seller: ["0403.019.261"] })).documents).toHaveLength(9)
  })

  it("takes a copy once, and lets no second invoice have the number of another", async () => {
    put("a.xml", Xml.ubl({}))
    put("b.xml", Xml.cii({}))
    put("c.xml", Xml.ubl({ gross: "242.00", net: "200.00" }))
    const { documents, notices, refused } = ok(await pull())
    expect(documents).toEqual(["R-1"])
    expect(notices).toEqual(["a copy of an invoice that another file has, too; left out"])
    expect(refused).toEqual([
      "R-1: a.xml has the same number with 121.00 EUR of 2026-03-05, and this one has 242.00 EUR of 2026-03-05; remove the one that is wrong"
    ])
  })

  it("voids an invoice that was rejected, and one that a correction takes the place of, also read before", async () => {
    put("IT01234567890_00001.xml", Xml.fattura({}))
    put("0.xml", Xml.ubl({ number: "R-0" }))
    const settings = { seller: ["IT01234567890", "BE0403019261"], corrected_invoices: "replace" } as const
    const first = ok(await pull(settings))
    expect(first.documents).toEqual(["R-0", "12/2026"])
    const looks = Object.fromEntries(
      Object.entries(first.bookmark.looks).map(([name, look]) => [name, { ...look, at: LATER }])
    )
    const known = { ...first.bookmark, looks }
    put(
      "IT01234567890_00001_NS_001.xml",
      "<NotificaScarto><NomeFile>IT01234567890_00001.xml</NomeFile></NotificaScarto>"
    )
    put("1.xml", Xml.ubl({ type: "384", preceding: ["R-0"] }))
    const whole = ok(await pull(settings, known))
    expect(whole.documents).toEqual(["R-0 void", "12/2026 void", "R-1"])
    // Wherever it is cut off, the next pull ends with the same.
    for (let pages = 1; pages <= 4; pages++) {
      const cut = await pull(settings, known, pages)
      const next = ok(await pull(settings, ok(cut).bookmark))
      const all = new Set([...ok(cut).documents, ...next.documents])
      for (const document of whole.documents)
        expect([pages, [...all]]).toEqual([pages, expect.arrayContaining([document])])
    }
  })

  it("does not let a supplier's correction touch an invoice of one's own", async () => {
    put("0.xml", Xml.ubl({ number: "R-0" }))
    put("1.xml", Xml.ubl({ type: "384", preceding: ["R-0"], seller: "Some Supplier", vat: "DE111222333" }))
    const { documents } = ok(await pull({ seller: ["BE0403019261"], corrected_invoices: "replace" }))
    expect(documents).toEqual(["R-0"])
  })

  it("is told of a removed file, whose documents stay", async () => {
    for (const n of [1, 2]) put(`${n}.xml`, Xml.ubl({ number: `R-${n}` }))
    const { bookmark } = ok(await pull())
    rmSync(join(folder, "2.xml"))
    expect(ok(await pull({}, bookmark)).notices).toEqual(["the file was removed; the documents read from it are kept"])
  })
})

const bytes = (text: string): Buffer => Buffer.from(text)

describe("what an invoice leaves open", () => {
  it("is said: instalments, payments without a day, payment details of a part", async () => {
    const term = (amount: string, day: string) =>
      `<cac:PaymentTerms><cbc:Amount currencyID="EUR">${amount}</cbc:Amount><cbc:PaymentDueDate>${day}</cbc:PaymentDueDate></cac:PaymentTerms>`
    const terms = `${term("60.00", "2026-04-01")}${term("51.00", "2026-05-01")}<cac:LegalMonetaryTotal>`
    put("a.xml", Xml.ubl({ due: "" }).replace("<cac:LegalMonetaryTotal>", terms))
    put("b.xml", Xml.ksef({}).replace("<TerminPlatnosci>", "<Zaplacono>1</Zaplacono><TerminPlatnosci>"))
    put("c.xml", Xml.fattura({}).replace("<ImportoPagamento>122.00", "<ImportoPagamento>60.00"))
    put("d.xml", Xml.ksef({ kind: "KOR", total: "-23.00", of: ["F/0", "F/0"] }).replace(">F/1<", ">F/2<"))
    put(
      "e.xml",
      Xml.fattura({ withheld: "20.00" })
        .replace(/(<Numero>).*(<\/Numero>)/, "$113$2")
        .replace("<ImportoPagamento>122.00", "<ImportoPagamento>126.13")
    )
    put("f.xml", Xml.fattura({ withheld: "20.00" }).replace(/(<Numero>).*(<\/Numero>)/, "$114$2"))
    const seller = ["BE0403019261", "PL1234563218", "IT01234567890"] as const
    const { documents, notices, refused } = ok(await pull({ seller }))
    expect([documents, refused]).toEqual([["R-1", "F/1", "12/2026", "F/2", "13/2026", "14/2026"], []])
    expect([...new Set(notices)]).toEqual([
      "instalments that do not add up to the invoice: the last due day is taken",
      "an invoice that says that it was paid, and not when: it counts as open",
      "an invoice whose payment details come to less than its total: what else was paid is not known",
      "tax that the buyer withholds for the seller is not asked for (withheld: deduct)",
      "an invoice whose payment details come to more than its total, which is what it asks for"
    ])
  })

  it("is due by its terms where a part of it was paid before, and on the day of payment where all was", async () => {
    const part = (amount: string, date: string) =>
      `<ZaplataCzesciowa><KwotaZaplatyCzesciowej>${amount}</KwotaZaplatyCzesciowej><DataZaplatyCzesciowej>${date}</DataZaplatyCzesciowej></ZaplataCzesciowa>`
    const lines = (...parts: ReadonlyArray<string>) =>
      linesOf(Xml.ksef({}).replace(/<TerminPlatnosci>.*<\/TerminPlatnosci>/, parts.join("")))
    expect(lines(part("100.00", "2026-02-01"))).toEqual([
      "invoice F/1 2026-03-05 2026-04-04 123.00 PLN",
      "payment F/1/1 100.00 on F/1"
    ])
    expect(lines(part("100.00", "2026-02-01"), part("23.00", "2026-02-07"))[0]).toBe(
      "invoice F/1 2026-03-05 2026-02-07 123.00 PLN"
    )
  })

  it("is nothing where a corrected invoice names its own number: it does not void itself", async () => {
    put("a.xml", Xml.ubl({ type: "384", preceding: ["R-1"] }))
    expect(ok(await pull({ corrected_invoices: "replace" })).documents).toEqual(["R-1"])
  })
})

describe("a file that was removed", () => {
  it("gives its invoice to one of another name, also with other figures", async () => {
    mkdirSync(join(folder, "2026"))
    put("2026/a.xml", Xml.ubl({}))
    put("2026/b.zip", archive({ "1.xml": Xml.ubl({ number: "R-2" }) }))
    const first = ok(await pull())
    for (const name of ["2026/a.xml", "2026/b.zip"]) rmSync(join(folder, name))
    put("2026/renamed.xml", Xml.ubl({}))
    put("2026/corrected.xml", Xml.ubl({ number: "R-2", gross: "242.00", net: "200.00" }))
    const { documents, refused } = ok(await pull({}, first.bookmark))
    expect([documents, refused]).toEqual([["R-2", "R-1"], []])
  })
})

describe("an archive or a mail", () => {
  it("is read with everything in it: archives in mails in archives, PDFs, and copies only once", async () => {
    const inner = Buffer.from(archive({ "2026/R-3.xml": Xml.ubl({ number: "R-3" }) }))
    const forwarded = mail({
      "R-2.xml": bytes(Xml.ubl({ number: "R-2" })),
      "R-2.pdf": pdf(Xml.cii({ number: "R-2" })),
      "logo.png": bytes("x")
    })
    put(
      "a.zip",
      archive({ "R-1.xml": Xml.ubl({ number: "R-1" }), "mail.eml": forwarded, "inner.zip": inner, "notes.docx": "x" })
    )
    const { documents, notices, origins, refused } = ok(await pull())
    expect([documents, refused]).toEqual([["R-1", "R-2", "R-3"], []])
    expect(origins).toEqual(["a.zip/R-1.xml", "a.zip/mail.eml/R-2.xml", "a.zip/inner.zip/2026/R-3.xml"])
    expect(notices).toEqual([
      "a copy of an invoice that another file has, too; left out",
      "a file of another kind in an archive or a mail; left out"
    ])
  })

  it("may be packed anew under another name: its invoices are then copies", async () => {
    put("a.zip", archive({ "1.xml": Xml.ubl({}) }))
    const { bookmark, documents } = ok(await pull())
    put("b.zip", archive({ "renamed.xml": Xml.ubl({}), "2.xml": Xml.ubl({ number: "R-2" }) }))
    const { notices, origins } = ok(await pull({}, bookmark))
    expect([documents, origins]).toEqual([["R-1"], ["a.zip/1.xml", "b.zip/2.xml"]])
    expect(notices).toEqual(["a copy of an invoice that another file has, too; left out"])
  })

  it("that is damaged, encrypted, too deep or a bomb is refused with a sentence, and others are read", async () => {
    const whole = Buffer.from(archive({ "1.xml": Xml.ubl({}) }))
    put("cut.zip", whole.subarray(0, 400))
    put(
      "locked.zip",
      Buffer.from(whole).fill(1, whole.indexOf("PK\u0001\u0002") + 8, whole.indexOf("PK\u0001\u0002") + 9)
    )
    put("renamed.zip", Buffer.from(whole).fill("1.xm_", whole.lastIndexOf("1.xml"), whole.lastIndexOf("1.xml") + 5))
    const deep = [1, 2, 3, 4, 5].reduce((zip) => Buffer.from(archive({ "in.zip": zip })), whole)
    put("deep.zip", deep)
    put("bomb.zip", archive({ "1.xml": Buffer.alloc(40 * 2 ** 20, " ") }))
    const text = mail({ "1.xml": bytes(Xml.ubl({ number: "R-9" })) }).toString("latin1")
    put("cut.eml", text.slice(0, -10))
    put("torn.eml", text.replace("\r\n--b0\r\nContent-Type: application", "\r\nContent-Type: application"))
    put("x.xml", Xml.ubl({ number: "R-2" }))
    const { documents, whys } = ok(await pull())
    expect(documents).toEqual(["R-9", "R-2"])
    expect(Object.fromEntries(whys)).toEqual({
      "bomb.zip/1.xml": "it unpacks to more than 32 MB; unpack the archive, and split it",
      "cut.eml": "the mail is damaged or only a part of one; save it again",
      "cut.zip": "the archive is damaged or only a part of one; get it again from where it was made",
      "deep.zip/in.zip/in.zip/in.zip/in.zip": "it has archives within archives; unpack it",
      "locked.zip/1.xml": "it is encrypted; unpack the archive with its password",
      "renamed.zip": "the archive is damaged or only a part of one; get it again from where it was made",
      "torn.eml": "the mail is damaged or only a part of one; save it again"
    })
  })

  it("is refused if a mail lost what stands between two of its files, and read by its content if it lost a name", async () => {
    const whole = bytes(Xml.ubl({}))
    const first = Buffer.concat([whole, Buffer.alloc(4 - (whole.length % 3), " ")])
    const text = mail({ "1.xml": first, "2.xml": bytes(Xml.ubl({ number: "R-2" })) }).toString("latin1")
    const second = text.lastIndexOf("--b0\r\nContent-Type")
    const body = text.indexOf("\r\n\r\n", second)
    put("joined.eml", `${text.slice(0, second)}${text.slice(body)}`)
    put("ended.eml", `${text.slice(0, second)}--b0--\r\n${text.slice(second)}`)
    put("behind.eml", `${text.slice(0, second)}--b0--\r\n${text.slice(second + 4)}`)
    put("named.eml", `${text.replaceAll('"1.xml"', '.xml"').replaceAll("2.xml", "invoice")}\r\nlist@example.com\r\n`)
    const { documents, whys } = ok(await pull())
    expect(documents).toEqual(["R-1", "R-2"])
    const why = "the mail is damaged or only a part of one; save it again"
    expect(Object.fromEntries(whys)).toEqual({ "behind.eml": why, "ended.eml": why, "joined.eml": why })
    // The head of a file is missing, and so is the beginning of what it has: it looks like the text before it.
    const [head, content] = ["Content-Type: application", "PD94bWwg"].map((word) => text.indexOf(word))
    put("torn.eml", `${text.slice(0, (head ?? 0) - 6)}${text.slice((content ?? 0) + 12)}`)
    expect(Object.fromEntries(ok(await pull()).whys)).toMatchObject({ "torn.eml": why })
    put("invoice.xml", Xml.ubl({ number: "R-3" }).replace(">380<", ">381<"))
    expect(ok(await pull()).notices).toContain("an Invoice whose type is that of a credit note; read as a credit note")
  })

  it("gives the PDF beside the XML for collections, and names attachments in other alphabets", async () => {
    const name = "=?utf-8?Q?Rechnung_=C3=9C-1=2Exml?="
    put("a.eml", mail({ [name]: bytes(Xml.ubl({})), "Ü.pdf": pdf(Xml.cii({})) }))
    expect(ok(await pull()).origins).toEqual(["a.eml/Rechnung Ü-1.xml"])
    const stream = einvoice.documents?.({ path: "." }, { kind: "invoice", id: "R-1" } as never, { folder }, 2 ** 20)
    const found = await Effect.runPromise(
      Stream.runCollect(stream!).pipe(Effect.provide(FetchHttpClient.layer)) as never
    )
    expect((found as ReadonlyArray<{ readonly name: string }>).map((one) => one.name)).toHaveLength(1)
  })

  it("says in which line of a file what is wrong", async () => {
    put("a.xml", Xml.ubl({ gross: "12x.00" }))
    put("b.xml", Xml.ubl({ number: "R-2" }).replace("</cbc:ID>", "</cbc:IDX>"))
    const { origins, refused } = ok(await pull({ seller: ["BE0403019261"] }))
    expect(origins).toEqual(["a.xml:8", "b.xml:3"])
    expect(refused[1]).toMatch(/not well-formed XML: unexpected close tag; get it again/)
  })
})

describe("a file that is not an invoice", () => {
  it("is named", () => {
    for (const [xml, why] of [
      ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><Invoice>&b;</Invoice>', /document type/],
      ["<Invoice><cbc:ID>", /not well-formed/],
      ["<Report/>", /its root element is Report/],
      [`${"<a>".repeat(80)}${"</a>".repeat(80)}`, /nested more than 64 deep/]
    ] as const)
      expect(linesOf(xml)).toEqual([expect.stringMatching(why)])
    expect(linesOf("<RicevutaConsegna/>")).toEqual([
      expect.stringMatching(/^nothing: a message of the Italian exchange system/)
    ])
  })
})
