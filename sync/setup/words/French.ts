/** French words of exports. */
import type { Vocabulary } from "./Words.ts"

export const french: Vocabulary = {
  code: "fr",
  headings: {
    invoice:
      "Numéro de facture|N° facture|N° de facture|Facture|No facture|Num facture|Nº facture|Facture n°|Réf. facture|Référence facture",
    document: "Numéro|N°|Nº|Pièce|N° pièce|Numéro de pièce|Référence|Réf.|N° de document",
    key: "ID facture|Identifiant|ID",
    payment:
      "N° de paiement|Numéro de paiement|N° de transaction|Numéro de transaction|Référence paiement|Réf. paiement|N° règlement|Référence règlement|ID paiement|Règlement",
    credit: "Numéro d'avoir|N° avoir|N° d'avoir|Avoir",
    original: "Facture d'origine|Facture liée|Facture concernée|Facture rectifiée",
    party:
      "Client|Nom du client|Nom client|Raison sociale|Société|Nom|Tiers|Débiteur|Nom du tiers|Destinataire|Donneur d'ordre|Émetteur|Bénéficiaire",
    party_id: "Code client|N° client|Numéro client|Compte client|Compte tiers|Réf. client|Référence client",
    country: "Pays|Pays client|Code pays|Pays de facturation",
    regnum: "SIREN|SIRET|N° SIREN|N° SIRET|Numéro SIREN",
    vat: "N° TVA|TVA intracommunautaire|N° TVA intracommunautaire|Numéro de TVA|N° de TVA",
    issued: "Date de facture|Date facture|Date d'émission|Émise le|Date de facturation|Date émission|Facturé le",
    date: "Date|Date opération|Date d'opération|Date comptable|Date de valeur|Date pièce|Date avoir|Date d'écriture",
    paid_on:
      "Date de paiement|Date paiement|Payée le|Date de règlement|Date règlement|Réglée le|Payé le|Réglé le|Date d'encaissement",
    due: "Date d'échéance|Échéance|Date échéance|À payer avant le|Échéance le|Date limite de paiement|Date limite|Payable avant le|Limite de paiement",
    terms: "Conditions de paiement|Délai de paiement|Conditions de règlement|Délai|Délai de règlement",
    net: "Montant HT|Total HT|HT|Net HT|Montant hors taxes|Total hors taxes|Hors taxes",
    tax: "TVA|Montant TVA|Total TVA|Taxe|Taxes|Montant de TVA",
    gross: "Montant TTC|Total TTC|TTC|Montant toutes taxes comprises|Net à payer|Total|Montant total|Total facture",
    amount: "Montant|Montant du paiement|Montant réglé|Montant de l'opération|Montant encaissé|Montant reçu",
    paid: "Payé|Montant payé|Réglé|Total réglé|Encaissé|Déjà réglé|Acompte",
    balance:
      "Reste à payer|Ouvert|Montant ouvert|Encours|Solde|Restant dû|Solde dû|Montant dû|À payer|Reste dû|Reste à régler|Reste|Montant restant",
    paid_in: "Crédit|Crédit euros|Encaissement|Recette",
    paid_out: "Débit|Débit euros|Décaissement|Dépense",
    currency: "Devise|Monnaie|Code devise",
    status: "Statut|État|Statut de la facture|Statut de paiement|État de la facture|Situation",
    type: "Type|Type de document|Type de pièce|Nature|Type de facture",
    method: "Mode de paiement|Mode de règlement|Moyen de paiement",
    text: "Libellé|Communication structurée|Description|Intitulé|Objet|Commentaire|Libellé de l'opération|Détail|Motif|Référence de paiement",
    code: "Code|Code motif|Code retour",
    reason: "Motif de rejet|Raison",
    order: "N° de commande|Numéro de commande|Commande",
    quantity: "Quantité|Qté"
  },
  states: {
    draft: "Brouillon|Provisoire|À valider|En préparation|Devis",
    open: "Ouverte|Envoyée|En attente|Impayée|En retard|À payer|Émise|Partiellement payée|Validée|À régler|Non payée|Échue|En cours|En attente de paiement|Finalisée|À encaisser|Partiellement réglée|Non réglée|Non réglé|Impayé|Non payé|Partiellement réglé|Partiellement payé",
    paid: "Payée|Réglée|Soldée|Encaissée|Acquittée|Payé|Réglé|Clôturée",
    void: "Annulée|Annulé|Supprimée|Abandonnée|Irrécouvrable|Perdue"
  },
  types: {
    invoice: "Facture|Facture de vente|Facture client|FA|FAC|Facture finale|Facture d'acompte",
    credit_note: "Avoir|Note de crédit|AV|Facture d'avoir|Avoir client",
    payment: "Paiement|Règlement|Encaissement|RG|Règlement client",
    refund: "Remboursement|Rejet|Impayé",
    left_out:
      "Devis|Bon de commande|Bon de livraison|Facture fournisseur|Facture d'achat|Avoir fournisseur|Proforma|Facture proforma"
  },
  returned: "rejet|impayé|retour|contrepassation",
  titles: {
    invoices: "facture|factures clients|ventes",
    payments: "paiement|règlement|encaissement|relevé|relevé bancaire",
    credit_notes: "avoir|notes de crédit",
    orders: "commandes"
  }
}
