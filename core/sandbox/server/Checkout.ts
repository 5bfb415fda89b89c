/**
 * The buyer's side of the control interface: completing checkout, and what happens to a deferred payment outside of
 * the platform's reach. Also the billing account of an organisation, which no endpoint sets (DP 1, 2.4).
 */
import { STATUSES } from "../../deferred-payment/DeferredPayments.ts"
import * as Instant from "../../wire/Instant.ts"
import { showDeferredPayment } from "../resources/CheckoutSerializers.ts"
import { keep, makeDeferredPayment } from "../resources/DeferredPayments.ts"
import {
  type Answer,
  check,
  conflict,
  type Context,
  created,
  find,
  missing,
  notFound,
  ok,
  type Problems,
  Refusal
} from "../store/Handler.ts"
import { makeOffer, type Plan, plansOf, TEMPLATES } from "../resources/Offers.ts"
import { organisations } from "../resources/OrganisationsAndUsers.ts"
import { showOrganisation } from "../resources/Serializers.ts"
import * as Minor from "../rules/MinorUnits.ts"
import type { Service } from "./Service.ts"
import type { Entity, Kind } from "../store/Store.ts"

type Body = Readonly<Record<string, unknown>>

const oneOf = (values: ReadonlyArray<string>): ReadonlyArray<string> => [`One of ${values.join(", ")} is required.`]

/** The states of a plan and what leads out of them (DP 3). */
const refusal = (context: Context, plan: Plan, order: Entity): string | undefined => {
  if (plan.status !== "offered") return `The plan is ${plan.status}.`
  if (Instant.toEpochMillis(plan.valid_until) < context.now) return "The plan is not valid any more."
  return order["deferred_payment"] === null ? undefined : "The order has a deferred payment already."
}

const accept = (
  context: Context,
  offer: Entity,
  id: string,
  { payment_method = "invoice", status = "accepted" }: Body
) => {
  const plan = plansOf(offer).find((one) => one.id === id)
  if (plan === undefined) throw notFound()
  const problems: Problems = {}
  const methods = plan.scheduled_payments[0]!.allowed_payment_methods.map(({ type }) => type)
  if (!methods.includes(String(payment_method))) problems["payment_method"] = oneOf(methods)
  if (!STATUSES.includes(status as (typeof STATUSES)[number])) problems["status"] = oneOf(STATUSES)
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
 * Ends that only the service brings about (assumption: DP 3 shows none, DP 2.9 has the balances), and where what was not
 * captured goes.
 */
const ENDS: Readonly<Record<string, string>> = { expired: "expired_authorisation", cancelled: "voided_authorisation" }

const move = (context: Context, payment: Entity, { status }: Body): Answer => {
  const known = [...STATUSES, ...Object.keys(ENDS)]
  check(known.includes(String(status)) ? {} : { status: oneOf(known) })
  const to = ENDS[String(status)]
  if (to === undefined) return ok(showDeferredPayment(context)(keep(context, payment, { ...payment, status })))
  const gone = Minor.write(Minor.read(payment[to]) + Minor.read(payment["authorisation"]))
  const ended = { ...payment, status, authorisation: 0, [to]: gone }
  return ok(showDeferredPayment(context)(keep(context, payment, ended)))
}

/** The service authorises another amount than the order's, as a person there may. What was taken stays. */
const authorise = (context: Context, payment: Entity, { amount }: Body): Answer => {
  check(
    typeof amount === "number" && /^\d{1,15}$/.test(String(amount)) ? {} : { amount: ["A whole number is required."] }
  )
  return ok(showDeferredPayment(context)(keep(context, payment, { ...payment, authorisation: amount })))
}

/**
 * The simplified workflow (DP 2.8): the buyer says in the checkout element which company it is, and takes the first
 * plan that it is offered.
 */
const acceptIntent = (context: Context, intent: Entity, { company, ...body }: Body): Answer => {
  check(context.directory.get(String(company), context.key) === undefined ? { company: missing(String(company)) } : {})
  const order = find(context, "order", String(intent["order"]))
  if (order["deferred_payment"] !== null) throw conflict("The order has a deferred payment already.")
  const { locale, merchant_urls: urls, order: sent } = intent["request"] as Readonly<Record<string, Body>>
  const { registered } = (sent!["customer"] as Readonly<Record<string, Body>>)["user"]!
  const made = organisations.create({ ...context, payload: { unique_id: intent.id, registered, company } })
  const { id: organisation } = made.body as Entity
  const customer = { ...(order["customer"] as Body), organisation }
  const known = context.store.put(context.key, "order", { ...order, customer, organisation })
  const offer = makeOffer(context, known, { locale, urls })
  return accept(context, offer, plansOf(offer)[0]!.id, body)
}

/** `{"plan": "pptemp-30-days"}`, or null for none. */
const bind = (context: Context, organisation: Entity, { plan }: Body): Answer => {
  const templates = TEMPLATES.map(({ template }) => template)
  check(plan === null || templates.includes(String(plan)) ? {} : { plan: oneOf(templates) })
  const billing_account = plan === null ? null : String(plan).replace(/^pptemp-/, "ba-")
  const bound = context.store.put(context.key, "organisation", { ...organisation, billing_account })
  return ok(showOrganisation(context)(bound))
}

type Act = (context: Context, entity: Entity, body: Body, path: ReadonlyArray<string>) => Answer

/** By method and path, each with the kind of what stands after its first segment. */
const ACTS: Readonly<Record<string, readonly [Kind, Act]>> = {
  "POST offers/ID/plans/ID/accept": ["offer", (context, offer, body, path) => accept(context, offer, path[3]!, body)],
  "POST intents/ID/accept": ["intent", acceptIntent],
  "PUT deferred_payments/ID/status": ["deferred_payment", move],
  "PUT deferred_payments/ID/authorisation": ["deferred_payment", authorise],
  "PUT organisations/ID/billing_account": ["organisation", bind]
}

/** The answer, or undefined when the path is none of these. `path` is what follows `/sandbox/`. */
export const checkout = (
  service: Service,
  method: string,
  path: ReadonlyArray<string>,
  body: Body,
  base: string
): Answer | undefined => {
  const act = ACTS[`${method} ${path.map((part, i) => (i % 2 === 1 ? "ID" : part)).join("/")}`]
  if (act === undefined) return undefined
  const [kind, run] = act
  const found = service.store.whose(kind, path[1]!)
  if (found === undefined) return { status: 404, body: { detail: "Not found." } }
  try {
    return run(service.context(found.key, base), found.entity, body, path)
  } catch (cause) {
    if (cause instanceof Refusal) return cause.answer
    throw cause
  } finally {
    service.store.commit()
  }
}
