/**
 * Lists that look like invoices or payments and may be neither, and amounts of which a part is not owed: asked about, never taken.
 * Each was found in a real file of a public program.
 */
import { describe, expect, it } from "vitest"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { draftOf, readAll, sumsOf } from "./Reading.ts"

const asked = async (text: string, answers: SetupAnswers = {}) =>
  (await draftOf({ "list.csv": text }, answers)).found.questions
    .filter(({ suggestion }) => suggestion === undefined)
    .map(({ answer, ask }) => [answer, ask] as const)

const lines = (...all: ReadonlyArray<string>) => `${all.join("\n")}\n`

describe("a table that may be neither invoices nor payments", () => {
  const journals = {
    "with an account for each side": lines(
      "Transaction ID,Transaction Date,Account Name,Description,Debit Amount,Credit Amount,Customer,Invoice Number",
      "1,2026-01-05,Sales,Alder - 2,,100.00,Alder,2",
      "1,2026-01-05,Accounts Receivable,Alder - 2,100.00,,Alder,2",
      "2,2026-01-09,Accounts Receivable,Invoice Payment,,100.00,Alder,2",
      "2,2026-01-09,Cash on Hand,Invoice Payment,100.00,,,"
    ),
    "of France": lines(
      "Code_journal,Date_de_piece,Numero_de_piece,Compte,Libelle,Debit,Credit",
      "VT,2026-04-11,1563,411,Aulne,120.00,",
      "VT,2026-04-11,1563,706,Aulne,,100.00",
      "VT,2026-04-11,1563,44571,Aulne,,20.00",
      "VT,2026-04-12,1564,411,Orme,60.00,",
      "VT,2026-04-12,1564,706,Orme,,60.00"
    ),
    "with signs": lines(
      "JournalNumber,JournalDate,AccountName,NetAmount,Reference,Description",
      "1,2026-01-23,Income,-360.00,INV-0001,Sales",
      "1,2026-01-23,Cash,360.00,INV-0001,Charger",
      "3,2026-01-24,Income,-300.00,INV-0003,Sales",
      "3,2026-01-24,Cash,150.00,INV-0003,Charger",
      "3,2026-01-24,Cash,150.00,INV-0003,Charger"
    )
  }
  for (const [name, text] of Object.entries(journals))
    it(`is asked about: a journal ${name} has both sides of each posting`, async () => {
      expect(await asked(text, { currency: "EUR" })).toEqual([
        ["kind.list.csv", expect.stringContaining("debit and credit are equal for each")]
      ])
      const { found } = await draftOf({ "list.csv": text }, { kinds: { "list.csv": "nothing" } })
      expect([found.questions, found.sources]).toEqual([[], {}])
    })

  for (const head of [
    "registro,proveedor,factura,fecha,importe",
    "Bill Number,Vendor,Bill Date,Due Date,Amount",
    "Belegnr,Lieferantenname,Rechnungsnummer,Rechnungsdatum,Betrag",
    "no,fournisseur,numéro de facture,date de facture,montant TTC",
    "id,Leverandørnr,Fakturanr,Fakturadato,Beløp",
    "Navn,Leverandørnr,Fakturanr,Fakturadato,Beløp",
    "č,Dodavatel,Číslo faktury,Datum vystavení,Celkem"
  ]) {
    const [, supplier] = head.split(",")
    it(`is asked about: ${supplier} is whom the seller owes`, async () => {
      const cell = (heading: string, row: number) =>
        /dat|fecha/iu.test(heading)
          ? `2026-01-0${row}`
          : /importe|amount|betrag|montant|beløp|celkem/iu.test(heading)
            ? `${row}00.00`
            : `${heading[0]}${row}`
      const rows = [1, 2].map((row) =>
        head
          .split(",")
          .map((one) => cell(one, row))
          .join(",")
      )
      expect(await asked(lines(head, ...rows), { currency: "EUR" })).toEqual([
        ["kind.list.csv", expect.stringContaining("these may be bills that you owe")]
      ])
    })
  }

  it("is asked about: a day, an amount and an invoice's number may be invoices as well", async () => {
    const text = lines("Datum;Verzekeraar;Bedrag;Factuurnummer;Patient", "13-01-2026;VGZ;89,50;2026001;Jansen")
    expect((await asked(text)).map(([answer]) => answer)).toEqual(["kind.list.csv"])
  })

  it("is read where a customer has the number of a supplier", async () => {
    const text = lines(
      "Invoice No,Customer,Supplier No,Invoice Date,Due Date,Total,Currency",
      "1,Alder,4711,2026-01-05,2026-02-05,100.00,EUR"
    )
    expect(sumsOf((await readAll({ "list.csv": text })).documents).sums).toEqual({ invoice: [1, "100.00"] })
  })
})

