/**
 * Completes a buyer's checkout (DP 3): accepts a plan and creates a deferred payment. Used by the checkout element and by the
 * control interface.
 */
import { given } from "../../Entry.ts"
import { DEFERRED_PAYMENT_STATUSES } from "../../deferred-payment/DeferredPayments.ts"
import * as Instant from "../../wire/Instant.ts"
import {
  type Answer,
  check,
  conflict,
  type Context,
  created,
  find,
  missing,
  notFound,
  type Problems
} from "../store/Handler.ts"
import type { Entity } from "../store/Store.ts"
import { showDeferredPayment } from "./CheckoutSerializers.ts"
import { makeDeferredPayment } from "./DeferredPayments.ts"
import { makeOffer, type Plan, plansOf } from "./Offers.ts"
import { organisations } from "./OrganisationsAndUsers.ts"

type Body = Readonly<Record<string, unknown>>

export const oneOf = (values: ReadonlyArray<string>): ReadonlyArray<string> => [
  `One of ${values.join(", ")} is required.`
]

export const isExpired = (context: Context, plan: Plan): boolean =>
  Instant.toEpochMillis(plan.valid_until) < context.now

/** Why a plan's state does not allow acceptance (DP 3); undefined if it does. */
const refusal = (context: Context, plan: Plan, order: Entity): string | undefined => {
  if (plan.status !== "offered") return `The plan is ${plan.status}.`
  if (isExpired(context, plan)) return "The plan is no longer valid."
  return order["deferred_payment"] === null ? undefined : "The order already has a deferred payment."
}

/** Methods with which all payments of a plan can be made. */
export const planMethods = (plan: Plan): ReadonlyArray<string> =>
  given(plan.scheduled_payments[0], "a scheduled payment").allowed_payment_methods.map(({ type }) => type)

export const accept = (
  context: Context,
  offer: Entity,
  id: string,
  { payment_method = "invoice", status = "accepted" }: Body
): Answer => {
  const plan = plansOf(offer).find((one) => one.id === id)
  if (plan === undefined) throw notFound()
  const problems: Problems = {}
  const methods = planMethods(plan)
  if (!methods.includes(String(payment_method))) problems["payment_method"] = oneOf(methods)
  if (!DEFERRED_PAYMENT_STATUSES.includes(status as (typeof DEFERRED_PAYMENT_STATUSES)[number]))
    problems["status"] = oneOf(DEFERRED_PAYMENT_STATUSES)
  check(problems)
  const order = find(context, "order", String(offer["order"]))
  const why = refusal(context, plan, order)
  if (why !== undefined) throw conflict(why)
  const plans = plansOf(offer).map((one) => (one === plan ? { ...one, status: "accepted" } : one))
  context.store.put(context.key, "offer", { ...offer, offered_payment_plans: plans })
  const payment = makeDeferredPayment(context, { offer, order, plan: id, status: String(status) })
  return created(showDeferredPayment(context)(payment))
}

/**
 * The simplified workflow (DP 2.8): once the buyer has named its company, the intent's order is assigned to an organisation
 * of that company and offered plans.
 */
export const offerIntent = (context: Context, intent: Entity, company: string, type = "registered"): Entity => {
  check(context.directory.get(company, context.key) === undefined ? { company: missing(company) } : {})
  const order = find(context, "order", String(intent["order"]))
  if (order["deferred_payment"] !== null) throw conflict("The order already has a deferred payment.")
  const {
    locale,
    merchant_urls: urls,
    order: sent
  } = intent["request"] as Body & {
    readonly order: { readonly customer: { readonly user: Body } }
  }
  const { registered } = sent.customer.user
  const made = organisations.create({ ...context, payload: { unique_id: intent.id, registered, company } })
  const { id: organisation } = made.body as Entity
  const customer = { ...(order["customer"] as Body), type, organisation }
  const known = context.store.put(context.key, "order", { ...order, customer, organisation })
  return makeOffer(context, known, { locale, urls })
}

/** Accepts, for the buyer of an intent, the first plan that its company is offered. */
export const acceptIntent = (context: Context, intent: Entity, { company, ...body }: Body): Answer => {
  const offer = offerIntent(context, intent, String(company))
  return accept(context, offer, given(plansOf(offer)[0], "a plan").id, body)
}
