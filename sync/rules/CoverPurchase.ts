/**
 * Decides whether to buy an offer (Q4, Q5, Q8, Q10): within the limits of `price` and of the month, or because a person approved
 * exactly this offer. Pure: the budget is part of the context, and is checked again when the call is claimed.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { CommandText } from "./CoverWords.ts"
import type { CoverPrice, CoverQuote } from "../model/Cover.ts"
import type { CoverContext, OfferDecision } from "../model/CoverContext.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import {
  about,
  type Covered,
  type CoverDecision,
  DAY_MS,
  earliest,
  millisOf,
  monthOf,
  needs,
  nothing,
  offerDigest,
  sayPrice,
  SPENT_UNKNOWN
} from "./CoverParts.ts"
import { netOf } from "./CoverSelection.ts"

/** The limits of `price` that an offer exceeds, in words; undefined if it is within them. */
export const exceeds = (offer: CoverPrice, remote: RemoteInvoice, { price }: CoverSettings): string | undefined => {
  const total = Decimal.of(offer.total)
  const say = (amount: Decimal.Decimal) => Currency.say(amount, price.currency)
  if (price.per_invoice !== undefined && total > Decimal.of(price.per_invoice))
    return `more than ${say(Decimal.of(price.per_invoice))} for one invoice`
  if (price.of_net !== undefined) {
    const most = Decimal.multiply(netOf(remote), Decimal.of(price.of_net))
    if (total > most) return `more than ${price.of_net} of its net amount of ${say(netOf(remote))}`
  }
  if (total > Decimal.of(price.per_month)) return `more than ${say(Decimal.of(price.per_month))} for a whole month`
  return undefined
}

/** Whether it may be bought without asking a person. */
export const isWithin = (quote: CoverQuote, remote: RemoteInvoice, settings: CoverSettings): boolean =>
  quote.price !== undefined &&
  quote.price.currency === settings.price.currency &&
  (settings.approve ?? "above") !== "always" &&
  exceeds(quote.price, remote, settings) === undefined

/** The decision about exactly this offer; one that was made on other terms is void. */
export const decisionOnOffer = (
  quote: CoverQuote,
  { decision }: Pick<CoverContext, "decision">
): OfferDecision | undefined =>
  decision !== undefined && decision.digest === offerDigest(quote, decision.beyondMonth) ? decision : undefined

/** Reminds a person two days and one day before an offer ends. */
const stage = (until: number | undefined, now: number): { readonly words: string; readonly next?: number } => {
  if (until === undefined) return { words: "" }
  const day = new Date(until).toISOString().slice(0, 16).replace("T", " ")
  const left = until - now
  if (left > 2 * DAY_MS) return { words: ` until ${day}`, next: until - 2 * DAY_MS }
  if (left > DAY_MS) return { words: ` until ${day}: two days are left`, next: until - DAY_MS }
  return { words: ` until ${day}: one day is left`, next: until }
}

const asks = (of: Covered, rule: "Q5" | "Q10", why: string, until: number | undefined): CoverDecision => {
  const { next, words } = stage(until, of.context.now)
  const todo = `buy it with ${CommandText.buy(of.facts.key)}, or reject it with ${CommandText.reject(of.facts.key)}`
  const wakeAt = earliest(next, until)
  return {
    calls: [],
    attention: [needs(of, rule, `${why}; the offer stands${words}`, todo)],
    why,
    ...(wakeAt === undefined ? {} : { wakeAt })
  }
}