describe("what a buyer withholds", () => {
  const text = lines(
    "Numero;Data;Cliente;Imponibile;IVA;Totale documento;Ritenuta;Aliquota ritenuta;Scadenza;Valuta",
    "1;2026-01-05;Alfa;1000,00;220,00;1220,00;200,00;20;2026-02-05;EUR",
    "2;2026-01-20;Beta;500,00;110,00;610,00;0,00;0;2026-02-20;EUR"
  )
  const sums = async (answers: SetupAnswers, of = text) =>
    sumsOf((await readAll({ "list.csv": of }, answers)).documents).sums

  it("is asked about, and lowers what is owed or does not", async () => {
    expect(await asked(text)).toEqual([
      [
        "added.Ritenuta",
        'Does the buyer withhold "Ritenuta" (like 200.00) of "Totale documento" in list.csv, so that an invoice is owed without it (minus), or is it owed as well (no)?'
      ]
    ])
    expect(await sums({ added: { Ritenuta: "minus" } })).toEqual({ invoice: [2, "1630.00"] })
    expect(await sums({ added: { Ritenuta: "no" } })).toEqual({ invoice: [2, "1830.00"] })
    expect(await sums({ added: { Ritenuta: "minus" } }, text.replace(";200,00;", ";-200,00;"))).toEqual({
      invoice: [2, "1630.00"]
    })
  })

  it("is in the whole amount already, where net and tax show it", async () => {
    const spanish = lines(
      "Nº Factura;Fecha;Cliente;Base imponible;Cuota IVA;% IRPF;Retención;Total;Moneda",
      "F-1;2026-03-15;Port SL;150,00;31,50;15;22,50;159,00;EUR",
      "F-2;2026-03-20;Port SL;900,00;189,00;15;135,00;954,00;EUR"
    )
    expect(await asked(spanish)).toEqual([])
    expect(await sums({}, spanish)).toEqual({ invoice: [2, "1113.00"] })
  })

  it("is not in it, where what is open shows it", async () => {
    const open = lines(
      "Invoice No,Customer,Invoice Date,Due Date,Total,Retention,Balance,Currency",
      "1,Alder,2026-01-05,2026-02-05,1200.00,60.00,1140.00,GBP",
      "2,Beech,2026-01-06,2026-02-06,600.00,30.00,570.00,GBP"
    )
    expect(await asked(open)).toEqual([])
    expect(await sums({}, open)).toEqual({ invoice: [2, "1710.00"] })
  })
})

describe("signs that say the opposite of a column", () => {
  const text = lines(
    "Date,Description,Amount,Transaction Type,Balance",
    "2026-05-13,Grocery,78.32,debit,21.68",
    "2026-05-14,Alder INV-1,-2500.00,credit,2521.68",
    "2026-05-15,Rent,1500.00,debit,1021.68"
  )
  it("are turned, where they do in every row", async () => {
    const { documents, found } = await readAll({ "bank.csv": text }, { currency: "USD" })
    expect(sumsOf(documents).sums).toEqual({ payment: [1, "2500.00"] })
    expect(found.decisions.map(({ what }) => what)).toContain("money in is negative, money out is positive")
  })
  it("are asked about, where they do in some rows only", async () => {
    const some = text.replace("78.32,debit", "-78.32,debit")
    const columns = { "payments.balance": "none" }
    expect(await asked(some, { currency: "USD", columns })).toEqual([
      ["column.payments.direction", expect.stringContaining("In 2 of 3 rows of list.csv, first in line 3")]
    ])
    const answers = { currency: "USD", columns: { ...columns, "payments.direction": "none" } }
    expect(sumsOf((await readAll({ "bank.csv": some }, answers)).documents).sums["payment"]).toEqual([1, "1500.00"])
  })
})

