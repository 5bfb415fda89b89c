/**
 * How amounts are written: which mark is the decimal one, grouping, signs of currencies, accountants' negatives. What
 * could mean two things is never guessed.
 */
import { describe, expect, it } from "vitest"
import { type Mark, markOf, parse } from "../../../connectors/tabular/Numerals.ts"
import type { Invoice } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { HEADER, invoices, pull } from "./support.ts"

const said = (amount: Decimal.Decimal | string) => (typeof amount === "string" ? amount : Decimal.format(amount, 2))

const read = (text: string, known: Mark = ".", currency = "GBP") => said(parse(text, known, currency))

const isNone = (mark: string) => `is not an amount, with "${mark}" as the decimal separator; correct it, or set decimal`

describe("an amount", () => {
  it("has a decimal point, or a comma", () => {
    for (const [text, mark, value] of [
      ["1234.50", ".", "1234.50"],
      ["1234,50", ",", "1234.50"],
      ["0.05", ".", "0.05"],
      ["007", ".", "7.00"],
      ["1234", ",", "1234.00"],
      ["100.500", ".", "100.50"],
      ["12345678901234.25", ".", "12345678901234.25"],
      ["-0.01", ".", "-0.01"]
    ] as const) {
      expect([text, read(text, mark)]).toEqual([text, value])
    }
  })

  it("may be grouped, in the one way that goes with its mark", () => {
    for (const [text, mark] of [
      ["1,234,567.50", "."],
      ["1.234.567,50", ","],
      ["1 234 567,50", ","],
      ["1\u00a0234\u00a0567.50", "."],
      ["1\u202f234\u202f567,50", ","],
      ["1'234'567.50", "."],
      ["1\u2019234\u2019567.50", "."]
    ] as const) {
      expect([text, read(text, mark)]).toEqual([text, "1234567.50"])
    }
    for (const text of [
      "1,23,4567.50",
      "12,34",
      "1,234 567.00",
      "1,2345.00",
      ",123.00",
      "1,,234.00",
      "1.234.567,50",
      "1.234.567"
    ]) {
      expect([text, read(text, ".")]).toEqual([text, isNone(".")])
    }
    expect(read("1,234.50", ",")).toBe(isNone(","))
  })

  it("may be negative in the ways of accountants", () => {
    for (const text of [
      "-1,234.50",
      "1,234.50-",
      "(1,234.50)",
      "−1,234.50",
      "£-1,234.50",
      "-£1,234.50",
      "(£1,234.50)"
    ]) {
      expect([text, read(text)]).toEqual([text, "-1234.50"])
    }
    expect(read("+5.00")).toBe("5.00")
    for (const text of ["--5", "-(5)", "(-5)", "5--", "(5", "5)", "-", "()", "+-5", ""]) {
      expect([text, read(text)]).toEqual([text, isNone(".")])
    }
  })

  it("may carry the sign of its own currency and of no other", () => {
    expect(read("£ 5.00")).toBe("5.00")
    expect(read("GBP 5.00")).toBe("5.00")
    expect(read("5,00 €", ",", "EUR")).toBe("5.00")
    expect(read("$5.00", ".", "CAD")).toBe("5.00")
    expect(read("¥500", ".", "JPY")).toBe("500.00")
    expect(read("₹5.00", ".", "INR")).toBe("5.00")
    expect(read("$5.00")).toBe("says $, but the currency is GBP; correct one of both")
    expect(read("EUR 5.00")).toBe("says EUR, but the currency is GBP; correct one of both")
    expect(read("£5.00", ".", "EUR")).toBe("says £, but the currency is EUR; correct one of both")
    expect(read("5.00 kg")).toBe(isNone("."))
  })

  it("is never finer than its currency", () => {
    expect(read("1.234", ".", "KWD")).toBe("1.234")
    expect(read("1.2345", ".", "KWD")).toBe("has more than 3 decimal places (KWD); correct it")
    expect(read("10.5", ".", "JPY")).toBe("has more than 0 decimal places (JPY); correct it")
    expect(read("10.00", ".", "JPY")).toBe("10.00")
    expect(said(parse("1.2345", ".", undefined))).toBe("has more than 3 decimal places; correct it")
    expect(parse("1.234", ".", undefined)).toBe(Decimal.of("1.234"))
  })

  it("that could be grouped or have decimals is refused, as long as nothing says which", () => {
    for (const currency of ["GBP", "KWD", "JPY"]) {
      expect(parse("1.234", undefined, currency)).toBe("could be 1234 or 1.234; set decimal")
      expect(parse("12,500", undefined, currency)).toBe("could be 12500 or 12,500; set decimal")
      expect(parse("(1,000)", undefined, currency)).toBe("could be 1000 or 1,000; set decimal")
    }
    const unmarked = (text: string) => said(parse(text, undefined, "GBP"))
    // These can be one thing only.
    expect(unmarked("1234")).toBe("1234.00")
    expect(unmarked("1,234,567")).toBe("1234567.00")
    expect(unmarked("0.500")).toBe("0.50")
    expect(unmarked("12.50")).toBe("12.50")
    expect(unmarked("12,50")).toBe(isNone("."))
  })
})

