/**
 * The statement of account as a PDF: what can be read in it is what was put into it, the same content makes the same bytes,
 * formats are those of the buyer's country, and what the fonts cannot set is named.
 */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as FileType from "../../../core/wire/FileType.ts"
import { fitted, typeset, wrapped } from "../../../sync/collections/pdf/Layout.ts"
import { type Text, WIDTH, weightOf } from "../../../sync/collections/pdf/Pdf.ts"
import {
  type AccountStatement,
  balanceOf,
  pagesOf,
  statementPdf
} from "../../../sync/collections/StatementOfAccount.ts"
import { copied } from "../../support/PdfText.ts"

const invoice = (n: number, amount = "1234.50") => ({
  date: Day.of("2026-03-01"),
  what: `Invoice INV-${n}`,
  due: Day.of("2026-03-31"),
  amount: Decimal.of(amount)
})

const statement = (more: Partial<AccountStatement> = {}): AccountStatement => ({
  seller: { name: "Harbour Lane Bakery Ltd", details: ["Company 01234567"] },
  buyer: { name: "Brightwater Foods Ltd", details: ["1 Example Street", "EX1 1EX Exampleton"], country: "GB" },
  currency: "GBP",
  entries: [invoice(1), { date: Day.of("2026-04-02"), what: "Payment", amount: Decimal.of("-1000") }],
  ...more
})

const laidOut = async (one: AccountStatement) => {
  const done = await typeset((setter) => pagesOf(setter, one), one.buyer.country)
  if ("why" in done) throw new Error(done.why)
  return done
}

const textsOf = async (one: AccountStatement) =>
  (await laidOut(one)).pages.map(({ texts }) => texts.map(({ text }) => text))

const made = async (one: AccountStatement): Promise<Buffer> => {
  const pdf = await statementPdf(one)
  if ("why" in pdf) throw new Error(pdf.why)
  return pdf
}

const named = (name: string, country = "GB") => statement({ buyer: { name, details: [], country } })

