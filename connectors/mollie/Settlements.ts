/** Maps Mollie's settlements to payouts. Pure. */
import type { Payout } from "../Document.ts"
import * as Json from "../Json.ts"
import { type Entry, roundedItemsOf } from "../PayoutItems.ts"
import type { How } from "./Mapping.ts"

/** One that is open is the balance itself. */
const STATUSES: Readonly<Record<string, Payout["status"] | "open">> = {
  open: "open",
  pending: "pending",
  processing: "pending",
  "processing-at-bank": "pending",
  paidout: "paid",
  failed: "failed"
}

/** Methods that are none of paying: corrections, and kinds of transactions. */
const OTHERS: Readonly<Record<string, Entry["part"]>> = {
  refund: "refunds",
  chargeback: "chargebacks",
  applicationfee: "adjustments",
  authorizationreversal: "adjustments",
  kickback: "adjustments",
  rollingreserve: "adjustments",
  shiftedfee: "adjustments"
}

/** A subtotal of a month: of one method, negative where money went back. Costs are fees, VAT included. */
const entryOf = (line: Json.Fields, currency: string, isCost: boolean): Entry => {
  const its = line.currency("amountGross.currency")
  if (its !== currency) throw new Json.Unfit("amountGross.currency", `is ${its} in a settlement in ${currency}`)
  const amount = line.decimal("amountGross.value")
  const [method = "other", name] = [line.maybe("method"), line.text("description")]
  if (isCost) return { part: "fees", name, amount: -amount, ...counted(line) }
  return { part: OTHERS[method] ?? "collected", name, amount, ...counted(line) }
}

const counted = (line: Json.Fields): Pick<Entry, "count"> => {
  const count = Number(line.maybe("count") ?? "1")
  return Number.isSafeInteger(count) ? { count } : {}
}

/** The subtotals of all months. */
const entriesOf = (one: Json.Fields, currency: string): ReadonlyArray<Entry> => {
  const periods = Object.values(Json.fieldsOf(one.get("periods")).record).flatMap((year) =>
    Object.values(Json.fieldsOf(year).record).map(Json.fieldsOf)
  )
  return periods.flatMap((period) => [
    ...period.list("revenue").map((line) => entryOf(line, currency, false)),
    ...period.list("costs").map((line) => entryOf(line, currency, true))
  ])
}

export const settlement =
  ({ dayOf }: How) =>
  (one: Json.Fields): Json.Decoded => {
    const status = one.meaning("status", STATUSES)
    if (status === "open") return { documents: [] }
    const currency = one.currency("amount.currency")
    const amount = one.major("amount.value", currency)
    const reference = one.maybe("reference")
    const entries = entriesOf(one, currency)
    return {
      documents: [
        {
          kind: "payout",
          id: one.text("id"),
          date: one.instantDay(one.get("settledAt") === undefined ? "createdAt" : "settledAt", dayOf),
          currency,
          amount,
          status,
          by: "Mollie",
          ...Json.present({ account: one.maybe("balanceId") }),
          ...(reference === undefined ? {} : { references: [reference] }),
          items: roundedItemsOf(entries, amount, currency)
        }
      ]
    }
  }
