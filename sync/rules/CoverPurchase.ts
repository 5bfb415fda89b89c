/**
 * Decides whether to buy an offer (Q4, Q5, Q8, Q10): within the limits of `price` and of the month, or because a person approved
 * exactly this offer. Pure: the budget is part of the context, and is checked again when the call is claimed.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Invoice } from "../../connectors/Document.ts"
import { CommandText } from "./CoverWords.ts"
import type { CoverPrice, CoverQuote } from "../model/Cover.ts"
import type { CoverContext, OfferDecision, OfferDecisions } from "../model/CoverContext.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import { isSameNumber, mayNameBuyer } from "../model/PartyName.ts"
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
  sayCompany,
  sayPrice
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
const isWithin = (quote: CoverQuote, remote: RemoteInvoice, settings: CoverSettings): boolean =>
  quote.price !== undefined &&
  quote.price.currency === settings.price.currency &&
  (settings.approve ?? "above") !== "always" &&
  exceeds(quote.price, remote, settings) === undefined

/** The decision about exactly this offer; one that was made on other terms is void. */
export const decisionOnOffer = (
  quote: CoverQuote,
  { decision }: Pick<OfferDecisions, "decision">
): OfferDecision | undefined =>
  decision !== undefined && decision.digest === offerDigest(quote, decision.beyondMonth) ? decision : undefined

/**
 * Whether the company that would be insured needs no review (II 4): it has the buyer's registration number, or, unless
 * `cover.match` asks for that, the buyer's name in the buyer's country. Where the service matched nobody, somebody must look.
 */
const isMatched = ({ company }: CoverQuote, { party }: Invoice, { match = "name" }: CoverSettings): boolean => {
  if (match === "review" || company === undefined || company === null) return false
  // A company that the source or a person named is theirs.
  if (party.company !== undefined) return party.company === company.id
  const { country, name, numbers = [] } = company
  if (country !== undefined && party.country !== undefined && country !== party.country) return false
  if (party.regnum !== undefined && numbers.length > 0)
    return numbers.some((number) => isSameNumber(number, party.regnum ?? ""))
  return match === "name" && name !== undefined && mayNameBuyer(party.name, { name })
}

/** Whether an offer may be bought: on a person's word, within the limits that one wrote down, or not, and why. */
export type Leave =
  | { readonly by: "person"; readonly decision: OfferDecision }
  | { readonly by: "limits" }
  | { readonly by: "nobody"; readonly is: "rejected" | "asked" | "unread"; readonly why: string }

const nobody = (why: string, is: "rejected" | "asked" | "unread" = "asked"): Leave => ({ by: "nobody", is, why })

export const leaveFor = (
  quote: CoverQuote,
  invoice: Invoice,
  remote: RemoteInvoice,
  settings: CoverSettings,
  standing: OfferDecisions
): Leave => {
  const decision = decisionOnOffer(quote, standing)
  if (decision?.decision === "reject") return nobody(`rejected by ${decision.who}`, "rejected")
  if (decision !== undefined) return { by: "person", decision }
  const { refused, restored } = standing
  if (refused !== undefined) {
    const on = Day.fromEpochMillis(refused.at)
    return nobody(`${refused.who} rejected an offer for it on ${on}, and the invoice is still the same`, "rejected")
  }
  if (restored === true)
    return nobody("the state file was restored since: what was decided about it in between may be lost")
  const { company } = quote
  if (company && company.name === undefined && company.unread !== true)
    return nobody("and who is insured is read first", "unread")
  if (!isMatched(quote, invoice, settings)) return nobody("and who is insured has not been reviewed")
  if (isWithin(quote, remote, settings)) return { by: "limits" }
  const too = quote.price === undefined ? undefined : exceeds(quote.price, remote, settings)
  return nobody(too ?? "and cover.approve asks about each")
}

/** Reminds a person two days and one day before an offer ends. */
const stage = (until: number | undefined, now: number): { readonly words: string; readonly next?: number } => {
  if (until === undefined) return { words: "" }
  const day = new Date(until).toISOString().slice(0, 16).replace("T", " ")
  const left = until - now
  if (left > 2 * DAY_MS) return { words: ` until ${day}`, next: until - 2 * DAY_MS }
  if (left > DAY_MS) return { words: ` until ${day}: less than two days are left`, next: until - DAY_MS }
  return { words: ` until ${day}: less than a day is left`, next: until }
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
  const offered = `offered for ${sayPrice(price, of.invoice.currency)}, ${sayCompany(quote)}`
  if (price.currency !== settings.price.currency)
    return nothing(
      `Q4: ${offered}; there is no budget in ${price.currency}: cover.price is in ${settings.price.currency}`,
      until
    )
  const leave = leaveFor(quote, of.invoice, remote, settings, context.standing)
  if (leave.by === "nobody") {
    const why = `${offered}, ${leave.why}`
    if (leave.is === "rejected") return nothing(`Q5: ${offered}; ${leave.why}`, until)
    if (leave.is === "unread") return nothing(`Q4: ${why}`, context.now)
    return settings.approve === "never" ? nothing(`Q5: ${why}; not bought`, until) : asks(of, "Q5", why, until)
  }
  const decision = leave.by === "person" ? leave.decision : undefined
  if (settings.pay_with === undefined) return unpaid(of, offered, until)
  const { blocked } = context
  if (blocked !== undefined) return stopped(offered, blocked, until)
  const month = beyondMonth(of, price)
  if (month !== undefined && decision?.beyondMonth !== true) return wait(of, `${offered}; ${month}`, price, until)
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

/** Q8, Q10: nothing is bought until a person decides; the connection's own item says so, see `apply/CoverItems.ts`. */
const stopped = (
  offered: string,
  { by, why }: NonNullable<CoverContext["blocked"]>,
  until: number | undefined
): CoverDecision => nothing(`${by === "payment" ? "Q8" : "Q10"}: ${offered}; nothing is bought: ${why}`, until)

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
const wait = (of: Covered, why: string, price: CoverPrice, until: number | undefined): CoverDecision => {
  const [, next] = monthOf(of.context.now)
  // The limit was lowered after somebody approved it: no month will do.
  if (Decimal.of(price.total) > Decimal.of(of.settings.price.per_month))
    return asks(of, "Q10", `${why}, and it costs more than a whole month's limit`, until)
  if (until !== undefined && until <= next)
    return asks(of, "Q10", `${why}, and the offer ends before the next month begins`, until)
  return nothing(`Q10: ${why}; it waits for the next month`, earliest(next, until))
}
