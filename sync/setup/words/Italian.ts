/** Italian words of exports. */
import type { Vocabulary } from "./Words.ts"

export const italian: Vocabulary = {
  code: "it",
  headings: {
    invoice:
      "Numero fattura|N. fattura|Nr. fattura|N° fattura|Fattura|Num. fattura|Fattura n.|Fattura numero|Numero fattura / Documento",
    document:
      "Numero|N.|Nr.|Documento|Numero documento|N. documento|Riferimento|Num. doc.|Numero doc.|N. doc.|Nr. documento",
    key: "ID fattura|Identificativo|ID",
    payment: "Numero pagamento|N. pagamento|ID pagamento|Riferimento pagamento|N. incasso|Pagamento|Incasso",
    credit: "Nota di credito|Numero nota di credito|N. nota di credito|NC",
    original: "Fattura originale|Fattura di riferimento|Fattura collegata|Fattura stornata",
    party:
      "Cliente|Nome cliente|Ragione sociale|Denominazione|Nome|Azienda|Debitore|Intestatario|Denominazione cliente|Ordinante|Controparte",
    party_id: "Codice cliente|N. cliente|Cod. cliente|Numero cliente",
    country: "Paese|Nazione|Paese cliente|Codice paese|Stato estero",
    regnum: "Numero REA|REA|Numero di registrazione",
    vat: "Partita IVA|P. IVA|P.IVA|Codice IVA|Partita IVA cliente",
    issued: "Data fattura|Data emissione|Data di emissione|Emessa il|Data documento|Data doc.",
    date: "Data|Data operazione|Data contabile|Data valuta|Data registrazione|Valuta",
    paid_on: "Data pagamento|Pagata il|Data incasso|Data di pagamento|Saldata il|Incassata il",
    due: "Scadenza|Data scadenza|Data di scadenza|Scade il|Pagare entro|Da pagare entro|Scadenza pagamento|Pagamento entro",
    terms: "Termini di pagamento|Condizioni di pagamento|Giorni di pagamento|Termini",
    net: "Imponibile|Totale imponibile|Netto|Importo netto|Totale netto|Imponibile totale|Imponibile/Importo",
    tax: "IVA|Importo IVA|Imposta|Totale IVA|Imposte",
    gross:
      "Totale|Totale fattura|Totale documento|Importo totale|Lordo|Totale IVA inclusa|Totale lordo|Totale da pagare|Netto a pagare|Importo lordo",
    amount: "Importo|Ammontare|Importo operazione|Importo rata",
    paid: "Pagato|Importo pagato|Incassato|Importo incassato|Totale pagato|Già pagato|Totale incassato",
    balance:
      "Saldo|Aperto|Importo aperto|Ancora aperto|Da pagare|Residuo|Importo residuo|Da incassare|Saldo aperto|Importo dovuto|Da saldare|Insoluto",
    paid_in: "Avere|Entrate|Accrediti|Accredito",
    paid_out: "Dare|Uscite|Addebiti|Addebito",
    currency: "Divisa|Codice valuta|Moneta",
    status: "Stato|Stato fattura|Stato pagamento|Situazione|Stato documento",
    type: "Tipo|Tipo documento|Tipologia|Tipo di documento",
    method: "Metodo di pagamento|Modalità di pagamento|Metodo pagamento|Modalità pagamento",
    text: "Descrizione|Causale|Note|Dettagli|Oggetto|Descrizione operazione|Descrizione operazioni|Descrizione estesa|Descrizione completa",
    code: "Codice|Codice motivo",
    reason: "Motivo",
    order: "Numero ordine|N. ordine|Ordine",
    quantity: "Quantità|Q.tà|Qtà"
  },
  states: {
    draft: "Bozza|Provvisoria|Preventivo|Da inviare",
    open: "Aperta|Inviata|Scaduta|Non pagata|Emessa|Da pagare|Parzialmente pagata|In attesa|Da saldare|Parzialmente saldata|Consegnata|Insoluta|Da incassare",
    paid: "Pagata|Saldata|Incassata|Chiusa|Pagato|Saldato",
    void: "Annullata|Stornata|Eliminata|Cancellata|Scartata|Inesigibile"
  },
  types: {
    invoice: "Fattura|Fattura di vendita|TD01|FT|Fattura immediata|Fattura differita|TD24",
    credit_note: "Nota di credito|TD04|NC|Nota credito",
    payment: "Pagamento|Incasso",
    refund: "Rimborso|Storno",
    left_out: "Preventivo|Ordine|DDT|Fattura di acquisto|Fattura acquisto|Proforma|Fattura proforma"
  },
  returned: "storno|insoluto|riaccredito|respint",
  titles: {
    invoices: "fattur|vendite",
    payments: "pagament|incassi|estratto conto|movimenti",
    credit_notes: "note di credito|nota di credito",
    orders: "ordini"
  }
}
