/** Lists that no mapping fits as they stand: each is asked about in words of the file, and each answer gets past it. */
import { describe, expect, it } from "vitest"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { draftOf, readAll, sumsOf } from "./Reading.ts"

const HEAD = "Invoice No,Customer,Date,Due,Total,Currency"
const rows = (...all: ReadonlyArray<string>) => ({ "list.csv": `${all.join("\n")}\n` })
const numbered = (count: number, row: (n: number) => string) => Array.from({ length: count }, (_, n) => row(n + 1))

/** The only question, with its choices; and what each answer comes to. */
const asks = async (
  files: Readonly<Record<string, string>>,
  [answer, ask]: readonly [string, string],
  outcomes: ReadonlyArray<readonly [SetupAnswers, object]>
) => {
  const { found } = await draftOf(files)
  const questions = found.questions.filter(({ suggestion }) => suggestion === undefined)
  expect(questions.map((one) => one.answer)).toEqual([answer])
  expect(questions[0]?.ask).toContain(ask)
  for (const [answers, sums] of outcomes) {
    const { documents, quarantined } = await readAll(files, answers)
    expect([sumsOf(documents).sums, quarantined]).toEqual([sums, []])
  }
}

describe("a list", () => {
  it("whose days are written in four ways is asked about the order of day and month", async () => {
    const files = rows(
      HEAD,
      "1,Alder,2026-09-01,2026-10-01,100.00,EUR",
      "2,Beech,02/09/2026,02/10/2026,50.00,EUR",
      "3,Cherry,3 September 2026,3 October 2026,25.00,EUR",
      "4,Dorn,04.09.26,04.10.26,25.00,EUR"
    )
    const both = [{ dates: "day first" }, { dates: "month first" }] as const
    await asks(
      files,
      ["dates", 'Is "02/09/2026" in list.csv day first or month first?'],
      [
        [both[0], { invoice: [4, "200.00"] }],
        [both[1], { invoice: [4, "200.00"] }]
      ]
    )
    const { documents } = await readAll(files, both[0])
    expect(documents.map((one) => one.kind === "invoice" && one.issued)).toEqual(
      ["01", "02", "03", "04"].map((day) => `2026-09-${day}`)
    )
  })

  it("with one day that is none beside days in several ways loses that row alone", async () => {
    const files = rows(
      HEAD,
      "1,Alder,2026-09-01,2026-10-01,100.00,EUR",
      "2,Beech,22/09/2026,22/10/2026,50.00,EUR",
      "3,Cherry,3 September 2026,3 October 2026,25.00,EUR",
      "4,Dorn,31.02.2026,04.10.26,25.00,EUR"
    )
    const { documents, quarantined } = await readAll(files, { dates: "day first" })
    expect([sumsOf(documents).sums, quarantined.length]).toEqual([{ invoice: [3, "175.00"] }, 1])
  })

  for (const [language, issued, due] of [
    ["Polish", "września", "października"],
    ["Finnish", "syyskuuta", "lokakuuta"],
    ["Swedish", "september", "oktober"],
    ["Danish", "september", "oktober"],
    ["Hungarian", "szeptember", "október"],
    ["Portuguese", "setembro", "outubro"],
    ["Greek", "Σεπτεμβρίου", "Οκτωβρίου"],
    ["Turkish", "Eylül", "Ekim"]
  ] as const)
    it(`with months in ${language} is read`, async () => {
      const files = rows(HEAD, ...numbered(4, (n) => `${n},Alder,${n} ${issued} 2026,${n} ${due} 2026,25.00,EUR`))
      const { documents } = await readAll(files)
      expect(documents.map((one) => one.kind === "invoice" && [one.issued, one.due])).toEqual(
        [1, 2, 3, 4].map((n) => [`2026-09-0${n}`, `2026-10-0${n}`])
      )
    })

  it("that is due before it was issued is asked which day is which", async () => {
    const files = rows(HEAD, ...numbered(4, (n) => `${n},Alder,2026-10-0${n},2026-09-0${n},50.00,EUR`))
    await asks(
      files,
      ["column.invoices.issued", 'In 4 of 4 rows of list.csv, "Due" is before "Date".'],
      [
        [{ columns: { "invoices.issued": "Due" } }, { invoice: [4, "200.00"] }],
        [{ columns: { "invoices.issued": "Date" } }, { invoice: [4, "200.00"] }]
      ]
    )
    const { documents } = await readAll(files, { columns: { "invoices.issued": "Due" } })
    expect(documents[0]).toMatchObject({ issued: "2026-09-01", due: "2026-10-01" })
  })

  it("of nothing but amounts below zero is asked what it is, and never turned unasked", async () => {
    const files = rows(HEAD, ...numbered(25, (n) => `${n},Alder,2026-09-01,2026-10-01,-${n}.00,EUR`))
    await asks(
      files,
      ["kind.list.csv", "Most amounts of list.csv are below zero."],
      [[{ kinds: { "list.csv": "invoices" } }, { invoice: [25, "325.00"] }]]
    )
  })

  it("whose gross is more than twice its net is asked what is before tax", async () => {
    const head = "Invoice No,Customer,Date,Due,Net,Gross,Goods value,Currency"
    const files = rows(
      head,
      ...numbered(4, (n) => `${n},Alder,2026-09-01,2026-10-01,${n}.00,${n * 12}.00,${n * 10}.00,EUR`)
    )
    await asks(
      files,
      ["column.invoices.net", 'In all 4 rows of list.csv, "Gross" is more than twice "Net"'],
      [
        [
          { columns: { "invoices.net": "none", "invoices.balance": "none", "invoices.paid": "none" } },
          { invoice: [4, "120.00"] }
        ],
        [{ columns: { "invoices.net": "Goods value" } }, { invoice: [4, "120.00"] }]
      ]
    )
  })
})

