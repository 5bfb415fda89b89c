/** Exports of banks in Europe, with headings in their languages. */
import { bank, day, type Layout, german, type Movement } from "./Movements.ts"

const OWN = "NL20INGB0001234567"
const dmy = (on: string): string => day(on, "dd/MM/yyyy")
const dotted = (on: string): string => day(on, "dd.MM.yyyy")
const plain = (on: string): string => on.replaceAll("-", "")
const comma = (amount: string): string => amount.replace(".", ",")

const dutch: ReadonlyArray<Layout> = [
  bank({
    name: "ING, Netherlands, with a column for the direction",
    source: "ofxstatement-dutch",
    newest: true,
    header:
      '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen"',
    row: (one) => [
      plain(one.on),
      one.who,
      OWN,
      one.iban,
      "OV",
      one.isIn ? "Bij" : "Af",
      comma(one.size),
      "Overschrijving",
      one.text
    ]
  }),
  bank({
    name: "ING, Netherlands, with balances",
    source: "public importers' tests",
    newest: true,
    mark: ";",
    header:
      '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen";"Saldo na mutatie";"Tag"',
    row: (one) => [
      plain(one.on),
      one.who,
      OWN,
      one.iban,
      "OV",
      one.isIn ? "Bij" : "Af",
      comma(one.size),
      "Overschrijving",
      one.text,
      german(one.balance),
      ""
    ]
  }),
  bank({
    name: "ING, Netherlands, in English",
    source: "public importers' tests",
    header:
      "Date,Name / Description,Account,Counterparty,Code,Debit/credit,Amount (EUR),Transaction type,Notifications,Resulting balance,Tag",
    row: (one) => [
      plain(one.on),
      one.who,
      OWN,
      one.iban,
      "OV",
      one.isIn ? "Credit" : "Debit",
      comma(one.size),
      "Transfer",
      one.text,
      comma(one.balance),
      ""
    ]
  }),
  bank({
    name: "Knab",
    source: "ofxstatement-dutch",
    mark: ";",
    header:
      "Rekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;Tegenrekeninghouder;Omschrijving;Betalingskenmerk",
    row: (one) => [
      OWN,
      day(one.on, "dd-MM-yyyy"),
      "EUR",
      one.isIn ? "C" : "D",
      comma(one.size),
      one.iban,
      one.who,
      one.text,
      ""
    ]
  }),
  bank({
    name: "Rabobank",
    source: "public importers' tests",
    header:
      '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Naam uiteindelijke partij","Naam initiërende partij","BIC tegenpartij","Code","Omschrijving-1","Omschrijving-2"',
    row: (one) => [
      OWN,
      "EUR",
      "RABONL2U",
      `00000${one.on.slice(-2)}`,
      one.on,
      one.on,
      `${one.isIn ? "+" : ""}${comma(one.amount)}`,
      `+${comma(one.balance)}`,
      one.iban,
      one.who,
      "",
      "",
      "",
      "tb",
      one.text,
      ""
    ]
  }),
  bank({
    name: "BNP Paribas Fortis, in Dutch, with a state",
    source: "public importers' tests",
    mark: ";",
    header:
      "Volgnummer;Uitvoeringsdatum;Valutadatum;Bedrag;Valuta rekening;Rekeningnummer;Type verrichting;Tegenpartij;Naam van de tegenpartij;Mededeling;Details;Status;Reden van weigering",
    row: (one) => [
      `2026-000${one.on.slice(-2)}`,
      dmy(one.on),
      dmy(one.on),
      comma(one.amount),
      "EUR",
      "BE71096123456769",
      "Overschrijving",
      one.iban,
      one.who,
      one.text,
      one.text,
      "Geaccepteerd",
      ""
    ]
  }),
  bank({
    name: "KBC",
    source: "public importers' tests",
    mark: ";",
    header:
      "Rekeningnummer;Rubrieknaam;Naam;Munt;Afschriftnummer;Datum;Omschrijving;Valuta;Bedrag;Saldo;credit;debet;rekeningnummer tegenpartij;BIC tegenpartij;Naam tegenpartij;Adres tegenpartij;gestructureerde mededeling;Vrije mededeling",
    row: (one) => [
      "BE71096123456769",
      "",
      "Our Shop",
      "EUR",
      "1",
      dmy(one.on),
      one.text,
      dmy(one.on),
      comma(one.amount),
      comma(one.balance),
      one.isIn ? comma(one.amount) : "",
      one.isIn ? "" : comma(one.amount),
      one.iban,
      "",
      one.who,
      "",
      "",
      one.text
    ]
  })
]

