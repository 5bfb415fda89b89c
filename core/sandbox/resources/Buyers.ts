/**
 * Decides about a buyer (DP 1, 2.7): whether its company may pay later, how much of its debt the service's own limit covers,
 * and to which plan its billing account restricts it.
 */
import * as Currency from "../../money/Currency.ts"
import * as Decimal from "../../money/Decimal.ts"
import type { Context } from "../store/Handler.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { type Decision, rejection } from "../rules/Rejections.ts"
import type { Entity } from "../store/Store.ts"

/** Assumption: the specification shows neither a limit's size nor how far it can be topped up. Major units of any currency. */
const DEFAULT_LIMIT = Decimal.of("50000")
const TOP_UP = 2n

/** Assumption: rejected, voided and undecided payments use nothing of a limit. */
const USES: ReadonlyArray<unknown> = ["accepted", "part_fulfilled", "captured", "fulfilled", "accepted_pending_payment"]

const BALANCES = ["authorisation", "protected_captures", "unprotected_captures"] as const

/** Objects in the store are replaced, never modified, so results can be cached by object. */
const computed = new WeakMap<Entity, Decimal.Decimal>()

/** What is owed or may become owed, in major units. */
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
 * A company's limit, and what this platform's buyers use of it, in minor units of `currency`. Assumption: no exchange rate is
 * shown, so amounts in all currencies count equally; the exposure on other platforms is not known here.
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
  /** What is left of the limit, in minor units. */
  readonly available: Decimal.Decimal
  /** The one plan that its billing account allows, or null for any. */
  readonly template: string | null
}

/** A billing account is named after its plan: `ba-30-days` for `pptemp-30-days`. */
const templateOf = (account: unknown): string | null =>
  typeof account === "string" ? account.replace(/^ba-/, "pptemp-") : null

/** The company of an order's organisation. */
export const companyOfOrder = (context: Context, order: Entity): string | null => {
  const company = context.mine.organisation.get(String(order["organisation"]))?.["company"]
  return typeof company === "string" ? company : null
}

/** The buyer of an order, and the decision about it. */
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
  // Assumption: a buyer whose company is unknown is declined like one without any data.
  if (company === null || listed === undefined) return declined({ code: "buyer-profile", params: {} })
  if (listed.decision !== null) return declined(listed.decision)
  const limit = limitOf(context, company, String(order["currency"]))
  const left = limit.amount - limit.inUse
  if (Minor.read(order["total_amount"]) > limit.amount * TOP_UP - limit.inUse) {
    return declined({ code: "buyer-limit", params: {} })
  }
  return { template, rejection: null, available: left < 0n ? 0n : left }
}
