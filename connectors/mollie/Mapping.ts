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

export interface How {
  /** The member of a payment that names its invoice: `metadata.invoice`, `description`. */
  readonly member: string
  readonly dayOf?: Json.DayOf
}

const received = (payment: Json.Fields, how: How): Pick<Payment, "kind" | "reference" | "party" | "method"> => {
  const [id, name] = [payment.maybe("customerId"), payment.maybe("details.consumerName")]
  return {
    kind: "payment",
    method: METHODS[payment.maybe("method") ?? ""] ?? "unknown",
    ...Json.present({
      reference: how.member === "description" ? undefined : payment.maybe("description"),
      party: id === undefined && name === undefined ? undefined : Json.present({ id, name })
    })
  }
}

/** A payment document for money that came back; its id differs from that of the original payment. */
const again = (payment: Json.Fields | undefined, how: How) =>
  payment === undefined ? { kind: "payment" as const } : received(payment, how)

/** Allocates money of this payment: to the invoice if it names one. */
const given = (payment: Json.Fields | undefined, how: How, { amount, currency }: ReturnType<typeof money>) => {
  const invoice = payment?.maybe(how.member)
  const shares = invoice === undefined ? { shares: [], unallocated: amount } : { shares: [{ invoice, amount }] }
  return { currency, ...shares }
}

/** Whether the shop captures the payment manually, so that each capture is a payment. */
export const isManual = (payment: Json.Fields): boolean => payment.maybe("captureMode") === "manual"

/** A reversal refers to its payment if that is one document, and not one per capture. */
const reversed = (of: Json.Fields, payment: Json.Fields | undefined, how: How) => ({
  kind: "reversal" as const,
  id: of.text("id"),
  ...(payment !== undefined && isManual(payment) ? {} : { payment: of.text("paymentId") }),
  date: of.instantDay("createdAt", how.dayOf),
  ...given(payment, how, money(of, "amount"))
})

const refunded = (refund: Json.Fields, payment: Json.Fields | undefined, how: How): Json.Decoded => {
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
  const back = reversed(refund, payment, how)
  const documents: Array<Document> = [{ ...back, type: "refund" }]
  const its = given(payment, how, money(refund, "amount"))
  // Mollie does not say when the refund failed.
  if (status === "failed") documents.push({ ...again(payment, how), id: returned, date: back.date, ...its })
  return { documents }
}

const chargedBack = (chargeback: Json.Fields, payment: Json.Fields | undefined, how: How): Json.Decoded => {
  const back = reversed(chargeback, payment, how)
  const reason = Json.present({
    providerCode: chargeback.maybe("reason.code"),
    details: chargeback.maybe("reason.description")
  })
  const documents: Array<Document> = [{ ...back, type: "chargeback", ...reason }]
  if (chargeback.maybe("reversedAt") !== undefined) {
    const date = chargeback.instantDay("reversedAt", how.dayOf)
    const its = given(payment, how, money(chargeback, "amount"))
    documents.push({ ...again(payment, how), id: `${back.id}/reversed`, date, ...its })
  }
  return { documents }
}

const embedded = (fields: Json.Fields): Json.Fields | undefined => {
  const payment = fields.get("_embedded.payment")
  return Json.isObject(payment) ? new Json.Fields(payment) : undefined
}

export const refund = (how: How) => (fields: Json.Fields) => refunded(fields, embedded(fields), how)
export const chargeback = (how: How) => (fields: Json.Fields) => chargedBack(fields, embedded(fields), how)

/** A debit that was never received: books may have it from its charge day on. */
const failed = (fields: Json.Fields, own: ReturnType<typeof received>, how: How): ReadonlyArray<Document> => {
  const day = (member: string) => fields.instantDay(member, how.dayOf)
  const [id, its] = [fields.text("id"), given(fields, how, money(fields, "amount"))]
  const reason = Json.present({ providerCode: fields.maybe("details.bankReasonCode") })
  return [
    { ...own, id, date: day("createdAt"), ...its, tried: "failed" },
    {
      ...{ kind: "reversal", id: `${id}/failed`, payment: id, ...its, type: "error", ...reason },
      date: day(fields.maybe("failedAt") === undefined ? "createdAt" : "failedAt")
    }
  ]
}

/** Maps a payment with its captures; if it was read by id, also its refunds and chargebacks. */
export const payment =
  (how: How) =>
  (fields: Json.Fields): Json.Decoded => {
    const status = fields.oneOf("status", STATUSES)
    const own = received(fields, how)
    const documents: Array<Document> = []
    for (const capture of fields.list("captures")) {
      if (capture.oneOf("status", CAPTURES) !== "succeeded") continue
      const its = given(fields, how, money(capture, "amount"))
      documents.push({ ...own, id: capture.text("id"), date: capture.instantDay("createdAt", how.dayOf), ...its })
    }
    if (status === "paid" && !isManual(fields)) {
      const date = fields.instantDay(fields.maybe("paidAt") === undefined ? "createdAt" : "paidAt", how.dayOf)
      documents.push({ ...own, id: fields.text("id"), date, ...given(fields, how, money(fields, "amount")) })
    }
    if (status === "failed" && fields.maybe("method") === "directdebit") documents.push(...failed(fields, own, how))
    const others = [
      ...fields.list("_embedded.refunds").map((one) => refunded(one, fields, how)),
      ...fields.list("_embedded.chargebacks").map((one) => chargedBack(one, fields, how))
    ]
    return {
      documents: [...documents, ...others.flatMap((one) => one.documents)],
      deleted: others.flatMap((one) => one.deleted ?? [])
    }
  }