describe("the statement", () => {
  test("for the customer says of which day it is, and what of it is overdue", async () => {
    const asOf = { day: Day.of("2026-04-05"), overdue: Decimal.of("234.50") }
    const words = copied(await made(statement({ asOf })))
    expect(words).toEqual(expect.arrayContaining(["As of 05/04/2026", "Of that overdue"]))
    expect(words.filter((one) => one === "234.50 GBP")).toHaveLength(2)
    // What goes to the collections partner is the same on every day.
    expect(copied(await made(statement()))).not.toContain("Of that overdue")
  })

  test("is a PDF whose text can be copied, and is what was put in", async () => {
    const pdf = await made(statement())
    expect(FileType.of(pdf)).toBe(FileType.PDF)
    expect(copied(pdf)).toEqual((await textsOf(statement())).flat())
    expect(copied(pdf)).toEqual(
      expect.arrayContaining([
        "Statement of account",
        "Harbour Lane Bakery Ltd",
        "Brightwater Foods Ltd",
        "Invoice INV-1",
        "31/03/2026",
        "1,234.50",
        "-1,000.00",
        "234.50",
        "234.50 GBP",
        "Page 1 of 1"
      ])
    )
  })

  test("has the same bytes for the same content, and others for other content", async () => {
    expect(await made(statement())).toEqual(await made(statement()))
    expect(await made(statement({ entries: [invoice(1, "1234.51")] }))).not.toEqual(
      await made(statement({ entries: [invoice(1)] }))
    )
  })

  test.each([
    ["GB", "EUR", "1,234,567.50", "31/03/2026"],
    ["DE", "EUR", "1.234.567,50", "31.03.2026"],
    ["US", "USD", "1,234,567.50", "03/31/2026"],
    ["FR", "EUR", "1\u00a0234\u00a0567,50", "31/03/2026"],
    ["JP", "JPY", "1,234,568", "2026/03/31"],
    ["KW", "KWD", "1,234,567.500", "31/03/2026"],
    ["BG", "EUR", "1\u00a0234\u00a0567,50", "31.03.2026\u202fг."],
    // Not there: as here.
    [undefined, "GBP", "1,234,567.50", "31/03/2026"]
  ])("for a buyer in %s writes %s and days as there", async (country, currency, amount, due) => {
    const entries = [invoice(1, currency === "JPY" ? "1234568" : "1234567.50")]
    const buyer = { name: "Brightwater Foods Ltd", details: [], ...(country === undefined ? {} : { country }) }
    const texts = (await textsOf(statement({ currency, entries, buyer }))).flat()
    expect(texts).toContain(amount)
    // Some write the day with marks of its direction, which are left out.
    expect(texts.map((text) => text.replace(/\s/g, ""))).toContain(due.replace(/\s/g, ""))
  })

  test("is exact where a number of JavaScript is not", async () => {
    const texts = await textsOf(statement({ entries: [invoice(1, "90071992547409.93"), invoice(2, "0.01")] }))
    expect(texts.flat()).toContain("90,071,992,547,409.94 GBP")
  })

  test("goes on on further pages, which repeat the headings, and loses no entry", async () => {
    const entries = Array.from({ length: 131 }, (_, n) => invoice(n))
    const pages = await textsOf(statement({ entries }))
    expect(pages.length).toBe(4)
    for (const page of pages) expect(page).toContain("Entry")
    const shown = pages.flat().filter((text) => text.startsWith("Invoice INV-"))
    expect(shown).toEqual(entries.map(({ what }) => what))
    expect(pages[3]).toContain("Open balance")
  })

  test("with no entry at all says that nothing is open", async () => {
    expect((await textsOf(statement({ entries: [] }))).flat()).toContain("0.00 GBP")
  })

  test("keeps to its page, whatever the names", async () => {
    // Of what fonts have: what they do not have is named instead.
    const unit = fc.constantFrom(
      "a",
      "W",
      " ",
      "Ä",
      "ł",
      "Я",
      "中",
      "字",
      "ที่",
      "ก",
      "عرب",
      "אית",
      "(",
      ")",
      "12",
      "—",
      "…"
    )
    const name = fc.string({ unit, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(name, name, async (name, what) => {
        const one = statement({ buyer: { name, details: [what] }, entries: [{ ...invoice(1), what }] })
        const { pages, setter } = await laidOut(one)
        const reach = ({ right, size, text, x, ...style }: Text) => {
          const width = setter.width(text, size, weightOf(style))
          return right === true ? [x - width, x] : [x, x + width]
        }
        for (const text of pages.flatMap(({ texts }) => texts)) {
          const [from, to] = reach(text)
          expect(from).toBeGreaterThanOrEqual(0)
          expect(to).toBeLessThanOrEqual(WIDTH)
          expect(text.y).toBeGreaterThan(0)
        }
      }),
      { numRuns: 25 }
    )
  })

  test("the balance behind the last entry is the sum", () => {
    expect(balanceOf(statement())).toBe(Decimal.of("234.5"))
  })
})

describe("lines", () => {
  const letters = typeset(() => [{ texts: [{ x: 0, y: 0, size: 10, text: "一二三 abc" }], rules: [] }], "CN")

  test("break between words, and within one that is wider than a line; a cut one says so", async () => {
    const done = await letters
    if ("why" in done) throw new Error(done.why)
    const fit = { size: 10 }
    expect(wrapped(done.setter, "abc abc 一二三一二三一二", 35, fit)).toEqual([
      "abc",
      "abc",
      "一二三",
      "一二三",
      "一二"
    ])
    expect(fitted(done.setter, "一二三一二三", 35, fit)).toBe("一二…")
    expect(fitted(done.setter, "一二三", 35, fit)).toBe("一二三")
  })
})

describe("names", () => {
  test.each([
    ["Żółć Łódź", "PL"],
    ["Ελληνικά", "GR"],
    ["Дружба", "BG"],
    ["Ağaoğlu İnşaat", "TR"],
    ["Nguyễn Văn Á", "VN"],
    ["Հայաստան", "AM"],
    ["საქართველო", "GE"],
    ["€ & Söhne “x”", "DE"],
    ["株式会社東京", "JP"],
    ["上海有限公司", "CN"],
    ["臺灣公司", "TW"],
    ["주식회사", "KR"],
    ["คุณหญิง", "TH"]
  ])("%s comes out right", async (name, country) => {
    // As two characters, it is put together first.
    expect(copied(await made(named(name.normalize("NFD"), country))).join("")).toContain(name.normalize("NFC"))
  })

  test.each([
    ["क्षेत्रीय कंपनी", "IN"],
    ["தமிழ்", "IN"],
    ["বাংলা", "BD"],
    ["ગુજરાત", "IN"],
    ["ಕನ್ನಡ", "IN"],
    ["മലയാളം", "IN"],
    ["తెలుగు", "IN"],
    ["น้ำผู้จำกัด", "TH"]
  ])("%s is set with its letters joined", async (name, country) => {
    await made(named(name, country))
  })

  test("are written from right to left where they are read so, with what is not in its place", async () => {
    const { pages, setter } = await laidOut(named("שלום (12) ABC", "IL"))
    const { size: _, text } = pages[0]?.texts.find((one) => one.text.includes("ABC")) ?? { size: 0, text: "" }
    const runs = setter.runs(text, 700).map((run) => run.text)
    // From left to right: the word that is read last comes first; brackets open to the other side.
    expect(runs.join("|").replace(/\s/g, "")).toBe("ABC|(|12|)|שלום")
  })

  test("of Arabic letters are joined: a letter within a word is another shape than alone", async () => {
    const { setter } = await laidOut(named("ععع", "SA"))
    const [run] = setter.runs("ععع", 700)
    const alone = 3 * setter.width("ع", 1, 700)
    expect(run?.width).toBeGreaterThan(0)
    expect(run?.width).not.toBeCloseTo(alone, 3)
  })

  test.each([
    ["😀 Ltd", "😀"],
    ["ᚠᚢᚦ", "ᚠ ᚢ ᚦ"]
  ])("%s is named as what cannot be written", async (name, letters) => {
    for (const one of [
      named(name),
      statement({ seller: { name: "A", details: [name] } }),
      statement({ entries: [{ ...invoice(1), what: name }] })
    ])
      expect(await statementPdf(one)).toEqual({
        why: `"${name}" cannot be written: the fonts here cannot set ${letters}`
      })
  })
})
