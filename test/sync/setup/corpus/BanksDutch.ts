/** Exports of Dutch and Belgian banks. */
import { OWN, dmy, plain, comma } from "./Days.ts"
import { bank, day, german, type Layout } from "./Movements.ts"

export const dutch: ReadonlyArray<Layout> = [
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
