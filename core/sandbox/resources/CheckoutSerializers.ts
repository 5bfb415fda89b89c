/**
 * Serializes orders, offers and deferred payments, including what `expand` puts in place of an identifier (DP 2.6, 2.7, 2.9).
 */
import type * as Decimal from "../../money/Decimal.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { type Context, expand, find } from "../store/Handler.ts"
import type { Entity } from "../store/Store.ts"

export const BALANCES = [
  "authorisation",
  "protected_captures",
  "unprotected_captures",
  "refunds",
  "voided_authorisation",
  "expired_authorisation"
] as const

export type Balances = Readonly<Record<(typeof BALANCES)[number], Decimal.Decimal>>

export const balancesOf = (payment: Entity): Balances =>
  Object.fromEntries(BALANCES.map((name) => [name, Minor.read(payment[name])])) as unknown as Balances

export const captured = (balances: Balances): Decimal.Decimal =>
  balances.protected_captures + balances.unprotected_captures

export const showOrder =
  (context: Context) =>
  (order: Entity): Readonly<Record<string, unknown>> => {
    const { organisation: _, ...members } = order
    const body = { url: `${context.base}/v1/payment/orders/${order.id}`, ...members }
    if (context.query["expand"] === undefined) return body
    const plain = { ...context, query: {} }
    return expand(context, body, {
      payment_offer: (id) => showOffer(plain)(find(context, "offer", id)),
      deferred_payment: (id) => showDeferredPayment(plain)(find(context, "deferred_payment", id))
    })
  }

export const showOffer =
  (context: Context) =>
  (offer: Entity): Readonly<Record<string, unknown>> => {
    const body = { url: `${context.base}/v1/payment/offers/${offer.id}`, ...offer }
    if (context.query["expand"] === undefined) return body
    const plain = { ...context, query: {} }
    return expand(context, body, { order: (id) => showOrder(plain)(find(context, "order", id)) })
  }

export const showDeferredPayment =
  (context: Context) =>
  (payment: Entity): Readonly<Record<string, unknown>> => {
    const { company: _, cover: __, notification: ___, offer, ...members } = payment
    const balances = balancesOf(payment)
    const outstanding = captured(balances) - balances.refunds
    const body = {
      url: `${context.base}/v1/payment/deferred_payments/${payment.id}`,
      ...members,
      // Assumption: buyers of the sandbox do not repay.
      repayment_info: {
        status: "unpaid",
        outstanding_amount: Minor.write(outstanding),
        currency: payment["currency"]
      }
    }
    if (context.query["expand"] === undefined) return body
    const plain = { ...context, query: {} }
    return expand(context, body, {
      order: (id) => showOrder(plain)(find(context, "order", id)),
      payment_plan: (id) => {
        const whole = showOffer(plain)(find(context, "offer", String(offer)))
        return (whole["offered_payment_plans"] as ReadonlyArray<{ readonly id: string }>).find((one) => one.id === id)
      }
    })
  }