describe("a row whose net and tax do not come to its total", () => {
  const amounts = (n: number) => `${n * 100}.00,${n * 20}.00,${n * 120 + (n === 4 ? 7 : 0)}.00`
  const NAMED = "Invoice No,Customer,Date,Due,Net,VAT,Total,Currency"
  const SAGE = "Invoice Number,Customer Name,Date,Due Date,Net,VAT,Total,Outstanding,Currency"
  const plain = rows(NAMED, ...numbered(10, (n) => `${n},Alder,2026-09-01,2026-10-01,${amounts(n)},EUR`))
  const preset = rows(
    SAGE,
    ...numbered(10, (n) => `${n},Alder,2026-09-01,2026-10-01,${amounts(n)},${amounts(n).split(",")[2]},EUR`)
  )

  it.each([
    ["a list", plain],
    ["a preset's list", preset]
  ])("of %s is asked about: it waits unless somebody says otherwise, and never without a word", async (_, files) => {
    const { found } = await draftOf(files)
    const question = found.questions.find(({ answer }) => answer === "column.tax_amount")
    expect(question).toMatchObject({ suggestion: "VAT", choices: ["VAT", "none"] })
    expect(question?.ask).toContain(
      'In 1 of 10 rows of list.csv, first in line 5, "Net" and "VAT" do not come to "Total"'
    )
    for (const answers of [{}, { columns: { tax_amount: "VAT" } }]) {
      const { documents, quarantined } = await readAll(files, answers)
      expect(sumsOf(documents).sums).toEqual({ invoice: [9, "6120.00"] })
      expect(quarantined).toEqual([expect.stringMatching(/^list\.csv:5: says 487\.00.* comes to 480\.00/)])
    }
    const { documents, quarantined } = await readAll(files, { columns: { tax_amount: "none" } })
    expect([sumsOf(documents).sums, quarantined]).toEqual([{ invoice: [10, "6607.00"] }, []])
  })

  it("of a later file of a preset is not read", async () => {
    const { found } = await draftOf(rows(SAGE, ...(preset["list.csv"].split("\n").slice(1, 4) as Array<string>)))
    expect(found.sources.books).toMatchObject({ invoices: { columns: { tax_amount: "VAT" } } })
  })
})