const german_banks: ReadonlyArray<Layout> = [
  bank({
    name: "Sparkasse, CSV-CAMT",
    source: "public importers' tests",
    mark: ";",
    header:
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"',
    row: (one) => [
      "DE11500105170000000001",
      day(one.on, "dd.MM.yy"),
      day(one.on, "dd.MM.yy"),
      "GUTSCHR. UEBERWEISUNG",
      one.text,
      "",
      "",
      "",
      "",
      "",
      "",
      one.who,
      one.iban,
      "BYLADEM1001",
      comma(one.amount),
      "EUR",
      "Umsatz gebucht"
    ]
  }),
  bank({
    name: "Volksbank, with balances",
    source: "public importers' tests",
    mark: ";",
    header:
      "Bezeichnung Auftragskonto;IBAN Auftragskonto;BIC Auftragskonto;Bankname Auftragskonto;Buchungstag;Valutadatum;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;BIC (SWIFT-Code) Zahlungsbeteiligter;Buchungstext;Verwendungszweck;Betrag;Waehrung;Saldo nach Buchung;Bemerkung;Kategorie;Steuerrelevant;Glaeubiger ID;Mandatsreferenz",
    row: (one) => [
      "Geschäftskonto",
      "DE11500105170000000001",
      "GENODEF1XXX",
      "Musterbank eG",
      dotted(one.on),
      dotted(one.on),
      one.who,
      one.iban,
      "",
      "Gutschrift",
      one.text,
      comma(one.amount),
      "EUR",
      comma(one.balance),
      "",
      "",
      "",
      "",
      ""
    ]
  }),
  bank({
    name: "a German bank with Soll and Haben beside unsigned amounts",
    source: "public importers' tests",
    mark: ";",
    header: "Buchungstag;Valuta;Auftraggeber/Empfänger;Konto;Verwendungszweck;Währung;Umsatz;Soll/Haben",
    row: (one) => [
      dotted(one.on),
      dotted(one.on),
      one.who,
      one.iban,
      one.text,
      "EUR",
      german(one.size),
      one.isIn ? "H" : "S"
    ]
  }),
  bank({
    name: "a German bank with columns for Soll and Haben",
    source: "public importers' tests",
    mark: ";",
    above: ["Kontonummer;DEMO", "Zeitraum;01.03.2026-31.03.2026"],
    header: "Buchungstag;Valuta;Auftraggeber/Empfänger;Verwendungszweck;Soll;Haben;Währung",
    row: (one) => [
      dotted(one.on),
      dotted(one.on),
      one.who,
      one.text,
      one.isIn ? "" : comma(one.size),
      one.isIn ? comma(one.size) : "",
      "EUR"
    ]
  }),
  bank({
    name: "DKB",
    source: "public importers' tests",
    mark: ";",
    newest: true,
    above: ["Girokonto;DE02120300000000202051", "", "Kontostand vom 31.03.2026:;2.170,50 €", ""],
    header:
      "Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;IBAN;Betrag (€);Gläubiger-ID;Mandatsreferenz;Kundenreferenz",
    row: (one) => [
      day(one.on, "dd.MM.yy"),
      day(one.on, "dd.MM.yy"),
      "Gebucht",
      one.isIn ? one.who : "Our Shop",
      one.isIn ? "Our Shop" : one.who,
      one.text,
      one.isIn ? "Eingang" : "Ausgang",
      one.iban,
      german(one.amount),
      "",
      "",
      ""
    ]
  }),
  bank({
    name: "N26",
    source: "public importers' tests",
    header:
      '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"',
    row: (one) => [
      one.on,
      one.on,
      one.who,
      one.iban,
      one.isIn ? "Credit Transfer" : "Debit Transfer",
      one.text,
      "Main Account",
      one.amount,
      "",
      "",
      ""
    ]
  })
]

