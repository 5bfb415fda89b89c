/** German words of exports. */
import type { Vocabulary } from "./Words.ts"

export const german: Vocabulary = {
  code: "de",
  headings: {
    invoice:
      "Rechnungsnummer|Rechnungs-Nr.|Rechnungs-Nr|Rechnung Nr.|Rechnung|Rg-Nr.|Re-Nr.|RechnungNr|Rechnungsnr|Rg.-Nr.",
    document: "Belegnummer|Beleg-Nr.|Belegnr|Nummer|Nr.|Beleg|Belegfeld 1|Dokumentnummer|Referenz|Dokument-Nr.",
    key: "Rechnungs-ID|ID|Interne ID|Beleg-ID",
    payment:
      "Zahlungsnummer|Zahlungs-Nr.|Zahlungs-ID|Transaktionsnummer|Transaktions-ID|Transaktionscode|Buchungsnummer|Zahlung",
    credit: "Gutschriftsnummer|Gutschrift-Nr.|Gutschrift|Gutschriftnummer|Storno-Nr.",
    original:
      "Ursprungsrechnung|zu Rechnung|Bezugsrechnung|Originalrechnung|Bezug|Rechnungsbezug|Stornierte Rechnung|Storno zu|Storno-Referenz|Gutschrift zu|Korrektur zu",
    party:
      "Kunde|Kundenname|Name des Kunden|Firma|Firmenname|Debitor|Debitorenname|Kunde/Lieferant|Empfänger|Rechnungsempfänger|Kontakt|Name|Auftraggeber|Zahler|Zahlungspflichtiger|Auftraggeber/Empfänger|Begünstigter/Zahlungspflichtiger|Begünstigter / Auftraggeber|Empfänger 1|Empfaenger 1|Name Zahlungsbeteiligter",
    party_id: "Kundennummer|Kunden-Nr.|Kundennr|Debitorennummer|Debitor-Nr.|Debitorenkonto|Kdnr|Kd.-Nr.|Personenkonto",
    country: "Land|Kundenland|Ländercode|Rechnungsland|Landescode",
    regnum: "Handelsregisternummer|HRB|Registernummer",
    vat: "USt-IdNr.|Umsatzsteuer-ID|USt-ID|UID|UStIdNr|Steuernummer",
    issued: "Rechnungsdatum|Rechnung vom|Ausstellungsdatum|Ausgestellt am|Rg-Datum|Re-Datum|Ausgestellt",
    date: "Datum|Belegdatum|Buchungsdatum|Buchungstag|Buchung|Wertstellung|Wertstellungsdatum|Valuta|Valutadatum|Gutschriftsdatum|Erstellt am",
    paid_on:
      "Zahlungsdatum|Bezahlt am|Zahldatum|Zahlungseingang am|Zahlungseingang|Eingangsdatum|Gezahlt am|Ausgeglichen am",
    due: "Fälligkeitsdatum|Fälligkeit|Fällig am|Fällig|Zahlbar bis|Zahlungsziel Datum|Faelligkeit|Faellig am|Faelligkeitsdatum|Fällig bis|Zu zahlen bis|Fällig zum|Zahlbar am",
    terms: "Zahlungsziel|Zahlungsfrist|Zahlungsbedingungen|Zahlungsziel (Tage)|Zahlungsbedingung",
    net: "Netto|Nettobetrag|Betrag netto|Summe netto|Netto-Betrag|Nettosumme|Gesamt netto|Nettowert|Gesamtbetrag netto|Netto Betrag|Rechnungsbetrag netto",
    tax: "MwSt|USt|Mehrwertsteuer|Umsatzsteuer|Steuer|Steuerbetrag|MwSt-Betrag|USt-Betrag|Summe Steuern|Summe Steuer|Umsatzsteuerbetrag",
    gross:
      "Brutto|Bruttobetrag|Betrag brutto|Summe brutto|Brutto-Betrag|Bruttosumme|Gesamt brutto|Gesamtbetrag|Rechnungsbetrag|Rechnungssumme|Gesamtsumme|Endbetrag|Gesamtbetrag brutto|Summe|Gesamt|Rechnungsbetrag brutto",
    amount: "Betrag|Umsatz|Zahlbetrag|Zahlungsbetrag|Betrag (EUR)|Buchungsbetrag",
    paid: "Bezahlt|Bezahlter Betrag|Gezahlt|Gezahlter Betrag|Bereits bezahlt|Summe Zahlungen|Geldeingang|Betrag erhalten|Erhaltener Betrag",
    balance:
      "Offen|Offener Betrag|Restbetrag|Offener Saldo|Saldo|Noch offen|Offene Summe|Offener Posten|Kontostand|Guthaben|Saldo nach Buchung",
    paid_in: "Haben|Eingang|Gutschrift Betrag|Einnahmen|Einzahlung|Eingänge",
    paid_out: "Soll|Ausgang|Lastschrift|Ausgaben|Auszahlung|Ausgänge|Belastung",
    currency: "Währung|Waehrung|Währungscode|WKZ|Währungskennzeichen",
    status: "Status|Rechnungsstatus|Zahlungsstatus|Zustand|Zahlstatus|Bezahlstatus|Belegstatus",
    type: "Belegart|Typ|Art|Dokumenttyp|Belegtyp|Dokumentart|Rechnungsart|Rechnungstyp",
    method: "Zahlungsart|Zahlart|Zahlungsmethode|Zahlweise|Bezahlart",
    text: "Verwendungszweck|QR-Referenz|ESR-Referenz|Zahlungsreferenz|Buchungstext|Beschreibung|Bemerkung|Text|Betreff|Vorgang|Notiz|Buchungstext/Verwendungszweck|Transaktionsbeschreibung|VWZ|Kundenreferenz (End-to-End)|End-to-End-Referenz",
    code: "Code|Rückgabecode|Fehlercode|Grundcode",
    reason: "Rückgabegrund|Grund|Stornogrund",
    order: "Bestellnummer|Auftragsnummer|Bestellung|Auftrag",
    quantity: "Menge|Anzahl"
  },
  states: {
    draft: "Entwurf|in Bearbeitung|vorläufig|Angebot",
    open: "ausgestellt|offen|versendet|gesendet|überfällig|fällig|unbezahlt|teilbezahlt|teilweise bezahlt|gestellt|verschickt|gemahnt|in Mahnung|nicht bezahlt|festgeschrieben|gebucht|teilzahlung|teilgezahlt|freigegeben",
    paid: "bezahlt|beglichen|ausgeglichen|erledigt|abgeschlossen|vollständig bezahlt|gezahlt|überbezahlt",
    void: "storniert|Storno|gelöscht|ungültig|annulliert|abgeschrieben|ausgebucht|uneinbringlich"
  },
  types: {
    invoice: "Rechnung|Ausgangsrechnung|RE|RG|AR|Schlussrechnung|Kundenrechnung|Abschlagsrechnung|Teilrechnung",
    credit_note:
      "Storno|Gutschrift|Rechnungskorrektur|Stornorechnung|GS|GU|Korrekturrechnung|Kundengutschrift|Ausgangsgutschrift",
    payment: "Zahlung|Zahlungseingang|ZE|Einzahlung|Kundenzahlung",
    refund: "Rückzahlung|Erstattung|Rücklastschrift|Zahlungsausgang",
    left_out:
      "Angebot|Auftrag|Auftragsbestätigung|Lieferschein|Proforma|Proforma-Rechnung|Eingangsrechnung|Lieferantenrechnung|Eingangsgutschrift|Bestellung|Mahnung|Umbuchung|Kostenvoranschlag"
  },
  returned: "rücklastschrift|retoure|rückbuchung|rückgabe|storno",
  titles: {
    invoices: "Rechnung|Debitoren|offene Posten",
    payments: "Zahlung|Kontoauszug|Umsätze|Kontoumsätze|Auszahlung",
    credit_notes: "Gutschrift|Rechnungskorrektur|Storno",
    orders: "Bestellungen|Aufträge"
  }
}
