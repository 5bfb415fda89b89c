/**
 * Decides about the cover of one invoice: whether to request a quote, buy an offer, or ask a person (Q1 to Q12).
 *
 * Pure and total, like `Invoices.ts`. It looks at the invoice as the service will have it after the earlier calls of the plan,
 * so that an edit comes before the quote that it would expire. Purchases are in `CoverPurchase.ts`, the table of rejections in
 * `Rejections.ts`, selection in `CoverSelection.ts`.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { explain } from "../../core/insurance/Rejections.ts"
import { reference } from "../model/Call.ts"
import {
  askedWith,
  type CoverPolicy,
  type CoverQuote,
  type CoverRejection,
  isBeforeHandover,
  isFinal
} from "../model/Cover.ts"
import { openOn } from "../model/RemoteInvoice.ts"
import type { Rule } from "../model/Rule.ts"
import {
  about,
  type Covered,
  type CoverDecision,
  DAY_MS,
  earliest,
  isOffered,
  millisOf,
  needs,
  nothing
} from "./CoverParts.ts"
import { decisionOnOffer, purchase } from "./CoverPurchase.ts"
import { lacksBudget, netOf, notInsurable, notSelected } from "./CoverSelection.ts"
import { CommandText } from "./CoverWords.ts"
import { whenToAskAgain } from "./Rejections.ts"

/** How many quotes are requested again because the one before expired. */
const MOST_ANEW = 3

/** The insured share of the net amount, until a quote states it (II 2.2 shows 90 percent). */
const USUAL_SHARE = Decimal.of("0.9")

/** The exposure that an invoice adds to its buyer's limit, before a quote states it. */
export const expectedExposure = (net: Decimal.Decimal, currency: string): Decimal.Decimal =>
  Decimal.multiply(net, USUAL_SHARE, Currency.decimals(currency))

export const cover = (of: Covered): CoverDecision => {
  const { context, facts, invoice, remote, settings } = of
  if (remote.insured || remote.cover?.policy !== undefined) return insured(of)
  const cannot = facts.deleted || invoice.status === "void" ? "it is void or deleted" : notInsurable(remote)
  if (cannot !== undefined) return nothing(cannot)
  if (facts.outdated !== undefined) return nothing("its latest record could not be read")
  if (facts.unread === true) return nothing("its source is not read to its end")
  const missed = notSelected(invoice, remote, settings)
  const quote = remote.cover?.quote
  if (context.unknown === true) return nothing("Q9: whether cover was bought for it is not known yet")
  if (missed !== undefined && !isWanted(of))
    return isApproved(of, quote) || context.standing.voided !== undefined
      ? unselected(of, missed)
      : lacksBudget(invoice, remote, settings)
        ? withoutBudget(of, missed)
        : nothing(`not selected: ${missed}`, until(quote, context.now))
  if (isWanted(of)) return ask(of, "Q1", 1)
  if (quote !== undefined && isOffered(quote, context.now)) return purchase(of, quote)
  const { refused, restored } = context.standing
  // A rejected offer is a no for this invoice, until the person or the invoice says otherwise.
  if (refused !== undefined)
    return nothing(
      `Q5: ${refused.who} rejected an offer for it on ${Day.fromEpochMillis(refused.at)}; not asked for again`
    )
  if (restored === true) {
    const why = "an offer for it ended, and the state file was restored since: what was decided about it may be lost"
    const todo = `ask for another one with ${CommandText.quote(facts.key)}, if it should be insured`
    return { ...nothing(`Q5: ${why}`), attention: [needs(of, "Q5", why, todo)] }
  }
  if (quote === undefined) return ask(of, "Q1", 1)
  switch (quote.status) {
    case "offered":
    case "expired":
      return expired(of)
    case "declined":
      return declined(of, quote)
    default:
      return nothing(`its quote is ${quote.status}`)
  }
}

/** Whether a person approved the present offer. */
const isApproved = ({ context }: Covered, quote: CoverQuote | undefined): quote is CoverQuote =>
  quote !== undefined && isOffered(quote, context.now) && decisionOnOffer(quote, context.standing)?.decision === "buy"

/** Q5: what a person approved is void once the configuration does not select the invoice any more. */
const unselected = (of: Covered, missed: string): CoverDecision => {
  const { context, remote } = of
  const { decision, voided } = context.standing
  const who = decision?.who ?? voided
  const why = `${who} approved its offer, and the configuration does not select it: ${missed}. The approval is void`
  const todo = "change cover.select if it should be insured, and approve it again; otherwise resolve this"
  return {
    ...nothing(`not selected: ${missed}`, until(remote.cover?.quote, context.now)),
    attention: [needs(of, "Q5", why, todo)],
    ...(decision === undefined ? {} : { voids: decision })
  }
}

