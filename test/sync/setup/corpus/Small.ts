/**
 * Layouts as small programs write them, found by searching public code for lines of headings: what these call their columns is nobody's
 * standard, and what they mean must be found by contents, calculation or a question.
 */
import type { Layout } from "./Movements.ts"
import { smallPayments } from "./SmallPayments.ts"

const source = "public code of small programs"

export const small: ReadonlyArray<Layout> = [
  {
    name: "a program of Austria, with the day and the amount of what came in",
    source,
    files: {
      "invoices.csv": `Rechnungsnummer;Rechnungsdatum;Leistungsdatum;Kundenname;Kunden-UID;Nettobetrag;MwSt-Satz;MwSt-Betrag;Bruttobetrag;Status;Zahlungseingang;Betrag erhalten
R-1;5.1.2026;2026-01-02;Huber GmbH;ATU12345678;1000.00;20%;200.00;1200.00;bezahlt;20.1.2026;1200.00
R-2;7.1.2026;;Maier OG;;200.42;20%;40.08;240.50;offen;;
R-3;17.2.2026;;Bau & Co;;500.00;20%;100.00;600.00;überfällig;28.2.2026;100.00
R-4;18.2.2026;;Huber GmbH;ATU12345678;100.00;20%;20.00;120.00;offen;;
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [4, "2160.50"], payment: [2, "1300.00"] }
  },
  {
    name: "a program of the Netherlands, with a column for each rate and a row of totals",
    source,
    files: {
      "invoices.csv": `Factuurnummer;Factuurdatum;Vervaldatum;Klant;Klantnummer;KvK;Btw-nummer;Omzet 21%;Btw 21%;Omzet 9%;Btw 9%;Omzet 0%;Btw 0%;Btw totaal;Totaal incl. btw;Status;Betaaldatum;In Moneybird
2026-0001;30-09-2026;15-10-2026;Klant BV;K1;12345678;;100,00;21,00;100,00;9,00;;;30,00;230,00;Verzonden;;nee
2026-0002;01-10-2026;16-10-2026;Bakker VOF;K2;;;100,00;21,00;;;;;21,00;121,00;Betaald;10-10-2026;ja
2026-0003;02-10-2026;17-10-2026;Bakker VOF;K2;;;-50,00;-10,50;;;;;-10,50;-60,50;Verzonden;;nee
Totaal;;;3 facturen;;;;150,00;31,50;100,00;9,00;;;40,50;290,50;;;
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [3, "290.50"], payment: [1, "121.00"] }
  },
  {
    name: "declarations to insurers, debit and credit",
    source,
    files: {
      "invoices.csv": `Regelnummer;Factuurnummer;Factuurdatum;Debiteurennaam;Totaal bedrag;Toegekend totaalbedrag;Debet / credit;Credit voor
1;F1;12-06-2026;VGZ;193,85;193,85;D;
2;F2;12-06-2026;CZ;50,00;40,00;D;
3;C1;20-06-2026;CZ;50,00;50,00;C;F2
`
    },
    answers: { currency: "EUR", columns: { "invoices.balance": "none", "invoices.paid": "none" } },
    sums: { invoice: [2, "243.85"], credit_note: [1, "50.00"] }
  },
  {
    name: "e-Boekhouden, open items of customers and suppliers",
    source,
    files: {
      "invoices.csv": `Relatiecode;Relatie;Factuurnummer;Factuurdatum;Vervaldatum;Bedrag;Openstaand;Soort
D001;Jansen BV;2026001;05-01-2026;04-02-2026;121,00;121,00;Verkoopfactuur
D002;Pietersen;2026002;06-01-2026;05-02-2026;242,00;100,00;Verkoopfactuur
C001;Leverancier NV;88123;06-01-2026;05-02-2026;-500,00;-500,00;Inkoopfactuur
D001;Jansen BV;2026003;10-01-2026;09-02-2026;-50,00;-50,00;Verkoopfactuur
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [3, "313.00"] },
    open: "171.00"
  },
  {
    name: "ages of debts, with a total",
    source,
    files: {
      "invoices.csv": `Customer,Invoice #,Invoice date,Due date,Amount,Days overdue,Current,1-30,31-60,61-90,90+
Northwind Trading,INV-1021,2026-05-10,2026-06-09,4200,27,,4200,,,
Northwind Supplies,INV-1050,2026-06-01,2026-07-01,300,5,,300,,,
Acme,INV-1051,2026-07-01,2026-07-31,999.99,-25,999.99,,,,
Total,,,,5499.99,,999.99,4500,,,
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [3, "5499.99"] }
  },
  {
    name: "invoices with the day on which each was settled",
    source,
    files: {
      "invoices.csv": `countryCode,customerID,PaperlessDate,invoiceNumber,InvoiceDate,DueDate,InvoiceAmount,Disputed,SettledDate,PaperlessBill,DaysToSettle,DaysLate
391,0379-NEVHP,4/6/2013,611365,1/2/2013,2/1/2013,55.94,No,1/15/2013,Paper,13,0
406,8976-AMJEO,3/3/2012,7900770,1/26/2013,2/25/2013,61.74,Yes,3/20/2013,Electronic,53,23
391,2820-XGXSB,1/26/2012,9231909,7/3/2013,8/2/2013,65.88,No,8/25/2013,Electronic,53,23
391,2820-XGXSB,1/26/2012,9231910,7/13/2013,8/12/2013,10.00,No,,Electronic,,
`
    },
    answers: { currency: "USD" },
    sums: { invoice: [4, "193.56"], payment: [3, "183.56"] }
  },
  {
    name: 'SEWOBE, open invoices with the day under "zahlungsziel"',
    source,
    files: {
      "invoices.csv": `kdnr;mitgliedsnummer_sewobe;rechnungsnummer;rechnungsdatum;zahlungsziel;zahlweise;mahnstufe;bezeichnung;aktuelloffen
1001;77;RE-1;13.01.2026;27.01.2026;SEPA-Lastschrift;0;Beitrag 2026;50,00
1002;78;RE-2;14.01.2026;28.01.2026;Überweisung;2;Beitrag 2026;75,50
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [2, "125.50"] }
  },
  {
    name: "a program of Australia, with the state of the address",
    source,
    files: {
      "invoices.csv": `Invoice No,Customer,Contact Name,ABN,Email,Invoice Date,Due Date,Paid Date,Amount (ex GST),GST,Total,Amount Paid,Status,Terms,State
INV-1,Coastline Cafe Pty Ltd,Dana,53004085260,accounts@example.com,2026-05-01,2026-05-15,,1000,100,1100,0,Sent,14 days,NSW
INV-2,Draftwork Studio,Alex,,alex@example.com,2026-05-01,2026-05-15,,1000,100,1100,0,Draft,14 days,NSW
INV-3,Cancelled Order Co,Pat,,pat@example.com,2026-05-01,2026-05-15,,1000,100,1100,0,Void,14 days,VIC
INV-4,Coastline Cafe Pty Ltd,Dana,53004085260,accounts@example.com,2026-05-02,2026-05-16,2026-05-20,2000,200,2200,550,Sent,14 days,QLD
`
    },
    answers: { currency: "AUD" },
    sums: { invoice: [2, "3300.00"], payment: [1, "550.00"] }
  },
  {
    name: "lines for AFAS",
    source,
    files: {
      "invoices.csv": `Debiteur;Factuurnummer;Factuurdatum;Omschrijving;Bedrag excl. BTW;BTW-code;BTW-bedrag;Bedrag incl. BTW
Klant BV;F1;03-02-2026;Uren;100,00;1;21,00;121,00
Klant BV;F1;03-02-2026;Boek;100,00;2;9,00;109,00
Bakker;F2;04-02-2026;Uren;50,00;1;10,50;60,50
Bakker;F3;14-02-2026;Credit F2;-50,00;1;-10,50;-60,50
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [3, "230.00"] }
  },
  {
    name: 'a program with "Payment Received" as an amount',
    source,
    files: {
      "invoices.csv": `Invoice Number,Phase,Deal Name,Customer,OEM,Product,Amount,Payment Status,Invoice Date,Due Date,Payment Received
I-1,Phase 1,D,Acme,Dell,Server,1000,Paid,2026-03-01,2026-03-31,1000
I-2,Phase 2,E,Acme,Dell,Server,2000,Pending,2026-03-02,2026-04-01,500
I-3,Phase 4,F,Beta,HP,Laptop,300,Overdue,2026-01-02,2026-02-01,0
`
    },
    answers: { currency: "USD" },
    sums: { invoice: [3, "3300.00"] }
  },
  {
    name: "a cash register of Austria, with the companies of some customers",
    source,
    files: {
      "invoices.csv": `Rechnungsnummer;Rechnungsdatum;Kundenname;Firmenname;Bruttobetrag;Status;Belegart;StornoReferenz;KassenIdAnzeige;RegisterFK
R1;14.03.2026;Huber Max;Huber GmbH;120,00;Ausgestellt;Rechnung;;K1;1
R2;15.03.2026;;Maier OG;60,00;Storniert;Rechnung;;K1;1
R3;15.03.2026;;Maier OG;-60,00;Ausgestellt;Storno;R2;K1;1
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [1, "120.00"], credit_note: [1, "60.00"] }
  },
  {
    name: "a list with what is retained of each",
    source,
    files: {
      "invoices.csv": `Invoice No,Client,Invoice Date,Due Date,Net,VAT,Total,Retention,Amount Paid,Balance
A1,Contractor Ltd,13/01/2026,12/02/2026,1000.00,200.00,1200.00,60.00,1140.00,60.00
A2,Builder Ltd,14/01/2026,13/02/2026,500.00,100.00,600.00,30.00,0.00,600.00
`
    },
    answers: { currency: "GBP" },
    sums: { invoice: [2, "1800.00"] },
    open: "660.00"
  },
  {
    name: "Xero, report of invoice details",
    source,
    files: {
      "invoices.csv": `Invoice Number,Invoice Date,Due Date,Status,Reference,Contact Name,Description,Quantity,Unit Amount,Line Amount,Tax Type,Tax Rate,Tax Amount
INV-100,2024-03-15,2024-04-14,AUTHORISED,REF-1,Acme Corp,Managed services,2,500.00,1000.00,OUTPUT,10,100.00
INV-100,2024-03-15,2024-04-14,AUTHORISED,REF-1,Acme Corp,Travel,1,50.00,50.00,OUTPUT,10,5.00
INV-101,2024-03-16,2024-04-15,DRAFT,REF-2,Beta Corp,Support,1,80.00,80.00,OUTPUT,10,8.00
INV-102,2024-03-17,2024-04-16,PAID,REF-3,Beta Corp,Support,1,80.00,80.00,OUTPUT,10,8.00
`
    },
    answers: { currency: "AUD" },
    sums: { invoice: [2, "1243.00"] }
  },
  {
    name: "a sheet of Spain that says with yes what was paid",
    source,
    files: {
      "invoices.csv": `Nº Factura;Fecha;Cliente;NIF;Concepto;Categoría;Base imponible;% IVA;Cuota IVA;Total;Cobrada
A-2026-0001;06/10/2026;Cliente Uno SL;B11111111;Estancia retiro;Alojamiento;"1.000,00";10;100,00;1.100,00 €;sí
A-2026-0002;17/10/2026;Cliente Tres;B33333333;Comida grupo;restaurante;50,00;10;5,00;55,00 €;
A-2026-0003;18/10/2026;Cliente Dos;B22222222;Taller;actividades;100,00;21;21,00;121,00 €;no
`
    },
    sums: { invoice: [3, "1276.00"] }
  },
  {
    name: "a program of Spain, with tax withheld",
    source,
    files: {
      "invoices.csv": `Nº Factura;Fecha;Cliente;NIF;Base Imponible;% IVA;IVA;% IRPF;IRPF;Total;Estado
F1;10/09/2026;Cliente demo;B1;100,00;21;21,00;15;15,00;106,00;Pagada
F2;13/09/2026;Cliente dos;B2;200,00;21;42,00;15;30,00;212,00;Pendiente
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [2, "318.00"] }
  },
  {
    name: "sales of Spain, with tax withheld",
    source,
    files: {
      "invoices.csv": `Fecha;Factura;Cliente;Base imponible;Tipo IVA;Cuota IVA;Retención IRPF;Total
2026-09-10;F1;Cliente demo;100,00;21;21,00;15,00;106,00
2026-09-13;F2;Cliente dos;200,00;21;42,00;30,00;212,00
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [2, "318.00"] }
  },
  {
    name: "a program of France, with titles above and what is left",
    source,
    files: {
      "invoices.csv": `Fox Petroleum — Liste des factures
Généré le: 12/06/2026

N° Facture;Client;Date;Montant;Payé;Reste;Statut
F1;"Alpha";13/05/2026;100;100;0;payée
F2;"Beta";14/05/2026;200;50;150;partielle
F3;"Gamma";15/05/2026;300;0;300;impayée
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [3, "600.00"] },
    open: "450.00"
  },
  {
    name: "a report of income and expenses, in two tables",
    source,
    files: {
      "invoices.csv": `=== RAPPORT FIDUCIAIRE ===
Période: 2026-01-01 au 2026-03-31

--- REVENUS ---
N° Facture;Client;Date;HT;TVA;TTC;Statut
F1;Alpha;2026-01-13;100.00;20.00;120.00;paid
F2;Beta;2026-02-14;200.00;40.00;240.00;sent
TOTAL;;;300.00;60.00;360.00;

--- DEPENSES ---
Date;Catégorie;Fournisseur;HT;TVA;TTC
2026-01-20;Loyer;Immo SA;1000.00;200.00;1200.00
`
    },
    answers: { currency: "CHF", left_out: { "invoices.csv": "yes" } },
    sums: { invoice: [2, "360.00"] }
  },
  {
    name: "wFirma, invoices with the state of their payment",
    source,
    files: {
      "invoices.csv": `Numer faktury;Data wystawienia;Termin płatności;Kontrahent;NIP;Razem netto;Razem VAT;Razem brutto;Stan płatności
FV 1/2026;2026-01-13;2026-01-27;Firma A;1234567890;100,00;23,00;123,00;opłacona
FV 2/2026;2026-01-14;2026-01-28;Firma B;1234567891;200,00;46,00;246,00;nieopłacona
`
    },
    answers: { currency: "PLN" },
    sums: { invoice: [2, "369.00"] }
  },
  {
    name: "a program of Poland, with its currency's sign in the headings",
    source,
    files: {
      "invoices.csv": `Numer faktury;Data wystawienia;Klient;Netto (zł);VAT (zł);Brutto (zł)
FV/2026/01/0001;2026-01-13;Firma A;100,00;23,00;123,00
FV/2026/01/0002;2026-01-14;Firma B;200,00;46,00;246,00
`
    },
    sums: { invoice: [2, "369.00"] }
  },
  {
    name: "income of a small firm, with the day of payment",
    source,
    files: {
      "invoices.csv": `Belegnummer;Belegdatum;Zahldatum;Kunde;Netto;MwSt-Satz;MwSt-Betrag;Brutto;§19-Kennzeichen
RE-2026-0001;15.01.2026;20.01.2026;Max Mustermann;100,00;0;0,00;100,00;Ja
RE-2026-0002;16.01.2026;;Erika Muster;100,00;19;19,00;119,00;Nein
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [2, "219.00"], payment: [1, "100.00"] }
  },
  {
    name: "a repair shop's list, with the account of each sale",
    source,
    files: {
      "invoices.csv": `Belegnummer;Belegdatum;Kunde;Leistung_Geraet;Zahlart;Zahlstatus;DATEV_Konto_SKR03;USt_Satz;Umsatz_Netto_EUR;USt_Betrag_EUR;Umsatz_Brutto_EUR;Material_EK_EUR;Rohertrag_EUR
R1;13.01.2026;Alpha;Display;Bar;Bezahlt;8400;19%;100,00;19,00;119,00;40,00;60,00
R2;14.01.2026;Beta;Akku;Rechnung;Offen;8400;19%;200,00;38,00;238,00;90,00;110,00
`
    },
    sums: { invoice: [2, "357.00"] }
  },
  {
    name: "debts of customers in snake case, in French",
    source,
    files: {
      "invoices.csv": `numero_facture;client;date_emission;date_echeance;montant_ht;tva;montant_ttc;statut;jours_retard
FA-2024-001;Client Alpha;2024-03-15;2024-04-15;5000;1000;6000;En attente;10
FA-2024-002;Client Beta;2024-03-16;2024-04-16;1000;200;1200;Payée;0
`
    },
    answers: { currency: "EUR" },
    sums: { invoice: [2, "7200.00"] }
  },
  ...smallPayments
]
