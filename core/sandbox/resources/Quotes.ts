/**
 * Quotes of the sandbox (II 2.8, 3.2, 4, 7): the price of cover, or why there is none.
 *
 * Assumptions (not shown): a quote is valid for 30 days; the premium is 2 percent of the net amount, and the insurance tax 12
 * percent of the premium; the first rejection counts, in the order seller, buyer, buyer's limit.
 */
import { given } from "../../Entry.ts"
import * as Decimal from "../../money/Decimal.ts"
import * as Instant from "../../wire/Instant.ts"
import type { Listed } from "../store/Directory.ts"
import {
  check,
  conflict,
  type Context,
  created,
  find,
  gone,
  type Handler,
  missing,
  ok,
  page,
  type Problems,
  timestamp
} from "../store/Handler.ts"
import { COVER_PERCENT, currentPolicy, expireQuotes, exposure, insuredAmount, money, quoteStatus } from "./Insurance.ts"
import { unknownCountries } from "./FieldFormats.ts"
import { type Decision, rejection } from "../rules/Rejections.ts"
import { next, QUOTE } from "../rules/States.ts"
import type { Entity } from "../store/Store.ts"
import { showQuote } from "./Serializers.ts"

const VALID_FOR_MS = 30 * 86_400_000
const PREMIUM = Decimal.of("0.02")
const INSURANCE_TAX = Decimal.of("0.12")

const text = (amount: Decimal.Decimal): string => Decimal.format(amount, 2)

/** What a transaction must have before it can be quoted (II 2.5). */
const MINIMUM = ["net_amount", "currency", "issue_date", "due_date"]

const lacking = (transaction: Entity): Problems => {
  const problems: Problems = {}
  for (const name of MINIMUM) {
    if (transaction[name] === null) problems[name] = ["The transaction needs this field for a quote."]
  }
  for (const party of ["debtor", "creditor"]) {
    if (transaction[party] === null && !transaction[`${party}_name`])
      problems[party] = ["The transaction needs this party for a quote."]
  }
  return problems
}

const decide = (context: Context, transaction: Entity): Decision | null => {
  const seller = context.directory.get(String(transaction["creditor"]), context.key)
  const buyer = context.directory.get(String(transaction["debtor"]), context.key)
  const decision = seller?.decision ?? buyer?.decision
  if (decision !== undefined && decision !== null) return decision
  return buyer !== undefined && insuredAmount(transaction) > exposure(context, buyer).available
    ? { code: "buyer-limit", params: {} }
    : null
}

/** The seller's remaining credits on this platform: those it was given, less those its policies used. */
const creditsLeft = (context: Context, { credits, id }: Listed): Decimal.Decimal =>
  Decimal.sum(context.mine.policy.by(id, "creditor").map((policy) => -money(policy["discount"]))) +
  money(credits?.amount)

const priceOf = (context: Context, transaction: Entity) => {
  const { currency } = transaction
  const full = Decimal.multiply(money(transaction["net_amount"]), PREMIUM, 2)
  const without = full + Decimal.multiply(full, INSURANCE_TAX, 2)
  const seller = context.directory.get(String(transaction["creditor"]), context.key)
  const left = seller !== undefined && seller.credits?.currency === currency ? creditsLeft(context, seller) : 0n
  const discount = Decimal.min(without, left > 0n ? left : 0n)
  const total = without - discount
  const premium = discount === 0n ? full : Decimal.divide(total, Decimal.of("1") + INSURANCE_TAX, 2)
  return {
    currency,
    total_price: text(total),
    ipt: text(total - premium),
    premium: text(premium),
    total_price_without_discount: text(without),
    discount_amount: text(discount),
    discounts:
      discount === 0n
        ? []
        : [
            {
              type: "credits",
              reason: "Promotional credits",
              discount_amount: text(discount),
              remaining_credits_amount_after: text(left - discount),
              remaining_credits_amount_after_currency: currency
            }
          ]
  }
}

/** The insured company: the one given, the one that raw data names, the transaction's debtor, or who that is matched with. */
const clientOf = (context: Context, transaction: Entity): unknown => {
  const { client, client_country, client_name, client_regnum } = context.payload
  const matched = context.directory.match({ name: client_name, country: client_country, regnum: client_regnum })
  if (client ?? matched?.id ?? transaction["debtor"]) return client ?? matched?.id ?? transaction["debtor"]
  const { debtor_country, debtor_name, debtor_regnum } = transaction
  const raw = { name: debtor_name, country: debtor_country, regnum: debtor_regnum, platform: context.key }
  return context.directory.matchInternally(raw)?.id ?? null
}

export const quotes = {
  create: (context) => {
    const { client, transaction: id } = context.payload
    const transaction = context.mine.transaction.get(String(id))
    const problems: Problems = {}
    if (transaction === undefined) problems["transaction"] = missing(String(id))
    if (typeof client === "string" && context.directory.get(client, context.key) === undefined)
      problems["client"] = missing(client)
    Object.assign(problems, unknownCountries(context.payload, "client_country"))
    check(problems)
    const of = given(transaction, "the transaction")
    if (currentPolicy(context, of) !== undefined) throw conflict("Transaction is already insured.")
    check(lacking(of))
    expireQuotes(context, of, "new request")
    const decision = decide(context, of)
    const price = decision === null ? priceOf(context, of) : null
    const quote = context.store.put(context.key, "quote", {
      id: context.store.id("quote"),
      transaction: of.id,
      client: clientOf(context, of),
      status: next(QUOTE, undefined, "request", decision === null ? "no rejection" : "rejection"),
      payment_required: price !== null && money(price.total_price) > 0n,
      created: timestamp(context),
      valid_until: Instant.fromEpochMillis(context.now + VALID_FOR_MS),
      policy: null,
      referral_url: decision === null ? `${context.base}/referral/${of["transaction_key"]}` : null,
      insured: { currency: of["currency"], insured_amount: text(decision === null ? insuredAmount(of) : 0n) },
      insured_pc_net: decision === null ? Decimal.format(COVER_PERCENT, 6) : null,
      insured_pc_gross: null,
      rejection_reason: decision === null ? null : rejection(decision),
      currency: price?.currency ?? null,
      total_price: price?.total_price ?? null,
      premium: price?.premium ?? null,
      ipt: price?.ipt ?? null,
      price,
      proposed_quote: null
    })
    context.store.put(context.key, "transaction", { ...of, quote: quote.id })
    return created(showQuote(context)(quote))
  },
  list: (context) => page(context, "/v1/quotes", context.mine.quote, showQuote(context)),
  get: (context) => ok(showQuote(context)(find(context, "quote", context.params["quote_id"]))),
  remove: (context) => {
    const quote = find(context, "quote", context.params["quote_id"])
    if (quoteStatus(context, quote) === "accepted") throw conflict("An accepted quote cannot be deleted.")
    const transaction = find(context, "transaction", String(quote["transaction"]))
    if (transaction["quote"] === quote.id)
      context.store.put(context.key, "transaction", { ...transaction, quote: null })
    context.store.delete(context.key, "quote", quote.id)
    return gone
  }
} satisfies Record<string, Handler>
