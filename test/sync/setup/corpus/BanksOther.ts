/** Exports of other banks. */
import { dmy, plain, comma } from "./Days.ts"
import { bank, day, type Layout } from "./Movements.ts"

export const others: ReadonlyArray<Layout> = [
  bank({
    name: "CIC and Crédit Mutuel",
    source: "afup/web, beancount-importers",
    mark: ";",
    header: "Date;Date de valeur;Débit;Crédit;Libellé;Solde",
    row: (one) => [
      dmy(one.on),
      dmy(one.on),
      one.isIn ? "" : comma(one.amount),
      one.isIn ? comma(one.amount) : "",
      `VIR ${one.who} ${one.text}`,
      comma(one.balance)
    ],
    answers: { currency: "EUR" }
  }),
  bank({
    name: "Boursorama",
    source: "public importers' tests",
    mark: ";",
    header:
      "dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance",
    row: (one) => [
      one.on,
      one.on,
      `VIR SEPA ${one.who} ${one.text}`,
      "Virements",
      "Virements",
      "",
      comma(one.amount),
      "",
      "00040211293",
      "Compte courant",
      ""
    ],
    answers: { currency: "EUR" }
  }),
  bank({
    name: "HDFC, with the Indian way to group digits",
    source: "public importers' tests",
    above: ["HDFC BANK Ltd.", "Account No : XXXX4821"],
    header: "Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance",
    row: (one) => [
      day(one.on, "dd/MM/yy"),
      `NEFT CR ${one.who} ${one.text}`,
      `N${plain(one.on)}`,
      day(one.on, "dd/MM/yy"),
      one.isIn ? "" : one.size,
      one.isIn ? one.size : "",
      one.balance
    ],
    answers: { currency: "INR" }
  }),
  bank({
    name: "Nordea, Sweden",
    source: "public importers' tests",
    mark: ";",
    newest: true,
    header: "Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta",
    row: (one) => [
      one.on.replaceAll("-", "/"),
      comma(one.amount),
      "",
      "1709 20 72840",
      one.who,
      one.text,
      comma(one.balance),
      "SEK"
    ]
  }),
  bank({
    name: "mBank, Poland",
    source: "public importers' tests",
    mark: ";",
    above: ["mBank S.A.;", "#Klient;", "OUR SHOP;"],
    header:
      "#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;#Kwota;#Saldo po operacji;",
    row: (one) => [
      one.on,
      one.on,
      "PRZELEW",
      one.text,
      one.who,
      `'${one.iban}'`,
      comma(one.amount),
      comma(one.balance),
      ""
    ],
    answers: { currency: "PLN" }
  }),
  bank({
    name: "a card's export as Mint wrote it",
    source: "csv2ofx",
    header: "Date,Description,Original Description,Amount,Transaction Type,Category,Account Name,Labels,Notes",
    row: (one) => [
      day(one.on, "MM/dd/yyyy"),
      `${one.who} ${one.text}`,
      one.text,
      one.size,
      one.isIn ? "credit" : "debit",
      "Income",
      "Checking",
      "",
      ""
    ],
    answers: { currency: "USD" }
  }),
  bank({
    name: "OTP, Hungary, with T and J",
    source: "from the trial's report; not verified",
    mark: ";",
    header:
      "Számlaszám;Terhelés/jóváírás;Összeg;Devizanem;Könyvelés dátuma;Értéknap;Egyenleg;Ellenoldali számla;Ellenoldali név;Közlemény",
    row: (one) => [
      "11773016-00000000",
      one.isIn ? "J" : "T",
      one.size,
      "HUF",
      plain(one.on),
      plain(one.on),
      one.balance,
      one.iban,
      one.who,
      one.text
    ]
  }),
  bank({
    name: "Erste Bank, Hungary, with a word for the way beside signed amounts",
    source: "bank2ynab",
    header:
      "Tranzakció dátuma,Partner neve,Partner számlaszáma,Számla neve,Számlaszám,Tranzakció típusa,Tranzakció összege,Tranzakció devizaneme,Bevétel/Kiadás,Kártyaszám,Értéknap,Közlemény,Megbízás azonosító,Részletek,Egyenleg,Devizanem",
    row: (one) => [
      `${day(one.on, "yyyy.MM.dd")}.`,
      one.who,
      one.iban,
      "Account",
      "11600006-00000000-12345678",
      "transfer",
      one.amount,
      "HUF",
      one.isIn ? "inflow" : "outflow",
      "",
      `${day(one.on, "yyyy.MM.dd")}.`,
      one.text,
      "",
      "",
      one.balance,
      "HUF"
    ]
  }),
  bank({
    name: "OCBC, of a month in which nothing went out",
    source: "bank2ynab",
    above: ["Account details for:,Account 666-666666-666", 'Available Balance,"2,170.50"', "", "Transaction History"],
    header: "Transaction date,Value date,Description,Withdrawals (SGD),Deposits (SGD)",
    row: (one) => [
      day(one.on, "dd/MM/yyyy"),
      day(one.on, "dd/MM/yyyy"),
      `${one.who} ${one.text}`,
      "",
      one.isIn ? one.amount : "0.00"
    ]
  }),
  bank({
    name: "Intesa Sanpaolo, with its balances in the columns of the movements",
    source: "public importers' tests",
    mark: ";",
    above: ["Operazioni contabilizzate;;;;;", ";;;;;"],
    header: "Data contabile;Data valuta;Descrizione;Accrediti;Addebiti;Descrizione estesa",
    row: (one) => [
      dmy(one.on),
      dmy(one.on),
      one.isIn ? "BONIFICO A VOSTRO FAVORE" : "SDD",
      one.isIn ? comma(one.amount) : "",
      one.isIn ? "" : comma(one.amount),
      `${one.who} ${one.text}`
    ],
    more: [["", "", "Saldo contabile finale in Euro", "2170,50", "", ""]],
    answers: { currency: "EUR" }
  }),
  bank({
    name: "Qonto, with a payment that was declined",
    source: "public importers' code",
    header:
      "Status,Settlement date (UTC),Operation date (UTC),Total amount (incl. VAT),Currency,Counterparty name,Payment method,Transaction ID,IBAN,Reference,Category,Note",
    row: (one) => [
      "settled",
      `${one.on} 10:00:00`,
      `${one.on} 09:00:00`,
      one.amount,
      "EUR",
      one.who,
      "transfer",
      `tx-${one.text.length}${one.size}`,
      "FR7616958000010000000000000",
      one.text,
      "other",
      ""
    ],
    more: [
      [
        "declined",
        "",
        "2026-03-30 09:00:00",
        "2940.60",
        "EUR",
        "Atelier Nord SARL",
        "transfer",
        "tx-9",
        "FR7616958000010000000000000",
        "INV-2002",
        "other",
        ""
      ]
    ]
  }),
  bank({
    name: "Revolut Business, with a payment that is pending",
    source: "public importers' tests",
    header:
      "Date started (UTC),Date completed (UTC),ID,Type,State,Description,Reference,Payer,Card number,Orig currency,Orig amount,Payment currency,Amount,Fee,Balance,Account",
    row: (one) => [
      one.on,
      one.on,
      `r-${one.size}`,
      one.isIn ? "TOPUP" : "TRANSFER",
      "COMPLETED",
      one.isIn ? `Payment from ${one.who}` : `To ${one.who}`,
      one.text,
      "",
      "",
      "EUR",
      one.amount,
      "EUR",
      one.amount,
      "0.00",
      one.balance,
      "Main"
    ],
    more: [
      [
        "2026-03-30",
        "",
        "r-9",
        "TOPUP",
        "PENDING",
        "Payment from Atelier Nord SARL",
        "INV-2002",
        "",
        "",
        "EUR",
        "2940.60",
        "EUR",
        "2940.60",
        "0.00",
        "",
        "Main"
      ]
    ]
  })
]
