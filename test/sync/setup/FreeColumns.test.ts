/**
 * Columns of amounts and days whose headings nobody knows: what could be the open balance, what was paid, or the day on which an
 * invoice is due or was paid is asked about, and what a column did not say when it was set up is not believed later.
 */
import { describe, expect, it } from "vitest"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { pull } from "../../connectors/files/support.ts"
import { draftOf, readAll } from "./Reading.ts"

const HEAD = "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency"
const whole = (n: number) => (n * 119 + 0.5).toFixed(2)
const row = (n: number, ...more: ReadonlyArray<string>) =>
  [n, `Customer ${n}`, `2026-10-0${n}`, `2026-11-0${n}`, whole(n), "EUR", ...more].join(",")
const textOf = (heading: string, cells: ReadonlyArray<string>) =>
  [`${HEAD},${heading}`, ...cells.map((cell, n) => row(n + 1, cell)), ""].join("\n")
const asked = async (heading: string, cells: ReadonlyArray<string>, answers?: SetupAnswers) =>
  (await draftOf({ "a.csv": textOf(heading, cells) }, answers)).found.questions
const settingsOf = async (text: string, answers?: SetupAnswers) => {
  const { found } = await draftOf({ "a.csv": text }, answers)
  const { connector: _, ...settings } = found.sources.books ?? { connector: "files" }
  return { found, settings, invoices: settings["invoices"] as Record<string, unknown> }
}
const asBalance = [{ answer: "column.invoices.balance", choices: ["Xyz", "none"] }]

describe("an unused column of amounts under a heading that nobody knows", () => {
  for (const [what, cells] of [
    ["less in some rows", [whole(1), "100.00", whole(3)]],
    ["less in all rows", ["20.00", "100.00", "7.50"]],
    ["nothing in some rows", ["0.00", "100.00", "7.50"]],
    ["empty in some rows", ["", "100.00", ""]],
    ["empty, or all of it", ["", whole(2), ""]],
    ["all of it in each row", [whole(1), whole(2), whole(3)]],
    ["nothing in each row", ["0.00", "0.00", "0.00"]],
    ["typed without cents", ["0", "100", "0"]],
    ["more than it in one row", [whole(1), "400.00", "0.00"]],
    ["a text in one row", [whole(1), "see note", "0.00"]],
    ["below zero", [`-${whole(1)}`, "0.00", "-50.00"]]
  ] as const)
    it(`is asked about, with no answer of its own: ${what}`, async () => {
      const questions = await asked("Xyz", cells)
      expect(questions).toMatchObject(asBalance)
      expect(questions[0]?.suggestion).toBe(undefined)
      const paid = await asked("Xyz", cells, { columns: { "invoices.balance": "none" } })
      expect(paid).toMatchObject([{ answer: "column.invoices.paid", choices: ["Xyz", "none"] }])
      expect(paid[0]?.suggestion).toBe(undefined)
      const none = { columns: { "invoices.balance": "none", "invoices.paid": "none" } }
      expect(await asked("Xyz", cells, none)).toEqual([])
      expect(await asked("Xyz", cells, { columns: { "invoices.balance": "Xyz" } })).toEqual([])
    })

  it("is asked about where net and tax come to the amount, and no column has the whole", async () => {
    const head = "Invoice Number,Customer,Invoice Date,Due Date,Net,VAT,Currency,Xyz"
    const rows = ["1,A,2026-10-01,2026-11-01,100.00,19.00,EUR,119.00", "2,B,2026-10-02,2026-11-02,50.00,9.50,EUR,40.00"]
    const { found } = await draftOf({ "a.csv": [head, ...rows, ""].join("\n") })
    expect(found.questions.map(({ answer }) => answer)).toContain("column.invoices.balance")
  })

  for (const [what, heading, cells] of [
    ["more than the amount", "Xyz", ["1000.00", "2000.00", "3000.00"]],
    ["a number of pieces", "Xyz", ["1", "12", "3"]],
    ["a rate of exchange", "Xyz", ["1.08542", "1.08123", "1.09321"]],
    ["postage", "Shipping", ["5.00", "0.00", "5.00"]],
    ["how late it is", "Days overdue", ["0", "12", "3"]]
  ] as const)
    it(`is not asked about where it is ${what}`, async () => {
      expect(await asked(heading, cells)).toEqual([])
    })

  it("is no question where the states of the rows say which it is", async () => {
    const text = (states: ReadonlyArray<string>, cells: ReadonlyArray<string>) =>
      [`${HEAD},Status,Xyz`, ...cells.map((cell, n) => row(n + 1, states[n] ?? "", cell)), ""].join("\n")
    const columnsOf = async (states: ReadonlyArray<string>, cells: ReadonlyArray<string>) => {
      const { found, invoices } = await settingsOf(text(states, cells))
      const { balance, paid } = invoices["columns"] as Record<string, unknown>
      return { balance, paid, asked: found.questions.map(({ answer }) => answer) }
    }
    const nothing = { balance: undefined, paid: undefined }
    expect(await columnsOf(["Paid", "Sent", "Sent"], ["0.00", "100.00", whole(3)])).toEqual({
      ...nothing,
      balance: "Xyz",
      asked: []
    })
    expect(await columnsOf(["Paid", "Sent", "Sent"], [whole(1), "100.00", "0.00"])).toEqual({
      ...nothing,
      paid: "Xyz",
      asked: []
    })
    // The same in every row, whatever became of the invoice.
    expect(await columnsOf(["Paid", "Sent", "Sent"], ["0.00", "0.00", "0.00"])).toEqual({ ...nothing, asked: [] })
  })
})

