/**
 * Answers the requests of the elements in a buyer's browser (DP 6.2, 6.3): companies while the buyer types, the choices for
 * an offer or an intent, and the buyer's submission.
 *
 * Assumption: none of this protocol is shown; only the elements use it. Requests come with the public key, which gives access
 * to nothing else, and an offer or an intent is opened by the key in its `payment_url` (DP 2.7).
 */
import * as Country from "../../wire/Country.ts"
import * as Day from "../../wire/Day.ts"
import { given as present } from "../../Entry.ts"
import { company } from "../store/Directory.ts"
import {
  type Answer,
  check,
  type Context,
  find,
  missing,
  notFound,
  ok,
  type Problems,
  Refusal
} from "../store/Handler.ts"
import type { Entity } from "../store/Store.ts"
import { accept, isExpired, planMethods, offerIntent } from "./Acceptance.ts"
import { type Plan, plansOf } from "./Offers.ts"
import { soletraders } from "./SoleTraders.ts"

type Body = Readonly<Record<string, unknown>>

const refusal = (status: number, code: string, detail: string): Refusal => new Refusal(status, { code, detail })

const opens = (url: unknown, key: unknown): boolean => new URL(String(url)).searchParams.get("key") === key

const wrongKey = (): Refusal => refusal(403, "wrong_key", "The key of the payment_url does not belong to it.")

/** The offer that a request names, opened with its key. */
const offerOf = (context: Context, { key, offer: id }: Body): Entity => {
  const offer = find(context, "offer", String(id))
  if (!plansOf(offer).some(({ payment_url }) => opens(payment_url, key))) throw wrongKey()
  return offer
}

const intentOf = (context: Context, { intent: id, key }: Body): Entity => {
  const intent = find(context, "intent", String(id))
  if (!opens(intent["payment_url"], key)) throw wrongKey()
  return intent
}

const orderOf = (context: Context, { order: id }: Entity): Entity => {
  const order = find(context, "order", String(id))
  if (order["deferred_payment"] !== null) {
    throw refusal(409, "already_paid", `The order ${order["unique_id"]} already has a deferred payment.`)
  }
  return order
}

const showOrder = ({ currency, total_amount, unique_id }: Entity) => ({ currency, total_amount, unique_id })

const showPlan = (plan: Plan) => {
  const { customer_fee, id, name, rejection_reason, scheduled_payments, status } = plan
  return { id, name, status, rejection_reason, scheduled_payments, customer_fee, payment_methods: planMethods(plan) }
}

/** The choices of an offer. An expired offer has none, and is not a rejection either. */
const showChoice = (context: Context, offer: Entity) => {
  const plans = plansOf(offer)
  const offered = plans.filter(({ status }) => status === "offered")
  const [first] = offered
  if (first !== undefined && offered.every((plan) => isExpired(context, plan))) {
    throw refusal(410, "expired", `The offer ${offer.id} was valid until ${first.valid_until}.`)
  }
  const { terms_url } = offer["legals"] as { readonly terms_url: string }
  return {
    offer: offer.id,
    order: showOrder(orderOf(context, offer)),
    plans: plans.filter((plan) => !isExpired(context, plan)).map(showPlan),
    terms_url
  }
}

const REQUIRED = [
  "trading_name",
  "trading_address",
  "trading_address_city",
  "trading_address_postcode",
  "trading_address_country",
  "proprietor_name",
  "proprietor_address_line1",
  "proprietor_address_line2",
  "proprietor_address_city",
  "proprietor_address_postcode",
  "proprietor_address_country",
  "date_of_birth"
]
const OPTIONAL = ["vat_number", "proprietor_address_line3"]

/** Creates the sole trader that the buyer of an intent describes: the platform's user owns it, and the intent names it. */
const traderOf = (context: Context, intent: Entity, given: Body): string => {
  const problems: Problems = {}
  for (const name of REQUIRED) {
    if (typeof given[name] !== "string" || given[name].trim() === "") problems[name] = ["This field is required."]
  }
  if (!Day.isDay(String(given["date_of_birth"]))) problems["date_of_birth"] ??= ["A date is required."]
  check(problems)
  const members = Object.fromEntries([...REQUIRED, ...OPTIONAL].map((name) => [name, given[name] ?? null]))
  const { user } = find(context, "order", String(intent["order"]))["customer"] as { readonly user: string }
  const [known] = context.mine.soletrader.by(intent.id)
  const payload = { ...members, owner: user, unique_id: intent.id }
  const { body } =
    known === undefined
      ? soletraders.create({ ...context, payload })
      : soletraders.update({ ...context, payload, params: { soletrader_id: known.id } })
  return (body as Entity).id
}

/** The outcome that was set for the company under `/sandbox/`; `accepted` by default. */
const outcomeOf = (context: Context, order: Entity): string => {
  const id = context.mine.organisation.get(String(order["organisation"]))?.["company"]
  return context.directory.get(String(id), context.key)?.outcome ?? "accepted"
}

export const elements = {
  session: (): Answer => ok({ countries: Country.codes() }),

  /** Suggestions while the buyer types: first a company with that number, then by name. */
  companies: ({ base, directory }: Context, { country: given, q = "" }: Body): Answer => {
    const country = Country.parse(String(given))
    if (country === undefined) throw new Refusal(400, { country: [`"${given}" is not a country.`] })
    const text = String(q)
    const found = [...directory.search({ country, reg_number: text }), ...directory.search({ country, name: text })]
    return ok({ matches: [...new Map(found.map(([one, sure]) => [one.id, company(one, base, sure)])).values()] })
  },

  company: ({ base, directory, key }: Context, id: string): Answer => {
    const found = directory.get(id, key)
    if (found === undefined) throw notFound()
    return ok(company(found, base))
  },

  /** What can be chosen. For an intent nothing, until its buyer has named the company. */
  choice: (context: Context, body: Body): Answer => {
    if (body["intent"] === undefined) return ok(showChoice(context, offerOf(context, body)))
    const intent = intentOf(context, body)
    return ok({ intent: intent.id, order: showOrder(orderOf(context, intent)), countries: Country.codes() })
  },

  /** Sets the buyer of an intent: a company, or a sole trader. */
  buyer: (context: Context, body: Body): Answer => {
    const intent = intentOf(context, body)
    orderOf(context, intent)
    const { company: id, sole_trader } = body
    const isTrader = sole_trader !== undefined
    if (!isTrader) check(typeof id === "string" ? {} : { company: missing(String(id)) })
    const buyer = isTrader ? traderOf(context, intent, sole_trader as Body) : String(id)
    const offer = offerIntent(context, intent, buyer, isTrader ? "sole-trader" : "registered")
    const { payment_url } = present(plansOf(offer)[0], "a plan")
    return ok({ ...showChoice(context, offer), key: new URL(payment_url).searchParams.get("key") })
  },

  /** The buyer's submission (DP 3). */
  submit: (context: Context, body: Body): Answer => {
    const offer = offerOf(context, body)
    const order = orderOf(context, offer)
    const { payment_method, plan } = body
    const wanted = plansOf(offer).find(({ id }) => id === plan)
    if (wanted?.status === "offered" && isExpired(context, wanted)) {
      throw refusal(410, "expired", `The plan ${wanted.id} was valid until ${wanted.valid_until}.`)
    }
    const made = accept(context, offer, String(plan), { payment_method, status: outcomeOf(context, order) })
    const { id, status } = made.body as Entity
    return { status: 201, body: { deferred_payment: { id, status }, order: order.id, payment_plan: plan } }
  }
}