const british: ReadonlyArray<Layout> = [
  bank({
    name: "Lloyds, Halifax and Bank of Scotland",
    source: "public importers' tests",
    newest: true,
    header:
      "Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance",
    row: (one) => [
      dmy(one.on),
      one.isIn ? "FPI" : "DD",
      "'30-00-00",
      "12345678",
      `${one.who} ${one.text}`,
      one.isIn ? "" : one.size,
      one.isIn ? one.size : "",
      one.balance
    ],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "Starling",
    source: "public importers' tests",
    header: "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes",
    row: (one) => [dmy(one.on), one.who, one.text, "FASTER PAYMENT", one.amount, one.balance, "INCOME", ""]
  }),
  bank({
    name: "Monzo",
    source: "public importers' tests",
    header:
      "Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In",
    row: (one) => [
      `tx_${plain(one.on)}`,
      dmy(one.on),
      "09:12:00",
      "Faster payment",
      one.who,
      "",
      "Income",
      one.amount,
      "GBP",
      one.amount,
      "GBP",
      "",
      "",
      "",
      one.text,
      "",
      one.isIn ? "" : one.amount,
      one.isIn ? one.amount : ""
    ]
  }),
  bank({
    name: "Barclays",
    source: "public importers' tests",
    header: "Number,Date,Account,Amount,Subcategory,Memo",
    row: (one) => ["", dmy(one.on), "20-00-00 12345678", one.amount, "Direct Credit", `${one.who} ${one.text}`],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "NatWest and RBS",
    source: "public importers' tests",
    header: "Date,Type,Description,Value,Balance,Account Name,Account Number",
    row: (one) => [
      day(one.on, "dd MMM yyyy"),
      one.isIn ? "BAC" : "D/D",
      `${one.who} ${one.text}`,
      one.amount,
      one.balance,
      "'OUR SHOP LTD",
      "'600000-12345678"
    ],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "Tide",
    source: "the trial's report of a public importer",
    header:
      "Date,Timestamp,Transaction ID,Transaction description,Amount,Category name,From,To,Reference,Transaction type,Status",
    row: (one) => [
      one.on,
      `${one.on} 10:00:00`,
      `id-${plain(one.on)}`,
      one.who,
      one.amount,
      "Income",
      one.isIn ? one.who : "",
      one.isIn ? "" : one.who,
      one.text,
      "Domestic Transfer",
      "Completed"
    ],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "Revolut, whose fees have a column of their own",
    source: "public importers' tests",
    header: "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance",
    row: (one) => [
      "TRANSFER",
      "Current",
      `${one.on} 09:00:00`,
      `${one.on} 09:00:05`,
      `${one.isIn ? "From" : "To"} ${one.who} ${one.text}`,
      one.amount,
      "0.00",
      "GBP",
      "COMPLETED",
      one.balance
    ]
  }),
  bank({
    name: "Wise",
    source: "public importers' tests",
    header:
      "TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Total fees",
    row: (one) => [
      `TRANSFER-${plain(one.on)}`,
      day(one.on, "dd-MM-yyyy"),
      one.amount,
      "EUR",
      `${one.isIn ? "Received money from" : "Sent money to"} ${one.who}`,
      one.text,
      one.balance,
      "",
      "",
      "",
      one.isIn ? one.who : "",
      one.isIn ? "" : one.who,
      "",
      "",
      "0.00"
    ]
  })
]

const others: ReadonlyArray<Layout> = [
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
  })
]

/** Without headings. */
const headless: ReadonlyArray<Layout> = [
  bank({
    name: "HSBC, United Kingdom, without headings",
    source: "bank2ynab",
    header: "",
    row: (one: Movement) => [dmy(one.on), `${one.who} ${one.text}`, one.amount],
    answers: { currency: "GBP", headless: "yes" }
  }),
  bank({
    name: "Raiffeisen, Austria, without headings",
    source: "ofxstatement-austrian",
    mark: ";",
    header: "",
    row: (one) => [
      dotted(one.on),
      `${one.who} ${one.text}`,
      dotted(one.on),
      comma(one.amount),
      "EUR",
      `${dotted(one.on)} 09:12:00:123`
    ],
    answers: { headless: "yes" }
  }),
  bank({
    name: "easybank, without headings",
    source: "ofxstatement-austrian",
    mark: ";",
    header: "",
    row: (one) => [
      "AT611904300234573201",
      `${one.who} ${one.text}`,
      dotted(one.on),
      dotted(one.on),
      `${one.isIn ? "+" : ""}${german(one.amount)}`,
      "EUR"
    ],
    answers: { headless: "yes" }
  }),
  bank({
    name: "ASN, without headings",
    source: "ofxstatement-dutch",
    header: "",
    row: (one) => [
      day(one.on, "dd-MM-yyyy"),
      OWN,
      one.iban,
      one.who,
      "",
      "",
      "",
      "EUR",
      (Number(one.balance) - Number(one.amount)).toFixed(2),
      "EUR",
      one.amount,
      day(one.on, "dd-MM-yyyy"),
      day(one.on, "dd-MM-yyyy"),
      "8810",
      "OVS",
      `1${plain(one.on)}`,
      "",
      `'${one.text}'`,
      "1"
    ],
    answers: { headless: "yes" }
  })
]

export const banks: ReadonlyArray<Layout> = [...dutch, ...german_banks, ...british, ...others, ...headless]