describe("what a column did not say when it was set up", () => {
  const NONE = { columns: { "invoices.balance": "none", "invoices.paid": "none" } }
  const quarantinedLater = async (heading: string, before: string, after: string, head = HEAD) => {
    const first = [`${head},${heading}`, row(1, before), row(2, before), ""].join("\n")
    const { settings, invoices } = await settingsOf(first, NONE)
    const { folder } = await draftOf({ "a.csv": [`${head},${heading}`, row(1, before), row(2, after), ""].join("\n") })
    const read = await pull(folder, settings)
    const why = read.quarantined.map(({ field, why }) => `${field} ${why}`)
    return { unused: invoices["unused"], why, documents: read.documents.length }
  }

  for (const [what, before, after] of [
    ["empty, and then an amount", "", "40.00"],
    ["empty, and then nothing of it", "", "0.00"],
    ["empty, and then a day", "", "2026-10-20"],
    ["nothing, and then an amount", "0.00", "40.00"],
    ["nothing, and then all of it", "0.00", whole(2)]
  ] as const)
    it(`holds a row back that says otherwise: ${what}`, async () => {
      const { documents, unused, why } = await quarantinedLater("Xyz", before, after)
      expect([Object.keys(unused ?? {}), documents]).toEqual([["Xyz"], 1])
      expect(why).toEqual([expect.stringMatching(/Xyz.*(?:columns\.(?:paid|due)).*unused/s)])
    })

  it("holds a row back whose whole amount is not there any more", async () => {
    const first = textOf("Xyz", [whole(1), whole(2)])
    const { settings } = await settingsOf(first, NONE)
    for (const cell of ["40.00", "0.00", ""]) {
      const { folder } = await draftOf({ "a.csv": textOf("Xyz", [whole(1), cell]) })
      expect((await pull(folder, settings)).quarantined.map(({ field }) => field)).toEqual(["Xyz"])
    }
  })

  for (const after of ["paid by card", "PO-4711", "4500012345", "x"])
    it(`is nothing to hold a row back where it is a text: ${after}`, async () => {
      expect(await quarantinedLater("Xyz", "", after)).toMatchObject({ why: [], documents: 2 })
    })

  for (const [heading, field, cell, stated] of [
    ["Amount Paid", "paid", "40.00", { paid: 4000000000n }],
    ["Balance", "balance", "40.00", { open: 4000000000n }],
    ["Paid On", "settled", "2026-10-20", undefined],
    ["Status", "status", "Paid", undefined]
  ] as const)
    it(`is read later where its heading is known: ${heading}`, async () => {
      const { invoices, settings } = await settingsOf(textOf(heading, ["", ""]))
      expect(invoices["columns"]).toMatchObject({ [field]: heading })
      const { folder } = await draftOf({ "a.csv": textOf(heading, ["", cell]) })
      const { documents, quarantined } = await pull(folder, settings)
      expect(quarantined).toEqual([])
      const second = documents.find((one) => one.kind === "invoice" && one.id === "2")
      if (stated !== undefined) expect(second).toMatchObject({ stated })
      else if (field === "status") expect(second).toMatchObject({ status: "paid" })
      else expect(documents.map(({ kind }) => kind)).toContain("payment")
    })
})

