/**
 * What insurance is in force, and what ends it: the status of a quote and of a policy at this moment, the exposure of
 * a buyer, and the hooks by which an edit, a payment or an amendment reaches them (II 2.2, 3.2, 3.3).
 */
import * as Decimal from "../../money/Decimal.ts"
import * as Day from "../../wire/Day.ts"
import * as Instant from "../../wire/Instant.ts"
import type { Listed } from "../store/Directory.ts"
import type { Context } from "../store/Handler.ts"
import { aged, next, POLICY, QUOTE, type Windows } from "../rules/States.ts"
import type { Entity, PlatformShelves } from "../store/Store.ts"

/** An amount of the store, zero where none is stated. */
export const money = (value: unknown): Decimal.Decimal => (typeof value === "string" ? Decimal.of(value) : 0n)

/** Time expires a quote as well. */
export const quoteStatus = ({ now }: Pick<Context, "now">, quote: Entity): string => {
  const status = String(quote["status"])
  return Instant.toEpochMillis(String(quote["valid_until"])) < now ? (next(QUOTE, status, "time") ?? status) : status
}

/** Active until the due date, then late, then open to handover, then lapsed, unless something else came first. */
export const policyStatus = ({ now }: Pick<Context, "now">, policy: Entity): string =>
  aged(String(policy["status"]), Day.of(String(policy["due_date"])), now, policy["windows"] as Windows | undefined)

/**
 * The transactions whose quote or policy time alone has changed between two moments. Assumption: which events are sent
 * is not shown (II 6); these are sent when the sandbox's clock is moved.
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

/** The cover on a transaction, if there is one. */
export const currentPolicy = (context: Context, transaction: Entity): Entity | undefined => {
  const id = transaction["policy"]
  return typeof id === "string" ? context.mine.policy.get(id) : undefined
}

/** Something happens to a policy: it moves on where a row of II 3.3 says so. */
export const movePolicy = (context: Context, policy: Entity, trigger: string): void => {
  const to = next(POLICY, policyStatus(context, policy), trigger)
  if (to !== undefined) context.store.put(context.key, "policy", { ...policy, status: to })
}

/** Marking it paid settles its policy, until it has lapsed or been handed over. */
export const settlePolicy = (context: Context, transaction: Entity): void => {
  const policy = currentPolicy(context, transaction)
  if (policy !== undefined) movePolicy(context, policy, "paid")
}

/** An amendment moves the due date of what is insured, and what of it is insured (II 4). */
export const amendPolicy = (context: Context, transaction: Entity): void => {
  const policy = currentPolicy(context, transaction)
  if (policy === undefined) return
  const insured_amount = Decimal.format(insuredAmount(transaction), 2)
  const due_date = transaction["due_date"] ?? policy["due_date"]
  context.store.put(context.key, "policy", { ...policy, due_date, insured_amount })
}

/**
 * Assumption: the kinds of change that an amendment may make depend on a contract that is not shown. Here any is
 * allowed until the invoice has been handed over; from then on it stays as it is.
 */
export const amendable = (context: Context, transaction: Entity): boolean => {
  const policy = currentPolicy(context, transaction)
  return policy === undefined || !context.mine.collection.by(policy.id).some(({ sent }) => sent !== null)
}

/** An edit, or a new quote, expires the one that was offered. */
export const expireQuotes = (context: Context, transaction: Entity, trigger: "edit" | "new request"): void => {
  for (const quote of context.mine.quote.by(transaction.id)) {
    const to = next(QUOTE, quote["status"], trigger)
    if (to !== undefined) context.store.put(context.key, "quote", { ...quote, status: to })
  }
}

/** Assumption: the share of the net amount that is insured is not shown but in an example of 90 percent (II 2.2). */
export const COVER_PERCENT = Decimal.of("90")
const HUNDRED = Decimal.of("100")

/** How much of a transaction its policy covers, in major units of its currency. */
export const insuredAmount = (transaction: Entity): Decimal.Decimal =>
  Decimal.multiply(money(transaction["net_amount"]), Decimal.divide(COVER_PERCENT, HUNDRED), 2)

/** Policies that cost nothing any more. Assumption: which statuses end a policy is not shown; these say so themselves. */
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

/** Assumption: a buyer without a limit of its own has this one. */
const DEFAULT_LIMIT = Decimal.of("100000000")

export interface Exposure {
  readonly maximum: Decimal.Decimal
  readonly current: Decimal.Decimal
  readonly available: Decimal.Decimal
}

/**
 * How much insured exposure a buyer may have and has. Assumptions: no rate of exchange is shown, so amounts count one
 * to one; other platforms' exposure is not known here, so maximum = available + current until more is in use.
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
