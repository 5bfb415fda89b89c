/** Layouts of public importers and small programs in further languages, tried after all others: some of them were read wrong, or asked the wrong thing. */
import { bank, day, german, type Layout } from "./Movements.ts"

const source = "headings in public importers' tests, found by searching for the whole line"
const signed = (one: { readonly amount: string }): string => german(one.amount)

export const attackedBanks: ReadonlyArray<Layout> = [
  bank({
    name: "Millennium bcp, with a word for each way and no signs",
    source,
    mark: ";",
    above: ["Data de:;01-03-2026", "Conta:;123456789", ""],
    header: "Data lançamento;Data valor;Descrição;Montante;Tipo;Saldo",
    row: (one) => [
      day(one.on, "dd-MM-yyyy"),
      day(one.on, "dd-MM-yyyy"),
      `${one.who} ${one.text}`,
      german(one.size),
      one.isIn ? "Crédito" : "Débito",
      german(one.balance)
    ],
    answers: { currency: "EUR" }
  }),
  bank({
    name: "Bradesco, with signs of the currency in its headings",
    source,
    mark: ";",
    above: ["Extrato de: Ag: 2389 | Conta: 116715-4 | Entre 01/03/2026 e 31/03/2026"],
    header: "Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$);",
    row: (one) => [
      day(one.on, "dd/MM/yy"),
      `${one.who} ${one.text}`,
      "0582389",
      one.isIn ? german(one.size) : "",
      one.isIn ? "" : `-${german(one.size)}`,
      german(one.balance),
      ""
    ]
  }),
  bank({
    name: "National Bank of Greece, with a letter for each way",
    source,
    mark: ";",
    header: "Ημερομηνία;Περιγραφή;Ποσό;Πρόσημο ποσού",
    row: (one) => [day(one.on, "dd/MM/yyyy"), `${one.who} ${one.text}`, german(one.size), one.isIn ? "Π" : "Χ"],
    answers: { currency: "EUR" }
  }),
  bank({
    name: "Garanti BBVA, debit and credit",
    source,
    mark: ";",
    header: "Tarih;Açıklama;Borç;Alacak;Bakiye",
    row: (one) => [
      day(one.on, "dd.MM.yyyy"),
      `${one.who} ${one.text}`,
      one.isIn ? "" : german(one.size),
      one.isIn ? german(one.size) : "",
      german(one.balance)
    ],
    answers: { currency: "TRY" }
  }),
  bank({
    name: "Danske Bank, with movements that wait",
    source,
    mark: ";",
    header: "Dato;Tekst;Beløb;Saldo;Status;Afstemt",
    row: (one) => [
      day(one.on, "dd.MM.yyyy"),
      `${one.who} ${one.text}`,
      signed(one),
      german(one.balance),
      "Udført",
      "Nej"
    ],
    more: [["31.03.2026", "Dorn INV-2004", "500,00", "", "Venter", "Nej"]],
    answers: { currency: "DKK" }
  }),
  bank({
    name: "OP, Finland",
    source,
    mark: ";",
    header:
      "Kirjauspäivä;Arvopäivä;Määrä EUROA;Laji;Selitys;Saaja/Maksaja;Saajan tilinumero ja pankin BIC;Viite;Viesti;Arkistointitunnus",
    row: (one) => [
      day(one.on, "dd.MM.yyyy"),
      day(one.on, "dd.MM.yyyy"),
      signed(one),
      "588",
      "TILISIIRTO",
      one.who,
      one.iban,
      "",
      one.text,
      `2026/${one.on}`
    ],
    answers: { currency: "EUR" }
  }),
  bank({
    name: "First National Bank, South Africa",
    source,
    above: ["Account:, 62000000000, [Cheque]", "Balance:, 2170.50, 2170.50", ""],
    header: "Date, Amount, Balance, Description",
    row: (one) => [one.on.replaceAll("-", "/"), one.amount, one.balance, `${one.who} ${one.text}`],
    answers: { currency: "ZAR" }
  })
]

export const attackedPrograms: ReadonlyArray<Layout> = [
  {
    name: "Tally, a bank in the books of the seller, whose debit is what came in",
    source,
    files: {
      "ledger.csv": `Voucher Date,Particulars,Vch Type,Vch No.,Debit,Credit,Narration
21-Sep-2026,ACME Traders Pvt Ltd,Payment,PV-09-0001,,12500.00,Being payment against INV 101
22-Sep-2026,Alder Software,Receipt,RV-09-0001,25000.00,,INV-7 received
`
    },
    answers: { currency: "INR", kinds: { "ledger.csv": "statement" } },
    sums: { payment: [1, "25000.00"] }
  },
  {
    name: "Számlázz.hu, with the day on which an invoice was paid under a heading of its own",
    source,
    files: {
      "szamlak.csv": `Számlaszám;Vevő neve;Kelt;Teljesítés;Fizetési határidő;Nettó;ÁFA;Bruttó;Pénznem;Kiegyenlítve
E-2026-1;Alder Kft.;2026.09.01;2026.09.01;2026.09.09;100000;27000;127000;HUF;2026.09.05
E-2026-2;Bükk Kft.;2026.09.02;2026.09.02;2026.09.10;200000;54000;254000;HUF;
`
    },
    answers: { columns: { "invoices.id": "Számlaszám", "invoices.settled": "Kiegyenlítve" } },
    sums: { invoice: [2, "381000.00"], payment: [1, "127000.00"] }
  },
  {
    name: "a program of Brazil, with what was received and its day",
    source,
    files: {
      "contas.csv": `Cliente;Número;Emissão;Vencimento;Valor;Valor recebido;Situação;Data do recebimento
Alder Ltda;1001;01/09/2026;15/09/2026;1.000,00;1.000,00;Recebido;14/09/2026
Beech Ltda;1002;22/09/2026;29/09/2026;500,00;0,00;Em aberto;
Cedro Ltda;1003;23/09/2026;30/09/2026;200,00;0,00;Cancelado;
`
    },
    answers: { currency: "BRL" },
    sums: { invoice: [2, "1500.00"], payment: [1, "1000.00"] }
  },
  {
    name: "a program of Poland, with the sign of the currency in its headings",
    source,
    files: {
      "faktury.csv": `Numer faktury;Data wystawienia;Klient;Netto (zł);VAT (zł);Brutto (zł)
FV 1/2026;2026-09-01;Alder sp. z o.o.;100,00;23,00;123,00
FV 2/2026;2026-09-02;Buk SA;200,00;46,00;246,00
`
    },
    sums: { invoice: [2, "369.00"] }
  }
]
