/**
 * Deferred payments (DP 2.9, 3, 4): what a buyer's checkout makes, and captures, voids and refunds of it. Each moves
 * amounts between a payment's balances and answers with the ledger event that says by how much.
 */
import * as Decimal from "../../money/Decimal.ts"
import { companyOfOrder } from "./Buyers.ts"
import { check, conflict, type Context, created, find, type Handler, ok, timestamp } from "../store/Handler.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { BALANCES, type Balances, balancesOf, captured, showDeferredPayment } from "./CheckoutSerializers.ts"
import type { Entity } from "../store/Store.ts"

type Change = Partial<Balances>

interface Action {
  /** What the ledger calls it. */
  readonly type: "capture" | "void" | "refund"
  /** How much of it can be done at most. */
  readonly most: (balances: Balances) => Decimal.Decimal
  /** By how much each balance changes. `cover` is what of the payment is protected and not yet captured. */
  readonly change: (amount: Decimal.Decimal, cover: Decimal.Decimal) => Change
}

/** Assumption: what is protected is captured first. */
const CAPTURE: Action = {
  type: "capture",
  most: ({ authorisation }) => authorisation,
  change: (amount, cover) => {
    const covered = Decimal.min(amount, cover)
    return { authorisation: -amount, protected_captures: covered, unprotected_captures: amount - covered }
  }
}

const VOID: Action = {
  type: "void",
  most: ({ authorisation }) => authorisation,
  change: (amount) => ({ authorisation: -amount, voided_authorisation: amount })
}

const REFUND: Action = {
  type: "refund",
  most: (balances) => captured(balances) - balances.refunds,
  change: (amount) => ({ refunds: amount })
}

/** Assumption (DP 3: not shown): the statuses in which something can be done; the balances say how much. */
const LIVE: ReadonlyArray<unknown> = ["accepted", "part_fulfilled", "captured", "fulfilled", "voided"]

/**
 * The status that the balances lead to. Assumption (DP 3: not shown).
 *
 * | authorisation | captured | status         |
 * |---------------|----------|----------------|
 * | left          | nothing  | accepted       |
 * | left          | some     | part_fulfilled |
 * | none          | some     | captured       |
 * | none          | nothing  | voided         |
 */
const statusOf = (balances: Balances): string => {
  const [left, some] = [balances.authorisation > 0n, captured(balances) > 0n]
  return left ? (some ? "part_fulfilled" : "accepted") : some ? "captured" : "voided"
}

/** Notifies the address of the offer. Assumption (DP 6.1: the payload is not shown): this is how it is read. */
const notify = (context: Context, payment: Entity): void => {
  const url = payment["notification"]
  if (typeof url !== "string" || url === "") return
  const order = find(context, "order", String(payment["order"]))
  context.notify(url, {
    created: timestamp(context),
    data: {
      order: {
        id: order.id,
        unique_id: order["unique_id"],
        total_amount: order["total_amount"],
        deferred_payment: { id: payment.id, number: payment["number"], status: payment["status"] }
      }
    }
  })
}

/** The payment that a completed checkout makes of an order (DP 3). */
export const makeDeferredPayment = (
  context: Context,
  { offer, order, plan, status }: { offer: Entity; order: Entity; plan: string; status: string }
): Entity => {
  const id = context.store.id("deferred_payment")
  const payment = context.store.put(context.key, "deferred_payment", {
    id,
    number: `D${id.slice(7, 15).toUpperCase()}`,
    payment_plan: plan,
    order: order.id,
    status,
    currency: order["currency"],
    ...Object.fromEntries(BALANCES.map((name) => [name, 0])),
    authorisation: order["total_amount"],
    company: companyOfOrder(context, order),
    cover: offer["protected_amount"],
    offer: offer.id,
    notification: (offer["urls"] as Readonly<Record<string, unknown>>)["notification"]
  })
  context.store.put(context.key, "order", { ...order, deferred_payment: id })
  notify(context, payment)
  return payment
}

/** Keeps a payment, and notifies of its status when that has changed. */
export const keepPayment = (context: Context, before: Entity, after: Entity): Entity => {
  const payment = context.store.put(context.key, "deferred_payment", after)
  if (payment["status"] !== before["status"]) notify(context, payment)
  return payment
}

const perform =
  (action: Action, wanted: (context: Context, most: Decimal.Decimal) => Decimal.Decimal): Handler =>
  (context) => {
    const payment = find(context, "deferred_payment", context.params["deferred_payment_id"])
    if (!LIVE.includes(payment["status"])) {
      throw conflict(`A deferred payment that is ${payment["status"]} allows no ${action.type}.`)
    }
    const before = balancesOf(payment)
    const amount = wanted(context, action.most(before))
    const change = action.change(amount, Minor.read(payment["cover"]) - before.protected_captures)
    const after = Object.fromEntries(
      BALANCES.map((name) => [name, before[name] + (change[name] ?? 0n)])
    ) as unknown as Balances
    // An amount so fine beside what it is taken from cannot be written in JSON.
    if (!Object.values(after).every(Minor.isExact)) check({ amount: ["A valid number is required."] })
    keepPayment(context, payment, {
      ...payment,
      ...Object.fromEntries(BALANCES.map((name) => [name, Minor.write(after[name])])),
      status: action === REFUND ? payment["status"] : statusOf(after)
    })
    const {
      id: _,
      deferred_payment: __,
      ...event
    } = context.store.put(context.key, "ledger", {
      id: context.store.id("ledger"),
      deferred_payment: payment.id,
      created: timestamp(context),
      type: action.type,
      amount: Minor.write(amount),
      currency: payment["currency"],
      metadata: context.payload["metadata"] ?? {},
      changes: {
        ...Object.fromEntries(BALANCES.map((name) => [name, Minor.write(change[name] ?? 0n)])),
        clawback: 0
      }
    })
    return created(event)
  }

/** The amount that was sent: more than nothing, and no more than there is. */
const some = (action: Action): Handler =>
  perform(action, (context, most) => {
    const amount = Minor.read(context.payload["amount"])
    if (amount <= 0n) check({ amount: ["Ensure this value is greater than 0."] })
    if (amount > most) {
      check({
        amount: [`${Decimal.format(amount)} is too much: ${Decimal.format(most)} is left to ${action.type}.`]
      })
    }
    return amount
  })

/** All that is left. Assumption: when nothing is, that is a conflict. */
const rest = (action: Action): Handler =>
  perform(action, (_, most) => {
    if (most <= 0n) throw conflict(`Nothing is left to ${action.type}.`)
    return most
  })

export const deferredPayments = {
  get: (context) =>
    ok(showDeferredPayment(context)(find(context, "deferred_payment", context.params["deferred_payment_id"]))),
  capture: some(CAPTURE),
  captureRemaining: rest(CAPTURE),
  void: some(VOID),
  voidRemaining: rest(VOID),
  refund: some(REFUND)
} satisfies Record<string, Handler>
