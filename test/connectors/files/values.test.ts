/**
 * Values that several columns make, and rows that make one document: amounts that are added up, debit and credit, lines,
 * terms, ids, running balances, days of a zone, names in other languages.
 */
import { describe, expect, it } from "vitest"
import { Result } from "effect"
import { plain, pull, settings, write } from "./support.ts"

type Plain = ReadonlyArray<Record<string, unknown>>

const read = async (text: string, source: object) => {
  const { documents, error, notices, quarantined } = await pull({ "books.csv": text }, source)
  expect(error?.message).toBeUndefined()
  return {
    documents: plain(documents) as Plain,
    notices: notices.map(({ what }) => what),
    quarantined: quarantined.map(({ field, origin, why }) => `${origin} ${field ?? ""}: ${why}`)
  }
}

const path = "books.csv"
const base = {
  path,
  columns: { id: "No", customer: "Name", issued: "Date", gross: "Gross" },
  terms_days: 30,
  currency: "GBP"
}
const invoices = (more: object, columns: object = {}) => ({
  invoices: { ...base, ...more, columns: { ...base.columns, ...columns } }
})

describe("an amount of several columns", () => {
  it("is their sum, or a difference; empty cells count nothing", async () => {
    const text =
      'No,Name,Date,Net,VAT,Off\n1,Acme,2026-01-05,100.00,20.00,\n2,Acme,2026-01-05,"1,000.10",,5.05\n3,Acme,2026-01-05,,,\n4,Acme,2026-01-05,1.00,x,\n'
    const { documents, quarantined } = await read(text, invoices({}, { gross: { plus: ["Net", "VAT"], minus: "Off" } }))
    expect(documents.map(({ gross, id }) => [id, gross])).toEqual([
      ["1", "120.00"],
      ["2", "995.05"]
    ])
    expect(quarantined).toEqual([
      "books.csv:4 Net + VAT - Off: is empty, and an amount is needed; write it, or leave the row out",
      'books.csv:5 VAT: "x" is not an amount, with "." as the decimal separator; correct it, or set decimal'
    ])
    const list = await read(text, invoices({ where: { No: "1" } }, { gross: ["Net", "VAT"] }))
    expect(list.documents[0]!["gross"]).toBe("120.00")
  })

  it("may stand in debit and credit, or have its sign in another column", async () => {
    const text =
      "No,For,Date,In,Out\n1,A,2026-01-05,100.00,\n2,A,2026-01-06,0.00,30.00\n3,A,2026-01-06,,-5.00\n4,A,2026-01-06,1.00,2.00\n5,A,2026-01-06,-1.00,\n"
    const columns = { id: "No", invoice: "For", date: "Date", amount: { credit: "In", debit: "Out" } }
    const { documents, quarantined } = await read(text, { payments: { path, columns, currency: "GBP" } })
    expect(documents.map(({ id, kind, shares }) => [kind, id, (shares as Plain)[0]!["amount"]])).toEqual([
      ["payment", "1/A", "100.00"],
      ["reversal", "2/A", "30.00"],
      ["reversal", "3/A", "5.00"]
    ])
    expect(quarantined).toEqual([
      'books.csv:5 Out: has an amount, and so has "In"; only one of the two can (write plus and minus if both count)',
      "books.csv:6 In: is negative, and credits are not; are debit and credit swapped? Correct columns.amount"
    ])
    const signed = await read("No,For,Date,Umsatz,SH\n1,A,2026-01-05,100.00,H\n2,A,2026-01-06,30.00,S\n", {
      payments: { path, columns: { ...columns, amount: { plus: "Umsatz", negative: { SH: "S" } } }, currency: "GBP" }
    })
    expect(signed.documents.map(({ kind }) => kind)).toEqual(["payment", "reversal"])
  })
})