/** Q4: no quote is requested without a budget in the invoice's currency. One item per currency, on the first invoice. */
const withoutBudget = (of: Covered, missed: string): CoverDecision => {
  const { context, invoice, remote } = of
  // The first one is known only once all of them are listed.
  if (!context.listed) return nothing(`not selected: ${missed}`, context.now)
  const waits = nothing(`not selected: ${missed}`, until(remote.cover?.quote, context.now))
  if (!context.speaks) return waits
  const { currency } = invoice
  const why = `invoices in ${currency} are not insured: there is no budget in ${currency}, cover.price is in ${of.settings.price.currency}`
  const todo = `insure them over a connection of their own, whose cover.price is in ${currency}; or resolve this, and they stay uninsured`
  return { ...waits, attention: [needs(of, "Q4", why, todo)] }
}

const until = (quote: CoverQuote | undefined, now: number): number | undefined =>
  isOffered(quote, now) ? millisOf(quote?.validUntil) : undefined

/** Whether a person requested another quote in place of this one. This does not expire a valid offer. */
const isWanted = ({ context: { now, wanted }, remote }: Covered): boolean => {
  const quote = remote.cover?.quote
  return wanted !== undefined && wanted.about === (quote?.id ?? "") && !isOffered(quote, now)
}

/** Whether the invoice has changed since the quote was requested. */
const isChanged = ({ remote }: Covered): boolean =>
  remote.cover?.askedWith !== undefined && remote.cover.askedWith !== askedWith(remote.fields)

/** Q1, Q2, Q3, Q11: requests a quote, unless a rejection is certain or the buyer's limit is used up. */
const ask = (of: Covered, rule: Rule, asked: number): CoverDecision => {
  const { context, facts, invoice, remote } = of
  const certain = refusal(of)
  if (certain !== undefined) return nothing(`Q3: not asked for: ${certain}`)
  const full = beyondLimit(of)
  if (full !== undefined) return full
  const before = remote.cover?.quote
  const why =
    rule === "Q6"
      ? "the quote before expired"
      : rule === "Q7"
        ? "what kept it from being insured may have changed"
        : isWanted(of)
          ? "a person asked for it"
          : "it is selected and not insured"
  return {
    calls: [
      {
        ...about(of, rule),
        operation: "quotes.create",
        params: {},
        body: { transaction: reference(facts.key) },
        ...(before === undefined ? {} : { before: before.id }),
        asked,
        reason: `${Currency.say(netOf(remote), invoice.currency)} net, due ${invoice.due}: ${why}`
      }
    ],
    attention: limitMoved(of),
    wakeAt: context.now + DAY_MS
  }
}

/** Q3: the rejection that is certain, in words. */
const refusal = ({ context, invoice }: Covered): string | undefined => {
  const today = Day.fromEpochMillis(context.now)
  if (invoice.due < today) return `invoice-too-late: it was due on ${invoice.due}`
  const terms = Day.between(invoice.issued, invoice.due)
  const known = context.known.find(({ code, params }) => {
    if (code === "invoice-currency") return params?.["tx_currency"] === invoice.currency
    if (code === "buyer-country") return params?.["debtor_country"] === invoice.party.country
    const most = Number(params?.["MAX_CREDIT_TERMS_DAYS"] ?? Number.NaN)
    return code === "invoice-credit-terms" && terms > most
  })
  return known === undefined ? undefined : `${known.code}: ${explain(known)}`
}

/** Q11: what exceeds the buyer's limit waits. */
const beyondLimit = (of: Covered): CoverDecision | undefined => {
  const { context, invoice, remote } = of
  const { exposure, limit, limitUnread, listed } = context
  // This includes the buyer's first quote. A limit that cannot be read holds nothing back.
  if (limitUnread === true) return nothing("Q11: the buyer's limit is read first", context.now)
  if (limit === undefined) return undefined
  // Other invoices of the buyer may be due earlier and not be listed yet either: decide once all of them are.
  if (!listed) return nothing("Q11: the buyer's limit is shared out by due date first", context.now)
  if (limit.status === "declined") {
    const why = limit.rejection === undefined ? "" : `: ${explain(limit.rejection)}`
    return { ...nothing(`Q11: the buyer's limit is declined${why}`), attention: limitMoved(of) }
  }
  if (limit.available === undefined) return undefined
  const room = Decimal.of(limit.available) - exposure.ahead
  const expected = expectedExposure(netOf(remote), invoice.currency)
  if (expected <= room) return undefined
  const say = (amount: Decimal.Decimal) => Currency.say(amount, limit.currency)
  return {
    ...nothing(`Q11: the buyer's limit has ${say(room < 0n ? 0n : room)} left, and this needs about ${say(expected)}`),
    attention: limitMoved(of)
  }
}

/** Q11: reports a lowered or declined limit once per buyer, with the invoices that it affects. */
const limitMoved = (of: Covered): CoverDecision["attention"] => {
  const { exposure, limit } = of.context
  if (limit === undefined || !exposure.first) return []
  const lowered = limit.was !== undefined
  if (limit.status !== "declined" && !lowered) return []
  const say = (amount: Decimal.Decimal) => Currency.say(amount, limit.currency)
  const now =
    limit.status === "declined" ? "declined" : `lowered to ${say(Decimal.of(limit.maximum ?? limit.available ?? "0"))}`
  const was = limit.was === undefined ? "" : `, from ${say(Decimal.of(limit.was))}`
  const why = `the limit of ${of.invoice.party.name} was ${now}${was} on ${Day.fromEpochMillis(limit.read)}: ${say(exposure.insured)} insured, ${say(exposure.waiting)} waiting`
  return [needs(of, "Q11", why, "sell to this buyer with care; what does not fit is not asked for")]
}

