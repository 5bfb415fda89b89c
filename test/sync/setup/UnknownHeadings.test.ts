/**
 * What columns are whose headings no program is known for: found by their contents and by calculating, and asked about wherever
 * that is not certain.
 */
import { describe, expect, it } from "vitest"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { draftOf, readAll } from "./Reading.ts"

describe("columns of unknown headings", () => {
  const invoicesOf = async (head: string, rows: ReadonlyArray<string>, answers: SetupAnswers = {}) => {
    const { documents, found } = await readAll({ "invoices.csv": [head, ...rows, ""].join("\n") }, answers)
    return { invoices: documents.filter((one) => one.kind === "invoice"), found }
  }

  for (const [number, name] of [
    ["Customer Id", "Customer Company"],
    ["Account No.", "Co./Last Name"],
    ["Kundennummer", "Firmenname des Kunden"],
    ["Numéro client", "Nom du client facturé"]
  ] as const)
    it(`is asked for the customer's name, and not called by ${JSON.stringify(number)} beside ${JSON.stringify(name)}`, async () => {
      const { found, invoices } = await invoicesOf(
        `Invoice Number,${number},E-mail,Contact Name of File,${name},Invoice Date,Due Date,Total,Currency`,
        [
          "1,C1,a@example.com,Ann,Alder Ltd,2026-10-01,2026-11-01,10.00,EUR",
          "2,C2,b@example.com,Bob,Beech Ltd,2026-10-02,2026-11-02,20.00,EUR"
        ]
      )
      expect(found.questions).toMatchObject([{ answer: "column.invoices.customer", suggestion: name }])
      expect(invoices.map(({ party }) => party.name)).toEqual(["Alder Ltd", "Beech Ltd"])
    })

  for (const asked of [
    "Gestructureerde mededeling",
    "Communication structurée",
    "Payment Reference",
    "KID",
    "OCR-nummer"
  ])
    it(`are what buyers are asked to write, by which payments name the invoice: ${asked}`, async () => {
      const { documents, found } = await readAll({
        "invoices.csv": `Invoice Number,Customer,Invoice Date,Due Date,Total,Currency,${asked}
1,Alder,2026-10-01,2026-11-01,10.00,EUR,+++090/9337/55493+++
2,Beech,2026-10-02,2026-11-02,20.00,EUR,123456782
`,
        "bank.csv": `Date,Amount,Currency,Name,Description,${asked}
2026-10-05,10.00,EUR,Alder,Overschrijving,090933755493
2026-10-06,-4.00,EUR,Bank,Kosten,
`
      })
      expect(found.questions).toEqual([])
      const [first, second, payment] = documents
      expect([first, second]).toMatchObject([{ reference: "+++090/9337/55493+++" }, { reference: "123456782" }])
      expect(payment).toMatchObject({ kind: "payment", reference: expect.stringContaining("090933755493") })
    })

  for (const open of ["Open", "Still open", "Owing", "Offen", "Open bedrag", "Aperto", "Abierto", "Ouvert"])
    it(`are what is open of an invoice: ${open}`, async () => {
      const { found, invoices } = await invoicesOf(
        `Invoice Number,Customer,Invoice Date,Due Date,Total,Currency,${open}`,
        ["1,Alder,2026-10-01,2026-11-01,10.00,EUR,10.00", "2,Beech,2026-10-02,2026-11-02,20.00,EUR,5.00"]
      )
      expect(found.questions).toEqual([])
      expect(invoices.map(({ stated }) => stated?.open)).toEqual([10_00000000n, 5_00000000n])
    })

  it("are no number of customers if all have the same", async () => {
    const { invoices } = await invoicesOf("Invoice Number,Account No.,Customer,Invoice Date,Due Date,Total,Currency", [
      "1,41000,Alder,2026-10-01,2026-11-01,10.00,EUR",
      "2,41000,Beech,2026-10-02,2026-11-02,20.00,EUR"
    ])
    expect(invoices.map(({ party }) => party.id)).toEqual([undefined, undefined])
  })

  for (const gross of [
    "Amount Including VAT",
    "Inc-Tax Amount",
    "Wert inkl. gesetzl. USt",
    "Bedrag (incl. BTW)",
    "Importe con IVA"
  ])
    it(`are the gross amount where they say that the tax is in it: ${gross}`, async () => {
      const { invoices } = await invoicesOf(`Invoice Number,Customer,Invoice Date,Due Date,Amount,${gross},Currency`, [
        "1,Alder,2026-10-01,2026-11-01,10.00,12.00,EUR",
        "2,Beech,2026-10-02,2026-11-02,20.00,24.00,EUR"
      ])
      expect(invoices.map((one) => one.gross)).toEqual([1200000000n, 2400000000n])
    })

  it("ask for the currency of rows that have none", async () => {
    const head = "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency Code"
    const rows = ["1,Alder,2026-10-01,2026-11-01,10.00,", "2,Beech,2026-10-02,2026-11-02,20.00,USD"]
    const { found } = await invoicesOf(head, rows)
    expect(found.questions).toMatchObject([
      { answer: "currency", ask: expect.stringContaining('whose "Currency Code" is empty') }
    ])
    const { invoices } = await invoicesOf(head, rows, { currency: "EUR" })
    expect(invoices.map(({ currency }) => currency)).toEqual(["EUR", "USD"])
  })

  it("ask what a refunded invoice is", async () => {
    const { found } = await invoicesOf("Invoice Number,Customer,Invoice Date,Due Date,Total,Currency,Status", [
      "1,Alder,2026-10-01,2026-11-01,10.00,EUR,Paid",
      "2,Beech,2026-10-02,2026-11-02,20.00,EUR,Refunded"
    ])
    expect(found.questions).toMatchObject([{ answer: "status.Refunded" }])
  })
})

