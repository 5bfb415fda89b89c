/**
 * Maps Mollie's records to documents. Pure.
 *
 * Money counts as received once a payment is paid; if the shop captures it manually, each capture is a payment. A refund is
 * a reversal once it is on its way; if it then fails, it is a payment again, and so is a reversed chargeback.
 */
import type { Document, PayMethod, Payment } from "../Document.ts"
import * as Json from "../Json.ts"

const STATUSES = ["open", "pending", "authorized", "paid", "canceled", "expired", "failed"]
const REFUNDS = ["queued", "pending", "processing", "refunded", "failed", "canceled"]
const LEFT = ["processing", "refunded", "failed"]
const CAPTURES = ["pending", "succeeded", "failed"]
const METHODS: Readonly<Record<string, PayMethod>> = {
  banktransfer: "bank",
  directdebit: "bank",
  ideal: "bank",
  bancontact: "card",
  creditcard: "card"
}

/** An amount with its currency. */
const money = (fields: Json.Fields, path: string) => {
  const currency = fields.currency(`${path}.currency`)
  return { currency, amount: fields.major(`${path}.value`, currency) }
}

const received = (payment: Json.Fields, member: string): Pick<Payment, "kind" | "reference" | "party" | "method"> => {
  const [id, name] = [payment.maybe("customerId"), payment.maybe("details.consumerName")]
  return {
    kind: "payment",
    method: METHODS[payment.maybe("method") ?? ""] ?? "unknown",
    ...Json.present({
      reference: member === "description" ? undefined : payment.maybe("description"),
      party: id === undefined && name === undefined ? undefined : Json.present({ id, name })
    })
  }
}

/** A payment document for money that came back; its id differs from that of the original payment. */
const again = (payment: Json.Fields | undefined, member: string) =>
  payment === undefined ? { kind: "payment" as const } : received(payment, member)

/** Allocates money of this payment: to the invoice if it names one. */
const given = (payment: Json.Fields | undefined, member: string, { amount, currency }: ReturnType<typeof money>) => {
  const invoice = payment?.maybe(member)
  const shares = invoice === undefined ? { shares: [], unallocated: amount } : { shares: [{ invoice, amount }] }
  return { currency, ...shares }
}

/** Whether the shop captures the payment manually, so that each capture is a payment. */
export const isManual = (payment: Json.Fields): boolean => payment.maybe("captureMode") === "manual"

/** A reversal refers to its payment if that is one document, and not one per capture. */
const reversed = (of: Json.Fields, payment: Json.Fields | undefined, member: string) => ({
  kind: "reversal" as const,
  id: of.text("id"),
  ...(payment !== undefined && isManual(payment) ? {} : { payment: of.text("paymentId") }),
  date: of.instantDay("createdAt"),
  ...given(payment, member, money(of, "amount"))
})

const refunded = (refund: Json.Fields, payment: Json.Fields | undefined, member: string): Json.Decoded => {
  const status = refund.oneOf("status", REFUNDS)
  const [id, returned] = [refund.text("id"), `${refund.text("id")}/returned`]
  if (status === "canceled")
    return {
      documents: [],
      deleted: [
        { kind: "reversal", id },
        { kind: "payment", id: returned }
      ]
    }
  if (!LEFT.includes(status)) return { documents: [] }
  const back = reversed(refund, payment, member)
  const documents: Array<Document> = [{ ...back, type: "refund" }]
  const its = given(payment, member, money(refund, "amount"))
  // Mollie does not say when the refund failed.
  if (status === "failed") documents.push({ ...again(payment, member), id: returned, date: back.date, ...its })
  return { documents }
}

const chargedBack = (chargeback: Json.Fields, payment: Json.Fields | undefined, member: string): Json.Decoded => {
  const back = reversed(chargeback, payment, member)
  const reason = Json.present({
    providerCode: chargeback.maybe("reason.code"),
    details: chargeback.maybe("reason.description")
  })
  const documents: Array<Document> = [{ ...back, type: "chargeback", ...reason }]
  if (chargeback.maybe("reversedAt") !== undefined) {
    const date = chargeback.instantDay("reversedAt")
    const its = given(payment, member, money(chargeback, "amount"))
    documents.push({ ...again(payment, member), id: `${back.id}/reversed`, date, ...its })
  }
  return { documents }
}

const embedded = (fields: Json.Fields): Json.Fields | undefined => {
  const payment = fields.get("_embedded.payment")
  return Json.isObject(payment) ? new Json.Fields(payment) : undefined
}

/** @param member the member of a payment that names its invoice: `metadata.invoice`, `description` */
export const refund = (member: string) => (fields: Json.Fields) => refunded(fields, embedded(fields), member)
export const chargeback = (member: string) => (fields: Json.Fields) => chargedBack(fields, embedded(fields), member)

/** Maps a payment with its captures; if it was read by id, also its refunds and chargebacks. */
export const payment =
  (member: string) =>
  (fields: Json.Fields): Json.Decoded => {
    const status = fields.oneOf("status", STATUSES)
    const own = received(fields, member)
    const documents: Array<Document> = []
    for (const capture of fields.list("captures")) {
      if (capture.oneOf("status", CAPTURES) !== "succeeded") continue
      const its = given(fields, member, money(capture, "amount"))
      documents.push({ ...own, id: capture.text("id"), date: capture.instantDay("createdAt"), ...its })
    }
    if (status === "paid" && !isManual(fields)) {
      const date = fields.instantDay(fields.maybe("paidAt") === undefined ? "createdAt" : "paidAt")
      documents.push({ ...own, id: fields.text("id"), date, ...given(fields, member, money(fields, "amount")) })
    }
    const others = [
      ...fields.list("_embedded.refunds").map((one) => refunded(one, fields, member)),
      ...fields.list("_embedded.chargebacks").map((one) => chargedBack(one, fields, member))
    ]
    return {
      documents: [...documents, ...others.flatMap((one) => one.documents)],
      deleted: others.flatMap((one) => one.deleted ?? [])
    }
  }
