/** One bad file for each kind of fault that a first mapping must not pass over, and what must be said of it wherever it is set up. */

export interface BadFiles {
  readonly kind: string
  readonly files: Readonly<Record<string, string>>
  readonly says: RegExp
}

interface Principle {
  readonly says: string
  /** The kinds of files here that try it, each by `init`, the page's set-up and a link. */
  readonly first: ReadonlyArray<string>
  /** The kinds of changes of `test/cli/ChangedFiles.long.test.ts` that try it, each by `preview`, `doctor`, `pull` and `sync`. */
  readonly later: ReadonlyArray<string>
}

/** The principles of a first mapping, and where each is tried in every way. */
export const PRINCIPLES: ReadonlyArray<Principle> = [
  {
    says: "a guess may choose between columns, and drops none",
    first: ["one odd cell", "currency", "states of invoices", "a column that nobody knows"],
    later: ["an amount that cannot be read", "a currency that is none", "a state that nobody knows"]
  },
  {
    says: "every column and every row is accounted for",
    first: ["types", "totals", "a table below another", "amounts that nobody knows"],
    later: [
      "a type where all were invoices",
      "another table below",
      "a column that nobody knows",
      "a row of another length"
    ]
  },
  {
    says: "what changes the meaning of an amount is looked for before it is believed",
    first: ["direction in another column", "state of a payment", "part applied", "signs", "days that nobody knows"],
    later: [
      "an amount in a column that was empty",
      "a day in a column that was empty",
      "less in a column that was the whole amount"
    ]
  },
  {
    says: "a file is held against the other files",
    first: ["what a file holds", "two exports of one list", "two exports of which neither is newer", "number for id"],
    later: ["a newer copy beside the file that is read", "another file that begins like it"]
  },
  {
    says: "arithmetic is a witness",
    first: ["tax", "running balances", "totals"],
    later: [
      "a total stops agreeing",
      "a row whose net and tax do not come to its total",
      "a balance that does not follow"
    ]
  },
  {
    says: "questions are few, with examples, and no error speaks of what was not written",
    first: ["no headings", "days in several ways", "text forms"],
    later: ["the amount's heading vanishes", "days that are written otherwise", "amounts that are written otherwise"]
  }
]

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`
const HEAD = "Invoice No,Customer,Date,Due,Total,Currency"
const one = (text: string): Readonly<Record<string, string>> => ({ "books.csv": text })
const GOOD = ["1,Alder,2026-09-01,2026-10-01,100.00,EUR", "2,Beech,2026-09-02,2026-10-02,50.00,EUR"]

export const BAD_FILES: ReadonlyArray<BadFiles> = [
  {
    kind: "direction in another column",
    files: one(
      lines(
        "Datum,Naam / Omschrijving,Rekening,Tegenrekening,Code,Af Bij,Bedrag (EUR),Mededelingen",
        '20260905,Alder,NL02ABNA0123456789,NL91ABNA0417164300,OV,Bij,"100,00",INV 1',
        '20260906,Beech,NL02ABNA0123456789,NL91ABNA0417164301,OV,Zijwaarts,"75,50",rekening'
      )
    ),
    says: /Does "Zijwaarts" in "Af Bij" of books\.csv mean that money came in/
  },
  {
    kind: "state of a payment",
    files: one(
      lines(
        "Payment ID,Payment Date,Invoice Number,Amount,Currency,Payment Status",
        "P1,2026-09-05,INV-1,100.00,EUR,Received",
        "P2,2026-09-06,INV-2,50.00,EUR,Frobbed"
      )
    ),
    says: /What does the state "Frobbed" of 1 row of books\.csv mean/
  },
  {
    kind: "part applied",
    files: one(
      lines(
        "Payment Number,Date,Customer Name,Invoice Number,Amount,Amount Applied to Invoice,Currency Code",
        "P1,2026-09-05,Alder,INV-1,100.00,60.00,EUR",
        "P1,2026-09-05,Alder,INV-2,100.00,50.00,EUR"
      )
    ),
    says: /of "P1" in books\.csv comes to 110\.00, and "Amount" says 100\.00/
  },
  {
    kind: "signs",
    files: one(
      lines(
        HEAD,
        "1,Alder,2026-09-01,2026-10-01,-100.00,EUR",
        "2,Beech,2026-09-02,2026-10-02,-50.00,EUR",
        "3,Dorn,2026-09-02,2026-10-02,-20.00,EUR"
      )
    ),
    says: /Most amounts of books\.csv are below zero/
  },
  {
    kind: "currency",
    files: one(lines(HEAD, ...GOOD, "3,Dorn,2026-09-03,2026-10-03,25.00,EUX")),
    says: /"EUX"/
  },
  {
    kind: "tax",
    files: one(
      lines(
        "Invoice No,Customer,Date,Due,Net,VAT,Total,Currency",
        "1,Alder,2026-09-01,2026-10-01,100.00,20.00,150.00,EUR",
        "2,Beech,2026-09-02,2026-10-02,50.00,10.00,90.00,EUR"
      )
    ),
    says: /"Net" and "VAT" do not come to "Total"/
  },
  {
    kind: "one odd cell",
    files: one(lines(HEAD, ...GOOD, "3,Dorn,2026-09-03,2026-10-03,tbc,EUR")),
    says: /"tbc"/
  },
  {
    kind: "states of invoices",
    files: one(
      lines(
        `${HEAD},Status`,
        "1,Alder,2026-09-01,2026-10-01,100.00,EUR,Open",
        "2,Beech,2026-09-02,2026-10-02,50.00,EUR,Zwischenstand"
      )
    ),
    says: /What does the state "Zwischenstand" of 1 row of books\.csv mean/
  },
  {
    kind: "types",
    files: one(
      lines(
        `Document Type,${HEAD}`,
        "Invoice,1,Alder,2026-09-01,2026-10-01,100.00,EUR",
        "Anticipo speciale,2,Beech,2026-09-02,2026-10-02,50.00,EUR"
      )
    ),
    says: /whose "Document Type" is "Anticipo speciale" \(1 row, 50\.00\)/
  },
  {
    kind: "what a file holds",
    files: one(
      lines(
        "Bill Number,Vendor,Bill Date,Due Date,Amount,Currency",
        "B-1,Acme,2026-01-05,2026-02-05,100.00,EUR",
        "B-2,Acme,2026-01-06,2026-02-06,50.00,EUR"
      )
    ),
    says: /names suppliers, in "Vendor", and no customers/
  },
  {
    kind: "two exports of one list",
    files: {
      "invoices.csv": lines(HEAD, ...GOOD),
      "invoices2.csv": lines(
        HEAD,
        GOOD[0] as string,
        "2,Beech,2026-09-02,2026-10-02,55.00,EUR",
        "3,Dorn,2026-09-03,2026-10-03,25.00,EUR"
      )
    },
    says: /1 of which they say different things|newer/
  },
  {
    kind: "own data as the payer's",
    files: one(
      lines(
        "Date,Account Name,Payer,Reference,Amount,Balance,Currency",
        "2026-09-05,Acme Ltd,Alder,INV-1,100.00,1100.00,EUR",
        "2026-09-06,Acme Ltd,Beech,INV-2,50.00,1150.00,EUR",
        "2026-09-07,Acme Ltd,Power,bill,-20.00,1130.00,EUR"
      )
    ),
    says: /column "Account Name" is not used/
  },
  {
    kind: "number for id",
    files: {
      "invoices.csv": lines(
        "Invoice ID,Invoice Number,Customer,Date,Due,Total,Currency",
        "77001,INV-1,Alder,2026-09-01,2026-10-01,100.00,EUR",
        "77002,INV-2,Beech,2026-09-02,2026-10-02,50.00,EUR"
      ),
      "receipts.csv": lines("Payment Date,Invoice Number,Amount,Currency", "2026-10-01,INV-1,100.00,EUR")
    },
    says: /payments/
  },
  {
    kind: "ledger formats",
    files: one(
      lines(
        "Code_journal,Date_de_piece,Numero_de_piece,Compte,Libelle,Debit,Credit",
        "VT,2026-04-11,1563,411,Aulne,120.00,",
        "VT,2026-04-11,1563,706,Aulne,,120.00",
        "VT,2026-04-12,1564,411,Orme,60.00,",
        "VT,2026-04-12,1564,706,Orme,,60.00"
      )
    ),
    says: /debit and credit are equal for each/
  },
  {
    kind: "running balances",
    files: one(
      lines(
        "Date,Description,Amount,Balance,Currency",
        ...[1, 2, 3, 4, 5, 6].map((n) => `2026-09-0${n},Alder ${n},${n === 6 ? "-" : ""}${n}0.00,${n * 7}.00,EUR`)
      )
    ),
    says: /"Balance" is not the balance before and the amount/
  },
  {
    kind: "totals",
    files: one(lines(HEAD, ...GOOD, "Total,,,,175.00,")),
    says: /175\.00/
  },
  {
    kind: "no headings",
    files: one(
      lines("05/09/2026,ALDER LTD INV-1,100.00", "16/09/2026,BEECH LTD INV-2,50.00", "27/09/2026,POWER,-20.00")
    ),
    says: /no headings|without headings/
  },
  {
    kind: "text forms",
    files: one(lines(HEAD, '1,Alder,2026-09-01,2026-10-01,"1,234",EUR', '2,Beech,2026-09-02,2026-10-02,"2,345",EUR')),
    says: /Which sign is the decimal sign of "1,234" in books\.csv/
  },
  {
    kind: "days in several ways",
    files: one(
      lines(HEAD, ...GOOD, "3,Dorn,03/09/2026,03/10/2026,25.00,EUR", "4,Elm,4 September 2026,4 October 2026,5.00,EUR")
    ),
    says: /Is "03\/09\/2026" in books\.csv day first or month first/
  },
  {
    kind: "days the other way round",
    files: one(
      lines(
        HEAD,
        "1,Alder,2026-10-01,2026-09-01,100.00,EUR",
        "2,Beech,2026-10-02,2026-09-02,50.00,EUR",
        "3,Dorn,2026-10-02,2026-09-02,20.00,EUR"
      )
    ),
    says: /In 3 of 3 rows of books\.csv, "Due" is before "Date"/
  },
  {
    kind: "amounts that nobody knows",
    files: one(lines(`${HEAD},Xyz`, `${GOOD[0]},100.00`, `${GOOD[1]},20.00`)),
    says: /In books\.csv, does "Xyz" hold the amount still open on each invoice\? In most rows it is not larger than "Total"/
  },
  {
    kind: "days that nobody knows",
    files: one(
      lines(
        "Invoice No,Customer,Date,Total,Currency,Xyz",
        "1,Alder,2026-09-13,100.00,EUR,2026-10-13",
        "2,Beech,2026-09-14,50.00,EUR,2026-10-14"
      )
    ),
    says: /Is "Xyz" of books\.csv the day on which an invoice is due\?/
  },
  {
    kind: "two exports of which neither is newer",
    files: {
      "books.csv": lines(HEAD, ...GOOD),
      "more.csv": lines(HEAD, GOOD[0]?.replace("100.00", "90.00") ?? "", "3,Cedar,2026-09-03,2026-10-03,30.00,EUR")
    },
    says: /books\.csv and more\.csv say differently of 1, and more\.csv does not have 2\. Is books\.csv left out/
  },
  {
    kind: "a column that nobody knows",
    files: one(lines(`${HEAD},Weather`, ...GOOD.map((row) => `${row},sunny`))),
    says: /column "Weather" is not used/
  },
  {
    kind: "a table below another",
    files: one(
      lines(
        HEAD,
        ...GOOD,
        "",
        "Invoice No,Supplier,Date,Due,Total,Approved by",
        "B1,Elm,2026-09-01,2026-10-01,9.00,Ann"
      )
    ),
    says: /has the headings of another table/
  }
]