describe("the state Completed of an invoice", () => {
  it("is asked about: the invoice is done, or the money has come", async () => {
    const text = lines(
      "Invoice No,Customer,Invoice Date,Due Date,Total,Currency,Status",
      "1,Alder,2026-01-05,2026-02-05,100.00,EUR,Completed"
    )
    expect((await asked(text)).map(([answer]) => answer)).toEqual(["status.Completed"])
  })
})

describe("rows that cannot be read", () => {
  it("say why, where it is all of them", async () => {
    const text = "Kontonummer;Buchungsdatum;Betrag\n1;2026-07-03;150,00;A;B\n1;2026-07-04;10,00;A;B\n"
    await expect(draftOf({ "list.csv": text })).rejects.toThrow(
      "none of its rows can be read, like line 2: it has 5 cells where the header has 3"
    )
  })

  it("are quarantined where it is one with a control character", async () => {
    const text =
      "Invoice No,Customer,Invoice Date,Due Date,Total,Currency\n1,Al\u000bder,2026-01-05,2026-02-05,1.00,EUR\n2,Beech,2026-01-05,2026-02-05,2.00,EUR\n"
    const { documents, quarantined } = await readAll({ "list.csv": text })
    expect([sumsOf(documents).sums, quarantined.length]).toEqual([{ invoice: [1, "2.00"] }, 1])
  })
})

describe("payments of a processor", () => {
  it("are read where a row names no invoice: its payer is known by number", async () => {
    const text = lines(
      "Created date (UTC),Amount,Currency,Status,Customer ID,Invoice Number",
      "2026-06-07 02:38:54,15.00,usd,Paid,cus_1,BC4E-0005",
      "2026-06-07 03:38:54,9.00,usd,Paid,cus_2,"
    )
    const { documents, quarantined } = await readAll({ "payments.csv": text })
    expect([sumsOf(documents).sums, quarantined]).toEqual([{ payment: [2, "24.00"] }, []])
  })
})

describe("signs of currencies", () => {
  it("that may be several are asked about beside others, once for each", async () => {
    const text = lines(
      "Invoice No,Customer,Invoice Date,Due Date,Total",
      "1,Alder,2026-01-05,2026-02-05,$5.00",
      "2,Beech,2026-01-06,2026-02-06,€7.00"
    )
    expect((await asked(text)).map(([answer]) => answer)).toEqual(["currency_of.$"])
    const { documents } = await readAll({ "list.csv": text }, { currencies: { $: "CAD" } })
    expect(documents.flatMap((one) => (one.kind === "invoice" ? [one.currency] : []))).toEqual(["CAD", "EUR"])
  })
})

describe("more applied of a payment than it is", () => {
  it("is asked about: its rows are wrong, or the column is something else", async () => {
    const text = lines(
      "Payment Number,Date,Customer Name,Invoice Number,Amount,Amount Applied to Invoice,Currency Code",
      "P1,2026-09-05,Alder,INV-1,100.00,60.00,EUR",
      "P1,2026-09-05,Alder,INV-2,100.00,50.00,EUR",
      "P2,2026-09-06,Alder,INV-3,80.00,80.00,EUR"
    )
    expect(await asked(text)).toEqual([
      [
        "column.payments.total",
        '"Amount Applied to Invoice" of "P1" in list.csv comes to 110.00, and "Amount" says 100.00. Is "Amount" the whole payment, so that these rows are wrong, or something else (none)?'
      ]
    ])
    const wrong = await readAll({ "list.csv": text }, { columns: { "payments.total": "Amount" } })
    expect(wrong.quarantined).toHaveLength(1)
    expect(wrong.quarantined[0]).toContain('the rows of "P1" come to 110.00')
    const { documents, quarantined } = await readAll({ "list.csv": text }, { columns: { "payments.total": "none" } })
    expect([sumsOf(documents).sums, quarantined]).toEqual([{ payment: [3, "190.00"] }, []])
  })
})

