/** What a statement says of its money: its state, all its texts, its balances, and how much of it is for an invoice. */
import { describe, expect, it } from "vitest"
import { pull, write } from "../../connectors/files/support.ts"
import { draftOf, readAll } from "./Reading.ts"

const BOOKS = [
  "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency",
  "INV-1,Alder,2026-09-13,2026-10-13,100.00,EUR",
  "INV-2,Beech,2026-09-14,2026-10-14,250.00,EUR",
  ""
].join("\n")

const read = async (file: string, ...lines: ReadonlyArray<string>) =>
  readAll({ "invoices.csv": BOOKS, [file]: [...lines, ""].join("\n") }, {})

const payments = ({ documents }: Awaited<ReturnType<typeof read>>) => documents.filter((one) => one.kind === "payment")

describe("money that has not come", () => {
  const PENDING: ReadonlyArray<readonly [heading: string, booked: string, pending: string]> = [
    ["Info", "Umsatz gebucht", "Umsatz vorgemerkt"],
    ["Buchungsart", "gebucht", "vorgemerkt"],
    ["Bank says", "Posted", "Pending"],
    ["Situation", "comptabilisé", "en attente"],
    ["Soort regel", "verwerkt", "in behandeling"]
  ]
  for (const [heading, booked, pending] of PENDING)
    it(`is not received, where ${JSON.stringify(heading)} says ${JSON.stringify(pending)}`, async () => {
      const found = await read(
        "bank.csv",
        `Date,Description,Amount,Currency,Balance,${heading}`,
        `2026-10-13,Alder INV-1,100.00,EUR,600.00,${booked}`,
        `2026-10-14,Power,-20.00,EUR,580.00,${booked}`,
        `2026-10-15,Beech INV-2,250.00,EUR,,${pending}`
      )
      expect(found.found.questions.filter(({ suggestion }) => suggestion === undefined)).toEqual([])
      expect(payments(found)).toMatchObject([{ reference: "Alder INV-1" }])
    })
})

it("an invoice is looked for in every text of a statement", async () => {
  const found = await read(
    "bank.csv",
    "Buchungstag;Buchungstext;Verwendungszweck;Kundenreferenz (End-to-End);Begünstigter / Auftraggeber;Betrag;Währung",
    "13.10.2026;GUTSCHRIFT;INV-1;NOTPROVIDED;Alder;100,00;EUR",
    "14.10.2026;GUTSCHRIFT;Danke;INV-2;Beech;250,00;EUR",
    "15.10.2026;LASTSCHRIFT;Strom;;Power;-20,00;EUR"
  )
  const texts = payments(found).map((one) => ("reference" in one ? one.reference : ""))
  expect(texts.map((text) => /INV-\d/.exec(text ?? "")?.[0])).toEqual(["INV-1", "INV-2"])
})

it("a column that names invoices of the other file is a text, whatever it is called", async () => {
  const found = await read(
    "bank.csv",
    "Date,Description,Amount,Currency,Zusatz",
    "2026-10-13,Credit,100.00,EUR,your INV-1",
    "2026-10-14,Credit,250.00,EUR,INV-2/thanks"
  )
  expect(payments(found)).toMatchObject([{ reference: "Credit your INV-1" }, { reference: "Credit INV-2/thanks" }])
})

it("a bank's number of a payment without an invoice is not taken for one", async () => {
  const head = "Payment ID,Date,Customer Name,Invoice Number,Amount,Reference Number,Currency Code"
  const named = await read(
    "receipts.csv",
    head,
    "P1,2026-10-13,Alder,INV-1,100.00,TR1,EUR",
    "P2,2026-10-14,Beech,,60.00,TR2,EUR"
  )
  expect(payments(named)).toMatchObject([
    { shares: [{ invoice: "INV-1" }] },
    { shares: [], unallocated: 6000000000n, party: { name: "Beech" } }
  ])
  const found = await read(
    "receipts.csv",
    head,
    "P1,2026-10-13,Alder,INV-1,100.00,TR1,EUR",
    "P2,2026-10-14,Beech,,60.00,INV-2,EUR"
  )
  expect(payments(found)).toMatchObject([{ shares: [{ invoice: "INV-1" }] }, { shares: [{ invoice: "INV-2" }] }])
})

it("money that went back has the text of its line", async () => {
  const found = await read(
    "bank.csv",
    "Date,Description,Amount,Currency",
    "2026-10-13,Alder INV-1,100.00,EUR",
    "2026-10-20,returned unpaid INV-1,-100.00,EUR"
  )
  expect(found.documents.filter(({ kind }) => kind === "reversal")).toMatchObject([
    { details: "returned unpaid INV-1" }
  ])
})

