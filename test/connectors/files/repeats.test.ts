/**
 * Rows under an id that was there before in the file; and the table that remembers them, which forgets none and mixes
 * up none, however it grows.
 */
import { describe, expect, it } from "vitest"
import * as Repeats from "../../../connectors/tabular/Repeats.ts"
import { HEADER, ids, invoices, payments, plain, pull, row, table } from "./support.ts"

describe("rows under one id in one file", () => {
  const TWICE = "the row appears twice, the same in every column; it was read once"

  it("that are the same are read once, and a notice says so", async () => {
    const { documents, notices, origins, quarantined } = await pull(
      { "invoices.csv": table(row("A"), row("B"), ` ${row("A")}`.trim(), row("A")) },
      invoices()
    )
    expect(quarantined).toEqual([])
    expect(ids(documents)).toEqual(["A", "B"])
    expect(origins).toEqual(["invoices.csv:2", "invoices.csv:3"])
    expect(notices).toEqual([
      { origin: "invoices.csv:4", what: TWICE },
      { origin: "invoices.csv:5", what: TWICE }
    ])
  })

  it("that differ: the first is read, the second is quarantined and names the first", async () => {
    const { documents, notices, quarantined } = await pull(
      { "invoices.csv": table(row("X"), row("A"), row("B"), row("A", "100.00", "120.01")) },
      invoices()
    )
    expect(notices).toEqual([])
    expect(plain(documents)).toMatchObject([{ id: "X" }, { id: "A", gross: "120.00" }, { id: "B" }])
    expect(quarantined).toEqual([
      {
        kind: "invoice",
        origin: "invoices.csv:5",
        raw: row("A", "100.00", "120.01"),
        id: "A",
        field: "Invoice",
        why: '"A" already appears in line 3 with different content; that one was read (remove one of them, or give this one its own id)'
      }
    ])
  })

  it("that differ and stand together: neither is read, because one alone would not be the whole", async () => {
    const { documents, quarantined } = await pull(
      { "invoices.csv": table(row("X"), row("A"), row("A", "1.00", "1.20"), row("B")) },
      invoices()
    )
    expect(ids(documents)).toEqual(["X", "B"])
    expect(quarantined.map(({ field, id, origin }) => [origin, id, field])).toEqual([
      ["invoices.csv:3", "A", "Invoice"],
      ["invoices.csv:4", "A", "Invoice"]
    ])
    expect(quarantined[0]!.why).toBe(
      '"A" stands in line 3 and in line 4 with different contents, and neither was read; set lines to "sum" if each is a line of it, to "same" if each repeats the whole, or remove one of them'
    )
    // A third one does not slip through.
    const three = await pull({ "invoices.csv": table(row("A"), row("A", "1.00"), row("A", "2.00")) }, invoices())
    expect([ids(three.documents), three.quarantined.length]).toEqual([[], 3])
  })

  it("that differ only in columns that nobody asks for are the same", async () => {
    const { notices, quarantined } = await pull(
      { "invoices.csv": `${HEADER},Printed\n${row("A")},yes\n${row("A")},no\n` },
      invoices()
    )
    expect([quarantined.length, notices.length]).toEqual([0, 1])
  })

  it("do not count where the first of them could not be read", async () => {
    const { documents, quarantined } = await pull({ "invoices.csv": table(row("A", "?"), row("A")) }, invoices())
    expect(ids(documents)).toEqual(["A"])
    expect(quarantined.map(({ origin }) => origin)).toEqual(["invoices.csv:2"])
  })

  it("are found far apart, on other pages, and shares of a payment by payment and invoice", async () => {
    const many = Array.from({ length: 5000 }, (_, n) => row(`INV-${n}`))
    const { documents, notices, quarantined } = await pull(
      { "invoices.csv": table(...many, row("INV-7"), row("INV-8", "1.00")) },
      invoices()
    )
    expect(documents).toHaveLength(5000)
    expect(notices.map(({ origin }) => origin)).toEqual(["invoices.csv:5002"])
    expect(quarantined.map(({ origin, why }) => [origin, why.split(" with")[0]])).toEqual([
      ["invoices.csv:5003", '"INV-8" already appears in line 10']
    ])
    const shares =
      "Ref,Invoice,Date,Amount,Type,Code\nP,A,2024-02-01,1.00,,\nP,B,2024-02-01,1.00,,\nP,A,2024-02-01,2.00,,\n"
    const paid = await pull({ "payments.csv": shares }, payments())
    expect(ids(paid.documents, "payment")).toEqual(["P/A", "P/B"])
    expect(paid.quarantined).toMatchObject([{ origin: "payments.csv:4", id: "P", field: "Ref" }])
    expect(paid.quarantined[0]!.why).toMatch(/^"P\/A" already appears in line 2/)
  })

  it("in two files are one document that moved, for the books to say: both are read", async () => {
    const { documents, quarantined } = await pull(
      { "in/2023.csv": table(row("A")), "in/2024.csv": table(row("A", "90.00")) },
      invoices({}, "in")
    )
    expect(quarantined).toEqual([])
    expect(ids(documents)).toEqual(["A", "A"])
  })
})

const FORMS: Readonly<Record<string, (n: number) => string>> = {
  "running numbers": (n) => `INV-${n}`,
  "numbers with leading zeros": (n) => String(n).padStart(12, "0"),
  "numbers far apart": (n) => String(2_195_380_883 + n * 65_536),
  "shares of payments": (n) => `P-${n >> 2}/INV-${n}`,
  "one letter that differs": (n) => `same-same-same-${String.fromCharCode(256 + (n % 40_000))}${n < 40_000 ? "" : n}`
}

for (const [name, form] of Object.entries(FORMS)) {
  it(`finds every id again and no other: ${name}`, () => {
    for (const expected of [0, 60_000]) {
      const repeats = Repeats.make(expected)
      for (let n = 1; n <= 60_000; n++) {
        if (repeats.add("invoice", form(n), n * 7, n) !== 0) expect.fail(`${form(n)} was taken for another`)
      }
      for (let n = 1; n <= 60_000; n += 59) {
        expect(repeats.add("invoice", form(n), n * 7, 99_999)).toBe(n)
        expect(repeats.add("invoice", form(n), n * 7 + 1, 99_999)).toBe(-n)
        expect(repeats.add("payment", form(n), n * 7, 99_999)).toBe(0)
        expect(repeats.add("payment", form(n), n * 7, 99_999)).toBe(99_999)
      }
    }
  })
}
