/**
 * Deferred payments (DP 2.9, 3, 4): created by a buyer's checkout, and then captured, voided and refunded. Each action moves
 * amounts between a payment's balances and answers with a ledger event that states the amounts.
 */
import * as Decimal from "../../money/Decimal.ts"
import { companyOfOrder } from "./Buyers.ts"
import { check, conflict, type Context, created, find, type Handler, ok, timestamp } from "../store/Handler.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { BALANCES, type Balances, balancesOf, captured, showDeferredPayment } from "./CheckoutSerializers.ts"
import type { Entity } from "../store/Store.ts"

type Change = Partial<Balances>

interface Action {
  /** Its name in the ledger. */
  readonly type: "capture" | "void" | "refund"
  /** The maximum amount. */
  readonly most: (balances: Balances) => Decimal.Decimal
  /** By how much each balance changes. `cover` is the part of the payment that is protected and not captured yet. */
  readonly change: (amount: Decimal.Decimal, cover: Decimal.Decimal) => Change
}

/** Assumption: the protected part is captured first. */
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

/** Assumption (DP 3: not shown): the statuses that allow actions; the balances limit the amounts. */
const LIVE: ReadonlyArray<unknown> = ["accepted", "part_fulfilled", "captured", "fulfilled", "voided"]

/**
 * The status that follows from the balances. Assumption (DP 3: not shown).
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

/** Notifies the offer's address. Assumption (DP 6.1: the payload is not shown): it is sent in this form. */
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

/** The payment that completing checkout creates from an order (DP 3). */
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

/** Stores a payment, and notifies if its status has changed. */
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
    // An amount that is too fine relative to its balance cannot be written as a JSON number.
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

/** Acts on the amount in the request: more than zero, and not more than is available. */
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

/** Acts on the full remaining amount. Assumption: if nothing remains, that is a conflict. */
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
