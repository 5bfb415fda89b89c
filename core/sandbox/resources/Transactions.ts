/**
 * Transactions (II 2.5, 3.1, 4): implements every rule that the specification states for them.
 */
import * as Decimal from "../../money/Decimal.ts"
import * as Day from "../../wire/Day.ts"
import {
  check,
  conflict,
  type Context,
  created,
  find,
  gone,
  type Handler,
  missing,
  notFound,
  ok,
  page,
  type Problems
} from "../store/Handler.ts"
import { amendable, amendPolicy, currentPolicy, expireQuotes, money, settlePolicy } from "./Insurance.ts"
import { next, TRANSACTION } from "../rules/States.ts"
import { unknownCountries, unknownCurrency, withCodes } from "./FieldFormats.ts"
import { makePayment, paymentsOf, unreported, unreportedProblems } from "./Payments.ts"
import type { Entity } from "../store/Store.ts"
import { showTransaction, transactionText } from "./Serializers.ts"

/** Defaults for every member of a transaction, so that all transactions have the same shape. */
const BLANK = {
  id: "",
  owner: null,
  transaction_key: "",
  // Assumption: the default status is pending.
  status: "pending",
  unique_id: null,
  debtor: null,
  creditor: null,
  debtor_name: null,
  debtor_country: null,
  debtor_regnum: null,
  debtor_address: null,
  creditor_name: null,
  creditor_country: null,
  creditor_regnum: null,
  creditor_address: null,
  number: null,
  pay_method: null,
  net_amount: null,
  gross_amount: null,
  currency: null,
  issue_date: null,
  due_date: null,
  paid_date: null,
  items: [],
  scheduled_payments: [],
  policy: null,
  quote: null,
  source: null,
  metadata: {},
  estimated_quote_price: null
}

const PARTIES = ["debtor", "creditor"] as const
const COUNTRIES = ["debtor_country", "creditor_country"]

/** Checks everything that the payload's schema cannot express, and reports all problems at once. */
const problems = (context: Context, known?: Entity): Problems => {
  const found: Problems = {}
  const { payload } = context
  unreportedProblems(found, context, known === undefined ? [] : paymentsOf(context, known))
  const { owner, unique_id } = payload
  if (typeof owner === "string") {
    const kind = owner.startsWith("user-") ? "user" : "organisation"
    if (context.mine[kind].get(owner) === undefined) found["owner"] = missing(owner)
  }
  if (unique_id !== undefined && unique_id !== null && String(unique_id).length > 255) {
    found["unique_id"] = ["Ensure this field has no more than 255 characters."]
  }
  for (const party of PARTIES) {
    const id = payload[party]
    if (typeof id === "string" && context.directory.get(id, context.key) === undefined) found[party] = missing(id)
  }
  return Object.assign(found, unknownCurrency(payload), unknownCountries(payload, ...COUNTRIES))
}

/** Matches raw data like company search; a match that was saved before wins (II 2.5, 2.7). */
const match = (context: Context, transaction: Entity, changed: Readonly<Record<string, unknown>>): Entity => {
  const unmatched = PARTIES.filter(
    (party) => transaction[party] === null && Object.keys(changed).some((name) => name.startsWith(`${party}_`))
  )
  if (unmatched.length === 0) return transaction
  const matched: Record<string, unknown> = { ...transaction }
  for (const party of unmatched) {
    const name = matched[`${party}_name`]
    const saved = party === "debtor" ? context.mine.match.get(`match-${transaction["owner"]}-${name}`) : undefined
    const found = context.directory.match({
      name,
      country: matched[`${party}_country`],
      regnum: matched[`${party}_regnum`]
    })
    matched[party] = saved?.["company"] ?? found?.id ?? null
  }
  return matched as Entity
}

const insured = (context: Context, transaction: Entity): boolean => currentPolicy(context, transaction) !== undefined

/** Stores a transaction, and the payments that came with it. */
const save = (context: Context, transaction: Entity, payments?: unknown): Readonly<Record<string, unknown>> => {
  context.store.put(context.key, "transaction", transaction)
  if (payments !== undefined) {
    for (const one of unreported(context, paymentsOf(context, transaction))) makePayment(context, transaction, one)
  }
  return showTransaction(context)(transaction)
}

const get = (context: Context): Entity => find(context, "transaction", context.params["transaction_id"])

const STATUS_ON_CREATE: ReadonlyArray<unknown> = [undefined, "draft", "pending", "paid"]

