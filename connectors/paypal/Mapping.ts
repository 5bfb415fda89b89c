/**
 * Maps PayPal's transactions to documents. Pure.
 *
 * The event code says what a transaction is, and the sign of its amount which way the money went. Fees, conversions
 * and holds are not buyers' money, and a withdrawal to the bank is a payout.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Document, Payout, PayMethod, ReversalType } from "../Document.ts"
import * as Json from "../Json.ts"

const STATUSES = ["S", "V", "P", "D"]
/** Codes that take a buyer's money back; as a credit, they undo that. */
const BACK: Readonly<Record<string, ReversalType>> = {
  T1100: "unknown", // General reversal
  T1106: "chargeback", // Payment reversal, initiated by PayPal
  T1107: "refund", // Payment refund, initiated by merchant
  T1113: "refund", // Non-reference credit payment
  T1116: "other", // Instant payment review reversal
  T1118: "unknown", // Generic instrument reversal, seller side
  T1201: "chargeback", // Chargeback
  T1202: "chargeback", // Chargeback reversal
  T1205: "chargeback", // Reimbursement of chargeback
  T1207: "chargeback", // Chargeback re-presentment rejection
  T1208: "chargeback" // Chargeback cancellation
}
/** Codes of the same groups that concern no payment: withdrawals, fees, holds during disputes, adjustments. */
const OTHERS = [
  ...["T1101", "T1102", "T1103", "T1104", "T1105", "T1108", "T1109", "T1110", "T1111", "T1112", "T1114", "T1115"],
  ...["T1117", "T1119", "T1200", "T1203", "T1204"]
]
/** The group of withdrawals to the bank: the group says all that reconciling needs (PayPal's reference of T-codes). */
const WITHDRAWALS = "T04"
const METHODS: Readonly<Record<string, PayMethod>> = { BANK: "bank", CREDIT_CARD: "card", DEBIT_CARD: "card" }

const INFO = "transaction_info."

/** PayPal's error message, with the name of the error. */
export const explained = (body: unknown): { readonly said?: string } => {
  const fields = Json.fieldsOf(body)
  const words = ["name", "message", "error_description"].flatMap((name) => Json.nameOf(fields.get(name)) ?? [])
  return words.length === 0 ? {} : { said: words.join(": ") }
}

const isDebit = (fields: Json.Fields): boolean => fields.text(`${INFO}transaction_amount.value`).startsWith("-")

const isOfTransaction = (fields: Json.Fields): boolean =>
  fields.maybe(`${INFO}paypal_reference_id_type`) === "TXN" && fields.maybe(`${INFO}paypal_reference_id`) !== undefined

/** Whether it was taken back by a dispute. */
export const isDisputed = (fields: Json.Fields): boolean =>
  BACK[fields.text(`${INFO}transaction_event_code`)] === "chargeback" && isDebit(fields) && isOfTransaction(fields)

/** The dispute's reason, if the payment has a dispute. */
const reasonOf = (fields: Json.Fields): string | undefined => {
  const all = fields
    .list("disputes")
    .map((one) => `${one.text("dispute_id")} ${one.maybe("reason") ?? ""} ${one.maybe("status") ?? ""}`.trim())
  return all.length === 0 ? undefined : all.join("; ")
}

/** What the code means; undefined if it does not concern a buyer's payment. */
const meaningOf = (code: string, debit: boolean): "payment" | ReversalType | undefined => {
  if (!/^T\d{4}$/.test(code)) throw new Json.Unfit(`${INFO}transaction_event_code`, "is not an event code like T0006")
  if (code.startsWith("T00")) return debit ? undefined : "payment"
  if (!/^T1[12]/.test(code) || OTHERS.includes(code)) return undefined
  const back = BACK[code]
  if (back === undefined) throw new Json.Unfit(`${INFO}transaction_event_code`, `${code} is not a known event code`)
  return debit ? back : "payment"
}

/** @param member the member of a transaction that names its invoice */
export const transaction =
  (member: string, dayOf?: Json.DayOf) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text(`${INFO}transaction_id`)
    const status = fields.oneOf(`${INFO}transaction_status`, STATUSES)
    const code = fields.text(`${INFO}transaction_event_code`)
    if (code.startsWith(WITHDRAWALS)) return withdrawn(fields, status, dayOf)
    const meaning = meaningOf(code, isDebit(fields))
    const kind = meaning === "payment" || code.startsWith("T00") ? "payment" : "reversal"
    const isPaidOut = meaning === undefined && kind === "payment"
    if (isPaidOut || status === "D") return { documents: [], deleted: [{ kind, id }] }
    if (meaning === undefined || status === "P") return { documents: [] }
    const currency = fields.currency(`${INFO}transaction_amount.currency_code`)
    const amount = Decimal.abs(fields.major(`${INFO}transaction_amount.value`, currency))
    if (amount === 0n) return { documents: [], deleted: [{ kind, id }] }
    const invoice = fields.maybe(member)
    const its = {
      id,
      date: fields.instantDay(`${INFO}transaction_initiation_date`, dayOf),
      currency,
      ...(invoice === undefined ? { shares: [], unallocated: amount } : { shares: [{ invoice, amount }] })
    }
    return { documents: [meaning === "payment" ? paid(fields, its) : taken(fields, its, meaning, code)] }
  }

const SENT: Readonly<Record<string, Payout["status"]>> = { S: "paid", P: "pending", V: "failed" }

/** What leaves for the bank; PayPal does not say of which payments. What comes back of it is another transaction. */
const withdrawn = (fields: Json.Fields, status: string, dayOf: Json.DayOf | undefined): Json.Decoded => {
  const id = fields.text(`${INFO}transaction_id`)
  const sent = SENT[status]
  if (sent === undefined) return { documents: [], deleted: [{ kind: "payout", id }] }
  const currency = fields.currency(`${INFO}transaction_amount.currency_code`)
  const amount = -fields.major(`${INFO}transaction_amount.value`, currency)
  if (amount <= 0n) return { documents: [] }
  const reference = fields.maybe(`${INFO}bank_reference_id`)
  return {
    documents: [
      {
        kind: "payout",
        id,
        date: fields.instantDay(`${INFO}transaction_initiation_date`, dayOf),
        currency,
        amount,
        status: sent,
        by: "PayPal",
        ...(reference === undefined ? {} : { references: [reference] }),
        items: []
      }
    ]
  }
}

type Its = Pick<Extract<Document, { kind: "payment" }>, "id" | "date" | "currency" | "shares" | "unallocated">

const paid = (fields: Json.Fields, its: Its): Document => {
  const [id, name] = [fields.maybe("payer_info.account_id"), fields.maybe("payer_info.payer_name.alternate_full_name")]
  return {
    kind: "payment",
    ...its,
    method: METHODS[fields.maybe(`${INFO}instrument_type`) ?? ""] ?? "unknown",
    ...Json.present({
      reference: fields.maybe(`${INFO}transaction_subject`) ?? fields.maybe(`${INFO}transaction_note`),
      party: id === undefined && name === undefined ? undefined : Json.present({ id, name })
    })
  }
}

const taken = (fields: Json.Fields, its: Its, type: ReversalType, providerCode: string): Document => ({
  kind: "reversal",
  ...its,
  ...Json.present({
    payment: isOfTransaction(fields) ? fields.text(`${INFO}paypal_reference_id`) : undefined,
    details: reasonOf(fields)
  }),
  type,
  providerCode
})