describe("an unused column of days under a heading that nobody knows", () => {
  const SHORT = "Invoice Number,Customer,Invoice Date,Total,Currency"
  const days = (heading: string, cells: ReadonlyArray<string>, head = SHORT) =>
    [
      `${head},${heading}`,
      ...cells.map((cell, n) => `${n + 1},A,2026-10-0${n + 1},${whole(n + 1)},EUR,${cell}`),
      ""
    ].join("\n")

  it("may be when an invoice is due: nothing is assumed, and no number of days is asked for beside", async () => {
    const text = days("Xyz", ["2026-10-15", "2026-10-16", "2026-10-17"])
    const { found } = await draftOf({ "a.csv": text })
    expect(found.questions).toMatchObject([{ answer: "column.invoices.due", choices: ["Xyz", "none"] }])
    expect(found.questions[0]?.suggestion).toBe(undefined)
    const { documents } = await readAll({ "a.csv": text }, { columns: { "invoices.due": "Xyz" } })
    expect(documents.map((one) => one.kind === "invoice" && one.due)).toEqual([
      "2026-10-15",
      "2026-10-16",
      "2026-10-17"
    ])
    const none = await draftOf({ "a.csv": text }, { columns: { "invoices.due": "none" } })
    expect(none.found.questions.map(({ answer }) => answer)).toEqual(["column.invoices.settled", "terms_days"])
  })

  it("may be when it was paid, in some rows or in all", async () => {
    for (const cells of [
      ["2026-10-15", "", ""],
      ["2026-10-15", "2026-10-16", "2026-10-17"]
    ]) {
      const questions = await asked("Xyz", cells)
      expect(questions).toMatchObject([{ answer: "column.invoices.settled", choices: ["Xyz", "none"] }])
      expect(questions[0]?.suggestion).toBe(undefined)
    }
  })

  it("is neither where it is before the day of issue", async () => {
    const text = days("Xyz", ["2026-09-15", "2026-09-16", "2026-09-17"])
    const { found } = await draftOf({ "a.csv": text })
    expect(found.questions.map(({ answer }) => answer)).toEqual(["terms_days"])
  })

  for (const heading of ["Delivery Date", "Leistungsdatum", "Created", "Last modified", "Sent at"])
    it(`is neither where it is called ${heading}`, async () => {
      expect(await asked(heading, ["2026-10-15", "2026-10-16", "2026-10-17"])).toEqual([])
    })
})

describe("payments over several invoices, whose rows repeat the whole amount", () => {
  const invoices = ["Invoice Number,Customer,Invoice Date,Due Date,Total,Currency", row(1), row(2), ""].join("\n")
  const list = (...parts: ReadonlyArray<string>) =>
    [
      "Payment ID,Payment Date,Invoice Number,Amount,Currency,Xyz",
      ...parts.map((part, n) => `P1,2026-10-20,${n + 1},358.00,EUR,${part}`),
      ""
    ].join("\n")
  const paidOf = (documents: Awaited<ReturnType<typeof readAll>>["documents"]) =>
    documents.flatMap((one) => (one.kind === "payment" ? one.shares.map(({ amount }) => amount) : []))

  it("are applied as the column says that comes to it, whatever it is called", async () => {
    const { documents, found } = await readAll({ "invoices.csv": invoices, "payments.csv": list("119.50", "238.50") })
    expect([found.questions, paidOf(documents)]).toEqual([[], [11950000000n, 23850000000n]])
    expect(JSON.stringify(found.decisions)).toContain("is what was applied to each invoice")
  })

  it("are asked about where no column comes to it", async () => {
    const files = { "invoices.csv": invoices, "payments.csv": list("100.00", "200.00") }
    const { found } = await draftOf(files)
    expect(found.questions).toMatchObject([{ answer: "column.payments.amount", choices: ["Amount", "Xyz"] }])
    const { documents } = await readAll(files, { columns: { "payments.amount": "Xyz" } })
    expect(paidOf(documents)).toEqual([10000000000n, 20000000000n])
  })
})