describe("what is open", () => {
  const HEADING = "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency"
  const [first, second, third] = [
    "1,Alder,2026-10-01,2026-11-01,125.00,NOK",
    "2,Beech,2026-10-02,2026-11-02,250.00,NOK",
    "3,Cedar,2026-10-03,2026-11-03,80.00,NOK"
  ]
  const openOf = ({ documents }: Awaited<ReturnType<typeof readAll>>) =>
    documents.flatMap((one) => (one.kind === "invoice" ? [one.stated?.open] : []))

  it("is asked of two columns of unknown headings that come to the amount, and may be neither", async () => {
    const files = {
      "a.csv": [`${HEADING},Sisään,Jäljellä`, `${first},125.00,0.00`, `${second},50.00,200.00`, ""].join("\n")
    }
    const { found } = await draftOf(files)
    expect(found.questions).toMatchObject([
      { answer: "column.invoices.balance", choices: ["Sisään", "Jäljellä", "none"] }
    ])
    const said = await readAll(files, { columns: { "invoices.balance": "Jäljellä" } })
    expect(said.found.questions).toEqual([])
    expect(openOf(said)).toEqual([0n, 20000000000n])
    const none = { "invoices.balance": "none", "invoices.paid": "none" }
    expect(openOf(await readAll(files, { columns: none }))).toEqual([undefined, undefined])
  })

  it("is asked of a column that is all of some amounts and nothing of others, whatever it is called", async () => {
    const files = {
      "a.csv": [`${HEADING},Ostatok,Poplatok`, `${first},125.00,5.00`, `${second},0.00,0.00`, ""].join("\n")
    }
    const { found } = await draftOf(files)
    expect(found.questions).toMatchObject([
      {
        answer: "column.invoices.balance",
        ask: expect.stringContaining("Ostatok"),
        choices: ["Ostatok", "Poplatok", "none"]
      }
    ])
    expect(openOf(await readAll(files, { columns: { "invoices.balance": "Ostatok" } }))).toEqual([12500000000n, 0n])
  })

  it("is not asked of how old a debt is", async () => {
    const rows = [`${first},125.00,0.00,0.00`, `${second},0.00,250.00,0.00`]
    const { found } = await draftOf({ "a.csv": [`${HEADING},Current,1-30,90+`, ...rows, ""].join("\n") })
    expect(found.questions).toEqual([])
  })

  it("is not asked of columns of a net amount and its tax", async () => {
    const text = [`${HEADING},Veroton hinta,Vero`, `${first},100.00,25.00`, `${second},200.00,50.00`, ""].join("\n")
    const { found } = await draftOf({ "a.csv": text })
    expect(found.questions).toEqual([])
  })

  it("is the column that the amount less what was paid leads to, where several are called so", async () => {
    const text = [
      `${HEADING},Amount Due,Amount Paid,Amount Remaining`,
      `${first},125.00,125.00,0.00`,
      `${second},250.00,50.00,200.00`,
      `${third},80.00,0.00,80.00`,
      ""
    ].join("\n")
    expect(openOf(await readAll({ "a.csv": text }))).toEqual([0n, 20000000000n, 8000000000n])
  })

  for (const state of ["Failed", "Uncollectible", "Written off", "Refunded", "Uneinbringlich", "Oninbaar"])
    it(`says nothing of what became of a debt: ${state} is asked about`, async () => {
      for (const open of ["0.00", "250.00"]) {
        const rows = [`${first},0.00,Paid`, `${second},${open},${state}`]
        const { found } = await draftOf({ "a.csv": [`${HEADING},Balance,Status`, ...rows, ""].join("\n") })
        expect(found.questions).toMatchObject([{ answer: `status.${state}` }])
      }
    })

  it("is asked in the currency of the row, where an unknown column differs in one currency only", async () => {
    const head = "Invoice Number,Customer,Invoice Date,Due Date,Total amount,Transaction total,Currency"
    const rows = ["1,Alder,2026-10-01,2026-11-01,125.00,100.00,EUR", "2,Beech,2026-10-02,2026-11-02,250.00,250.00,USD"]
    const { found } = await draftOf({ "a.csv": [head, ...rows, ""].join("\n") })
    expect(found.questions).toMatchObject([
      { answer: "column.invoices.gross", choices: expect.arrayContaining(["Total amount", "Transaction total"]) }
    ])
  })

  it("makes a list with due days one of invoices, whatever its buyers' heading is, and no currency of a tax", async () => {
    const head = "type,id,entity,date,due,description,Incl. BTW,balance,status"
    const rows = [
      "Sales Invoice,11,Alder,2026-01-05,2026-02-04,x,120.00,0.00,paid",
      "Sales Invoice,12,Beech,2026-01-06,2026-02-05,x,60.00,60.00,approved"
    ]
    const { found } = await draftOf({ "a.csv": [head, ...rows, ""].join("\n") })
    expect(found.questions.map(({ answer }) => answer)).toEqual(["column.invoices.customer", "currency"])
  })
})

