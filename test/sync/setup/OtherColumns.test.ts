/**
 * What other columns say of rows and amounts: a mark that strikes a row out, a unit, a fee, an extra, a second column of the same
 * heading. Each is used where it is certain, and otherwise asked about; none is passed over in silence.
 */
import { describe, expect, it } from "vitest"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { draftOf, readAll, sumsOf } from "./Reading.ts"

const HEAD = "Invoice Number,Customer,Invoice Date,Due Date"
const LISTS = {
  invoices: {
    head: `${HEAD},Total,Currency`,
    rows: ["1,Alder,2026-03-01,2026-03-31,100.00,GBP", "2,Beech,2026-03-02,2026-04-01,250.50,GBP"]
  },
  payments: {
    head: "Payment ID,Invoice,Date,Amount,Currency",
    rows: ["P-1,1,2026-03-20,100.00,GBP", "P-2,2,2026-03-21,250.50,GBP"]
  }
} as const
type List = keyof typeof LISTS

/** A list of two documents with one more column. */
const listed = (list: List, heading: string, ...cells: ReadonlyArray<string>) => {
  const { head, rows } = LISTS[list]
  return { [`${list}.csv`]: [`${head},${heading}`, ...rows.map((row, n) => `${row},${cells[n] ?? ""}`), ""].join("\n") }
}

const kindOf = { invoices: "invoice", payments: "payment" } as const

/** Of two rows, the first counts, and the second is left out without a question. */
const STRUCK: ReadonlyArray<readonly [list: List, heading: string, first: string, second: string]> = [
  ["invoices", "Cancelled At", "", "2026-03-05"],
  ["invoices", "is_deleted", "false", "true"],
  ["invoices", "Draft", "no", "yes"],
  ["invoices", "Storniert am", "", "05.03.2026"],
  ["invoices", "Entwurf", "Nein", "Ja"],
  ["invoices", "Annulée le", "-", "16/03/2026"],
  ["payments", "Deleted", "false", "true"],
  ["payments", "Bounced on", "", "2026-03-28"],
  ["payments", "Test", "0", "1"]
]

/** The second row may not count: a person says whether. */
const ASKED: ReadonlyArray<readonly [list: List, heading: string, first: string, second: string]> = [
  ["invoices", "Written Off", "0.00", "250.50"],
  ["invoices", "Written Off On", "", "2026-06-01"],
  ["invoices", "Credited", "no", "yes"],
  ["invoices", "Replaced By", "", "1"],
  ["invoices", "Notes", "", "CANCELLED - reissued"],
  ["invoices", "Approval", "Approved", "Rejected"],
  ["invoices", "Current situation", "open", "void"],
  ["invoices", "Active", "Yes", "No"],
  ["invoices", "Sent", "Yes", "No"],
  ["invoices", "Posted", "TRUE", "FALSE"],
  ["payments", "Refunded", "No", "Yes"],
  ["payments", "Result", "Accepted", "Declined"],
  ["payments", "Outcome", "success", "insufficient_funds"],
  ["payments", "Event", "capture", "authorisation"],
  ["payments", "Captured", "true", "false"],
  ["payments", "Successful", "1", "0"],
  ["payments", "Method", "Bank", "Credit Note"],
  ["payments", "Payment Type", "BACS", "Write-off"]
]

describe("a column that strikes rows out", () => {
  it.each(STRUCK)("in %s, called %s: %s counts and %s does not", async (list, heading, first, second) => {
    const { documents, found, quarantined } = await readAll(listed(list, heading, first, second))
    expect(found.questions).toEqual([])
    expect([sumsOf(documents).sums, quarantined]).toEqual([{ [kindOf[list]]: [1, "100.00"] }, []])
    const said = found.decisions.map(({ because, what }) => `${what}: ${because}`)
    expect(said).toContain(`1 row with ${JSON.stringify(heading)}: left out, 250.50`)
  })

  it.each(ASKED)(
    "in %s, called %s: whether %s counts and %s does not is asked",
    async (list, heading, first, second) => {
      const files = listed(list, heading, first, second)
      const { found } = await draftOf(files)
      expect(found.questions.map(({ flag }) => flag)).toEqual([`--left-out ${JSON.stringify(`${heading}=yes`)}`])
      for (const [answer, sum] of [
        ["yes", [1, "100.00"]],
        ["no", [2, "350.50"]]
      ] as const) {
        const { documents } = await readAll(files, { left_out: { [heading]: answer } })
        expect(sumsOf(documents).sums).toEqual({ [kindOf[list]]: sum })
      }
    }
  )

  it("says nothing where no row has its mark, or where it is a plain text", async () => {
    for (const [heading, ...cells] of [
      ["Draft", "no", "no"],
      ["Created at", "2026-03-01", "2026-03-02"],
      ["Notes", "cancellation insurance", "thanks"],
      ["Sent", "Yes", "Yes"]
    ] as const) {
      const { documents, found } = await readAll(listed("invoices", heading, ...cells))
      expect([found.questions, sumsOf(documents).sums]).toEqual([[], { invoice: [2, "350.50"] }])
    }
  })
})

