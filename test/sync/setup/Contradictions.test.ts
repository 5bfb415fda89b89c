/** What contradicts itself, or may mean two things, waits or is asked about: marks under unknown headings, states, amounts, currencies. */
import { describe, expect, it } from "vitest"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { readAll } from "./Reading.ts"

const HEAD = "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency"
const textOf = (heading: string, marks: ReadonlyArray<string>) =>
  [
    `${HEAD},${heading}`,
    ...marks.map((mark, n) => `${n + 1},Alder,2026-10-0${n + 1},2026-11-0${n + 1},100.00,EUR,${mark}`),
    ""
  ].join("\n")
const read = async (heading: string, marks: ReadonlyArray<string>, answers?: SetupAnswers) => {
  const { documents, found } = await readAll({ "a.csv": textOf(heading, marks) }, answers)
  return { asked: found.questions, states: documents.map((one) => (one.kind === "invoice" ? one.status : one.kind)) }
}

describe("a column of marks", () => {
  for (const heading of [
    "Opłacona",
    "Zapłacono",
    "Uhrazena",
    "Pagata",
    "Erledigt",
    "Beglichen",
    "Acquittée",
    "Is settled",
    "Voldaan?",
    "Maksettu"
  ])
    it(`says what is paid: ${heading}`, async () => {
      const { asked, states } = await read(heading, ["x", "", "x"])
      expect([asked, states]).toEqual([[], ["paid", "open", "paid"]])
    })

  for (const heading of ["Storniert", "Makulerad", "Cancelada", "Stornována"])
    it(`says what was cancelled: ${heading}`, async () => {
      const { asked, states } = await read(heading, ["x", "", ""])
      expect([asked, states]).toEqual([[], ["open", "open"]])
    })

  for (const [heading, marks] of [
    ["Uregulowane", ["x", "", "x"]],
    ["Fertig", ["ja", "nein", "nein"]],
    ["XYZ", ["no", "no", "no"]]
  ] as const)
    it(`is asked about where nobody knows its heading: ${heading}`, async () => {
      const { asked } = await read(heading, marks)
      expect(asked).toMatchObject([{ answer: "column.invoices.status", choices: [heading, "none"] }])
      expect(asked[0]?.suggestion).toBe(undefined)
      const said = await read(heading, marks, { columns: { "invoices.status": heading } })
      expect([said.asked, said.states]).toEqual([[], marks.map((m) => (m === "x" || m === "ja" ? "paid" : "open"))])
      const none = await read(heading, marks, { columns: { "invoices.status": "none" } })
      expect([none.asked, none.states]).toEqual([[], ["open", "open", "open"]])
    })

  it("is not asked about where it is of something else, or a state says what became of them", async () => {
    for (const heading of ["Reverse charge", "Recurring", "Exported", "Printed", "Gemahnt"])
      expect((await read(heading, ["yes", "no", "no"])).asked).toEqual([])
    expect((await read("Status,XYZ", ["Sent,x", "Paid,", "Sent,"])).asked).toEqual([])
  })
})

describe("a state that a balance contradicts", () => {
  const statesOf = async (rows: ReadonlyArray<string>) => {
    const text = [
      `${HEAD},Status,Balance Due`,
      ...rows.map((row, n) => `${n + 1},Alder,2026-10-01,2026-11-01,100.00,EUR,${row}`)
    ]
    const { documents, found, quarantined } = await readAll({ "a.csv": `${text.join("\n")}\n` })
    const asked = found.questions.map(({ answer }) => answer)
    return { asked, quarantined, ids: documents.map((one) => one.id) }
  }

  it("holds its row back, and the others of that state are paid", async () => {
    const { asked, ids, quarantined } = await statesOf(["Paid,0.00", "Paid,100.00", "Sent,100.00"])
    expect([asked, ids]).toEqual([[], ["1", "3"]])
    expect(quarantined).toEqual([
      expect.stringMatching(/^a\.csv:3: says that 100\.00 EUR is open, and "Paid" means paid/)
    ])
  })

  it("is asked about where that is so in each of its rows", async () => {
    expect((await statesOf(["Paid,100.00", "Paid,40.00", "Sent,100.00"])).asked).toEqual(["status.Paid"])
  })
})

describe("a row without the whole amount", () => {
  it("waits, and its net amount is not taken for it", async () => {
    for (const [head, rows] of [
      ["Net,VAT,Total", ["100.00,20.00,120.00", "50.00,10.00,", "10.00,2.00,12.00"]],
      ["Net,Total", ["100.00,120.00", "50.00,", "10.00,12.00"]]
    ] as const) {
      const text = [
        `Invoice Number,Customer,Invoice Date,Due Date,Currency,${head}`,
        ...rows.map((row, n) => `${n + 1},Alder,2026-10-01,2026-11-01,EUR,${row}`)
      ].join("\n")
      const { documents, found, quarantined } = await readAll({ "a.csv": `${text}\n` })
      expect([found.questions, documents.map(({ id }) => id)]).toEqual([[], ["1", "3"]])
      expect(quarantined).toEqual([expect.stringMatching(/^a\.csv:3: is empty/)])
    }
  })
})