describe("an amount beside its tax, of which no heading says whether the tax is in it", () => {
  const read = async (...rows: ReadonlyArray<readonly [amount: string, tax: string]>) => {
    const lines = rows.map(([amount, tax], n) => `${n + 1},Alder,2026-10-0${n + 1},2026-11-01,${amount},${tax},EUR`)
    const head = "Invoice Number,Customer,Invoice Date,Due Date,Amount,VAT,Currency"
    const { documents } = await readAll({ "a.csv": [head, ...lines, ""].join("\n") })
    return documents.flatMap((one) => (one.kind === "invoice" ? [one.gross] : []))
  }
  it("is before tax where the tax is a rate of it", async () => {
    expect(await read(["1000.00", "190.00"], ["50.00", "9.50"], ["70.00", "0.00"])).toEqual([
      119000000000n,
      5950000000n,
      7000000000n
    ])
  })
  it("is with tax where the tax is a rate of the rest", async () => {
    expect(await read(["119.00", "19.00"], ["238.00", "38.00"])).toEqual([11900000000n, 23800000000n])
  })
})

describe("invoices of one number in two files", () => {
  const HEADING = "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency"
  const year = (n: number, ...customers: ReadonlyArray<string>) =>
    [
      HEADING,
      ...customers.map((one, at) => `${at + 1},${one},${n}-0${at + 1}-05,${n}-0${at + 2}-05,${n - 2000}.00,EUR`),
      ""
    ].join("\n")
  const files = { "2025.csv": year(2025, "Alder", "Beech"), "2026.csv": year(2026, "Cedar", "Dogwood") }

  it("for other customers and on other days are asked about, and may be two", async () => {
    const { found } = await draftOf(files)
    expect(found.questions).toMatchObject([{ answer: "numbers", choices: ["anew", "same"] }])
    const anew = await readAll(files, { numbers: "anew" })
    expect([anew.found.questions, anew.documents.length]).toEqual([[], 4])
    expect(new Set(anew.documents.map(({ id }) => id)).size).toBe(4)
    const same = await readAll(files, { numbers: "same" })
    expect(same.found.questions).toEqual([])
    expect(new Set(same.documents.map(({ id }) => id)).size).toBe(2)
  })

  it("for the same customer, or on the same day, are one that changed", async () => {
    for (const other of [year(2026, "Alder", "Beech"), year(2025, "Cedar", "Dogwood")])
      expect((await draftOf({ ...files, "2026.csv": other })).found.questions).toEqual([])
  })
})