describe("rows of one invoice", () => {
  const text =
    "No,Name,Date,Gross,Net,Left\n1,Acme,2026-01-05,60.00,50.00,10.00\n1,,,60.00,50.00,10.00\n1,Acme,,-12.00,-10.00,\n2,Beta,2026-01-06,1.00,1.00,0\n"

  it("are added up as lines; what the others do not say is the first one's", async () => {
    const { documents, quarantined } = await read(text, invoices({ lines: "sum" }, { net: "Net" }))
    expect(quarantined).toEqual([])
    expect(documents.map(({ gross, id, net, party }) => [id, gross, net, party])).toEqual([
      ["1", "108.00", "90.00", { name: "Acme" }],
      ["2", "1.00", "1.00", { name: "Beta" }]
    ])
  })

  it("may each repeat the whole, and must agree on it then", async () => {
    const same =
      "No,Name,Date,Gross,Line\n1,Acme,2026-01-05,60.00,chair\n1,Acme,2026-01-05,60.00,rug\n2,Acme,2026-01-05,60.00,rug\n2,Acme,2026-01-05,61.00,rug\n3,Acme,2026-01-05,2.00,\n"
    const { documents, quarantined } = await read(same, invoices({ lines: "same" }))
    expect(documents.map(({ gross, id }) => [id, gross])).toEqual([
      ["1", "60.00"],
      ["3", "2.00"]
    ])
    const why =
      'says "61.00" in line 5, and "60.00" in a line before it; rows of one id must agree on it (or name it under lines.sum)'
    expect(quarantined).toEqual([`books.csv:4 Gross: ${why}`, `books.csv:5 Gross: ${why}`])
  })

  it("are all quarantined where one of them cannot be read, or may be one of them", async () => {
    const broken = text.replace("1,,,60.00,50.00,10.00", "1,,,sixty,50.00,10.00")
    const { documents, quarantined } = await read(broken, invoices({ lines: "sum" }))
    expect(documents.map(({ id }) => id)).toEqual(["2"])
    expect(quarantined).toHaveLength(3)
    const unknown = text.replace("1,,,60.00,50.00,10.00", '1,,"')
    const lost = await read(unknown, invoices({ lines: "sum" }))
    expect(lost.documents.map(({ id }) => id)).toEqual(["2"])
    expect(lost.quarantined).toHaveLength(3)
  })
})

