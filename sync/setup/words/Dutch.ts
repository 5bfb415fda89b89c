/** Dutch words of exports. */
import type { Vocabulary } from "./Words.ts"

export const dutch: Vocabulary = {
  code: "nl",
  headings: {
    invoice: "Factuurnummer|Factuur nr.|Factuurnr|Factuurnr.|Factuur|Factuur-nummer",
    document: "Nummer|Nr.|Documentnummer|Boekstuk|Boekstuknummer|Referentie|Boekstuknr.",
    key: "Factuur-ID|ID",
    payment: "Betalingsnummer|Betalingskenmerk|Betaling|Transactienummer|Transactie-ID|Betaal-ID",
    credit: "Creditnota|Creditfactuur|Creditnotanummer|Creditfactuurnummer",
    original: "Oorspronkelijke factuur|Bij factuur|Gecrediteerde factuur|Betreft factuur",
    party:
      "Klant|Klantnaam|Debiteur|Relatie|Naam|Bedrijfsnaam|Naam klant|Contact|Naam tegenpartij|Naam van de tegenpartij|Tegenrekeninghouder|Naam / Omschrijving|Debiteurnaam|Debiteurennaam|Relatienaam|Bedrijf",
    party_id: "Klantnummer|Debiteurnummer|Relatienummer|Klantcode|Klantnr.|Debiteurnr.|Relatiecode",
    country: "Land|Landcode|Land klant",
    regnum: "KvK-nummer|KvK|Kamer van Koophandel|Ondernemingsnummer",
    vat: "Btw-nummer|BTW-id|Btw-identificatienummer|BTW nr.",
    issued: "Factuurdatum|Datum factuur|Uitgiftedatum|Verzonden op",
    date: "Datum|Boekdatum|Transactiedatum|Rentedatum|Valutadatum|Boekingsdatum|Datum verrichting|Datum verrekening|Datum creditnota",
    paid_on: "Betaaldatum|Betaald op|Datum betaling|Betalingsdatum|Datum betaald|Ontvangen op",
    due: "Vervaldatum|Vervalt op|Verloopdatum|Te betalen voor|Uiterste betaaldatum|Verval datum|Uiterlijk betalen|Betalen voor|Te betalen op|Betaal voor",
    terms: "Betalingstermijn|Betaaltermijn|Termijn|Betalingsconditie|Betalingsvoorwaarde",
    net: "Netto|Bedrag excl. btw|Totaal excl. btw|Excl. btw|Bedrag exclusief btw|Subtotaal|Nettobedrag|Totaal exclusief btw|Bedrag excl.|Totaal excl.|Bedrag excl",
    tax: "Btw|Btw-bedrag|Btw bedrag|Bedrag btw|Totaal btw",
    gross:
      "Bruto|Bedrag incl. btw|Totaal incl. btw|Incl. btw|Totaal|Factuurbedrag|Totaalbedrag|Bedrag inclusief btw|Brutobedrag|Totaal inclusief btw|Bedrag incl.|Totaal incl.|Bedrag incl",
    amount: "Bedrag|Transactiebedrag|Bedrag (EUR)",
    paid: "Betaald|Reeds betaald|Bedrag betaald|Betaald bedrag|Ontvangen",
    balance:
      "Open|Open bedrag|Openstaand|Openstaand bedrag|Nog te betalen|Saldo|Restant|Openstaand saldo|Nog open|Saldo na mutatie|Te betalen|Resterend",
    paid_in: "Bij|Bijschrijving|Credit|Ontvangsten",
    paid_out: "Af|Afschrijving|Debet|Uitgaven",
    currency: "Valuta|Valuta rekening|Munteenheid|Valutacode|Munt",
    status: "Status|Factuurstatus|Betaalstatus|Betalingsstatus|Toestand",
    type: "Type|Soort|Documenttype|Soort document|Mutatiesoort|Factuurtype|Soort factuur",
    method: "Betaalwijze|Betaalmethode|Betalingswijze",
    text: "Omschrijving|Mededelingen|Gestructureerde mededeling|Betalingskenmerk|Mededeling|Beschrijving|Toelichting|Opmerking|Kenmerk|Onderwerp|Handelaar",
    code: "Code|Redencode|Retourcode",
    reason: "Reden|Reden van storno",
    order: "Ordernummer|Bestelnummer|Order|Bestelling",
    quantity: "Aantal"
  },
  states: {
    draft: "Concept|Klad|Niet verzonden|Offerte",
    open: "Open|Openstaand|Verzonden|Verstuurd|Te laat|Vervallen|Onbetaald|Deels betaald|Gedeeltelijk betaald|Herinnering|Aanmaning|Verlopen|Niet betaald|Herinnerd|Aangemaand|Geboekt",
    paid: "Betaald|Voldaan|Afgehandeld|Volledig betaald|Afgeletterd",
    void: "Geannuleerd|Vervallen verklaard|Verwijderd|Oninbaar|Afgeboekt|Gecrediteerd"
  },
  types: {
    invoice: "Factuur|Verkoopfactuur|VF|Debiteurfactuur",
    credit_note: "Creditnota|Creditfactuur|Credit|Verkoopcreditnota",
    payment: "Betaling|Ontvangst|Ontvangen betaling",
    refund: "Terugbetaling|Storno|Stornering|Restitutie",
    left_out: "Offerte|Inkoopfactuur|Pakbon|Verkooporder|Proforma|Proforma factuur|Memoriaal"
  },
  returned: "storno|terugboeking|stornering|retour",
  titles: {
    invoices: "factuur|facturen|debiteuren|openstaande posten",
    payments: "betaling|bankafschrift|mutaties|afschrift|ontvangsten",
    credit_notes: "creditnota|creditfactu",
    orders: "bestellingen"
  }
}
