/**
 * Payment offers (DP 2.7, 3): the plans offered to the buyer of each order, or a rejection with its reason.
 */
import { given } from "../../Entry.ts"
import * as Allocation from "../../money/Allocation.ts"
import * as Decimal from "../../money/Decimal.ts"
import * as Day from "../../wire/Day.ts"
import * as Instant from "../../wire/Instant.ts"
import { type Buyer, buyerOf } from "./Buyers.ts"
import {
  check,
  conflict,
  type Context,
  created,
  find,
  type Handler,
  missing,
  ok,
  type Problems,
  put
} from "../store/Handler.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { showOffer } from "./CheckoutSerializers.ts"
import { allowed } from "./PaymentMethods.ts"
import type { Entity } from "../store/Store.ts"

interface Template {
  readonly template: string
  /** The plan's name by language; an offer uses its locale's. */
  readonly names: Readonly<Record<string, string>> & { readonly en: string }
  /** The due dates of the instalments, in days after the order's creation. */
  readonly days: ReadonlyArray<number>
  readonly merchantFee: Decimal.Decimal
}

const payIn = (days: number): Template["names"] => ({
  en: `Pay in ${days} days`,
  de: `In ${days} Tagen zahlen`,
  fr: `Payer dans ${days} jours`,
  es: `Pagar en ${days} días`,
  it: `Paga tra ${days} giorni`,
  nl: `Betaal over ${days} dagen`
})

/** Assumption: plans and fees are not shown, except for a 30-day and a 3-instalment plan as examples. */
export const TEMPLATES: ReadonlyArray<Template> = [
  { template: "pptemp-30-days", names: payIn(30), days: [30], merchantFee: Decimal.of("0.025") },
  { template: "pptemp-60-days", names: payIn(60), days: [60], merchantFee: Decimal.of("0.035") },
  {
    template: "pptemp-3-instalments",
    names: {
      en: "3 instalments",
      de: "3 Raten",
      fr: "3 mensualités",
      es: "3 plazos",
      it: "3 rate",
      nl: "3 termijnen"
    },
    days: [30, 60, 90],
    merchantFee: Decimal.of("0.03")
  }
]

/** Assumption: how long an offer is valid is not shown. */
const VALID_DAYS = 14

/** Splits an order's total into instalments, exactly: whole minor units if the total is whole. */
const instalments = (total: Decimal.Decimal, parts: number): ReadonlyArray<Decimal.Decimal> => {
  const unit = Decimal.fits(total, 0) ? Decimal.of("1") : Decimal.of("0.00001")
  return Allocation.allocate(
    total / unit,
    Array.from({ length: parts }, () => 1n)
  ).map((part) => part * unit)
}

/** Assumption: the locale also decides the language of a plan's name (DP 2.7 says so of emails). */
const named = ({ names }: Template, locale: unknown): string =>
  names[String(locale).slice(0, 2).toLowerCase()] ?? names.en

const makePlan = (context: Context, order: Entity, buyer: Buyer, template: Template, locale: unknown) => {
  const { currency } = order
  const total = Minor.read(order["total_amount"])
  const from = Day.of(String(order["created"]).slice(0, 10))
  const organisation = context.mine.organisation.get(String(order["organisation"]))
  const allowed_payment_methods = allowed(organisation?.["payment_method_config"])
  const parts = instalments(total, template.days.length)
  const { id: own, secret } = context.store.identify("offer")
  const id = `ppln-${own.slice(5)}`
  return {
    id,
    name: named(template, locale),
    template: template.template,
    currency,
    scheduled_payments: template.days.map((days, i) => ({
      date: Day.addDays(from, days),
      amount: Minor.write(given(parts[i], "an instalment")),
      allowed_payment_methods
    })),
    payment_terms_relative_to: "order_creation",
    merchant_fee: { currency, amount: Minor.write(Decimal.multiply(total, template.merchantFee, 0)) },
    customer_fee: { currency, amount: 0 },
    valid_until: Instant.fromEpochMillis(context.now + VALID_DAYS * 86_400_000),
    payment_url: `${context.base}/pay/${id}?key=${secret}`,
    status: buyer.rejection === null ? "offered" : "declined",
    rejection_reason: buyer.rejection
  }
}

export type Plan = ReturnType<typeof makePlan>

export const plansOf = (offer: Entity): ReadonlyArray<Plan> => offer["offered_payment_plans"] as ReadonlyArray<Plan>

type Urls = Readonly<Record<string, string | null>>

/** Validates the notification address of a payment; without one, no notifications are sent. */
export const urlProblems = (found: Problems, urls: Urls | undefined, at: ReadonlyArray<string>): void => {
  const notification = urls?.["notification"]
  if (typeof notification !== "string" || notification === "") return
  if (!/^https?:$/.test(URL.parse(notification)?.protocol ?? "")) {
    put(found, [...at, "notification"], "Enter a valid URL.")
  }
}

/** Creates the offer for an order, which has its identifier from then on. */
export const makeOffer = (context: Context, order: Entity, given: Readonly<Record<string, unknown>>): Entity => {
  const total = Minor.read(order["total_amount"])
  const buyer = buyerOf(context, order)
  const templates = TEMPLATES.filter(({ template }) => buyer.template === null || template === buyer.template)
  // Assumption: what the service's own limit does not cover is unprotected (DP 1).
  const covered = Decimal.min(total, buyer.available)
  const offer = context.store.put(context.key, "offer", {
    id: context.store.id("offer"),
    order: order.id,
    offered_payment_plans: templates.map((template) => makePlan(context, order, buyer, template, given["locale"])),
    legals: { type: "terms_and_conditions", terms_url: `${context.base}/legal/terms` },
    urls: { notification: "", ...(given["urls"] as Urls), merchant_terms: `${context.base}/legal/merchant-terms` },
    locale: given["locale"],
    metadata: given["metadata"] ?? {},
    protected_amount: Minor.write(covered),
    unprotected_amount: Minor.write(total - covered)
  })
  context.store.put(context.key, "order", { ...order, payment_offer: offer.id })
  return offer
}

export const offers = {
  create: (context) => {
    const { order: id, urls } = context.payload
    const found: Problems = {}
    const order = context.mine.order.get(String(id))
    if (order === undefined) found["order"] = missing(String(id))
    urlProblems(found, urls as Urls | undefined, ["urls"])
    check(found)
    // Assumption: an order that is being paid for is not offered anything any more.
    const of = given(order, "the order")
    if (of["deferred_payment"] !== null) throw conflict("The order already has a deferred payment.")
    return created(showOffer(context)(makeOffer(context, of, context.payload)))
  },
  get: (context) => ok(showOffer(context)(find(context, "offer", context.params["offer_id"])))
} satisfies Record<string, Handler>
