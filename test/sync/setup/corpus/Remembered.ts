/** Layouts of banks and programs as they are remembered, none of them verified: some were read wrong, or asked too much. */
import { bank, day, german, type Layout } from "./Movements.ts"

const source = "not verified"
const DOTTED = "dd.MM.yyyy"

export const rememberedBanks: ReadonlyArray<Layout> = [
  bank({
    name: "ING, Germany, with the currency of the balance and of the amount",
    source,
    mark: ";",
    above: [
      "Umsatzanzeige;Datei erstellt am: 31.03.2026",
      "IBAN;DE89 5001 0517 5407 3249 31",
      "Saldo;2.170,50;EUR",
      ""
    ],
    header:
      "Buchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung",
    row: (one) => [
      day(one.on, DOTTED),
      day(one.on, DOTTED),
      one.who,
      one.isIn ? "Gutschrift" : "Überweisung",
      one.text,
      german(one.balance),
      "EUR",
      german(one.amount),
      "EUR"
    ],
    newest: true
  }),
  bank({
    name: "Crédit Agricole, whose headings of money name the currency",
    source,
    mark: ";",
    above: [
      "Téléchargement du 31/03/2026;",
      "",
      "Compte courant n° 12345678901",
      "Liste des opérations du compte;",
      ""
    ],
    header: "Date;Libellé;Débit euros;Crédit euros;",
    row: (one) => [
      day(one.on, "dd/MM/yyyy"),
      `VIREMENT ${one.who} ${one.text}`,
      one.isIn ? "" : german(one.size),
      one.isIn ? german(one.size) : "",
      ""
    ],
    answers: { currency: "EUR" }
  }),
  bank({
    name: "Triodos, without headings, with words that are headings elsewhere",
    source,
    header: "",
    row: (one) => [
      day(one.on, "dd-MM-yyyy"),
      "NL00TRIO0123456789",
      german(one.size),
      one.isIn ? "Credit" : "Debet",
      one.who,
      one.iban,
      one.isIn ? "ET" : "IC",
      one.isIn ? one.text : "termijn",
      german(one.balance)
    ],
    answers: { currency: "EUR", headless: "yes" }
  }),
  bank({
    name: "PKO BP, Poland",
    source,
    header: "Data operacji,Data waluty,Typ transakcji,Kwota,Waluta,Saldo po transakcji,Opis transakcji,,,",
    row: (one) => [
      one.on,
      one.on,
      one.isIn ? "Przelew na konto" : "Zlecenie stałe",
      one.isIn ? `+${one.amount}` : one.amount,
      "PLN",
      one.balance,
      `${one.isIn ? "Nadawca" : "Odbiorca"}: ${one.who}`,
      `Tytuł: ${one.text}`,
      "",
      ""
    ]
  }),
  bank({
    name: "Chase, with a word for each way beside signed amounts",
    source,
    header: "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #",
    row: (one) => [
      one.isIn ? "CREDIT" : "DEBIT",
      day(one.on, "MM/dd/yyyy"),
      `${one.who} ${one.text}`,
      one.amount,
      one.isIn ? "ACH_CREDIT" : "ACH_DEBIT",
      one.balance,
      ""
    ],
    answers: { currency: "USD" }
  })
]

const list = (...lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n`

export const rememberedLists: ReadonlyArray<Layout> = [
  {
    name: "iFirma, in Polish, with a part that was paid",
    source,
    files: {
      "faktury.csv": list(
        "Numer faktury;Kontrahent;Data wystawienia;Termin płatności;Netto;VAT;Brutto;Waluta;Zapłacono;Status",
        "1/2026;Olsza;2026-09-01;2026-10-01;100,00;23,00;123,00;PLN;123,00;Opłacona",
        "2/2026;Wiąz;2026-09-02;2026-10-02;200,00;46,00;246,00;PLN;100,00;Częściowo opłacona",
        "3/2026;Dąb;2026-09-03;2026-10-03;10,00;2,30;12,30;PLN;0,00;Przeterminowana"
      )
    },
    sums: { invoice: [3, "381.30"] }
  },
  {
    name: "Dinero, in Danish, with a type of one word",
    source,
    files: {
      "fakturaer.csv": list(
        "Nummer;Type;Kunde;Dato;Forfaldsdato;Beløb ekskl. moms;Moms;Beløb inkl. moms;Valuta;Status",
        "1;Faktura;El A/S;01-09-2026;01-10-2026;100,00;25,00;125,00;DKK;Betalt",
        "2;Faktura;Bøg A/S;22-09-2026;22-10-2026;200,00;50,00;250,00;DKK;Overforfalden"
      )
    },
    sums: { invoice: [2, "375.00"] }
  }
]