/** What is decided about a valid offer. */
export const purchase = (of: Covered, quote: CoverQuote): CoverDecision => {
  const { context, remote, settings } = of
  const until = millisOf(quote.validUntil)
  const { price } = quote
  if (price === undefined) return asks(of, "Q5", "the offer has no price that can be read, so it is not bought", until)
  const offered = `offered for ${sayPrice(price, of.invoice.currency)}`
  if (price.currency !== settings.price.currency)
    return nothing(
      `Q4: ${offered}; there is no budget in ${price.currency}: cover.price is in ${settings.price.currency}`,
      until
    )
  const decision = decisionOnOffer(quote, context)
  if (decision?.decision === "reject") return nothing(`Q5: ${offered}; rejected by ${decision.who}`, until)
  const isApproved = decision?.decision === "buy"
  if (!isApproved && !isWithin(quote, remote, settings)) {
    const too = exceeds(price, remote, settings)
    const why = `${offered}, ${too ?? "and cover.approve asks about each"}`
    return settings.approve === "never" ? nothing(`Q5: ${why}; not bought`, until) : asks(of, "Q5", why, until)
  }
  if (settings.pay_with === undefined) return unpaid(of, offered, until)
  const { blocked } = context
  if (blocked !== undefined) return stopped(of, offered, blocked, until)
  const month = beyondMonth(of, price)
  if (month !== undefined && decision?.beyondMonth !== true) return wait(of, `${offered}; ${month}`, until)
  const otherwise = context.contradictions()
  if (otherwise.length > 0) return contradicted(of, offered, otherwise, until)
  const [rule, by] =
    decision === undefined ? (["Q4", "within cover.price"] as const) : (["Q5", `approved by ${decision.who}`] as const)
  return {
    calls: [
      {
        ...about(of, rule),
        operation: "policies.create",
        params: {},
        body: { quote: quote.id, stripe_id: { env: settings.pay_with.env } },
        price,
        ...(decision === undefined ? {} : { approved: decision.id }),
        reason: `${offered}, ${by}`
      }
    ],
    attention: []
  }
}

/**
 * Q8, Q10: after a payment failed, or while this month's spending is unknown, nothing is bought until a person decides. One
 * attention item for all invoices.
 */
const stopped = (
  of: Covered,
  offered: string,
  { by, why }: NonNullable<CoverContext["blocked"]>,
  until: number | undefined
): CoverDecision => {
  if (by === "spent") {
    const unknown = `${SPENT_UNKNOWN}: ${why}`
    const waits = nothing(`Q10: ${offered}; nothing is bought: ${unknown}`, until)
    if (!of.context.speaks) return waits
    const todo =
      "compare the policies of this month on the service with cover.price.per_month; if there is room for more, `daybook attention retry`: until then nothing is bought"
    return { ...waits, attention: [needs(of, "Q10", unknown, todo)] }
  }
  const waits = nothing(`Q8: ${offered}; nothing is bought since a payment failed: ${why}`, until)
  if (!of.context.speaks) return waits
  const todo =
    "put the payment method right (cover.pay_with), then `daybook attention retry`: until then nothing is bought"
  return { ...waits, attention: [needs(of, "Q8", `a payment for cover failed: ${why}`, todo)] }
}

/** Q4: while anything says otherwise about the invoice, no money is spent on it. It is looked at again in the next run. */
const contradicted = (
  of: Covered,
  offered: string,
  otherwise: ReadonlyArray<string>,
  until: number | undefined
): CoverDecision => {
  const why = `${offered}; not bought while something says otherwise: ${otherwise.join("; ")}`
  const todo = "put that right first; then it is bought"
  return { ...nothing(`Q4: ${why}`, earliest(of.context.now, until)), attention: [needs(of, "Q4", why, todo)] }
}

/** No payment method is configured. One attention item for all offers, on the first. */
const unpaid = (of: Covered, offered: string, until: number | undefined): CoverDecision => {
  const why = `Q4: ${offered}; not bought, because no payment method is configured`
  const waits = nothing(why, until)
  if (!of.context.speaks) return waits
  const todo =
    'add "pay_with": { "env": "NAME" } to cover in the configuration, and set the variable NAME to a token of the card processor'
  return {
    ...waits,
    attention: [needs(of, "Q4", `${offered}, and no payment method is configured: no cover is bought`, todo)]
  }
}

/** Q10: why the month's limit prevents the purchase; undefined if it does not. */
const beyondMonth = ({ context, settings }: Covered, price: CoverPrice): string | undefined => {
  const limit = Decimal.of(settings.price.per_month)
  const sum = context.spent + context.ahead + Decimal.of(price.total)
  if (sum <= limit) return undefined
  const say = (amount: Decimal.Decimal) => Currency.say(amount, settings.price.currency)
  const ahead = context.ahead === 0n ? "" : ", and offers that come first leave too little of the rest"
  return `${say(context.spent)} of this month's ${say(limit)} are spent${ahead}`
}

/** Q10: waits for the next month, or, if the offer ends before, for a person. */
const wait = (of: Covered, why: string, until: number | undefined): CoverDecision => {
  const [, next] = monthOf(of.context.now)
  if (until !== undefined && until <= next)
    return asks(of, "Q10", `${why}, and the offer ends before the next month begins`, until)
  return nothing(`Q10: ${why}; it waits for the next month`, earliest(next, until))
}
