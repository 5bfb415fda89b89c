/**
 * Every reason for which a row is quarantined, as a person reads it: where it stands, which column is to blame, what is
 * wrong and what to do. The rows around it are read.
 */
import { describe, expect, it } from "vitest"
import { HEADER, ids, invoices, payments, pull, row, table } from "./support.ts"

const GOOD = [row("A"), row("Z")] as const

/** A row between two good ones: why it is quarantined. The two are read, or this fails. */
const between = async (line: string, source: object = invoices(), header = HEADER) => {
  const text = `${header}\n${GOOD[0]}\n${line}\n${GOOD[1]}\n`
  const { documents, error, quarantined } = await pull({ "invoices.csv": text }, source)
  expect(error).toBeUndefined()
  expect(ids(documents)).toEqual(["A", "Z"])
  expect(quarantined).toHaveLength(1)
  const { kind, origin, raw, ...rest } = quarantined[0]!
  expect({ kind, origin }).toEqual({ kind: "invoice", origin: "invoices.csv:3" })
  return { raw, ...rest }
}

const line = (over: Partial<Record<string, string>> = {}) => {
  const cells: Record<string, string> = {
    Invoice: "B",
    Buyer: "Acme Ltd",
    Country: "GB",
    Issued: "2024-01-31",
    Due: "2024-03-01",
    Net: "100.00",
    Gross: "120.00",
    State: "Sent"
  }
  return HEADER.split(",")
    .map((name) => over[name] ?? cells[name])
    .join(",")
}

