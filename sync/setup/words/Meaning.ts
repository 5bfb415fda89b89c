/**
 * Words for what changes the meaning of an amount, in the languages of exports: which way money went, what became of a payment,
 * which part of it counts, in whose currency it is. They are few and alike, so that they stand together.
 */
import type { Role } from "./Words.ts"

/** Headings. */
export const MEANING: Partial<Readonly<Record<Role, string>>> = {
  direction:
    "Af Bij|Af/Bij|Bij/Af|Soll/Haben|S/H|Soll/Haben-Kennzeichen|Soll-Haben-Kennzeichen|SH-Kennzeichen|CreditDebet|Debet/Credit|Debet/Kredit|Kredit/Debet|Credit/Debet|Credit/Debit|Debit/Credit|Credit Debit Indicator|CreditDebitIndicator|Debit Credit Indicator|C/D|D/C|DC|CD|Dr/Cr|Cr/Dr|D/K|K/D|Direction|Money Direction|In/Out|Inflow/Outflow|Sens|Débito/Crédito|Crédito/Débito|Borç/Alacak|Χρέωση/Πίστωση|Débit/Crédit|Crédit/Débit|Dare/Avere|D/A|Debe/Haber|Cargo/Abono|Signo|Segno|Vorzeichen|Bij-/Afschrijving|Transaction Direction|Strona|Terhelés/jóváírás|Bevétel/Kiadás|Balance Impact|Auswirkung auf Guthaben|Impact sur le solde|Incidence sur le solde|Invloed op saldo|Impacto en el saldo|Impatto sul saldo",
  refunded:
    "amount refunded|amount_refunded|refunded amount|refunded|total refunded|erstatteter Betrag|erstattet|montant remboursé|terugbetaald bedrag|importe devuelto|importo rimborsato",
  applied:
    "amount applied|amount applied to invoice|applied amount|amount allocated|allocated amount|allocation|applied|amount allocated to invoice|zugeordneter Betrag|davon zugeordnet|verrechneter Betrag|montant affecté|montant imputé|montant lettré|toegewezen bedrag|verrekend bedrag|importe aplicado|importo assegnato",
  unallocated:
    "unused amount|amount unused|unallocated amount|amount unallocated|unallocated|unapplied amount|amount unapplied|unapplied|nicht zugeordneter Betrag|nicht zugeordnet|montant non affecté|montant non imputé|niet toegewezen bedrag|importe no aplicado|importo non assegnato",
  foreign:
    "foreign amount|amount (fc)|fc amount|amount in currency|amount currency|transaction currency amount|total in invoice currency|total in currency|invoice currency amount|amount in invoice currency|total in currency signed|untaxed amount in currency|original amount|amount in document currency|document currency amount|currency amount|Betrag Fremdwährung|Fremdwährungsbetrag|Betrag FW|Betrag in Währung|montant en devise|montant devise|bedrag vreemde valuta|vreemde valuta bedrag|bedrag VV|importe divisa|importe en divisa|importo in valuta|importo valuta",
  home: "base amount|home amount|local amount|amount (base)|base currency amount|home currency amount|total signed|total in company currency|total (base currency)|total in base currency|amount in local currency|amount in base currency|Betrag Hauswährung|Betrag Hauswaehrung|montant en euros|bedrag basisvaluta",
  exchange:
    "exchange rate|currency rate|fx rate|conversion rate|rate of exchange|Wechselkurs|Kurs|taux de change|cours de change|wisselkoers|koers|tipo de cambio|tasso di cambio|cambio",
  fee: "fee|fees|charges|commission|transaction fee|Gebühr|Gebühren|Entgelt|frais|commissions|kosten|comisión|comisiones|tarifa|commissione|commissioni|tariffa"
}

/** Which way money went, as the values of a column say it. */
export const DIRECTIONS: Readonly<Record<"in" | "out", string>> = {
  in: "in|inflow|incoming|bij|h|haben|gutschrift|c|cr|crdt|credit|k|kredit|crédit|abono|haber|avere|entrata|entrée|entrante|received|money in|deposit|uznanie|+|jóváírás|j|entrada|ingreso|eingang|paid in|crédito|recebido|alacak|πίστωση|π",
  out: "out|outflow|outgoing|af|s|soll|lastschrift|belastung|d|dr|dbit|debit|debet|débit|cargo|adeudo|debe|dare|uscita|sortie|saliente|sent|money out|withdrawal|obciążenie|-|terhelés|t|salida|gasto|ausgang|paid out|débito|enviado|borç|χρέωση|χ"
}

/** No money moved. */
export const NO_MOVEMENT = "memo|info|information|hinweis|none|neutral"

/** Words that say it at the beginning or the end of a longer text. */
export const WAY_WORDS: Readonly<Record<"in" | "out", string>> = {
  in: "in|inflow|incoming|inbound|inward|received|eingang|eingehend|entrant|entrante|bij|inkomend|entrata|accredito|abono",
  out: "out|outflow|outgoing|outbound|outward|sent|ausgang|ausgehend|sortant|sortante|saliente|af|uitgaand|uscita|addebito|cargo"
}

