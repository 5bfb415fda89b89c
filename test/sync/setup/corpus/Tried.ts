/** Layouts of real files of public importers' tests that were read wrong, or not at all, when they were first tried. */
import { list } from "./List.ts"
import { bank, day, german, type Layout } from "./Movements.ts"

const us = (iso: string): string => day(iso, "MM/dd/yyyy")

export const triedBanks: ReadonlyArray<Layout> = [
  bank({
    name: "N26, in French",
    source: "siddhantgoel/beancount-n26",
    header:
      "Date,Bénéficiaire,Numéro de compte,Type de transaction,Référence de paiement,Catégorie,Montant (EUR),Montant (Devise étrangère)",
    row: (one) => [one.on, one.who, one.iban, one.isIn ? "Income" : "Outgoing Transfer", one.text, "", one.amount, ""]
  }),
  bank({
    name: "PayPal, activity in French",
    source: "BIZ4Africa/ofxstatement-paypal",
    header:
      "Date,Heure,Fuseau horaire,Description,Devise,Brut,Frais,Net,Solde,N° de transaction,De l'adresse email,Nom,TVA,Numéro de facture",
    row: (one) => [
      us(one.on),
      "04:05:42",
      "America/Los_Angeles",
      one.text,
      "EUR",
      german(one.amount),
      "0,00",
      german(one.amount),
      german(one.balance),
      `TX${one.on}`,
      "a@example.com",
      one.who,
      "0,00",
      ""
    ]
  }),
  bank({
    name: "BancoPosta, with the balance before and after in its columns",
    source: "lorenzogiudici5/ofxstatement-bancoposta",
    mark: ";",
    header: "Data;Valuta;Addebiti;Accrediti;Descrizione operazioni",
    row: (one) => [
      day(one.on, "dd/MM/yy"),
      day(one.on, "dd/MM/yy"),
      one.isIn ? "" : german(one.size),
      one.isIn ? german(one.size) : "",
      `${one.text} ${one.who}`
    ],
    more: [["31/03/26", "", "", "2.170,50", "SALDO FINALE"]],
    answers: { currency: "EUR" }
  }),
  bank({
    name: "YNAB, register",
    source: "we-promise/sure",
    header: "Account,Flag,Date,Payee,Category Group/Category,Category Group,Category,Memo,Outflow,Inflow,Cleared",
    row: (one) => [
      "Checking",
      "",
      us(one.on),
      one.who,
      "",
      "",
      "",
      one.text,
      one.isIn ? "$0.00" : `$${one.size}`,
      one.isIn ? `$${one.size}` : "$0.00",
      "Cleared"
    ],
    answers: { currency: "USD" }
  }),
  bank({
    name: "KBC, cards",
    source: "bank2ynab/bank2ynab",
    mark: ";",
    header:
      "kredietkaart;kaarthouder;datum verrichting;Datum verrekening;bedrag;credit;debet;munt;koers;Handelaar;locatie",
    row: (one) => [
      "1234567890123456",
      "PEETERS JAN",
      day(one.on, "dd/MM/yyyy"),
      day(one.on, "dd/MM/yyyy"),
      german(one.amount),
      one.isIn ? german(one.size) : "",
      one.isIn ? "" : german(one.amount),
      "EUR",
      "1",
      `${one.who} ${one.text}`,
      ""
    ]
  }),
  bank({
    name: "Stripe, changes of the balance",
    source: "simonmichael/hledger, its examples",
    header: "balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,reporting_category,description",
    row: (one) => [
      `txn_${one.on}`,
      `${one.on} 08:26:29`,
      `${one.on} 00:00:00`,
      "usd",
      one.amount,
      "0.00",
      one.amount,
      one.isIn ? "charge" : "payout",
      one.text
    ]
  }),
  bank({
    name: "ING, Netherlands, with a row of nothing",
    source: "gpaulissen/ofxstatement-dutch",
    header: "Datum,Naam / Omschrijving,Rekening,Tegenrekening,Code,Af Bij,Bedrag (EUR),MutatieSoort,Mededelingen",
    row: (one) => [
      one.on.replaceAll("-", ""),
      one.who,
      "NL02ABNA0123456789",
      one.iban,
      "VZ",
      one.isIn ? "Bij" : "Af",
      one.size.replace(".", ","),
      "Verzamelbetaling",
      one.text
    ],
    more: [["20260328", "Kwijtschelding", "NL02ABNA0123456789", "", "VZ", "Bij", "0,00", "Verzamelbetaling", ""]]
  })
]

export const triedLists: ReadonlyArray<Layout> = [
  list({
    name: "Invoice Ninja 4, with a sign of several currencies in each amount",
    source: "invoiceninja/invoiceninja, its tests",
    header: "Client,Email,Invoice Number,Amount,Balance,PO Number,Status,Invoice Date,Due Date",
    row: (one) => [
      one.customer,
      "a@example.com",
      one.no,
      `$${one.gross}`,
      `$${one.open}`,
      "",
      { draft: "Draft", open: "Sent", paid: "Paid", void: "Void" }[one.state],
      one.issued,
      one.due
    ],
    answers: { currency: "USD" },
    hasBalance: true
  }),
  list({
    name: "Tally, bills receivable with Dr",
    source: "a public importer's tests",
    header: "Vch No,Vch Date,Party's Name,Invoice Value,Pending Amount,Due on,Status",
    row: (one) => [
      one.no,
      day(one.issued, "dd-MMM-yyyy"),
      one.customer,
      `${one.gross} Dr`,
      one.open === "0.00" ? "" : `${one.open} Dr`,
      day(one.due, "dd-MMM-yyyy"),
      { draft: "Draft", open: "Open", paid: "Paid", void: "Void" }[one.state]
    ],
    answers: { currency: "INR" },
    hasBalance: true
  }),
  list({
    name: "Unleashed, with members of records",
    source: "turntoright/unleashed",
    header:
      "InvoiceNumber,OrderNumber,InvoiceDate,DueDate,InvoiceStatus,SubTotal,TaxTotal,Total,Customer.CustomerCode,Customer.CustomerName",
    row: (one) => [
      one.no,
      "",
      one.issued,
      one.due,
      { draft: "Draft", open: "Completed", paid: "Paid", void: "Void" }[one.state],
      one.net,
      one.tax,
      one.gross,
      "C1",
      one.customer
    ],
    answers: { currency: "NZD", statuses: { Completed: "open" } }
  })
]