describe("numbers", () => {
  it("that begin like those of another type are asked about", async () => {
    const text = (no: string) =>
      `${HEAD},Total,Currency\nINV-1,Alder,2026-03-01,2026-03-31,100.00,GBP\n${no},Beech,2026-03-02,2026-04-01,250.50,GBP\n`
    for (const [no, prefix] of [
      ["CN-7", "CN"],
      ["QUO7", "QUO"]
    ] as const) {
      const { found } = await draftOf({ "a.csv": text(no) })
      expect(found.questions.map(({ flag }) => flag)).toEqual([`--left-out "${prefix}=yes"`])
      for (const [answer, sum] of [
        ["yes", [1, "100.00"]],
        ["no", [2, "350.50"]]
      ] as const)
        expect(
          sumsOf((await readAll({ "a.csv": text(no) }, { left_out: { [prefix]: answer } })).documents).sums
        ).toEqual({
          invoice: sum
        })
    }
    expect((await draftOf({ "a.csv": text("INV-2") })).found.questions).toEqual([])
  })

  it("of several rows that differ in nothing but amounts may be versions of one invoice", async () => {
    const text = `${HEAD},Total,Currency\n${row("100.00", "GBP")}${row("120.00", "GBP")}`
    expect((await draftOf({ "a.csv": text })).found.questions.map(({ flag }) => flag)).toEqual(["--repeated lines"])
    expect(sumsOf((await readAll({ "a.csv": text }, { repeated: "lines" })).documents).sums).toEqual({
      invoice: [1, "220.00"]
    })
    expect((await readAll({ "a.csv": text }, { repeated: "versions" })).quarantined).toHaveLength(2)
  })
})

interface Told {
  readonly text: string
  readonly question: string
  readonly answers: SetupAnswers
  readonly sum: string
}

const row = (...cells: ReadonlyArray<string>) => `1,Alder,2026-03-01,2026-03-31,${cells.join(",")}\n`

const AMOUNTS: ReadonlyArray<readonly [string, Told]> = [
  [
    "hundredths",
    {
      text: `${HEAD},Total (pence),Currency\n${row("10050", "GBP")}`,
      question: '--unit "Total (pence)=hundredths"',
      answers: { units: { "Total (pence)": "hundredths" } },
      sum: "100.50"
    }
  ],
  [
    "thousands",
    {
      text: `${HEAD},Total kEUR,Currency\n${row("1.5", "EUR")}`,
      question: '--unit "Total kEUR=thousands"',
      answers: { units: { "Total kEUR": "thousands" } },
      sum: "1500.00"
    }
  ],
  [
    "whole units all the same",
    {
      text: `${HEAD},amount_cents,Currency\n${row("100", "GBP")}`,
      question: '--unit "amount_cents=hundredths"',
      answers: { units: { amount_cents: "whole" } },
      sum: "100.00"
    }
  ],
  [
    "the second column of that heading",
    {
      text: `${HEAD},Amount,Amount,Currency\n${row("100.00", "120.00", "GBP")}`,
      question: '--column "invoices.gross=#6"',
      answers: { columns: { "invoices.gross": "#6" } },
      sum: "120.00"
    }
  ],
  [
    "net and tax with the shipping beside them",
    {
      text: `${HEAD},Net,VAT,Shipping,Currency\n${row("100.00", "20.00", "10.00", "GBP")}`,
      question: '--added "Shipping=plus"',
      answers: { added: { Shipping: "plus" } },
      sum: "130.00"
    }
  ],
  [
    "net, which is all that is owed",
    {
      text: `${HEAD},Total excl. VAT,Currency\n${row("100.00", "GBP")}`,
      question: "--column invoices.gross=HEADING",
      answers: { columns: { "invoices.gross": "Total excl. VAT" } },
      sum: "100.00"
    }
  ]
]

