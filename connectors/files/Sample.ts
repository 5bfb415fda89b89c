/**
 * Provides fixtures for the files connector, for the conformance kit: a small ledger and a shop in seven files, written into
 * a folder of their own, and the documents expected from them.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import type { Subject } from "../testing/Subject.ts"
import { files } from "./Files.ts"

const FILES = {
  "invoices.csv": `Invoice,Buyer,Country,Issued,Due,Currency,Net,Gross,State
INV-1,Harbour Tea Ltd,GB,2026-01-05,2026-02-04,GBP,100.00,120.00,open
INV-2,Atelier Nord,FR,2026-01-31,2026-03-02,EUR,1000.10,1200.12,open
INV-3,Sakura Trading,JP,2026-02-10,2026-03-31,JPY,10000,11000,paid
`,
  "payments.csv": `Ref,Invoice,Date,Amount,Currency,Type
P-1,INV-1,2026-01-20,50.00,GBP,
P-2,INV-3,2026-02-28,11000,JPY,
P-1-R,INV-1,2026-01-25,-50.00,GBP,error
`,
  "credit_notes.csv": `Note,For,Date,Gross
CN-1,INV-2,2026-02-01,200.02
`,
  "orders.csv": `Order,Placed,SKU,Kind,Qty,Total
O-1,2026-03-01,chair,product,2,90.00
O-1,2026-03-01,rug,product,1,20.10
O-1,2026-03-01,by road,shipping,1,9.90
`,
  "parcels.csv": `Parcel,Order,Sent,SKU,Qty,Carrier,Tracking
F-1,O-1,2026-03-02,chair,2,DPD,1550 2
`,
  "cancellations.csv": `Ref,Order,Day,SKU,Qty
C-1,O-1,2026-03-03,rug,1
`,
  "returns.csv": `Ref,Order,Day,SKU,Qty
R-1,O-1,2026-03-09,chair,1
`
} as const

const settings = {
  invoices: {
    path: "invoices.csv",
    columns: {
      id: "Invoice",
      customer: "Buyer",
      customer_country: "Country",
      issued: "Issued",
      due: "Due",
      currency: "Currency",
      net: "Net",
      gross: "Gross",
      status: "State"
    }
  },
  payments: {
    path: "payments.csv",
    columns: {
      id: "Ref",
      invoice: "Invoice",
      date: "Date",
      amount: "Amount",
      currency: "Currency",
      type: "Type"
    }
  },
  credit_notes: {
    path: "credit_notes.csv",
    columns: { id: "Note", invoice: "For", date: "Date", gross: "Gross" },
    currency: "EUR"
  },
  orders: {
    path: "orders.csv",
    columns: { id: "Order", placed: "Placed", line: "SKU", type: "Kind", quantity: "Qty", gross: "Total" },
    currency: "GBP"
  },
  fulfilments: {
    path: "parcels.csv",
    columns: {
      id: "Parcel",
      order: "Order",
      date: "Sent",
      line: "SKU",
      quantity: "Qty",
      carrier: "Carrier",
      tracking: "Tracking"
    }
  },
  cancellations: {
    path: "cancellations.csv",
    columns: { id: "Ref", order: "Order", date: "Day", line: "SKU", quantity: "Qty" }
  },
  returns: {
    path: "returns.csv",
    columns: { id: "Ref", order: "Order", date: "Day", line: "SKU", quantity: "Qty" }
  }
}

export const subject: Subject = {
  connector: files,
  settings,
  golden: [
    `{"kind":"invoice","id":"INV-1","number":"INV-1","status":"open","party":{"name":"Harbour Tea Ltd","country":"GB"},"currency":"GBP","issued":"2026-01-05","due":"2026-02-04","net":"10000000000n","gross":"12000000000n"}`,
    `{"kind":"invoice","id":"INV-2","number":"INV-2","status":"open","party":{"name":"Atelier Nord","country":"FR"},"currency":"EUR","issued":"2026-01-31","due":"2026-03-02","net":"100010000000n","gross":"120012000000n"}`,
    `{"kind":"invoice","id":"INV-3","number":"INV-3","status":"paid","party":{"name":"Sakura Trading","country":"JP"},"currency":"JPY","issued":"2026-02-10","due":"2026-03-31","net":"1000000000000n","gross":"1100000000000n"}`,
    `{"kind":"payment","id":"P-1/INV-1","date":"2026-01-20","currency":"GBP","shares":[{"invoice":"INV-1","amount":"5000000000n"}]}`,
    `{"kind":"payment","id":"P-2/INV-3","date":"2026-02-28","currency":"JPY","shares":[{"invoice":"INV-3","amount":"1100000000000n"}]}`,
    `{"kind":"reversal","id":"P-1-R/INV-1","date":"2026-01-25","currency":"GBP","shares":[{"invoice":"INV-1","amount":"5000000000n"}],"type":"error"}`,
    `{"kind":"credit_note","id":"CN-1/INV-2","date":"2026-02-01","currency":"EUR","shares":[{"invoice":"INV-2","amount":"20002000000n"}]}`,
    `{"kind":"order","id":"O-1","number":"O-1","status":"open","currency":"GBP","placed":"2026-03-01","lines":[{"id":"chair","type":"product","quantity":"200000000n","gross":"9000000000n"},{"id":"rug","type":"product","quantity":"100000000n","gross":"2010000000n"},{"id":"by road","type":"shipping","quantity":"100000000n","gross":"990000000n"}]}`,
    `{"kind":"fulfilment","id":"F-1","order":"O-1","date":"2026-03-02","lines":[{"line":"chair","quantity":"200000000n"}],"tracking":[{"number":"1550 2","carrier":"DPD"}]}`,
    `{"kind":"cancellation","id":"C-1","order":"O-1","date":"2026-03-03","lines":[{"line":"rug","quantity":"100000000n"}]}`,
    `{"kind":"return","id":"R-1","order":"O-1","date":"2026-03-09","lines":[{"line":"chair","quantity":"100000000n"}]}`
  ],
  open: () => {
    const folder = temporaryFolder("sample")
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
    const edit = (name: keyof typeof FILES, from: string, to: string) => {
      const path = join(folder, name)
      writeFileSync(path, readFileSync(path, "utf8").replace(from, to))
    }
    return {
      folder,
      close: () => rmSync(folder, { recursive: true, force: true }),
      malform: () => {
        edit("invoices.csv", "2026-03-02", "32 March")
        return "32 March"
      },
      remove: () => {
        edit("invoices.csv", "INV-2,Atelier Nord,FR,2026-01-31,2026-03-02,EUR,1000.10,1200.12,open\n", "")
        return "invoice/INV-2"
      },
      enlarge: () => {
        edit("invoices.csv", "100.00,120.00", "90071992547409.93,90071992547409.93")
        return { document: "invoice/INV-1", amount: "90071992547409.93" }
      }
    }
  }
}