/** What became of a payment. */
export const PAYMENT_WORDS: Readonly<Record<"received" | "pending" | "failed" | "refunded" | "charged_back", string>> =
  {
    received:
      "received|capture|completed|complete|paid|paidout|paid out|paid_out|settled|succeeded|success|successful|captured|cleared|confirmed|processed|posted|booked|available|reconciled|unreconciled|deposited|accepted|approved|done|executed|active|closed|collected|charged|transferred|ok|gebucht|eingegangen|erhalten|ausgeführt|abgeschlossen|erfolgreich|bezahlt|payé|payée|effectué|effectuée|exécuté|accepté|acceptée|réussi|réussie|encaissé|comptabilisé|umsatz gebucht|voltooid|geaccepteerd|uitgevoerd|verwerkt|betaald|ontvangen|geslaagd|completado|completada|pagado|cobrado|realizado|ejecutado|completato|completata|pagato|eseguito|contabilizzato|incassato|accettato|won|partially captured|udført|utført|genomförd|bokförd|bogført|zrealizowana|zaksięgowana|zaúčtováno|realizováno",
    pending:
      "pending|authorisation|authorised|processing|in progress|in process|open|authorized|authorised|authorization|requires capture|requires_capture|uncaptured|incomplete|initiated|created|submitted|pending submission|pending_submission|on hold|held|scheduled|unclaimed|awaiting|queued|under review|vorgemerkt|umsatz vorgemerkt|ausstehend|in bearbeitung|offen|en attente|en cours|in behandeling|openstaand|pendiente|en proceso|in attesa|in elaborazione|in corso|venter|afventer|väntar|oczekująca|čeká|pendente",
    failed:
      "failed|failure|denied|declined|refused|rejected|expired|canceled|cancelled|reverted|voided|void|blocked|error|unsuccessful|abandoned|deleted|returned unpaid|fehlgeschlagen|abgelehnt|abgebrochen|abgelaufen|storniert|refusé|refusée|échoué|échouée|annulé|annulée|expiré|expirée|rejeté|rejetée|mislukt|geweigerd|geannuleerd|verlopen|afgewezen|fallido|fallida|rechazado|rechazada|cancelado|cancelada|caducado|fallito|rifiutato|rifiutata|annullato|annullata|scaduto|scaduta|respinto",
    refunded:
      "refunded|refund|partially refunded|partially_refunded|partial refund|reversed|erstattet|zurückerstattet|teilweise erstattet|remboursé|remboursée|partiellement remboursé|terugbetaald|gedeeltelijk terugbetaald|reembolsado|devuelto|parcialmente reembolsado|rimborsato|rimborsata|parzialmente rimborsato",
    charged_back:
      "chargeback|charged back|charged_back|disputed|dispute|charge disputed|dispute lost|lost|returned|late failure|rückgebucht|zurückgebucht|rücklastschrift|rejet de prélèvement|contesté|teruggeboekt|gestorneerd|contracargo|contestato|stornato"
  }

/** What a column of yes and no says of whether an invoice is paid. */
export const YES =
  "yes|y|true|x|✓|✔|1|ja|j|oui|o|vrai|sí|si|s|wahr|waar|verdadero|vero|ok|sì|paid|bezahlt|betaald|payé|pagado|pagato|tak|ano|ja, bezahlt"
export const NO =
  "no|n|false|0|nein|nee|non|falso|falsch|onwaar|faux|nie|ne|nej|unpaid|offen|open|-|—|–|not paid|unbezahlt|onbetaald|impayé"

/** Cells that mean nothing. */
export const EMPTY_WORDS =
  "-|–|—|−|--|n/a|na|n.a.|none|null|nil|nan|#n/a|k.a.|k. a.|entfällt|keine|s.o.|néant|nvt|n.v.t.|no aplica|nd|n.d.|.|/"

/** Headings of the account that a statement is of: the seller's own. */
export const OWN_ACCOUNT =
  "own account|account|iban|account iban|account number|account no|account no.|sort code|my account|account name|Auftragskonto|Konto|Kontonummer|IBAN Auftragskonto|IBAN Kontoinhaber|eigenes Konto|compte|numéro de compte|Rekening|Rekeningnummer|IBAN/BBAN|Uw rekening|cuenta|número de cuenta|conto|numero conto|Kontobezeichnung"

/** Headings of those whom the seller owes. */
export const SUPPLIERS =
  "supplier|vendor|Lieferant|Kreditor|fournisseur|leverancier|crediteur|proveedor|fornitore|leverantör|leverandør|dostawca|dodavatel|fornecedor|szállító"

/** Headings of columns that say with yes and no whether an invoice was cancelled. */
export const VOIDED =
  "void|voided|is void|cancelled|canceled|is cancelled|Storniert|Storno|annulé|annulée|geannuleerd|anulada|annullata|makulerad|annulleret|anulowana|stornováno"

/** States of invoices of which a part was paid: they are open, and do not say of how much. */
export const PARTLY_PAID =
  "partially paid|part paid|partly paid|partial|partiallypaid|teilweise bezahlt|teilbezahlt|teilgezahlt|teilzahlung|partielle|partiel|partiellement payée|partiellement payé|partiellement réglée|partiellement réglé|gedeeltelijk betaald|parcialmente cobrada|parcialmente pagada|parcialmente pagado|parzialmente pagata|parzialmente saldata|parzialmente pagato|delbetald|delvist betalt|delvis betalt|częściowo opłacona|częściowo zapłacona|částečně uhrazena|részben kifizetett|parcialmente paga"

/** States that do not say whether an invoice is owed: one that was not sent may be issued all the same, or be a draft. */
export const UNSENT =
  "unsent|not sent|not yet sent|to be sent|nicht versendet|noch nicht versendet|non envoyée|non envoyé|niet verzonden|no enviada|no enviado|non inviata|non inviato|ikke sendt|ej skickad|niewysłana"