describe("an older export of a list beside a newer one", () => {
  const LIST = "Invoice No,Customer,Date,Due,Total,Balance,Currency"
  const row = (n: number, day: string, balance: string) => `${n},Alder,${day},${day},100.00,${balance},EUR`
  const older = `${LIST}\n${row(1, "09/30/2026", "100.00")}\n${row(2, "09/13/2026", "100.00")}\n`
  const newer = `${LIST}\n${row(1, "09/30/2026", "0.00")}\n${row(2, "09/13/2026", "50.00")}\n`
  const later = `${row(3, "10/05/2026", "100.00")}\n`

  it.each([
    ["invoices.csv", "invoices (1).csv"],
    ["b.csv", "a.csv"]
  ])("is asked about by its contents, whatever the files are called: %s", async (old, recent) => {
    const files = { [old]: older, [recent]: newer + later }
    const { found } = await draftOf(files)
    const [question, ...others] = found.questions.filter(({ answer }) => answer.startsWith("kind."))
    expect(question).toMatchObject({ answer: `kind.${old}`, suggestion: "nothing" })
    expect(others).toEqual([])
    const { documents } = await readAll(files, { kinds: { [old]: "nothing" } })
    expect(sumsOf(documents)).toEqual({ sums: { invoice: [3, "300.00"] }, open: "150.00" })
    expect((await draftOf(files, { kinds: { [old]: "invoices" } })).found.questions).toEqual([])
  })

  it.each([
    ["ends on the same day", newer],
    ["does not have an invoice of it", `${newer.split("\n").slice(0, 2).join("\n")}\n${later}`]
  ])("is asked about without a suggestion where the other %s, and either may be left out", async (_, other) => {
    const files = { "a.csv": older, "b.csv": other }
    const { found } = await draftOf(files)
    const [question, ...others] = found.questions.filter(({ answer }) => answer.startsWith("kind."))
    expect(question).toMatchObject({ answer: "kind.a.csv", choices: ["nothing", "invoices"] })
    expect([question?.suggestion, others]).toEqual([undefined, []])
    expect(JSON.stringify(found.decisions)).toMatch(/other contents there.* waits until one is left out/)
    const asked = async (kinds: SetupAnswers["kinds"]) =>
      (await draftOf(files, { ...(kinds === undefined ? {} : { kinds }) })).found.questions.flatMap(({ answer }) =>
        answer.startsWith("kind.") ? [answer] : []
      )
    expect(await asked({ "a.csv": "invoices" })).toEqual(["kind.b.csv"])
    for (const kinds of [
      { "a.csv": "nothing" },
      { "b.csv": "nothing" },
      { "a.csv": "invoices", "b.csv": "invoices" },
      { "a.csv": "invoices", "b.csv": "nothing" }
    ] as const)
      expect(await asked(kinds)).toEqual([])
  })
})

describe("a due day", () => {
  it.each([
    "Fällig bis",
    "Zahlbar bis",
    "Due by",
    "Date limite de paiement",
    "Te betalen op",
    "Fecha límite",
    "Da pagare entro"
  ])("is known under %s", async (heading) => {
    const files = rows(
      `Invoice No,Customer,Date,${heading},Total,Currency`,
      ...numbered(4, (n) => `${n},Alder,2026-09-0${n},2026-10-1${n},5.00,EUR`)
    )
    const { documents } = await readAll(files)
    expect(documents.map((one) => one.kind === "invoice" && one.due)).toEqual([1, 2, 3, 4].map((n) => `2026-10-1${n}`))
  })
})

describe("a column that says yes or no whether an invoice is paid", () => {
  it("is asked about where it has another word, and never dropped", async () => {
    const head = "Number,Client,Date,Due,Amount,Currency,Paid?"
    const row = (n: number, paid: string) => `${n},Alder,2026-09-01,2026-10-01,100.00,EUR,${paid}`
    const files = rows(head, row(1, "Y"), row(2, "N"), row(3, "Part"))
    const asked = (await draftOf(files)).found.questions.map(({ answer }) => answer)
    expect(asked).toEqual(["status.Part"])
    const { documents } = await readAll(files, { statuses: { Part: "open" } })
    expect(documents.map((one) => one.kind === "invoice" && one.status)).toEqual(["paid", "open", "open"])
  })
})

describe("a state that names a credit note", () => {
  it.each([
    ["N° facture;Client;Date;Échéance;Total TTC;Devise;Statut;Reste à payer", "Payée", "Avoir"],
    ["Rechnungsnummer;Kunde;Rechnungsdatum;Fällig am;Brutto;Währung;Status;Offen", "Bezahlt", "Gutschrift"],
    ["Invoice No;Customer;Date;Due;Total;Currency;Status;Balance", "Paid", "Credit note"]
  ])("is not paid because nothing of it is open: %s", async (head, paid, credit) => {
    const rows = [`1;Alder;2026-09-13;2026-10-13;120,00;EUR;${paid};0,00`]
    for (const open of ["0,00", "-60,00"]) {
      const text = [head, ...rows, `2;Beech;2026-09-15;2026-09-15;-60,00;EUR;${credit};${open}`, ""].join("\n")
      const { documents, found } = await readAll({ "a.csv": text })
      expect(found.questions).toEqual([])
      expect(documents.map((one) => one.kind === "invoice" && one.status)).toEqual(["paid", "open"])
    }
  })
})
