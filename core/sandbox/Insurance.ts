/**
 * Quotes and policies (II 2.8, 2.9, 3.2, 3.3): enough of cover that a transaction becomes insured, and late.
 */
import * as Decimal from "../money/Decimal.ts"
import * as Day from "../wire/Day.ts"
import * as Instant from "../wire/Instant.ts"
import { company, type Decision } from "./Directory.ts"
import {
  check,
  conflict,
  type Context,
  created,
  expand,
  find,
  gone,
  type Handler,
  missing,
  ok,
  page,
  type Problems,
  Refusal,
  timestamp
} from "./Handler.ts"
import type { Entity } from "./Store.ts"
import { show as showTransaction } from "./Transactions.ts"

const DAY = 86_400_000
/** Assumptions: none of these is shown, but for the handover window, which is typically 30 days (II 3.3). */
const QUOTE_VALID_DAYS = 30
const LATE_BEFORE_HANDOVER_DAYS = 30
const HANDOVER_WINDOW_DAYS = 30
const PREMIUM = Decimal.of("0.02")
const INSURANCE_TAX = Decimal.of("0.12")
const COVER = Decimal.of("0.9")

/** The cover on a transaction, if there is one. */
export const currentPolicy = (context: Context, transaction: Entity): Entity | undefined => {
  const id = transaction["policy"]
  return typeof id === "string" ? context.mine.policy.get(id) : undefined
}

const SETTLED: ReadonlyArray<unknown> = ["active", "late", "late_can_handover"]

/** Marking it paid settles its policy, until it has lapsed (II 3.3). */
export const settlePolicy = (context: Context, transaction: Entity): void => {
  const policy = currentPolicy(context, transaction)
  if (policy === undefined || !SETTLED.includes(policyStatus(context, policy))) return
  context.store.put(context.key, "policy", { ...policy, status: "paid" })
}

/** An amendment moves the due date of what is insured (II 4). */
export const amendPolicy = (context: Context, transaction: Entity, due_date: unknown): void => {
  const policy = currentPolicy(context, transaction)
  if (policy !== undefined && typeof due_date === "string") {
    context.store.put(context.key, "policy", { ...policy, due_date })
  }
}

/** An edit, or a new quote, expires the one that was offered (II 3.2). */
export const expireQuotes = (context: Context, transaction: Entity): void => {
  for (const quote of context.mine.quote.by(transaction.id)) {
    if (quote["status"] === "offered") context.store.put(context.key, "quote", { ...quote, status: "expired" })
  }
}

/** Time expires a quote as well. */
const quoteStatus = (context: Context, quote: Entity): unknown =>
  quote["status"] === "offered" && Instant.toEpochMillis(String(quote["valid_until"])) < context.now
    ? "expired"
    : quote["status"]

type Show = (context: Context) => (entity: Entity) => Readonly<Record<string, unknown>>

export const showQuote: Show = (context) => (quote) => {
  const body = { url: `${context.base}/v1/quotes/${quote.id}`, ...quote, status: quoteStatus(context, quote) }
  if (context.query["expand"] === undefined) return body
  const { expand: names, ...query } = context.query
  return expand(context, body, {
    transaction: (id) => showTransaction({ ...context, query })(find(context, "transaction", id)),
    policy: (id) => showPolicy({ ...context, query })(find(context, "policy", id)),
    client: (id) => {
      const listed = context.directory.get(id)
      return listed === undefined ? undefined : company(listed, context.base)
    }
  })
}

/** II 3.3: active until the due date, then late, then open to handover, then lapsed. */
const policyStatus = (context: Context, policy: Entity): unknown => {
  if (policy["status"] !== "active") return policy["status"]
  const late = Day.between(Day.of(String(policy["due_date"])), Day.fromEpochMillis(context.now))
  if (late <= 0) return "active"
  if (late <= LATE_BEFORE_HANDOVER_DAYS) return "late"
  return late <= LATE_BEFORE_HANDOVER_DAYS + HANDOVER_WINDOW_DAYS ? "late_can_handover" : "lapsed"
}

export const showPolicy: Show = (context) => (entity) => {
  const { due_date: _, owner: __, transaction: ___, ...policy } = entity
  const body = {
    url: `${context.base}/v1/policies/${policy.id}`,
    ...policy,
    status: policyStatus(context, entity)
  }
  if (context.query["expand"] === undefined) return body
  const { expand: names, ...query } = context.query
  return expand(context, body, { quote: (id) => showQuote({ ...context, query })(find(context, "quote", id)) })
}

/** What is decided about this invoice: the first code of its seller or its buyer. */
const decide = (context: Context, transaction: Entity): Decision | null => {
  const seller = context.directory.get(String(transaction["creditor"]))
  const buyer = context.directory.get(String(transaction["debtor"]))
  return seller?.decision ?? buyer?.decision ?? null
}

const sentence = ({ code, params }: Decision): string =>
  `Declined: ${code}${
    Object.keys(params).length === 0
      ? ""
      : ` (${Object.keys(params)
          .map((name) => `{${name}}`)
          .join(", ")})`
  }`

const text = (amount: Decimal.Decimal): string => Decimal.format(amount, 2)

