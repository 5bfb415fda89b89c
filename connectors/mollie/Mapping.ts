/**
 * Records of Mollie as documents. Pure.
 *
 * Money counts once a payment is paid; of one that the shop captures itself, each capture is money. A refund takes money
 * back once it is on its way; one that fails then brings it again, and so does a chargeback that is reversed.
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

/** Money that comes again, by another name than the payment that brought it first. */
const again = (payment: Json.Fields | undefined, member: string) =>
  payment === undefined ? { kind: "payment" as const } : received(payment, member)

/** What money of this payment belongs to. */
const given = (payment: Json.Fields | undefined, member: string, { amount, currency }: ReturnType<typeof money>) => {
  const invoice = payment?.maybe(member)
  const shares = invoice === undefined ? { shares: [], unallocated: amount } : { shares: [{ invoice, amount }] }
  return { currency, ...shares }
}

/** The shop captures it itself, so that money comes with each capture. */
export const isManual = (payment: Json.Fields): boolean => payment.maybe("captureMode") === "manual"

/** A reversal names its payment where that is one document: not where each capture is one. */
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
  // Mollie does not say when it failed.
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

/** @param member where a payment names its invoice: `metadata.invoice`, `description` */
export const refund = (member: string) => (fields: Json.Fields) => refunded(fields, embedded(fields), member)
export const chargeback = (member: string) => (fields: Json.Fields) => chargedBack(fields, embedded(fields), member)

/** A payment with its captures; of one that was read by its id, with its refunds and chargebacks. */
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