describe("a heading that has two meanings", () => {
  const HEADING = "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency"
  const columnsOf = async (text: string) => {
    const { found } = await draftOf({ "a.csv": text })
    const [books] = [found.sources.books?.["invoices"]].flat() as Array<Record<string, unknown> | undefined>
    return { columns: books?.["columns"], terms: books?.["terms_days"], questions: found.questions }
  }

  it("means what its cells are: days are due dates, amounts were paid", async () => {
    const terms = await columnsOf(
      "Rechnungsnummer;Kunde;Rechnungsdatum;Zahlungsziel;Brutto;Währung\n1;Alder;13.01.2026;27.01.2026;50,00;EUR\n2;Beech;14.01.2026;28.01.2026;75,50;EUR\n"
    )
    expect([terms.columns, terms.terms]).toMatchObject([{ due: "Zahlungsziel" }, undefined])
    for (const [cell, field] of [
      ["2026-03-20", "settled"],
      ["100.00", "paid"]
    ] as const) {
      const { columns } = await columnsOf(
        `${HEADING},Payment Received\n1,Alder,2026-03-01,2026-03-31,100.00,GBP,${cell}\n2,Beech,2026-03-02,2026-04-01,250.50,GBP,\n`
      )
      expect(columns).toMatchObject({ [field]: "Payment Received" })
    }
  })

  it("is a state only where its cells are: not the state of an address", async () => {
    const { columns } = await columnsOf(
      `${HEADING},Status,State\n1,Alder,2026-03-01,2026-03-31,100.00,GBP,Sent,NSW\n2,Beech,2026-03-02,2026-04-01,250.50,GBP,Paid,VIC\n`
    )
    expect(columns).toMatchObject({ status: "Status" })
  })

  it("is asked about where it says that the tax is in an amount of which the tax is a rate", async () => {
    const text = `Invoice Number,Customer,Invoice Date,Due Date,Total,VAT,Currency\n1,Alder,2026-03-01,2026-03-31,100.00,19.00,GBP\n2,Beech,2026-03-02,2026-04-01,250.00,47.50,GBP\n`
    const { questions } = await columnsOf(text)
    expect(questions.map(({ answer, choices }) => [answer, choices])).toEqual([
      ["column.invoices.net", ["Total", "none"]]
    ])
    const gross = async (net: string) =>
      (await readAll({ "a.csv": text }, { columns: { "invoices.net": net } })).documents.flatMap((one) =>
        one.kind === "invoice" ? [one.gross] : []
      )
    expect(await gross("Total")).toEqual([11900000000n, 29750000000n])
    expect(await gross("none")).toEqual([10000000000n, 25000000000n])
  })

  it("is asked about where the tax is a rate of an amount and of what it leaves: 20 of 100 and of 80", async () => {
    const text =
      "Invoice Number,Customer,Invoice Date,Due Date,Amount,VAT,Currency\n1,Alder,2026-03-01,2026-03-31,100.00,20.00,GBP\n2,Beech,2026-03-02,2026-04-01,250.00,50.00,GBP\n"
    expect((await columnsOf(text)).questions.map(({ answer, choices }) => [answer, choices])).toEqual([
      ["column.invoices.net", ["Amount", "none"]]
    ])
  })
})

describe("a column of states under another heading", () => {
  it("is read as that, and what it does not say is asked", async () => {
    const text =
      "N° Facture;Client;Date;Échéance;TTC;Devise;Règlement\nF1;Alder;2026-05-13;2026-06-13;120,00;EUR;réglé\nF2;Beech;2026-05-14;2026-06-14;240,00;EUR;non réglé\nF3;Cedar;2026-05-15;2026-06-15;60,00;EUR;partiellement réglé\n"
    const { found } = await draftOf({ "a.csv": text })
    expect(found.questions.map(({ answer }) => answer)).toEqual(["status.partiellement réglé"])
    const { documents } = await readAll({ "a.csv": text }, { statuses: { "partiellement réglé": "open" } })
    expect(documents.map((one) => one.kind === "invoice" && one.status)).toEqual(["paid", "open", "open"])
  })
})

describe("dates of one table", () => {
  const written = async (...dates: ReadonlyArray<string>) => {
    const rows = dates.map((date, n) => `${n + 1},Alder,${date},${n + 1}0.00,GBP`)
    const text = ["Invoice Number,Customer,Invoice Date,Total,Currency", ...rows, ""].join("\n")
    const { found } = await draftOf({ "a.csv": text }, { terms_days: 30 })
    const invoices = found.sources.books?.["invoices"] as Record<string, unknown> | undefined
    return [invoices?.["date_format"], invoices?.["other_date_formats"]]
  }

  it("may be written in several ways, if each can be read in one only", async () => {
    expect(await written("06/10/2026", "13/10/2026", "7/10/26", "2026-10-08")).toEqual([
      "d/M/yyyy",
      ["yyyy-MM-dd", "d/M/yy"]
    ])
    expect(await written("2026-10-06", "2026-10-13", "14.10.2026")).toEqual([undefined, ["d.M.yyyy"]])
    // First a date that can be read in two ways, then a text that is not a date.
    expect(await written("2026-10-06", "2026-10-13", "3/4/2026")).toEqual([undefined, undefined])
    expect(await written("06/10/2026", "13/10/2026", "14/10/2026", "tomorrow 4")).toEqual(["d/M/yyyy", undefined])
  })
})