export const transactions = {
  create: (context) => {
    const found = problems(context)
    if (!STATUS_ON_CREATE.includes(context.payload["status"]))
      found["status"] = [`A transaction cannot be created as ${context.payload["status"]}.`]
    check(found)
    const { id, secret } = context.store.identify("transaction")
    const payload = withCodes(context.payload, ...COUNTRIES)
    const made: Record<string, unknown> = { ...BLANK, id, transaction_key: secret }
    for (const name of Object.keys(payload)) {
      const value = payload[name]
      if (value !== null && name !== "payments") made[name] = value
    }
    return created(save(context, match(context, made as Entity, context.payload), payload["payments"]))
  },

  list: (context) => {
    const { unique_id } = context.query
    const { transaction } = context.mine
    const found = unique_id === undefined ? transaction : transaction.by(unique_id)
    return page(context, "/v1/transactions", found, ({ id }) => transactionText(context, id))
  },

  get: (context) => {
    const shown = transactionText(context, context.params["transaction_id"] ?? "")
    if (shown === undefined) throw notFound()
    return ok(shown)
  },

  update: (context) => {
    const transaction = get(context)
    if (insured(context, transaction)) throw conflict("Transaction is insured and cannot be updated.")
    const found = problems(context, transaction)
    const { status } = context.payload
    if (
      status !== undefined &&
      status !== transaction["status"] &&
      status !== next(TRANSACTION, transaction["status"], "update")
    ) {
      found["status"] = [`A transaction cannot go from ${transaction["status"]} to ${status}.`]
    }
    check(found)
    expireQuotes(context, transaction, "edit")
    const { payments, ...payload } = withCodes(context.payload, ...COUNTRIES)
    return ok(save(context, match(context, { ...transaction, ...payload, id: transaction.id }, payload), payments))
  },

  remove: (context) => {
    const transaction = get(context)
    if (insured(context, transaction)) throw conflict("Transaction is insured and cannot be deleted.")
    for (const payment of paymentsOf(context, transaction)) context.store.delete(context.key, "payment", payment.id)
    for (const quote of context.mine.quote.by(transaction.id)) context.store.delete(context.key, "quote", quote.id)
    context.store.delete(context.key, "transaction", transaction.id)
    return gone
  },

  confirm: (context) => {
    const transaction = get(context)
    const status = next(TRANSACTION, transaction["status"], "confirm")
    if (status === undefined) throw conflict("Transaction is not in draft status.")
    return ok(save(context, { ...transaction, status }))
  },

  paid: (context) => {
    const transaction = get(context)
    // Assumption: marking a paid transaction as paid again changes nothing; a draft cannot be paid (II 3.1).
    if (transaction["status"] === "paid") return ok(showTransaction(context)(transaction))
    const status = next(TRANSACTION, transaction["status"], "paid")
    if (status === undefined) throw conflict(`Transaction is in ${transaction["status"]} status, not pending.`)
    const { paid_date, pay_method } = context.payload
    settlePolicy(context, transaction)
    return ok(
      save(context, {
        ...transaction,
        status,
        paid_date: paid_date ?? Day.fromEpochMillis(context.now),
        pay_method: pay_method ?? transaction["pay_method"] ?? "unknown"
      })
    )
  },

  amend: (context) => {
    const transaction = get(context)
    const { payload } = context
    const found: Problems = {}
    const schedule = payload["scheduled_payments"] as
      | ReadonlyArray<{ readonly date: string; readonly amount: string }>
      | undefined
      | null
    if (schedule !== undefined && schedule !== null && schedule.length > 0) {
      const sum = Decimal.sum(schedule.map(({ amount }) => money(amount)))
      const gross = payload["gross_amount"]
      if (typeof gross === "string" && money(gross) !== sum) {
        found["scheduled_payments"] = [
          `The scheduled payments sum to ${Decimal.format(sum, 2)}, not to gross_amount ${gross}.`
        ]
      }
      const due = payload["due_date"] ?? transaction["due_date"]
      const last = schedule.reduce((latest, { date }) => (date > latest ? date : latest), "")
      if (due !== last) {
        found["due_date"] = ["due_date must equal the date of the last scheduled payment."]
      }
    }
    check(found)
    if (!amendable(context, transaction))
      throw conflict("This modification is not allowed: the invoice has been handed over.")
    expireQuotes(context, transaction, "edit")
    const amended: Entity = { ...transaction, ...payload, id: transaction.id }
    amendPolicy(context, amended)
    return ok(save(context, amended))
  },

  matchDebtor: (context) => {
    const transaction = get(context)
    const debtor = String(context.payload["debtor"])
    check(context.directory.get(debtor, context.key) === undefined ? { debtor: missing(debtor) } : {})
    const { debtor_name: name, owner } = transaction
    // An insured transaction is not changed (II 2.7); for others, a new debtor is an edit (II 3.2).
    const rematch = (one: Entity): void => {
      if (one["debtor"] === debtor || insured(context, one)) return
      expireQuotes(context, one, "edit")
      context.store.put(context.key, "transaction", { ...one, debtor })
    }
    if (name === null) {
      rematch(transaction)
      return ok(showTransaction(context)(get(context)))
    }
    context.store.put(context.key, "match", { id: `match-${owner}-${name}`, name: String(name), company: debtor })
    // Every transaction of that user with the same raw name (II 2.7).
    for (const other of context.mine.transaction.by(name, "debtor_name")) {
      if (other["owner"] === owner) rematch(other)
    }
    return ok(showTransaction(context)(get(context)))
  }
} satisfies Record<string, Handler>