describe("an amount", () => {
  it.each(AMOUNTS)("is asked about before it is believed: %s", async (_, { answers, question, sum, text }) => {
    const { found } = await draftOf({ "invoices.csv": text })
    expect(found.questions.map(({ flag }) => flag)).toEqual([question])
    const { documents, quarantined } = await readAll({ "invoices.csv": text }, answers)
    expect([sumsOf(documents).sums, quarantined]).toEqual([{ invoice: [1, sum] }, []])
  })

  it("lacks its tax in the rows of which a column says so", async () => {
    const text = `${HEAD},Amount,Tax Included,Tax Amount,Currency\n${row("100.00", "No", "20.00", "GBP")}2,Beech,2026-03-02,2026-04-01,240.00,Yes,40.00,GBP\n`
    const { documents, found } = await readAll({ "invoices.csv": text })
    expect([found.questions, sumsOf(documents).sums]).toEqual([[], { invoice: [2, "360.00"] }])
  })

  it("of one piece is no amount of an invoice", async () => {
    const text = `${HEAD},Qty,Unit Price,Currency\n${row("2", "50.00", "GBP")}`
    expect((await draftOf({ "items.csv": text })).found.questions.map(({ what }) => what)).toEqual([
      "rows of items.csv"
    ])
  })
})

describe("money", () => {
  it("that arrived after a fee was paid with the fee", async () => {
    for (const sign of ["", "-"]) {
      const text = `Payment ID,Invoice,Date,Net,Fee,Currency\nP-1,1,2026-03-20,96.80,${sign}3.20,GBP\n`
      const { documents } = await readAll({ "payouts.csv": text })
      expect(sumsOf(documents).sums).toEqual({ payment: [1, "100.00"] })
    }
  })

  it("that is negative throughout is asked about", async () => {
    const text = "Date,Description,Amount\n2026-03-20,ALDER LTD INV-1,-100.00\n2026-03-21,BEECH LTD INV-2,-75.25\n"
    expect((await draftOf({ "a.csv": text }, { currency: "GBP" })).found.questions.map(({ flag }) => flag)).toEqual([
      "--received no"
    ])
    const sums = async (received: "yes" | "no") =>
      sumsOf((await readAll({ "a.csv": text }, { currency: "GBP", received })).documents).sums
    expect([await sums("yes"), await sums("no")]).toEqual([{ payment: [2, "175.25"] }, {}])
  })

  it("under the heading of another currency than its row's is asked about", async () => {
    const text = "Payment ID,Invoice,Date,Currency,Amount (GBP)\nP-1,1,2026-03-20,USD,80.00\n"
    expect((await draftOf({ "payments.csv": text })).found.questions.map(({ flag }) => flag)).toEqual([
      "--column payments.amount=HEADING"
    ])
  })

  it("of a memo did not move, and its way is found in the last word of a text", async () => {
    const paypal =
      "Date,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Invoice Number,Balance Impact\n03/20/2026,Alder,General Payment,Completed,USD,100.00,-3.20,96.80,T1,1,Credit\n03/21/2026,Beech,General Payment,Completed,USD,250.50,-7.00,243.50,T2,2,Memo\n03/22/2026,Cedar,Payment Refund,Completed,USD,-1.00,0.00,-1.00,T3,1,Debit\n"
    expect(sumsOf((await readAll({ "a.csv": paypal })).documents).sums["payment"]).toEqual([1, "100.00"])
    const bank =
      "Date,Transaction,Payer,Reference,Amount\n2026-03-20,Faster Payment In,Alder,INV-1,100.00\n2026-03-21,Faster Payment Out,Beech,INV-2,250.50\n"
    expect(sumsOf((await readAll({ "a.csv": bank }, { currency: "GBP" })).documents).sums).toEqual({
      payment: [1, "100.00"]
    })
  })
})
