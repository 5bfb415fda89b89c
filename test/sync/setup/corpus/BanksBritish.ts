/** Exports of British banks. */
import { dmy, plain } from "./Days.ts"
import { bank, day, type Layout } from "./Movements.ts"

export const british: ReadonlyArray<Layout> = [
  bank({
    name: "Lloyds, Halifax and Bank of Scotland",
    source: "public importers' tests",
    newest: true,
    header:
      "Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance",
    row: (one) => [
      dmy(one.on),
      one.isIn ? "FPI" : "DD",
      "'30-00-00",
      "12345678",
      `${one.who} ${one.text}`,
      one.isIn ? "" : one.size,
      one.isIn ? one.size : "",
      one.balance
    ],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "Starling",
    source: "public importers' tests",
    header: "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes",
    row: (one) => [dmy(one.on), one.who, one.text, "FASTER PAYMENT", one.amount, one.balance, "INCOME", ""]
  }),
  bank({
    name: "Monzo",
    source: "public importers' tests",
    header:
      "Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In",
    row: (one) => [
      `tx_${plain(one.on)}`,
      dmy(one.on),
      "09:12:00",
      "Faster payment",
      one.who,
      "",
      "Income",
      one.amount,
      "GBP",
      one.amount,
      "GBP",
      "",
      "",
      "",
      one.text,
      "",
      one.isIn ? "" : one.amount,
      one.isIn ? one.amount : ""
    ]
  }),
  bank({
    name: "Barclays",
    source: "public importers' tests",
    header: "Number,Date,Account,Amount,Subcategory,Memo",
    row: (one) => ["", dmy(one.on), "20-00-00 12345678", one.amount, "Direct Credit", `${one.who} ${one.text}`],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "NatWest and RBS",
    source: "public importers' tests",
    header: "Date,Type,Description,Value,Balance,Account Name,Account Number",
    row: (one) => [
      day(one.on, "dd MMM yyyy"),
      one.isIn ? "BAC" : "D/D",
      `${one.who} ${one.text}`,
      one.amount,
      one.balance,
      "'OUR SHOP LTD",
      "'600000-12345678"
    ],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "Tide",
    source: "the trial's report of a public importer",
    header:
      "Date,Timestamp,Transaction ID,Transaction description,Amount,Category name,From,To,Reference,Transaction type,Status",
    row: (one) => [
      one.on,
      `${one.on} 10:00:00`,
      `id-${plain(one.on)}`,
      one.who,
      one.amount,
      "Income",
      one.isIn ? one.who : "",
      one.isIn ? "" : one.who,
      one.text,
      "Domestic Transfer",
      "Completed"
    ],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "Revolut, whose fees have a column of their own",
    source: "public importers' tests",
    header: "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance",
    row: (one) => [
      "TRANSFER",
      "Current",
      `${one.on} 09:00:00`,
      `${one.on} 09:00:05`,
      `${one.isIn ? "From" : "To"} ${one.who} ${one.text}`,
      one.amount,
      "0.00",
      "GBP",
      "COMPLETED",
      one.balance
    ]
  }),
  bank({
    name: "Wise",
    source: "public importers' tests",
    header:
      "TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Total fees",
    row: (one) => [
      `TRANSFER-${plain(one.on)}`,
      day(one.on, "dd-MM-yyyy"),
      one.amount,
      "EUR",
      `${one.isIn ? "Received money from" : "Sent money to"} ${one.who}`,
      one.text,
      one.balance,
      "",
      "",
      "",
      one.isIn ? one.who : "",
      one.isIn ? "" : one.who,
      "",
      "",
      "0.00"
    ]
  })
]