describe("an invoice", () => {
  it("is due so many days after it was issued, as its terms say", async () => {
    const text =
      "No,Name,Date,Gross,Terms\n1,Acme,2026-01-31,1.00,Net 30\n2,Acme,2026-01-31,1.00,\n3,Acme,2026-01-31,1.00,Due on receipt\n4,Acme,2026-01-31,1.00,2% 10 Net 30\n"
    const { documents, quarantined } = await read(text, invoices({ terms_days: 14 }, { terms: "Terms" }))
    expect(documents.map(({ due, id }) => [id, due])).toEqual([
      ["1", "2026-03-02"],
      ["2", "2026-02-14"]
    ])
    expect(quarantined).toEqual([
      'books.csv:4 Terms: "Due on receipt" is not a number of days; map it under terms_days',
      'books.csv:5 Terms: "2% 10 Net 30" is not a number of days; map it under terms_days'
    ])
    const mapped = await read(
      text,
      invoices({ terms_days: { "Due on receipt": 0, "2% 10 Net 30": 30, "": 7 } }, { terms: "Terms" })
    )
    expect(mapped.documents.map(({ due }) => due)).toEqual(["2026-03-02", "2026-02-07", "2026-01-31", "2026-03-02"])
  })

  it("that is negative is a credit note where the settings say so, of the invoice that it names", async () => {
    const text =
      "No,Name,Date,Gross,Net,Credits\nCN-1,Acme,2026-01-31,-12.00,-10.00,7\nCN-2,Acme,2026-01-31,-1.00,-1.00,\n"
    const { documents, quarantined } = await read(
      text,
      invoices({ negative: "credit_note" }, { net: "Net", credits: "Credits" })
    )
    expect(documents).toEqual([
      {
        kind: "credit_note",
        id: "CN-1",
        date: "2026-01-31",
        currency: "GBP",
        shares: [{ invoice: "7", amount: "12.00", net: "10.00" }]
      }
    ])
    expect(quarantined).toEqual([
      "books.csv:3 Credits: is negative, a credit note, and names no invoice that it lowers; name the column for it under columns.credits"
    ])
  })

  it("that is paid by its status and open by its balance is quarantined: it would be reported as paid", async () => {
    const text =
      "No,Name,Date,Gross,State,Open\n1,Acme,2026-01-31,12.00,Closed,2.00\n2,Acme,2026-01-31,12.00,Closed,0.00\n"
    const paid = { statuses: { Closed: "paid" } }
    const { documents, quarantined } = await read(text, invoices(paid, { status: "State", balance: "Open" }))
    expect(documents.map(({ id, stated }) => [id, stated])).toEqual([["2", { open: "0.00" }]])
    expect(quarantined).toEqual([
      'books.csv:2 Open: says that 2.00 GBP is open, and "Closed" means paid; correct statuses or columns.balance, or the row'
    ])
  })

  it("has a balance of the source's own that is not read: a notice says so", async () => {
    const { notices } = await read("No,Name,Date,Gross,Balance Due\n1,Acme,2026-01-31,12.00,2.00\n", invoices({}))
    expect(notices).toEqual([
      'it has a column "Balance Due" that is not read; name it under source.invoices.columns.balance, so that it is compared with what was read'
    ])
  })

  it("has a column that was not there before, and that is not read: a notice says so once", async () => {
    const row = "1,Acme,2026-01-31,12.00"
    const folder = write({ [path]: `No,Name,Date,Gross\n${row}\n` })
    const first = await pull(folder, invoices({}))
    write({ [path]: `No,Name,Date,Gross,Retention\n${row},2.00\n` }, folder)
    const second = await pull(folder, invoices({}), { after: first.bookmark, later: 60_000 })
    write({ [path]: `No,Name,Date,Gross,Retention\n${row},2.00\n2,Acme,2026-01-31,3.00,0.00\n` }, folder)
    const third = await pull(folder, invoices({}), { after: second.bookmark, later: 120_000 })
    expect([first, second, third].map(({ notices }) => notices.map(({ what }) => what))).toEqual([
      [],
      [
        'it has a column not there before and not read: "Retention"; if it changes what is owed or says what was paid, name it under columns (daybook init proposes how)'
      ],
      []
    ])
  })

  it("has a country by its name in the language that is set, and its month", async () => {
    const text =
      "No,Name,Land,Date,Gross\n1,Acme,Österreich,5. März 2026,1.00\n2,Acme,Vereinigtes Königreich,31. Dez. 2026,1.00\n3,Acme,Spain,1. Januar 2026,1.00\n"
    const { documents, notices } = await read(
      text,
      invoices({ language: "de", date_format: "d. MMMM yyyy" }, { customer_country: "Land" })
    )
    expect(notices).toEqual([])
    expect(documents.map(({ issued, party }) => [issued, (party as { country: string }).country])).toEqual([
      ["2026-03-05", "AT"],
      ["2026-12-31", "GB"],
      ["2026-01-01", "ES"]
    ])
  })

  it("falls on the day of the seller's zone, where its time has one of its own", async () => {
    const text = "No,Name,Date,Gross\n1,Acme,2026-01-31 23:30:00 UTC,1.00\n2,Acme,2026-01-31 09:30:00 UTC,1.00\n"
    const { documents } = await read(text, invoices({ time_zone: "Europe/Berlin" }))
    expect(documents.map(({ issued }) => issued)).toEqual(["2026-02-01", "2026-01-31"])
    const { error } = await pull({ [path]: text }, invoices({}))
    expect(error?.message).toMatch(/set source\.invoices\.time_zone to the seller's, like "Europe\/Berlin"$/)
  })
})

describe("an id", () => {
  it("may be made of several columns", async () => {
    const { documents, quarantined } = await read(
      "No,Series,Name,Date,Gross\n1,A,Acme,2026-01-05,1.00\n1,B,Acme,2026-01-05,1.00\n2,,Acme,2026-01-05,1.00\n",
      invoices({}, { id: ["Series", "No"] })
    )
    expect(documents.map(({ id }) => id)).toEqual(["A:1", "B:1"])
    expect(quarantined).toEqual([
      "books.csv:4 Series: is empty, and is a part of the id; write it, or make the id of other columns"
    ])
  })

  it("may be made of a row's content, the same whichever rows stand around it", async () => {
    const columns = { id: { content: ["Date", "Text", "Amount"] }, reference: "Text", date: "Date", amount: "Amount" }
    const ids = async (...rows: ReadonlyArray<string>) =>
      (
        await read(`Date,Text,Amount\n${rows.join("\n")}\n`, { payments: { path, columns, currency: "GBP" } })
      ).documents.map(({ id }) => id)
    const [a, b, again] = await ids("2026-01-05,INV 1,5.00", "2026-01-05,INV 2,5.00", "2026-01-05,INV 1,5.00")
    expect(new Set([a, b, again]).size).toBe(3)
    expect(again).toBe(`${a}-2`)
    expect(await ids("2026-01-04,INV 9,5.00", "2026-01-05,INV 2,5.00", "2026-01-05,INV 1,5.00")).toEqual([
      expect.anything(),
      b,
      a
    ])
  })
})

describe("a running balance", () => {
  const columns = {
    id: { content: ["Date", "Text", "Amount"] },
    reference: "Text",
    date: "Date",
    amount: "Amount",
    balance: "Balance"
  }
  const payments = (more: object = {}) => ({ payments: { path, columns, currency: "GBP", ...more } })
  const rows = [
    "2026-01-05,a,5.00,105.00",
    "2026-01-06,b,-20.00,85.00",
    "2026-01-07,c,10.00,95.00",
    "2026-01-08,d,1.00,96.00"
  ]
  const text = (all: ReadonlyArray<string>) => `Date,Text,Amount,Balance\n${all.join("\n")}\n`

  it("that adds up says nothing, oldest first or newest first, with rows that are left out", async () => {
    for (const all of [rows, rows.toReversed(), ["2026-01-05,brought forward,,100.00", ...rows].slice(1)]) {
      const { documents, quarantined } = await read(text(all), payments({ where: { Amount: { sign: "positive" } } }))
      expect([documents.length, quarantined]).toEqual([3, []])
    }
  })

  it("that does not shows the row behind which something is missing", async () => {
    const { documents, quarantined } = await read(text(rows.filter((_, n) => n !== 1)), payments())
    expect(documents).toHaveLength(3)
    expect(quarantined).toEqual([
      "books.csv:3 Balance: is 95.00 GBP here and 105.00 GBP in the row before, and the amounts in between do not add up to the difference: a row is missing, or an amount or its sign is read wrong (export the file again, or correct columns.amount)"
    ])
  })

  it("that never adds up stops the file: the amounts are not those of the balance", async () => {
    const turned = payments({ columns: { ...columns, amount: { plus: "Amount", negative: { Text: { not: "" } } } } })
    const { documents, error } = await pull({ [path]: text(rows) }, turned)
    expect(documents).toEqual([])
    expect(error?.message).toMatch(
      /3 of the first 3 balances are not what .* correct source\.payments\.columns\.amount/
    )
  })
})

describe("columns that were taken for each other", () => {
  const text = `No,Name,Date,Due,Net,Gross\n${[1, 2, 3, 4].map((n) => `${n},Acme,2026-01-0${n},2026-02-0${n},100.00,120.00\n`).join("")}`

  it("stop the file: net and gross, issued and due", async () => {
    const wrong = async (columns: object) => (await pull({ [path]: text }, invoices({}, columns))).error?.message
    expect(await wrong({ net: "Gross", gross: "Net" })).toMatch(
      /net is more than gross in 4 of the first 4 invoices; swap/
    )
    expect(await wrong({ net: "No", gross: "Gross" })).toMatch(
      /gross is more than twice net in 4 of the first 4 invoices/
    )
    expect(await wrong({ issued: "Due", due: "Date" })).toMatch(
      /4 of the first 4 invoices are due before they are issued/
    )
    expect(await wrong({ issued: "Date", due: "Due", net: "Net" })).toBeUndefined()
  })

  it("stop it: a sign that is turned round", async () => {
    const many = `No,Name,Date,Gross\n${Array.from({ length: 24 }, (_, n) => `${n},Acme,2026-01-05,1.00\n`).join("")}`
    const { error } = await pull(
      { [path]: many },
      invoices({}, { gross: { plus: "Gross", negative: { Name: "Acme" } } })
    )
    expect(error?.message).toMatch(/the amount is negative in 24 of the first 24 invoices; turn the sign/)
  })

  it("stop it: day and month, where one row already shows it", async () => {
    const days = ["3/4/2026", "5/6/2026", "7/8/2026", "9/10/2026", "4/25/2026"]
    const dated = `No,Name,Date,Gross\n${days.map((day, n) => `${n},Acme,${day},1.00\n`).join("")}`
    const { documents, error } = await pull({ [path]: dated }, invoices({ date_format: "d/M/yyyy" }))
    expect(documents).toEqual([])
    expect(error?.message).toMatch(/to "M\/d\/yyyy"$/)
  })
})

it("a format that can match no date, a zone that is none, a language that is not known are refused", () => {
  const refused = (more: object) => Result.isFailure(settings(invoices(more)))
  expect(refused({ date_format: "yyyy-MM-dd HH:mm" })).toBe(true)
  expect(refused({ date_format: "d/M" })).toBe(true)
  expect(refused({ date_format: "d/M", year: 2026 })).toBe(false)
  expect(refused({ time_zone: "Berlin" })).toBe(true)
  expect(refused({ language: "xx" })).toBe(true)
  expect(refused({ terms_days: -1 })).toBe(true)
  const { terms_days: _, ...rest } = base
  expect(Result.isFailure(settings({ invoices: rest }))).toBe(true)
})