describe("an unused amount", () => {
  const HEAD = "Payment Number,Date,Customer Name,Invoice Number,Amount,Unused Amount,Currency Code"
  it("is not for the invoice of its row", async () => {
    const found = await read(
      "receipts.csv",
      HEAD,
      "1,2026-10-13,Alder,INV-1,150.00,50.00,EUR",
      "2,2026-10-14,Beech,INV-2,250.00,0.00,EUR",
      "3,2026-10-15,Beech,,60.00,60.00,EUR"
    )
    expect(payments(found)).toMatchObject([
      { shares: [{ invoice: "INV-1", amount: 10000000000n }], unallocated: 5000000000n },
      { shares: [{ invoice: "INV-2", amount: 25000000000n }] },
      { shares: [], unallocated: 6000000000n }
    ])
  })

  it("above the payment quarantines its row", async () => {
    const { quarantined } = await read("receipts.csv", HEAD, "1,2026-10-13,Alder,INV-1,50.00,150.00,EUR")
    expect(quarantined).toEqual(["receipts.csv:2: is 150.00 EUR, and the payment is 50.00 EUR; correct one of both"])
  })
})

describe("a payment of several invoices, with what was applied of it in each row", () => {
  const HEAD = "Payment Number,Date,Customer Name,Currency Code,Amount,Invoice Number,Amount Applied to Invoice"
  const alder = ["7,2026-10-13,Alder,EUR,400.00,INV-1,100.00", "7,2026-10-13,Alder,EUR,400.00,INV-2,250.00"] as const
  const other = "8,2026-10-14,Beech,EUR,60.00,,"
  const left = { id: "7", shares: [], unallocated: 5000000000n, party: { name: "Alder" } }

  it("leaves the rest of it for no invoice yet, wherever its rows stand", async () => {
    for (const rows of [
      [...alder, other],
      [alder[0], other, alder[1]]
    ]) {
      const found = await read("receipts.csv", HEAD, ...rows)
      expect(found.quarantined).toEqual([])
      const all = payments(found)
      expect(all.filter(({ id }) => id === "7")).toMatchObject([left])
      expect(all.map(({ id }) => id).toSorted()).toEqual(["7", "7/INV-1", "7/INV-2", "8"])
    }
  })

  it("leaves nothing where all of it was applied", async () => {
    const found = await read("receipts.csv", HEAD, ...alder.map((row) => row.replace("400.00", "350.00")), other)
    expect(payments(found).map(({ id }) => id)).toEqual(["7/INV-1", "7/INV-2", "8"])
  })

  it("has no whole where a row of it failed: what failed is not for no invoice", async () => {
    const rows = [`${alder[0]},Received`, `${alder[1]},Failed`, `${other},Received`]
    const found = await read("receipts.csv", `${HEAD},Status`, ...rows)
    expect(payments(found).map(({ id }) => id)).toEqual(["7/INV-1", "8"])
  })

  it("is not asked for more than it was: then the column is no whole, and is not taken for one", async () => {
    const found = await read("receipts.csv", HEAD, ...alder.map((row) => row.replace("400.00", "300.00")), other)
    expect(payments(found).map(({ id }) => id)).toEqual(["7/INV-1", "7/INV-2", "8"])
  })

  const columns = {
    ...{ id: "Payment Number", invoice: "Invoice Number", date: "Date", customer: "Customer Name" },
    ...{ amount: "Amount Applied to Invoice", currency: "Currency Code", total: "Amount" }
  }
  const readWhole = async (rows: ReadonlyArray<string>) => {
    const folder = write({ "receipts.csv": [HEAD, ...rows, ""].join("\n") })
    const found = await pull(folder, { payments: { path: "receipts.csv", columns } })
    return { ids: found.documents.map(({ id }) => id), why: found.quarantined.map(({ why }) => why).join("\n") }
  }
  const [first, second] = alder
  const WRONG: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>, string]> = [
    [
      "come to more than it",
      alder.map((row) => row.replace("400.00", "300.00")),
      ["7/INV-1", "7/INV-2"],
      'is 300.00 EUR, and the rows of "7" come to 350.00 EUR'
    ],
    ["differ in it", [first, second.replace("400.00", "500.00")], ["7/INV-1", "7/INV-2"], "is 500.00 EUR in line 3"],
    ["cannot be read", [first, second.replace(",250.00", ",tbc")], ["7/INV-1"], "of which one could not be read"],
    ["cannot be read, first", [first.replace(",100.00", ",tbc"), second], ["7/INV-2"], "could not be read for"],
    [
      "were complete further up",
      [first.replace("400.00", "100.00"), other.replace(",,", ",INV-2,60.00"), second],
      ["7/INV-1", "8/INV-2", "7/INV-2"],
      'which other rows of "7" used up'
    ]
  ]
  for (const [how, rows, ids, why] of WRONG)
    it(`is quarantined, and no rest made up, where its rows ${how}`, async () => {
      const found = await readWhole(rows)
      expect(found.ids).toEqual(ids)
      expect(found.why).toContain(why)
    })
})