describe("the decimal mark of a file", () => {
  it("is the one that at least one amount leaves no doubt of", () => {
    expect(markOf(["1.234", "5", "12,50"])).toBe(",")
    expect(markOf(["1,234", "12.5"])).toBe(".")
    expect(markOf(["1.234.567"])).toBe(",")
    expect(markOf(["1,234,567"])).toBe(".")
    expect(markOf(["0.123"])).toBe(".")
    expect(markOf(["1234,567"])).toBe(",")
    expect(markOf(["€ 1.234,50-"])).toBe(",")
    expect(markOf(["1'234.567"])).toBe(".")
  })

  it("is not known where none does, or where two contradict", () => {
    expect(markOf([])).toBeUndefined()
    expect(markOf(["1.234", "1,234", "5", "", "−123,456", "(123.456)"])).toBeUndefined()
    expect(markOf(["12,50", "12.50"])).toBeUndefined()
    expect(markOf(["11.12.2013", "n/a", "see p. 4.5"])).toBeUndefined()
  })

  const amounts = async (cells: ReadonlyArray<string>, more: object = {}) => {
    const lines = cells.map((cell, n) => `${n};Acme;GB;2024-01-31;2024-03-01;;${cell};Sent\n`)
    const { documents, quarantined } = await pull(
      { "invoices.csv": `${HEADER.replaceAll(",", ";")}\n${lines.join("")}` },
      invoices(more)
    )
    return [documents.map((one) => Decimal.format((one as Invoice).gross!, 2)), quarantined.map(({ why }) => why)]
  }

  it("decides what the doubtful amounts of the file are", async () => {
    expect(await amounts(["1.234", "12,50"])).toEqual([["1234.00", "12.50"], []])
    expect(await amounts(["1,234", "12.50"])).toEqual([["1234.00", "12.50"], []])
    expect(await amounts(["1.234", "12.50"])).toEqual([
      ["12.50"],
      ['"1.234" has more than 2 decimal places (GBP); correct it']
    ])
  })

  it("quarantines the doubtful ones where nothing decides, until decimal is set", async () => {
    const doubtful = ["1,200", "950", "2.500"]
    expect(await amounts(doubtful)).toEqual([
      ["950.00"],
      ['"1,200" could be 1200 or 1,200; set decimal', '"2.500" could be 2500 or 2.500; set decimal']
    ])
    expect(await amounts(doubtful, { decimal: "," })).toEqual([["1.20", "950.00", "2500.00"], []])
    expect(await amounts(doubtful, { decimal: "." })).toEqual([["1200.00", "950.00", "2.50"], []])
  })

  it("is as set, whatever the amounts look like", async () => {
    expect(await amounts(["12,50", "12.50"], { decimal: "," })).toEqual([
      ["12.50"],
      ['"12.50" is not an amount, with "," as the decimal separator; correct it, or set decimal']
    ])
  })
})
