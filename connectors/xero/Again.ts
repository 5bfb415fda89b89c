/** Reads Xero's invoices again by id, with the payments, credit notes, overpayments and prepayments that they name. */
import { Array as Arr, Effect } from "effect"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import type { Again } from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const PAGE = 1000
/** Ids per request, which are part of the URL. */
const CHUNK = 40
/** Ids that are safe in a query condition. */
const ID = /^[\w-]{1,64}$/

const INVOICES = { name: "Invoices", id: "InvoiceID", kind: "invoice", decode: Mapping.invoice } as const
const PAYMENTS = { name: "Payments", id: "PaymentID", kind: "payment", decode: Mapping.payment } as const
const OTHERS = [
  { name: "CreditNotes", id: "CreditNoteID", kind: "credit_note", decode: Mapping.creditNote },
  { name: "Overpayments", id: "OverpaymentID", kind: "payment", decode: Mapping.overpayment },
  { name: "Prepayments", id: "PrepaymentID", kind: "payment", decode: Mapping.prepayment }
] as const

export const again: Again = (http, ids) =>
  Effect.gen(function* () {
    const ask = (name: string, query: Http.Query) =>
      Effect.flatMap(http.get(`/${name}`, { ...query, pageSize: PAGE }), (answer) =>
        Http.records("xero", `/${name}`, answer, name)
      )
    const into = Json.batch()
    // A webhook does not say whether it is about a bill.
    const all = yield* ask(INVOICES.name, { IDs: ids.join(",") })
    const sold = all.filter((one) => !Json.isObject(one) || one["Type"] !== "ACCPAY")
    const invoices = Json.objects(sold)
    Json.decodeAll(into, sold, INVOICES)
    Json.decodeAll(into, invoices.flatMap(Mapping.paymentsOf), PAYMENTS)
    for (const list of OTHERS) {
      const held = invoices.flatMap((invoice) => invoice[list.name] ?? [])
      const nameOf = (one: unknown) => (Json.isObject(one) ? (Json.nameOf(one[list.id]) ?? "") : "")
      const odd = held.filter((one) => !ID.test(nameOf(one)))
      Json.decodeAll(into, odd, { ...list, decode: Json.refuse(list.id, "is not an id that Xero can be asked for") })
      const named = held.map(nameOf).filter((name) => ID.test(name))
      for (const chunk of Arr.chunksOf(new Set(named), CHUNK)) {
        const where = chunk.map((id) => `${list.id}==guid("${id}")`).join(" OR ")
        Json.decodeAll(into, yield* ask(list.name, { where, page: 1 }), list)
      }
    }
    const there = new Set(invoices.map(({ InvoiceID }) => InvoiceID))
    into.deleted.push(...ids.filter((id) => !there.has(id)).map((id) => ({ kind: "invoice" as const, id })))
    return into
  })
