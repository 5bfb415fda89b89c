/**
 * What the service thinks of a buyer (DP 1, 2.7): whether its company may pay later, how much of what it owes is
 * covered by the service's own limit, and which plan its billing account binds it to.
 */
import * as Currency from "../../money/Currency.ts"
import * as Decimal from "../../money/Decimal.ts"
import type { Context } from "../store/Handler.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { type Decision, rejection } from "../rules/Rejections.ts"
import type { Entity } from "../store/Store.ts"

/** Assumption: neither a limit's size nor how far it can be topped up is shown. In major units of any currency. */
const DEFAULT_LIMIT = Decimal.of("50000")
const TOP_UP = 2n

/** Assumption: what is rejected, voided or not yet decided uses nothing of a limit. */
const USES: ReadonlyArray<unknown> = ["accepted", "part_fulfilled", "captured", "fulfilled", "accepted_pending_payment"]

const BALANCES = ["authorisation", "protected_captures", "unprotected_captures"] as const

/** Objects of the store are replaced, never changed, so what one of them comes to is computed once. */
const computed = new WeakMap<Entity, Decimal.Decimal>()

/** What is owed or may come to be, in major units. */
const owed = (payment: Entity): Decimal.Decimal => {
  let major = computed.get(payment)
  if (major === undefined) {
    const all = Decimal.sum(BALANCES.map((name) => Minor.read(payment[name]))) - Minor.read(payment["refunds"])
    major = Currency.fromMinor(all, String(payment["currency"]))
    computed.set(payment, major)
  }
  return major
}

export interface Limit {
  /** Minor units. */
  readonly amount: Decimal.Decimal
  readonly inUse: Decimal.Decimal
}

/**
 * The limit of a company, and what this platform's buyers use of it, in minor units of `currency`. Assumption: no rate
 * of exchange is shown, so amounts count one to one; other platforms' exposure is not known here.
 */
export const limitOf = (context: Context, company: string, currency: string): Limit => {
  const set = context.directory.get(company, context.key)?.credit_limit ?? null
  const amount = set === null ? DEFAULT_LIMIT : Decimal.parse(String(set.amount))
  const payments = context.mine.deferred_payment.by(company).filter((one) => USES.includes(one["status"]))
  return {
    amount: typeof amount === "string" ? 0n : Currency.inMinor(amount, currency),
    inUse: Currency.inMinor(Decimal.sum(payments.map(owed)), currency)
  }
}

export interface Buyer {
  /** Why it is offered nothing, or null. */
  readonly rejection: ReturnType<typeof rejection> | null
  /** What of the limit is left, in minor units. */
  readonly available: Decimal.Decimal
  /** The one plan that its billing account allows, or null for any. */
  readonly template: string | null
}

/** A billing account is named after the plan that it stands for: `ba-30-days` for `pptemp-30-days`. */
const templateOf = (account: unknown): string | null =>
  typeof account === "string" ? account.replace(/^ba-/, "pptemp-") : null

/** The company of an order's organisation. */
export const companyOfOrder = (context: Context, order: Entity): string | null => {
  const company = context.mine.organisation.get(String(order["organisation"]))?.["company"]
  return typeof company === "string" ? company : null
}

/** Who buys, and what is decided about it. */
export const buyerOf = (context: Context, order: Entity): Buyer => {
  const organisation = context.mine.organisation.get(String(order["organisation"]))
  const company = companyOfOrder(context, order)
  const template = templateOf(organisation?.["billing_account"])
  const listed = company === null ? undefined : context.directory.get(company, context.key)
  const declined = (decision: Decision): Buyer => ({
    template,
    rejection: rejection(decision),
    available: 0n
  })
  // Assumption: a buyer whose company is not known is declined like one that nothing is known about.
  if (company === null || listed === undefined) return declined({ code: "buyer-profile", params: {} })
  if (listed.decision !== null) return declined(listed.decision)
  const limit = limitOf(context, company, String(order["currency"]))
  const left = limit.amount - limit.inUse
  if (Minor.read(order["total_amount"]) > limit.amount * TOP_UP - limit.inUse) {
    return declined({ code: "buyer-limit", params: {} })
  }
  return { template, rejection: null, available: left < 0n ? 0n : left }
}