describe("a row of invoices is quarantined, with its own text, when", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Record<string, string>>, string, string]> = [
    ["it has no id", { Invoice: "" }, "Invoice", "is empty, and is needed; write it, or leave the row out"],
    ["its id is blank", { Invoice: "  " }, "Invoice", "is empty, and is needed; write it, or leave the row out"],
    ["it names no customer", { Buyer: "" }, "Buyer", "is empty, and is needed; write it, or leave the row out"],
    [
      "it has no day of issue",
      { Issued: "" },
      "Issued",
      "is empty, and a date is needed; write it, or leave the row out"
    ],
    [
      "its day does not exist",
      { Due: "2024-02-30" },
      "Due",
      '"2024-02-30" is not a date written yyyy-MM-dd; set date_format, or correct it'
    ],
    [
      "its day is written otherwise",
      { Issued: "31/01/2024" },
      "Issued",
      '"31/01/2024" is not a date written yyyy-MM-dd; set date_format, or correct it'
    ],
    [
      "it has no amount at all",
      { Net: "", Gross: "" },
      "Gross",
      "is empty, and an amount is needed; write it, or leave the row out"
    ],
    [
      "its amount is text",
      { Gross: "twelve" },
      "Gross",
      '"twelve" is not an amount, with "." as the decimal separator; correct it, or set decimal'
    ],
    [
      "its amount is finer than its currency",
      { Net: "1.005" },
      "Net",
      '"1.005" has more than 2 decimal places (GBP); correct it'
    ],
    [
      "its amount has an exponent",
      { Net: "1e3" },
      "Net",
      '"1e3" is not an amount, with "." as the decimal separator; correct it, or set decimal'
    ],
    [
      "its amount is beyond any ledger",
      { Net: "1234567890123456.00" },
      "Net",
      '"1234567890123456.00" is too large (15 digits before the point at most); correct it'
    ],
    [
      "its amount is in another currency",
      { Net: "€100.00" },
      "Net",
      '"€100.00" says €, but the currency is GBP; correct one of both'
    ],
    [
      "its status is not known",
      { State: "Disputed" },
      "State",
      '"Disputed" is not draft, open, paid or void; map it under statuses'
    ]
  ]
  for (const [when, over, field, why] of cases) {
    it(when, async () => {
      const raw = line(over)
      const id = (over["Invoice"] ?? "B").trim()
      expect(await between(raw)).toEqual({ raw, field, why, ...(id === "" ? {} : { id }) })
    })
  }

  it("its net and tax do not come to its gross amount, unless by a rounding cent", async () => {
    const source = invoices({ columns: { ...invoices().invoices.columns, gross: "Gross", tax_amount: "VAT" } })
    const text = (gross: string, vat: string) => `${HEADER},VAT\n${line({ Net: "100.00", Gross: gross })},${vat}\n`
    const why =
      "says 120.00 GBP, and net 100.00 GBP with tax 19.00 GBP comes to 119.00 GBP: correct the row, or leave out columns.tax_amount if more is in the amount, like shipping"
    for (const [gross, vat, field] of [
      ["120.00", "19.00", "Gross"],
      ["119.00", "19.01", undefined],
      ["119.00", "", undefined]
    ] as const) {
      const { quarantined } = await pull({ "invoices.csv": text(gross, vat) }, source)
      expect(quarantined.map((one) => [one.field, one.why])).toEqual(field === undefined ? [] : [[field, why]])
    }
  })

  it("its currency is none", async () => {
    const header = `${HEADER},Cur`
    const source = invoices({ columns: { ...invoices().invoices.columns, currency: "Cur" } })
    const { currency: _, ...without } = source.invoices as { currency?: string }
    const text = (cur: string) => `${header}\n${row("A")},GBP\n${row("B")},${cur}\n`
    for (const [cur, why] of [
      ["POUNDZ", '"POUNDZ" is not an ISO 4217 currency code; correct it, or say what it means under currencies'],
      ["", "is empty, and the currency is needed; write it, or set currency for rows without one"]
    ] as const) {
      const { quarantined } = await pull({ "invoices.csv": text(cur) }, { invoices: without })
      expect(quarantined).toEqual([
        { kind: "invoice", origin: "invoices.csv:3", raw: `${row("B")},${cur}`, field: "Cur", why, id: "B" }
      ])
    }
  })

  it("no currency is known at all", async () => {
    const { currency: _, ...without } = invoices().invoices as { currency?: string }
    const { quarantined } = await pull({ "invoices.csv": table(row("A")) }, { invoices: without })
    expect(quarantined.map(({ field, why }) => [field, why])).toEqual([
      [undefined, "the currency is not known; name a column for it, or set currency"]
    ])
  })

  it("it has too few or too many cells", async () => {
    const hint = "is a quote or a separator missing? Correct the row"
    expect(await between("B,Acme Ltd,GB")).toEqual({
      raw: "B,Acme Ltd,GB",
      why: `it has 3 cells where the header has 8; ${hint}`
    })
    const long = `${line({ Buyer: "Acme, Ltd" })}`
    expect(await between(long)).toEqual({ raw: long, why: `it has 9 cells where the header has 8; ${hint}` })
    expect(await between("just text")).toEqual({
      raw: "just text",
      why: `it has 1 cell where the header has 8; ${hint}`
    })
  })

  it("a quote of it never closes: it costs its own row and no other", async () => {
    const open = line({ Buyer: '"Acme Ltd' })
    expect(await between(open)).toEqual({
      raw: open,
      why: "a quote is opened and never closed; close it, or double it if it is part of the text"
    })
  })

  it("a quote of it closes so far away that whole pages would be one cell", async () => {
    const open = 'B,"Acme'
    const rows = Array.from({ length: 5000 }, (_, n) => row(`INV-${n}`))
    const close = 'Ltd",GB,2024-01-31,2024-03-01,100.00,120.00,Sent'
    const { documents, quarantined } = await pull({ "invoices.csv": table(open, ...rows, close) }, invoices())
    expect(documents).toHaveLength(5000)
    expect(quarantined.map(({ origin, raw }) => [origin, raw])).toEqual([
      ["invoices.csv:2", open],
      ["invoices.csv:5003", close]
    ])
    // Within a few lines it is an address, say.
    const near = await pull({ "invoices.csv": table(open, ...rows.slice(0, 3), close) }, invoices())
    expect([near.documents.length, near.quarantined]).toEqual([1, []])
  })

  it("it holds a NUL byte or another control character, in a column that is read", async () => {
    const nul = line({ Buyer: "Ac\u0000me" })
    expect(await between(nul)).toEqual({
      raw: nul,
      field: "Buyer",
      id: "B",
      why: "contains a NUL byte, which is not valid in text; correct it, or set encoding"
    })
    const bell = line({ Buyer: "Ac\u0007me" })
    expect(await between(bell)).toMatchObject({
      field: "Buyer",
      why: "contains a control character (U+0007), which is not valid in text; correct it, or set encoding"
    })
    const c1 = line({ Buyer: "Ac\u0081me" })
    expect(await between(c1)).toMatchObject({ why: expect.stringContaining("(U+0081)") })
  })

  it("its currency signs, cells and quotes are odd in a column that nobody asks for: it is read", async () => {
    const text = `${HEADER},Note\n${row("A")},\u0007\n${row("B")},\n`
    const { documents, quarantined } = await pull({ "invoices.csv": text }, invoices())
    expect(quarantined).toEqual([])
    expect(ids(documents)).toEqual(["A", "B"])
  })

  it("it is longer than a megabyte: it is shown cut short", async () => {
    const { raw, why } = await between(line({ Buyer: "x".repeat(1_100_000) }))
    expect(why).toBe("it is far too long for a row; close a quote that is open in it")
    expect(raw.length).toBe(4096)
  })

  it("its country is not known and unknown_country says so", async () => {
    const raw = line({ Country: "897" })
    expect(await between(raw, invoices({ unknown_country: "quarantine" }))).toEqual({
      raw,
      id: "B",
      field: "Country",
      why: '"897" is not an ISO 3166-1 country; map it under countries'
    })
  })
})