describe("balances", () => {
  const rows = ["13,100.00,7.00", "14,-20.00,9.00", "15,250.00,11.00", "16,30.00,13.00", "17,40.00,15.00"].map(
    (one) => {
      const [day, amount, balance] = one.split(",")
      return `2026-10-${day},Somebody INV-1,${amount},EUR,${balance}`
    }
  )
  const files = { "bank.csv": ["Date,Description,Amount,Currency,Balance", ...rows, ""].join("\n") }

  it("that do not follow from the amounts are asked about, and may be left out", async () => {
    const { found: asked } = await draftOf(files)
    expect(asked.questions).toMatchObject([
      { flag: "--column payments.balance=none", ask: expect.stringContaining("In 4 of 4 rows of bank.csv") }
    ])
    const { documents, found } = await readAll(files, { columns: { "payments.balance": "none" } })
    expect(found.questions).toEqual([])
    expect(documents.filter(({ kind }) => kind === "payment")).toHaveLength(4)
  })

  it("of an invoice in a list by type are no balances of an account", async () => {
    const { quarantined } = await readAll(
      {
        "ageing.csv": [
          "Customer,Date,Transaction type,Num,Due date,Amount,Open balance,Currency",
          "Alder,13/09/2026,Invoice,1001,13/10/2026,100.00,40.00,EUR",
          "Dogwood,14/09/2026,Payment,,14/09/2026,-30.00,-30.00,EUR",
          "Dogwood,15/09/2026,Payment,,15/09/2026,-10.00,-10.00,EUR",
          "Dogwood,16/09/2026,Payment,,16/09/2026,-20.00,-20.00,EUR",
          "Dogwood,17/09/2026,Payment,,17/09/2026,-25.00,-25.00,EUR",
          ""
        ].join("\n")
      },
      {}
    )
    expect(quarantined).toEqual([])
  })
})

it("days with dots begin with the day", async () => {
  const found = await read(
    "bank.csv",
    "Buchungstag;Verwendungszweck;Betrag;Währung",
    "01.10.2026;Alder INV-1;100,00;EUR",
    "02.10.2026;Power;-20,00;EUR"
  )
  expect(found.found.questions).toEqual([])
  expect(payments(found)).toMatchObject([{ date: "2026-10-01" }])
})

describe("an invoice that was not sent", () => {
  for (const state of ["Unsent", "Not sent", "nicht versendet", "non envoyée"])
    it(`is asked about: ${state}`, async () => {
      const list = `Number,Customer,Invoice Date,Due Date,Total,Amount Due,Currency,Status\n1,Alder,2026-09-13,2026-10-13,100.00,100.00,EUR,${state}\n2,Beech,2026-09-14,2026-10-14,250.00,0.00,EUR,Paid\n`
      const { found } = await draftOf({ "invoices.csv": list })
      expect(found.questions).toMatchObject([
        { answer: `status.${state}`, ask: expect.stringContaining("no more than a draft") }
      ])
    })
})

it("a known export that lacks a column asks for it, and not the configuration", async () => {
  const activity =
    "No,Type,Date,Due on,Ref,Details,Amount,O/S,Debit,Credit\n101,SI,13/09/2026,13/10/2026,INV-1,Goods,100.00,0.00,100.00,\n"
  const { found } = await draftOf({ "activity.csv": activity }, { currency: "GBP" })
  expect(found.questions.map(({ flag }) => flag)).toContain("--column invoices.customer=HEADING")
})

describe("a list of a processor beside the invoices", () => {
  const HEAD = "type,capture_date,currency_code,order_id,merchant_reference1,amount"
  const rows = [
    "SALE,2026-10-15,EUR,o1,INV-1,100.00",
    "FEE,2026-10-15,EUR,o1,INV-1,-3.57",
    "SALE,2026-10-16,EUR,o2,INV-2,250.00",
    "REVERSAL,2026-10-19,EUR,o2,INV-2,-250.00"
  ]
  it("names invoices in a column of any heading, has sales as payments, and is asked what a fee is", async () => {
    const answers = { types: { FEE: "left_out" } } as const
    const files = { "invoices.csv": BOOKS, "settlement.csv": [HEAD, ...rows, ""].join("\n") }
    const { found: asked } = await draftOf(files)
    expect(asked.questions.map(({ answer }) => answer)).toEqual(["type.FEE"])
    const { documents, quarantined } = await readAll(files, answers)
    expect(quarantined).toEqual([])
    expect(documents.filter(({ kind }) => kind !== "invoice")).toMatchObject([
      { kind: "payment", shares: [{ invoice: "INV-1", amount: 10000000000n }] },
      { kind: "payment", shares: [{ invoice: "INV-2", amount: 25000000000n }] },
      { kind: "reversal", shares: [{ invoice: "INV-2", amount: 25000000000n }] }
    ])
  })
})
