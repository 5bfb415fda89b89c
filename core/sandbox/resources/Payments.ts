/**
 * Payments and reversals of a transaction (II 2.5, 2.6), reported one by one or with the transaction.
 */
import * as Decimal from "../../money/Decimal.ts"
import * as Day from "../../wire/Day.ts"
import {
  check,
  type Context,
  created,
  find,
  type Handler,
  notFound,
  ok,
  page,
  type Problems,
  put
} from "../store/Handler.ts"
import { unknownCurrency } from "./FieldFormats.ts"
import { money } from "./Insurance.ts"
import type { Entity } from "../store/Store.ts"

type Members = Readonly<Record<string, unknown>>

/** In the order in which they were reported. */
export const paymentsOf = (context: Context, transaction: Entity): ReadonlyArray<Entity> =>
  context.mine.payment.by(transaction.id)

/** Stores a payment: by default a settlement today in the transaction's currency. */
export const makePayment = (context: Context, transaction: Entity, given: Members): Entity =>
  context.store.put(context.key, "payment", {
    date: Day.fromEpochMillis(context.now),
    currency: transaction["currency"],
    type: "settlement",
    details: "",
    provider_code: "",
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
    transaction: transaction.id,
    id: context.store.id("payment")
  })

/**
 * The new ones among the payments sent with a transaction. Assumption: how such a list changes existing payments is not shown.
 * Existing ones stay, others are added, and none is removed, because there is no way to do that.
 */
export const unreported = ({ payload }: Context, known: ReadonlyArray<Entity>): ReadonlyArray<Members> => {
  const left = [...known]
  return ((payload["payments"] ?? []) as ReadonlyArray<Members | undefined>).flatMap((given) => {
    // A payment that could not be decoded is reported elsewhere.
    if (given?.["amount"] === undefined) return []
    const at = left.findIndex(({ amount, date }) => amount === given["amount"] && date === given["date"])
    if (at >= 0) left.splice(at, 1)
    return at >= 0 ? [] : [given]
  })
}

/** A reversal needs a type (II 2.6), which the list in a transaction does not have. */
export const unreportedProblems = (found: Problems, context: Context, known: ReadonlyArray<Entity>): void => {
  for (const given of unreported(context, known)) {
    const at = (context.payload["payments"] as ReadonlyArray<Members>).indexOf(given)
    if (money(given["amount"]) < 0n)
      put(found, ["payments", at, "amount"], "A reversal needs a type: report it as a payment of its own.")
  }
}

const showPayment = ({ transaction: _, ...payment }: Entity) => payment

const get = (context: Context): Entity => find(context, "transaction", context.params["transaction_id"])

export const payments = {
  listPayments: (context) => {
    const transaction = get(context)
    const all = paymentsOf(context, transaction)
    return page(context, `/v1/transactions/${transaction.id}/payments/`, all, showPayment)
  },

  createPayment: (context) => {
    const transaction = get(context)
    const { payload } = context
    const amount = money(payload["amount"])
    const found = unknownCurrency(payload)
    const { type } = payload
    if (amount < 0n) {
      if (type === undefined || type === null) found["type"] = ["This field is required for a negative amount."]
      else if (type === "settlement") found["type"] = ["A negative amount cannot be a settlement."]
      const balance = Decimal.sum(paymentsOf(context, transaction).map((payment) => money(payment["amount"])))
      if (balance + amount < 0n)
        found["amount"] = ["A negative payment needs earlier positive payments of at least that amount."]
    } else if (!context.unread.has("amount") && type !== undefined && type !== null && type !== "settlement") {
      found["type"] = ["A positive amount is a settlement."]
    }
    check(found)
    return created(showPayment(makePayment(context, transaction, payload)))
  },

  getPayment: (context) => {
    const payment = find(context, "payment", context.params["payment_id"])
    if (payment["transaction"] !== get(context).id) throw notFound()
    return ok(showPayment(payment))
  }
} satisfies Record<string, Handler>
