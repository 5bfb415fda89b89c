/**
 * Headings of columns that mark single rows as void, as drafts, or as money that did not come or went back: with yes, with the day
 * on which it happened, or with an amount. Without the small words around them: "Is void?", "Cancelled at", "Datum Storno".
 */
const split = (words: string): ReadonlyArray<string> => words.split("|")

/** The row does not count now. */
export const VOID = split(
  "void|voided|cancelled|canceled|cancellation|deleted|deletion|storniert|storno|gelöscht|annulé|annulée|annulation|supprimé|supprimée|geannuleerd|vervallen|verwijderd|anulado|anulada|eliminado|eliminada|annullato|annullata|eliminato|makulerad|annulleret|annullert|anulowana|anulowano|usunięta|stornováno|stornována|zrušena|zrušeno|smazáno|mitätöity|sztornó|érvénytelen|cancelado|cancelada|annullerad|iptal|ακυρωμένο"
)

/** With yes only: the row does not count yet, or is only for a test. */
export const NOT_YET = split(
  "draft|test|test mode|sandbox|proforma|pro forma|entwurf|brouillon|concept|borrador|bozza|utkast|kladde|szkic|koncept|luonnos|rascunho"
)

/** Money that did not come, or that went back whole. */
export const FAILED = split(
  "failed|failure|bounced|returned|rejected|declined|denied|chargeback|charged back|charge back|unpaid|fehlgeschlagen|rücklastschrift|rückläufer|zurückgegeben|abgelehnt|rejeté|rejetée|impayé|échoué|échec|refusé|mislukt|gestorneerd|teruggeboekt|storno|geweigerd|devuelto|devuelta|devolución|rechazado|fallido|fallito|insoluto|respinto|returnerad|avvist|zwrot|odrzucona"
)

/** With yes only: money that has not come yet. */
export const PENDING = split(
  "pending|scheduled|expected|planned|vorgemerkt|geplant|en attente|prévu|gepland|pendiente|previsto|in attesa|awaiting|draft|entwurf|brouillon|concept|borrador|bozza"
)

/** With no only: the row may be no document, or its money may not have come. A person says whether. */
export const POSITIVE = split(
  "captured|cleared|successful|success|succeeded|settled|confirmed|completed|complete|active|valid|approved|posted|issued|sent|emailed|finalised|finalized|authorised|authorized|booked|livemode|live mode|live|enabled|aktiv|gültig|genehmigt|gebucht|versendet|gesendet|erfolgreich|bestätigt|freigegeben|validée|validé|envoyée|envoyé|confirmé|comptabilisée|verzonden|goedgekeurd|geboekt|verwerkt|geldig|enviada|aprobada|contabilizada|confirmado|inviata|approvata|contabilizzata|confermato|skickad|bokförd|godkänd|wysłana|zatwierdzona|odesláno"
)

/** Ways in which a payment settles an invoice without money: a person says whether it counts. */
export const NO_MONEY = split(
  "write off|write-off|writeoff|written off|bad debt|credit note|credit memo|credit|contra|journal|adjustment|discount|rounding|offset|voucher|gift card|store credit|gutschrift|ausbuchung|skonto|verrechnung|abschreibung|gutschein|avoir|escompte|compensation|régularisation|creditnota|afboeking|verrekening|korting|abono|nota de crédito|descuento|compensación|ajuste|nota di credito|abbuono|compensazione|sconto|kreditnota|avskrivning"
)

/** What may lower an amount, or end it: a person says which. */
export const UNSURE = split(
  "written off|write off|writeoff|write off amount|bad debt|uncollectible|reversed|reversal|refunded|refund|credited|superseded|superseded by|replaced|replaced by|duplicate|abgeschrieben|ausgebucht|abschreibung|uneinbringlich|erstattet|gutgeschrieben|ersetzt durch|passé en perte|irrécouvrable|remboursé|avoir émis|remplacée par|afgeboekt|oninbaar|terugbetaald|gecrediteerd|vervangen door|incobrable|reembolsado|abonada|sustituida por|inesigibile|rimborsato|stornato|sostituita da|avskriven|krediterad|afskrevet|krediteret|umorzona"
)

/** Words around them that say nothing more. */
export const SMALL: ReadonlySet<string> = new Set(
  "is|was|has|been|it|date|day|time|timestamp|datum|data|dato|fecha|jour|tag|on|at|am|um|by|le|la|el|il|op|de|du|der|des|den|del|di|da|utc|flag|wurde|ist|est|es|è|reason|grund|motif|reden|motivo|kennzeichen|invoice|payment|transaction|rechnung|zahlung|facture|paiement|factuur|betaling|factura|pago|fattura|pagamento".split(
    "|"
  )
)
