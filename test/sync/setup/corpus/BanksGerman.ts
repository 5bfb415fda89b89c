/** Exports of German banks. */
import { dotted, comma } from "./Days.ts"
import { bank, day, german, type Layout } from "./Movements.ts"

export const german_banks: ReadonlyArray<Layout> = [
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
    ],
    more: [
      [
        "DE11500105170000000001",
        "30.03.26",
        "30.03.26",
        "GUTSCHR. UEBERWEISUNG",
        "INV-2002",
        ...["", "", "", "", "", ""],
        "Atelier Nord SARL",
        "DE02120300000000202051",
        "BYLADEM1001",
        "2940,60",
        "EUR",
        "Umsatz vorgemerkt"
      ]
    ]
  }),
  bank({
    name: "Deutsche Bank, Postbank and norisbank, with Soll and Haben, and their balance at the end",
    source: "public importers' tests",
    mark: ";",
    above: ["Umsätze Girokonto;;;;;;;;;;;;;;;;;", "01.03.2026 - 31.03.2026;;;;;;;;;;;;;;;;;"],
    header:
      "Buchungstag;Wert;Umsatzart;Begünstigter / Auftraggeber;Verwendungszweck;IBAN;BIC;Kundenreferenz;Mandatsreferenz;Gläubiger ID;Fremde Gebühren;Betrag;Abweichender Empfänger;Anzahl der Aufträge;Anzahl der Schecks;Soll;Haben;Währung",
    row: (one) => [
      dotted(one.on),
      dotted(one.on),
      one.isIn ? "SEPA-Gutschrift" : "SEPA-Überweisung",
      one.who,
      one.text,
      one.iban,
      ...["", "", "", "", "", "", "", "", ""],
      one.isIn ? "" : comma(one.amount),
      one.isIn ? comma(one.amount) : "",
      "EUR"
    ],
    more: [["Kontostand", "31.03.2026", "", "", "2.170,50", "EUR"]]
  }),
  bank({
    name: "GLS Bank, whose text is divided into fourteen columns",
    source: "csv2ofx",
    mark: ";",
    header: `Kontonummer;Buchungstag;Wertstellung;Auftraggeber/Empfänger;Buchungstext;${Array.from({ length: 14 }, (_, n) => `VWZ${n + 1}`).join(";")};Betrag;Kontostand;Währung`,
    row: (one) => [
      "1234567890",
      dotted(one.on),
      dotted(one.on),
      one.who,
      one.isIn ? "SEPA-Überweisung" : "SEPA-Basislastschrift",
      ...one.text.split(" "),
      ...Array.from({ length: 14 - one.text.split(" ").length }, () => ""),
      comma(one.amount),
      comma(one.balance),
      "EUR"
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
