/** Payments as small programs write them, see `Small.ts`. */
import type { Layout } from "./Movements.ts"

const source = "public code of small programs"

const INVOICES = `Invoice Number,Customer,Invoice Date,Due Date,Total,Currency
INV-1001,John Doe,2026-08-05,2026-09-05,250.00,EUR
INV-1002,Jane Doe,2026-08-06,2026-09-06,500.00,EUR
INV-1003,Acme,2026-08-07,2026-09-07,1000.00,EUR
`

export const smallPayments: ReadonlyArray<Layout> = [
  {
    name: "payments with what was applied of each, and no number of an invoice",
    source,
    files: {
      "invoices.csv": INVOICES,
      "payments.csv": `Payment Date,Customer,Amount,Payment Method,Allocation Status,Applied,Unapplied,Notes
2026-09-05,John Doe,250.00,Mobile Money,fully_applied,250.00,0.00,"INV-1001"
2026-09-06,Jane Doe,600.00,Bank Transfer,partially_applied,500.00,100.00,"for INV-1002"
2026-09-07,Acme,1000.00,Bank Transfer,unapplied,0.00,1000.00,""
`
    },
    sums: { invoice: [3, "1750.00"], payment: [3, "1850.00"] }
  },
  {
    name: "payments for an import of QuickBooks",
    source,
    files: {
      "invoices.csv": INVOICES,
      "receive.csv": `Payment Date,Customer,Payment Method,Deposit To Account Name,Invoice No,Journal No,Amount,Reference No,Memo,Country Code,Exchange Rate
05/09/2026,John Doe,Cash,Bank,INV-1001,,250.00,R1,,,
16/09/2026,Jane Doe,Cash,Bank,INV-1002,,400.00,R2,,,
`
    },
    sums: { invoice: [3, "1750.00"], payment: [2, "650.00"] }
  },
  {
    name: "payments with the numbers of several invoices",
    source,
    files: {
      "invoices.csv": INVOICES,
      "recon.csv": `Currency,Bank Account,Payment Date,Customer,Amount,Invoice Nos,Reconciled,Reconciled At
EUR,Main 5335,2026-09-05,John Doe,40.00,INV-1001,Y,
EUR,Main 5335,2026-09-08,"Jane, Co",1500.00,"INV-1002, INV-1003",N,
`
    },
    sums: { invoice: [3, "1750.00"], payment: [2, "1540.00"] }
  },
  {
    name: "transactions with the price, its tax and discount, and the final amount",
    source,
    files: {
      "invoices.csv": INVOICES,
      "tx.csv": `Transaction ID,Invoice Number,Shop Owner ID,Plan,Amount,Tax,Discount,Final Amount,Payment Method,Gateway,Status,Date
T1,INV-1001,7,Basic,100.00,20.00,10.00,110.00,card,stripe,SUCCESS,2026-09-05
T2,INV-1002,8,Pro,50.00,10.00,5.00,55.00,card,stripe,FAILED,2026-09-06
T3,INV-1003,9,Pro,20.00,4.00,2.00,22.00,card,stripe,REFUNDED,2026-09-07
`
    },
    sums: { invoice: [3, "1750.00"], payment: [2, "132.00"], reversal: [1, "22.00"] }
  },
  {
    name: "payments of a program of Sweden",
    source,
    files: {
      "fakturor.csv": `Fakturanummer;Kund;Fakturadatum;Förfallodatum;Belopp
1001;Anna AB;2026-08-05;2026-09-05;250,00
1002;Bo AB;2026-08-06;2026-09-06;500,00
`,
      "betalningar.csv": `Datum;Avsändare;Betalningsreferens;Fakturanummer;Belopp
2026-09-05;Anna AB;1001;1001;250,00
2026-09-06;Bo AB;faktura 1002;1002;500,00
`
    },
    answers: { currency: "SEK" },
    sums: { invoice: [2, "750.00"], payment: [2, "750.00"] }
  }
]
