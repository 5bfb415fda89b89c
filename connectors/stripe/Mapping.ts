/**
 * Stripe's invoices, payments of invoices, refunds, disputes and credit notes as facts. Pure.
 *
 * An invoice is read with everything that hangs on it, because a refund and a dispute only know their payment. Amounts
 * are minor units by Stripe's own count: ISK and UGX have two decimals there, and always zeros in them.
 */
import * as Currency from "../../core/money/Currency.ts"
import type { Document, Party } from "../Document.ts"
import type { Decoded, Fields, Members } from "../Json.ts"
import * as Json from "../Json.ts"

/** An invoice with all that belongs to it, as it is stored beside its documents. */
export interface Whole extends Members {
  readonly id: unknown
  readonly invoice: unknown
  readonly payments: ReadonlyArray<unknown>
  readonly refunds: ReadonlyArray<unknown>
  readonly disputes: ReadonlyArray<unknown>
  readonly credit_notes: ReadonlyArray<unknown>
}

const places = (currency: string) => (currency === "ISK" || currency === "UGX" ? 2 : Currency.decimals(currency))

const STATUSES = { draft: "draft", open: "open", uncollectible: "open", paid: "paid", void: "void" } as const

const PAYMENT_STATUSES = ["open", "paid", "canceled"]

/** An id, where an object may stand for it. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : Json.isObject(value) ? idOf(value["id"]) : undefined

const money = (fields: Fields, path: string, currency: string) => fields.minor(path, currency, places(currency))

const partyOf = (one: Fields): Party => {
  const id = idOf(one.get("customer"))
  const name = one.maybe("customer_name") ?? one.maybe("customer_email") ?? id
  if (name === undefined) throw new Json.Unfit("customer", "names nobody; give the invoice a customer with a name")
  const country = one.maybe("customer_address.country")
  const address = ["line1", "line2", "postal_code", "city"]
    .flatMap((part) => one.maybe(`customer_address.${part}`) ?? [])
    .join(", ")
  const vat = Json.objects(one.get("customer_tax_ids")).map((tax) => new Json.Fields(tax).maybe("value"))[0]
  return {
    ...(id === undefined ? {} : { id }),
    name,
    ...(country === undefined ? {} : { country }),
    ...(vat === undefined ? {} : { vat }),
    ...(address === "" ? {} : { address })
  }
}

/** The ways by which refunds and disputes name the payment that they are about. */
const meant = (fields: Fields): ReadonlyArray<string> =>
  ["payment_intent", "charge", "payment.payment_intent", "payment.charge"].flatMap(
    (path) => idOf(fields.get(path)) ?? []
  )

export const invoice = (whole: Fields): Decoded => {
  const its = whole.get("invoice")
  if (!Json.isObject(its)) throw new Json.Unfit("", "it is not a JSON object")
  const one = new Json.Fields(its)
  const id = one.text("id")
  const currency = one.currency("currency")
  const said = one.maybe("status") ?? "draft"
  const status = Object.hasOwn(STATUSES, said) ? STATUSES[said as keyof typeof STATUSES] : undefined
  if (status === undefined) throw new Json.Unfit("status", `${JSON.stringify(said)} is a status that is not known`)
  const issued = one.unixDay(one.get("effective_at") === undefined ? "created" : "effective_at")
  const net = one.get("total_excluding_tax") === undefined ? undefined : money(one, "total_excluding_tax", currency)
  const documents: Array<Document> = [
    {
      kind: "invoice",
      id,
      number: one.maybe("number") ?? id,
      status,
      party: partyOf(one),
      currency,
      issued,
      due: one.get("due_date") === undefined ? issued : one.unixDay("due_date"),
      ...(net === undefined ? {} : { net }),
      gross: money(one, "total", currency)
    }
  ]
  const lists = (name: string) => whole.list(name)
  const payments = lists("payments").filter((payment) => {
    const said = payment.text("status")
    if (!PAYMENT_STATUSES.includes(said))
      throw new Json.Unfit("payments.status", `${JSON.stringify(said)} is a status that is not known`)
    return said === "paid"
  })
  for (const payment of payments) {
    const amount = money(payment, "amount_paid", currency)
    if (amount === 0n) continue
    const paidAt = payment.get("status_transitions.paid_at") === undefined ? "created" : "status_transitions.paid_at"
    const date = payment.unixDay(paidAt)
    documents.push({ kind: "payment", id: payment.text("id"), date, currency, shares: [{ invoice: id, amount }] })
  }
  const received = (about: Fields) => {
    const ways = meant(about)
    return payments.find((payment) => meant(payment).some((way) => ways.includes(way)))
  }
  for (const refund of lists("refunds")) {
    const state = refund.maybe("status") ?? "succeeded"
    if (state === "failed" || state === "canceled" || state === "requires_action") continue
    const payment = received(refund)?.maybe("id")
    const amount = money(refund, "amount", refund.currency("currency"))
    documents.push({
      kind: "reversal",
      id: refund.text("id"),
      ...(payment === undefined ? {} : { payment }),
      date: refund.unixDay("created"),
      currency,
      shares: [{ invoice: id, amount }],
      type: "refund"
    })
  }
  for (const dispute of lists("disputes")) {
    const state = dispute.text("status")
    // A warning is an inquiry: no money has moved.
    if (state.startsWith("warning")) continue
    const payment = received(dispute)?.maybe("id")
    const its = dispute.text("id")
    const date = dispute.unixDay("created")
    const shares = [{ invoice: id, amount: money(dispute, "amount", dispute.currency("currency")) }]
    const code = dispute.maybe("payment_method_details.card.network_reason_code")
    const details = dispute.maybe("reason")
    documents.push({
      kind: "reversal",
      id: its,
      ...(payment === undefined ? {} : { payment }),
      date,
      currency,
      shares,
      type: "chargeback",
      ...(code === undefined ? {} : { providerCode: code }),
      ...(details === undefined ? {} : { details })
    })
    // Stripe gives no day for the money's return but that of the balance transaction behind it.
    if (state === "won") {
      const back = Json.objects(dispute.get("balance_transactions")).map((each) => new Json.Fields(each))
      const last = back.find((each) => !each.text("amount").startsWith("-"))
      documents.push({ kind: "payment", id: `${its}/won`, date: last?.unixDay("created") ?? date, currency, shares })
    }
  }
  for (const note of lists("credit_notes")) {
    if (note.maybe("status") === "void") continue
    // Of a note after payment, what was refunded is a refund, and what became a credit for later lowers nothing here.
    const amount = money(note, note.get("pre_payment_amount") === undefined ? "total" : "pre_payment_amount", currency)
    if (amount === 0n || note.maybe("type") === "post_payment") continue
    documents.push({
      kind: "credit_note",
      id: note.text("id"),
      date: note.unixDay("created"),
      currency,
      shares: [{ invoice: id, amount }]
    })
  }
  return { documents }
}