describe("payments with an amount under a heading that nobody knows", () => {
  const list = (heading: string, ...cells: ReadonlyArray<string>) =>
    [
      `Payment ID,Payment Date,Invoice Number,Amount,Currency,${heading}`,
      ...cells.map((cell, n) => `P${n + 1},2026-10-2${n},${n + 1},${whole(n + 1)},EUR,${cell}`),
      ""
    ].join("\n")
  const invoices = [HEAD, row(1), row(2), ""].join("\n")

  it("are asked whether it is what went back", async () => {
    const files = { "invoices.csv": invoices, "payments.csv": list("Xyz", "0.00", whole(2)) }
    const { found } = await draftOf(files)
    expect(found.questions).toMatchObject([{ answer: "column.payments.refunded", choices: ["Xyz", "none"] }])
    expect(found.questions[0]?.suggestion).toBe(undefined)
    const back = await readAll(files, { columns: { "payments.refunded": "Xyz" } })
    expect(back.documents.map(({ kind }) => kind)).toContain("reversal")
    const kept = await readAll(files, { columns: { "payments.refunded": "none" } })
    expect([kept.found.questions, kept.documents.map(({ kind }) => kind)]).toEqual([
      [],
      ["invoice", "invoice", "payment", "payment"]
    ])
  })

  it("are read later where its heading is known, though it is empty yet", async () => {
    const files = { "invoices.csv": invoices, "payments.csv": list("Amount Refunded", "", "") }
    const { found } = await draftOf(files)
    expect(JSON.stringify(found.sources)).toContain('"refunded":"Amount Refunded"')
  })
})

describe("a column of what is open that is empty yet", () => {
  it("does not stand for what the day of payment or the state says", async () => {
    const paid = [`${HEAD},Balance,Paid On`, row(1, "", "2026-10-20"), row(2, "", ""), ""].join("\n")
    const { documents, found } = await readAll({ "a.csv": paid })
    expect([found.questions, documents.map(({ kind }) => kind)]).toEqual([[], ["invoice", "payment", "invoice"]])
    const part = [`${HEAD},Balance,Status`, row(1, "", "Partially paid"), row(2, "", "Sent"), ""].join("\n")
    expect((await draftOf({ "a.csv": part })).found.questions).toMatchObject([{ answer: "status.Partially paid" }])
  })
})

describe("a column of unknown heading that is all of some amounts and nothing of others", () => {
  it("is what was paid or what is open, as the states of the rows say; otherwise both are asked", async () => {
    const read = async (states: ReadonlyArray<string>, answers: SetupAnswers = {}) => {
      const head = `Invoice Number,Customer,Invoice Date,Due Date,Total,Currency,${states.length > 0 ? "Status," : ""}XY`
      const row = (n: number, xy: string) =>
        `${n},Alder,2026-03-0${n},2026-03-31,100.00,GBP,${states.length > 0 ? `${states[n - 1]},` : ""}${xy}`
      const { found } = await draftOf(
        { "a.csv": [head, row(1, "100.00"), row(2, "0.00"), row(3, "40.00"), ""].join("\n") },
        answers
      )
      const books = found.sources.books?.["invoices"] as { readonly columns: Record<string, unknown> }
      const { balance, paid } = books.columns
      return { balance, paid, asked: found.questions.map(({ answer }) => answer) }
    }
    expect(await read(["Paid", "Sent", "Sent"])).toEqual({ balance: undefined, paid: "XY", asked: [] })
    expect(await read(["Sent", "Paid", "Sent"])).toEqual({ balance: "XY", paid: undefined, asked: [] })
    expect(await read([])).toMatchObject({ asked: ["column.invoices.balance"] })
    expect(await read([], { columns: { "invoices.balance": "none" } })).toMatchObject({
      asked: ["column.invoices.paid"]
    })
  })
})