describe("a row of payments is quarantined when", () => {
  const HEAD = "Ref,Invoice,Date,Amount,Type,Code"
  const cases: ReadonlyArray<readonly [string, string, string, string]> = [
    [
      "it has no reference",
      ",INV-1,2024-01-01,5.00,,",
      "Ref",
      "is empty, and is needed; write it, or leave the row out"
    ],
    [
      "it names no invoice",
      "P,,2024-01-01,5.00,,",
      "Invoice",
      "is empty, and is needed; write it, or leave the row out"
    ],
    [
      "it has no amount",
      "P,INV-1,2024-01-01,,,",
      "Amount",
      "is empty, and an amount is needed; write it, or leave the row out"
    ],
    [
      "it is of nothing",
      "P,INV-1,2024-01-01,0.00,,",
      "Amount",
      "is zero, and nothing was paid; correct it, or leave the row out"
    ],
    ["it has no day", "P,INV-1,,5.00,,", "Date", "is empty, and a date is needed; write it, or leave the row out"],
    [
      "its type of reversal is not known",
      "P,INV-1,2024-01-01,-5.00,bounced,",
      "Type",
      '"bounced" is not a reversal type (chargeback, refund, error, unknown, other); map it under types'
    ],
    [
      "it says that money went back, and is positive",
      "P,INV-1,2024-01-01,5.00,refund,",
      "Type",
      'says "refund", but the amount is positive; money that went back is negative (or map it to settlement under types)'
    ]
  ]
  for (const [when, raw, field, why] of cases) {
    it(when, async () => {
      const text = `${HEAD}\nA,INV-9,2024-01-01,1.00,,\n${raw}\nZ,INV-9,2024-01-01,1.00,,\n`
      const { documents, quarantined } = await pull({ "payments.csv": text }, payments())
      expect(ids(documents, "payment")).toEqual(["A/INV-9", "Z/INV-9"])
      const id = raw.startsWith("P") ? { id: "P" } : {}
      expect(quarantined).toEqual([{ kind: "payment", origin: "payments.csv:3", raw, field, why, ...id }])
    })
  }

  it("its amount is finer than any currency, where none is known", async () => {
    const { currency: _, ...without } = payments().payments as { currency?: string }
    const { quarantined } = await pull(
      { "payments.csv": `${HEAD}\nP,INV-1,2024-01-01,5.0001,,\n` },
      { payments: without }
    )
    expect(quarantined.map(({ why }) => why)).toEqual(['"5.0001" has more than 3 decimal places; correct it'])
  })
})

describe("a row of credit notes is quarantined when", () => {
  it("it credits nothing", async () => {
    const source = {
      credit_notes: {
        path: "notes.csv",
        columns: { id: "Note", invoice: "For", date: "Date", gross: "Gross" },
        currency: "GBP"
      }
    }
    const text = "Note,For,Date,Gross\nA,I-1,2024-01-01,-5.00\nB,I-1,2024-01-01,0\nC,I-1,2024-01-01,\n"
    const { documents, quarantined } = await pull({ "notes.csv": text }, source)
    expect(ids(documents, "credit_note")).toEqual(["A/I-1"])
    expect(quarantined.map(({ field, id, kind, why }) => [kind, id, field, why])).toEqual([
      ["credit_note", "B", "Gross", "is zero, and nothing was credited; correct it, or leave the row out"],
      ["credit_note", "C", "Gross", "is empty, and an amount is needed; write it, or leave the row out"]
    ])
  })
})