/** Q6: requests another quote, three times at most; then a person decides. Offers of hours do not count: nobody may have seen them. */
const expired = (of: Covered): CoverDecision => {
  const { asked = 1, quote } = of.remote.cover ?? {}
  const [from, until] = [millisOf(quote?.created), millisOf(quote?.validUntil)]
  if (from !== undefined && until !== undefined && until - from < DAY_MS) return ask(of, "Q6", asked)
  if (isChanged(of)) return ask(of, "Q2", 1)
  if (of.edited === true) return ask(of, "Q2", asked)
  if (asked <= MOST_ANEW) return ask(of, "Q6", asked + 1)
  const why = `its quotes expired ${asked} times in a row`
  const todo = `ask for another one with ${CommandText.quote(of.facts.key)}`
  return { ...nothing(`Q6: ${why}`), attention: [needs(of, "Q6", why, todo)] }
}

/** Q7: keeps the rejection, and requests another quote when its cause can have changed. */
const declined = (of: Covered, quote: CoverQuote): CoverDecision => {
  const { context, facts, invoice } = of
  if (isChanged(of)) return ask(of, "Q7", 1)
  const rejection: CoverRejection = quote.rejection ?? { code: "unknown" }
  const created = millisOf(quote.created) ?? context.now
  const registered = millisOf(of.registered)
  const again = whenToAskAgain(
    {
      rejection,
      on: Day.fromEpochMillis(created),
      issued: invoice.issued,
      due: invoice.due,
      registered: registered === undefined ? undefined : Day.fromEpochMillis(registered),
      lastPaid: context.lastPaid
    },
    Day.fromEpochMillis(context.now)
  )
  if (again.again) return ask(of, "Q7", 1)
  const said = `declined, ${rejection.code}: ${explain(rejection)}`
  const when = again.on === undefined ? again.why : `asked for again on ${again.on}: ${again.why}`
  const items =
    again.unknown === true
      ? [needs(of, "Q7", said, `contact the service's operator, or ask again with ${CommandText.quote(facts.key)}`)]
      : []
  const wakeAt = again.on === undefined ? context.now + DAY_MS : Day.toEpochMillis(again.on)
  return { ...nothing(`Q7: ${said} (${when})`, wakeAt), attention: items }
}

/** Statuses that end well, or that say how a claim goes on. `lapsed` has its own rule, H9. */
const EXPECTED: ReadonlySet<string> = new Set([
  "paid",
  "paid_distributor",
  "lapsed",
  "under_collection",
  "pay_installments",
  "under_collection_installments",
  "dispute_pursual",
  "under_collection_dispute_solved",
  "claim_submitted",
  "claim_approved",
  "recovery_installments",
  "recovery_underway",
  "recovery_complete"
])

/** H10: a policy or a claim that ends without money, or in a way that is not known here, is for a person. */
const ended = (of: Covered, { since, status }: CoverPolicy): CoverDecision => {
  const waits = nothing(`its policy is ${status}`)
  const { remote } = of
  if (EXPECTED.has(status) || remote.status === "paid" || openOn(remote) <= 0n) return waits
  const why = `its policy is ${status.replaceAll("_", " ")}${since === undefined ? "" : ` since ${since}`}, and ${Currency.say(openOn(remote), of.invoice.currency)} is open: it is not to be expected from the insurance`
  return { ...waits, attention: [needs(of, "H10", why, "collect it yourself, or ask the service's operator why")] }
}

/** Q12, and news about an insured buyer. The facts for this are read from the service. */
const insured = (of: Covered): CoverDecision => {
  const { context, facts, remote } = of
  const policy = remote.cover?.policy
  if (policy !== undefined && (isFinal(policy) || !isBeforeHandover(policy))) return ended(of, policy)
  const failed = facts.reversals.find(({ document: { type } }) => type === "error" || type === "chargeback")
  const { count, others } = context.exposure
  const named =
    others.length === 0
      ? "this buyer has no other insured invoice"
      : `also insured: ${others.join(", ")}${count > others.length ? ` and ${count - others.length} more` : ""}`
  const news =
    failed === undefined
      ? []
      : [
          {
            ...needs(
              of,
              "Q12",
              `${failed.document.type === "error" ? "a debit of an insured buyer failed" : "an insured buyer charged a payment back"} on ${failed.document.date}; ${named}`,
              "contact the buyer; hand the invoice over once it is late and the service allows it"
            ),
            fact: failed.key
          }
        ]
  const wakeAt = earliest(
    ...[of.invoice.due].map((due) => Day.toEpochMillis(due) + DAY_MS).filter((at) => at > context.now)
  )
  return {
    calls: [],
    attention: [...news, ...limitMoved(of)],
    why: policy === undefined ? "insured" : `its policy is ${policy.status}`,
    ...(wakeAt === undefined ? {} : { wakeAt })
  }
}
