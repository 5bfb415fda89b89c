/**
 * Determines which insurance is in force: the current status of a quote and of a policy, the exposure of a buyer, and how an
 * edit, a payment or an amendment affects them (II 2.2, 3.2, 3.3).
 */
import * as Decimal from "../../money/Decimal.ts"
import * as Day from "../../wire/Day.ts"
import * as Instant from "../../wire/Instant.ts"
import type { Listed } from "../store/Directory.ts"
import type { Context } from "../store/Handler.ts"
import { aged, next, POLICY, QUOTE, type Windows } from "../rules/States.ts"
import type { Entity, PlatformShelves } from "../store/Store.ts"

/** An amount in the store; zero if absent. */
export const money = (value: unknown): Decimal.Decimal => (typeof value === "string" ? Decimal.of(value) : 0n)

/** The quote's status, which also expires with time. */
export const quoteStatus = ({ now }: Pick<Context, "now">, quote: Entity): string => {
  const status = String(quote["status"])
  return Instant.toEpochMillis(String(quote["valid_until"])) < now ? (next(QUOTE, status, "time") ?? status) : status
}

/** Active until the due date, then late, then open to handover, then lapsed, unless something else happened first. */
export const policyStatus = ({ now }: Pick<Context, "now">, policy: Entity): string =>
  aged(String(policy["status"]), Day.of(String(policy["due_date"])), now, policy["windows"] as Windows | undefined)

/**
 * The transactions whose quote or policy changed only because time passed between two moments. Assumption: which events are
 * sent is not shown (II 6); these are sent when the sandbox's clock is moved.
 */
export const changedByTime = ({ policy, quote }: PlatformShelves, before: number, now: number): ReadonlySet<string> => {
  const changed = new Set<string>()
  const compare = (all: Iterable<Entity>, status: (at: { readonly now: number }, entity: Entity) => string) => {
    for (const one of all)
      if (status({ now: before }, one) !== status({ now }, one)) changed.add(String(one["transaction"]))
  }
  compare(quote.values(), quoteStatus)
  compare(policy.values(), policyStatus)
  return changed
}

/** The policy that covers a transaction, if any. */
export const currentPolicy = (context: Context, transaction: Entity): Entity | undefined => {
  const id = transaction["policy"]
  return typeof id === "string" ? context.mine.policy.get(id) : undefined
}

/** Applies a trigger to a policy, if a row of II 3.3 allows it. */
export const movePolicy = (context: Context, policy: Entity, trigger: string): void => {
  const to = next(POLICY, policyStatus(context, policy), trigger)
  if (to !== undefined) context.store.put(context.key, "policy", { ...policy, status: to })
}

/** Settles the policy of a transaction marked as paid, unless it has lapsed or been handed over. */
export const settlePolicy = (context: Context, transaction: Entity): void => {
  const policy = currentPolicy(context, transaction)
  if (policy !== undefined) movePolicy(context, policy, "paid")
}

/** Applies an amendment to the policy: its due date and its insured amount change (II 4). */
export const amendPolicy = (context: Context, transaction: Entity): void => {
  const policy = currentPolicy(context, transaction)
  if (policy === undefined) return
  const insured_amount = Decimal.format(insuredAmount(transaction), 2)
  const due_date = transaction["due_date"] ?? policy["due_date"]
  // A lapsed policy stays lapsed even if the due date moves: no row of II 3.3 leads out of `lapsed`.
  const reached = policyStatus(context, policy)
  const status = next(POLICY, reached, "time") === undefined ? reached : policy["status"]
  context.store.put(context.key, "policy", { ...policy, due_date, insured_amount, status })
}

/**
 * Assumption: the changes that an amendment may make depend on a contract that is not shown. Here any change is allowed until
 * the invoice has been handed over, and none afterwards.
 */
export const amendable = (context: Context, transaction: Entity): boolean => {
  const policy = currentPolicy(context, transaction)
  return policy === undefined || !context.mine.collection.by(policy.id).some(({ sent }) => sent !== null)
}

/** Expires the offered quote, because of an edit or a new quote. */
export const expireQuotes = (context: Context, transaction: Entity, trigger: "edit" | "new request"): void => {
  for (const quote of context.mine.quote.by(transaction.id)) {
    const to = next(QUOTE, quote["status"], trigger)
    if (to !== undefined) context.store.put(context.key, "quote", { ...quote, status: to })
  }
}

/** Assumption: the insured share of the net amount is shown only in an example of 90 percent (II 2.2). */
export const COVER_PERCENT = Decimal.of("90")
const HUNDRED = Decimal.of("100")

/** How much of a transaction its policy covers, in major units of its currency. */
export const insuredAmount = (transaction: Entity): Decimal.Decimal =>
  Decimal.multiply(money(transaction["net_amount"]), Decimal.divide(COVER_PERCENT, HUNDRED), 2)

/** Policies that no longer use exposure. Assumption: which statuses end a policy is not shown; these say so themselves. */
const ENDED: ReadonlyArray<string> = [
  "paid_distributor",
  "paid",
  "elapsed",
  "lapsed",
  "not_collectable_dispute",
  "claim_rejected",
  "recovery_complete",
  "recovery_rejected",
  "cancelled"
]

/** Assumption: the limit of a buyer without a limit of its own. */
const DEFAULT_LIMIT = Decimal.of("100000000")

export interface Exposure {
  readonly maximum: Decimal.Decimal
  readonly current: Decimal.Decimal
  readonly available: Decimal.Decimal
}

/**
 * A buyer's maximum and current insured exposure. Assumptions: no exchange rate is shown, so amounts in all currencies count
 * equally; the exposure on other platforms is not known here, so maximum = available + current until more is in use.
 */
export const exposure = (context: Context, buyer: Listed): Exposure => {
  const maximum = buyer.credit_limit === null ? DEFAULT_LIMIT : money(buyer.credit_limit.amount)
  const current = Decimal.sum(
    context.mine.policy
      .by(buyer.id, "debtor")
      .filter((policy) => !ENDED.includes(policyStatus(context, policy)))
      .map((policy) => money(policy["insured_amount"]))
  )
  return { maximum, current, available: maximum > current ? maximum - current : 0n }
}