export const quotes = {
  create: (context) => {
    const { client, transaction: id } = context.payload
    const transaction = context.mine.transaction.get(String(id))
    const problems: Problems = {}
    if (transaction === undefined) problems["transaction"] = missing(String(id))
    if (typeof client === "string" && context.directory.get(client) === undefined) problems["client"] = missing(client)
    check(problems)
    const of = transaction!
    if (currentPolicy(context, of) !== undefined) throw conflict("Transaction is already insured.")
    // The minimum for a quote (II 2.5).
    for (const name of ["net_amount", "currency", "issue_date", "due_date"]) {
      if (of[name] === null) problems[name] = ["The transaction needs this field for a quote."]
    }
    for (const party of ["debtor", "creditor"]) {
      if (of[party] === null && of[`${party}_name`] === null)
        problems[party] = ["The transaction needs this party for a quote."]
    }
    check(problems)
    expireQuotes(context, of)
    const decision = decide(context, of)
    const net = Decimal.of(String(of["net_amount"]))
    const premium = Decimal.multiply(net, PREMIUM, 2)
    const ipt = Decimal.multiply(premium, INSURANCE_TAX, 2)
    const price = { currency: of["currency"], total_price: text(premium + ipt), ipt: text(ipt), premium: text(premium) }
    const declined = decision !== null
    const quote = context.store.put(context.key, "quote", {
      id: context.store.id("quote"),
      transaction: of.id,
      client: client ?? of["debtor"] ?? null,
      status: declined ? "declined" : "offered",
      payment_required: !declined,
      created: timestamp(context),
      valid_until: Instant.fromEpochMillis(context.now + QUOTE_VALID_DAYS * DAY),
      policy: null,
      referral_url: declined ? null : `${context.base}/referral/${of["transaction_key"]}`,
      insured: declined ? null : { currency: of["currency"], insured_amount: text(Decimal.multiply(net, COVER, 2)) },
      insured_pc_net: declined ? null : "90.00",
      insured_pc_gross: null,
      rejection_reason:
        decision === null ? null : { code: decision.code, detail: sentence(decision), params: decision.params },
      currency: of["currency"],
      total_price: declined ? null : price.total_price,
      premium: declined ? null : price.premium,
      ipt: declined ? null : price.ipt,
      price: declined
        ? null
        : { ...price, total_price_without_discount: price.total_price, discount_amount: "0.00", discounts: [] },
      proposed_quote: null
    })
    context.store.put(context.key, "transaction", { ...of, quote: quote.id })
    return created(showQuote(context)(quote))
  },
  list: (context) =>
    page(context, "/v1/quotes", context.mine.quote.values(), context.mine.quote.size, showQuote(context)),
  get: (context) => ok(showQuote(context)(find(context, "quote", context.params["quote_id"]))),
  remove: (context) => {
    const quote = find(context, "quote", context.params["quote_id"])
    if (quote["status"] === "accepted") throw conflict("An accepted quote cannot be deleted.")
    const transaction = find(context, "transaction", String(quote["transaction"]))
    if (transaction["quote"] === quote.id)
      context.store.put(context.key, "transaction", { ...transaction, quote: null })
    context.store.delete(context.key, "quote", quote.id)
    return gone
  }
} satisfies Record<string, Handler>

/** Payment tokens that do not succeed. */
const TOKENS: Readonly<Record<string, readonly [number, string]>> = {
  tok_declined: [402, "Payment failed: the card was declined."],
  tok_error: [502, "The payment processor returned an error."],
  tok_timeout: [504, "Timeout reaching the payment provider."]
}

export const policies = {
  create: (context) => {
    const { quote: id, stripe_id } = context.payload
    const quote = context.mine.quote.get(String(id))
    check(quote === undefined ? { quote: missing(String(id)) } : {})
    const of = quote!
    const status = quoteStatus(context, of)
    if (status !== "offered") check({ quote: [`The quote is ${status}.`] })
    if (!/^(tok|src|pm)_./.test(String(stripe_id))) throw new Refusal(400, { detail: "Invalid payment token type." })
    const failed = TOKENS[String(stripe_id)]
    if (failed !== undefined) throw new Refusal(failed[0], { detail: failed[1] })
    const transaction = find(context, "transaction", String(of["transaction"]))
    const policyId = context.store.id("policy")
    const policy = context.store.put(context.key, "policy", {
      id: policyId,
      number: `P${policyId.slice(4, 12).toUpperCase()}`,
      quote: of.id,
      status: "active",
      created: timestamp(context),
      documents: [
        { category: "policy", url: `${context.base}/documents/${policyId}/policy.pdf` },
        { category: "general_conditions", url: `${context.base}/documents/${policyId}/general-conditions.pdf` }
      ],
      collection: null,
      loss_payee: "not applicable",
      owner: transaction["owner"],
      transaction: transaction.id,
      due_date: transaction["due_date"]
    })
    context.store.put(context.key, "quote", { ...of, status: "accepted", policy: policy.id })
    context.store.put(context.key, "transaction", { ...transaction, policy: policy.id, quote: of.id })
    return created(showPolicy(context)(policy))
  },
  list: (context) =>
    page(context, "/v1/policies", context.mine.policy.values(), context.mine.policy.size, showPolicy(context)),
  get: (context) => ok(showPolicy(context)(find(context, "policy", context.params["policy_id"])))
} satisfies Record<string, Handler>
