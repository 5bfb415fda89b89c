/**
 * Maps rows of Adyen's settlement details report to documents. Pure.
 *
 * Each row is a separate fact. A capture may be refunded and charged back in several parts: all of them have the PSP
 * reference of their payment, which links what goes back to what came in.
 */
import type { PayMethod, ReversalType } from "../Document.ts"
import * as Json from "../Json.ts"

/** Money received, or received again: a failed refund, a chargeback that was won. */
const CAME = ["Settled", "SettledInInstallments", "RefundedReversed", "ChargebackReversed", "SecondChargebackReversed"]
/** Money that went back. */
const WENT: Readonly<Record<string, ReversalType>> = {
  Refunded: "refund",
  RefundedInInstallments: "refund",
  Chargeback: "chargeback",
  SecondChargeback: "chargeback",
  SettledReversed: "error"
}
/** Rows that name a payment but move none of its money: its costs, and payouts to others. */
const OTHERS = [
  "PaymentCost",
  "AuthorisationSchemeFee",
  "Fee",
  "MiscCosts",
  "ManualCorrected",
  "PaidOut",
  "PaidOutReversed"
]

const CARDS = /^(visa|mc|amex|maestro|bcmc|diners|discover|jcb|cup|cartebancaire|electron|vpay|elo|dankort)/i
const BANKS = /^(sepadirectdebit|ideal|directEbanking|bankTransfer|giropay|trustly|ach|eps|directdebit|paybybank|blik)/i
const methodOf = (name = ""): PayMethod => (CARDS.test(name) ? "card" : BANKS.test(name) ? "bank" : "unknown")

/** @param column the column with the invoice's id */
export const entry =
  (column: string) =>
  (fields: Json.Fields): Json.Decoded => {
    const [type, psp] = [fields.text("Type"), fields.maybe("Psp Reference")]
    const back = WENT[type]
    // Fees, deposits and payouts belong to no payment.
    if ((back === undefined && !CAME.includes(type) && psp === undefined) || OTHERS.includes(type))
      return { documents: [] }
    if (back === undefined && !CAME.includes(type))
      throw new Json.Unfit("Type", `${JSON.stringify(type)} is not a known type`)
    const currency = fields.currency("Gross Currency")
    const amount = fields.major(back === undefined ? "Gross Credit (GC)" : "Gross Debit (GC)", currency)
    if (amount < 0n) throw new Json.Unfit("Type", `${type} has a negative amount`)
    if (amount === 0n) return { documents: [] }
    const invoice = fields.maybe(column)
    const its = {
      id: `${type}/${fields.maybe("Modification Reference") ?? fields.text("Psp Reference")}${partOf(type, fields)}`,
      date: fields.day("Creation Date"),
      currency,
      ...(invoice === undefined ? { shares: [], unallocated: amount } : { shares: [{ invoice, amount }] }),
      trace: fields.text("Psp Reference")
    }
    const reference = column === "Merchant Reference" ? undefined : fields.maybe("Merchant Reference")
    if (back !== undefined) return { documents: [{ kind: "reversal", ...its, type: back, providerCode: type }] }
    const method = methodOf(fields.maybe("Payment Method"))
    return { documents: [{ kind: "payment", ...its, method, ...Json.present({ reference }) }] }
  }

/** Instalments share one name, so their batch number is added. */
const partOf = (type: string, fields: Json.Fields): string =>
  type.endsWith("InInstallments") ? `/${fields.text("Batch Number")}` : ""

/** The payment that a webhook is about, and the members that its signature covers. */
export interface Item {
  readonly signed: string
  readonly signature: string | undefined
  readonly event: string
  readonly isReport: boolean
}

const SIGNED = [
  ...["pspReference", "originalReference", "merchantAccountCode", "merchantReference"],
  ...["amount.value", "amount.currency", "eventCode", "success"]
]

const words = (fields: Json.Fields, path: string): string => {
  const value = fields.get(path)
  return typeof value === "boolean" ? String(value) : (Json.nameOf(value) ?? "")
}

export const items = (body: Json.Fields | undefined): ReadonlyArray<Item> =>
  Json.objects(body?.get("notificationItems")).map((one) => {
    const inner = one["NotificationRequestItem"]
    const fields = Json.fieldsOf(inner)
    const code = words(fields, "eventCode")
    // The file's name is the reference, or, in an example of Adyen's, only the end of the address to get it from.
    const files = [words(fields, "pspReference"), words(fields, "reason").split("/").at(-1) ?? ""]
    return {
      signed: SIGNED.map((path) => words(fields, path)).join(":"),
      signature: Json.nameOf(fields.get("additionalData.hmacSignature")),
      event: `${code} ${words(fields, "pspReference")}`,
      isReport: code === "REPORT_AVAILABLE" && files.some((file) => file.startsWith("settlement_detail_report"))
    }
  })