describe("an amount", () => {
  it("with tax is taken where one before it has the same heading, and none of a single piece: MYOB's item sales", async () => {
    const text = lines(
      "Co./Last Name,Invoice No.,Date,Item Number,Quantity,Price,Inc-Tax Price,Discount,Total,Inc-Tax Total",
      "Alder Pty,00001,21/09/2026,I1,1,$100.00,$110.00,0%,$100.00,$110.00",
      "Alder Pty,00001,21/09/2026,I2,1,$200.00,$220.00,0%,$200.00,$220.00",
      "Beech Pty,00002,22/09/2026,I1,1,$100.00,$110.00,0%,$100.00,$110.00"
    )
    const columns = { "invoices.customer": "Co./Last Name" }
    const { documents } = await readAll(
      { "list.csv": text },
      { currency: "AUD", kinds: { "list.csv": "invoices" }, columns }
    )
    expect(sumsOf(documents).sums).toEqual({ invoice: [2, "440.00"] })
  })
})

describe("a payment above zero whose text says that it went back", () => {
  const text = (back: string) =>
    lines(
      "Data;Numero fattura;Importo;Causale;Valuta",
      "05/09/2026;1;100,00;Incasso;EUR",
      `16/09/2026;1;100,00;${back};EUR`,
      "17/09/2026;2;50,00;Incasso;EUR"
    )
  const kinds = { "list.csv": "payments" } as const
  for (const [back, word] of [
    ["Storno incasso", "storno"],
    ["Chargeback 2", "chargeback"]
  ] as const)
    it(`is asked about: ${back}`, async () => {
      expect(await asked(text(back), { kinds })).toEqual([
        [`direction.${word}`, expect.stringContaining(`100.00 in all, first in line 3, like "${back}"`)]
      ])
      const sums = async (way: "in" | "out") =>
        sumsOf((await readAll({ "list.csv": text(back) }, { kinds, directions: { [word]: way } })).documents).sums
      expect(await sums("out")).toEqual({ payment: [2, "150.00"], reversal: [1, "100.00"] })
      expect(await sums("in")).toEqual({ payment: [3, "250.00"] })
    })
})

describe("a statement without signs", () => {
  const text = lines(
    "Date,Description,Amount,Balance,Currency",
    "2026-09-15,Power and Light,7.99,500.00,EUR",
    "2026-09-16,Alder INV-1,300.00,800.00,EUR"
  )
  it("is asked about though its balance rises: of the oldest amount that tells nothing", async () => {
    expect(await asked(text)).toEqual([["received", expect.stringContaining("but for the oldest")]])
  })
})

describe("the books of an account", () => {
  const vouchers = (receipt: string, payment: string) =>
    lines(
      "Voucher Date,Particulars,Vch Type,Vch No.,Debit,Credit",
      `21-Sep-2026,ACME Traders,Payment,PV-1,${payment}`,
      `22-Sep-2026,Alder INV-7,Receipt,RV-1,${receipt}`
    )
  const kinds = { "list.csv": "statement" } as const
  it("say by their vouchers that their debit is what came in", async () => {
    const { documents, found } = await readAll(
      { "list.csv": vouchers("25000.00,", ",12500.00") },
      { currency: "INR", kinds }
    )
    expect(sumsOf(documents).sums).toEqual({ payment: [1, "25000.00"] })
    expect(found.decisions.map(({ what }) => what)).toContain('"Debit" is money that came in')
  })
  it("say nothing where the headings agree", async () => {
    const { documents } = await readAll({ "list.csv": vouchers(",25000.00", "12500.00,") }, { currency: "INR", kinds })
    expect(sumsOf(documents).sums).toEqual({ payment: [1, "25000.00"] })
  })
})