describe("a state that nobody knows", () => {
  it("is asked about also where nothing is open of its rows: it may be paid, or cancelled", async () => {
    const text = `${HEAD},Status,Balance Due\n1,Alder,2026-10-01,2026-11-01,100.00,EUR,Q7,0.00\n2,Alder,2026-10-01,2026-11-01,100.00,EUR,Sent,100.00\n`
    const { found } = await readAll({ "a.csv": text })
    expect(found.questions.map(({ answer }) => answer)).toEqual(["status.Q7"])
  })
})

describe("a cell of two currencies", () => {
  it("is none", async () => {
    const text = `${HEAD}\n1,Alder,2026-10-01,2026-11-01,100.00,EUR\n2,Alder,2026-10-01,2026-11-01,50.00,EURO GBP\n3,Alder,2026-10-01,2026-11-01,20.00,USD (US Dollar)\n`
    const { documents, quarantined } = await readAll({ "a.csv": text })
    expect(documents.map((one) => "currency" in one && one.currency)).toEqual(["EUR", "USD"])
    expect(quarantined).toEqual([expect.stringMatching(/^a\.csv:3: .*EURO GBP/)])
  })
})

describe("a column of amounts", () => {
  const documentsOf = async (head: string, rows: ReadonlyArray<string>, answers?: SetupAnswers) => {
    const { documents, found } = await readAll({ "a.csv": [head, ...rows, ""].join("\n") }, answers)
    return {
      asked: found.questions.map(({ answer }) => answer),
      invoices: documents.filter((one) => one.kind === "invoice")
    }
  }

  it("is what is open, and not the whole amount, where it is nothing in some rows and net with tax in all others", async () => {
    for (const [tax, first] of [
      ["20", "20"],
      ["20.00", "10.00"]
    ] as const) {
      const { asked, invoices } = await documentsOf(
        "Numer faktury;Klient;Data wystawienia;Termin płatności;Waluta;Netto;VAT;Do zapłaty",
        [
          `1;Alder;2026-10-01;2026-11-01;PLN;100.00;${tax};120.00`,
          `2;Alder;2026-10-01;2026-11-01;PLN;50.00;${first};60.00`,
          `3;Alder;2026-10-01;2026-11-01;PLN;50.00;${first};0.00`,
          `4;Alder;2026-10-01;2026-11-01;PLN;50.00;${first};0.00`
        ]
      )
      expect(asked).toEqual([])
      expect(invoices.map(({ gross, stated }) => [gross, stated?.open].map((one) => Number(one) / 1e8))).toEqual([
        [120, 120],
        [60, 60],
        [60, 0],
        [60, 0]
      ])
    }
  })

  it("is not a balance because it is all of what is open, and never where it is in another currency", async () => {
    const head = "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency,Status"
    const rows = ["1,A,2026-10-01,2026-11-01,10.00,EUR,Sent,10.00", "2,B,2026-10-02,2026-11-02,20.00,EUR,Sent,20.00"]
    expect((await documentsOf(`${head},Xyz`, rows)).asked).toEqual(["column.invoices.balance"])
    const { asked, invoices } = await documentsOf(`${head},Total (EUR)`, rows)
    expect([asked, invoices.map(({ stated }) => stated)]).toEqual([[], [undefined, undefined]])
  })
})

describe("a contact", () => {
  it("is not the buyer whose heading is of another language", async () => {
    const text =
      "Contact;Klient;Numer faktury;Data wystawienia;Termin płatności;Brutto;Waluta\nAnn;Alder Sp. z o.o.;1;2026-10-01;2026-11-01;10.00;PLN\nBob;Beech Sp. z o.o.;2;2026-10-01;2026-11-01;20.00;PLN\n"
    const { documents } = await readAll({ "a.csv": text })
    expect(documents.map((one) => "party" in one && one.party?.name)).toEqual(["Alder Sp. z o.o.", "Beech Sp. z o.o."])
  })
})

describe("totals as German and Dutch spreadsheets name them", () => {
  for (const [group, all] of [
    ["Alder Ergebnis", "Gesamtergebnis"],
    ["Alder Totaal", "Eindtotaal"]
  ] as const)
    it(`are no invoices, and no currency is asked for: ${all}`, async () => {
      const text = `${HEAD}\n1,Alder,2026-10-01,2026-11-01,100.00,EUR\n2,Alder,2026-10-02,2026-11-01,50.00,EUR\n,${group},,,150.00,\n${all},,,,150.00,\n`
      const { documents, found, quarantined } = await readAll({ "a.csv": text })
      expect([found.questions, quarantined, documents.map(({ id }) => id)]).toEqual([[], [], ["1", "2"]])
    })
})
