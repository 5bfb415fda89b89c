/**
 * Implements the service's rules for transactions and payments in one small file, written from the specification (II 2.5, 2.6,
 * 3.1, 4, 7) and nothing else: an independent check of the calls that the rules make.
 *
 * `perform` applies a call or rejects it with the status and reason in the specification. It is stricter than the service
 * where Daybook must be: a second PUT paid, a payment of zero and a repeated `unique_id` are rejected.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import { isDay } from "../../core/wire/Day.ts"
import { bodyOf, type CallOf, type InvoiceCall } from "../../sync/model/Call.ts"
import type { Fields, Json } from "../../sync/model/RemoteInvoice.ts"

export interface Payment {
  readonly date: string
  readonly amount: Decimal.Decimal
  readonly type: string
  readonly details: string
}

export interface Transaction {
  readonly id: string
  readonly status: "draft" | "pending" | "paid"
  readonly insured: boolean
  /** Its members by name; null if the service has no value. */
  readonly fields: Fields
  readonly payments: ReadonlyArray<Payment>
}

export class Refused extends Error {
  readonly status: number
  constructor(status: number, why: string) {
    super(`${status} ${why}`)
    this.status = status
  }
}

/** II 2.5: members that a request may set; the others are read-only. */
const WRITABLE = new Set(
  (
    "owner unique_id debtor creditor debtor_name debtor_country debtor_regnum debtor_address creditor_name " +
    "creditor_country creditor_regnum creditor_address number status pay_method net_amount gross_amount currency " +
    "issue_date due_date paid_date items scheduled_payments metadata"
  ).split(" ")
)
/** II 4: members that amend accepts. */
const AMENDABLE = new Set(["net_amount", "gross_amount", "issue_date", "due_date", "scheduled_payments"])
const PAY_METHODS = ["unknown", "bank", "card", "cash"]
const REVERSALS = ["chargeback", "refund", "error", "unknown", "other"]
const PAYMENT_MEMBERS = new Set(["date", "amount", "currency", "type", "details", "provider_code"])

const refuse = (status: number, why: string): never => {
  throw new Refused(status, why)
}

const money = (value: Json | undefined, name: string): Decimal.Decimal => {
  const read = typeof value === "string" ? Decimal.parse(value, 2) : "is no decimal string"
  return typeof read === "bigint" ? read : refuse(400, `${name} ${JSON.stringify(value)} ${read}`)
}

interface Instalment {
  readonly date: string
  readonly amount: Decimal.Decimal
}

const instalments = (value: Json | undefined): ReadonlyArray<Instalment> | undefined => {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) return refuse(400, "scheduled_payments is no list")
  return (value as ReadonlyArray<Fields>).map(({ amount, date }) => {
    if (typeof date !== "string" || !isDay(date)) return refuse(400, "an instalment has no date")
    return { date, amount: money(amount, "an instalment's amount") }
  })
}

/** Validates members independently of each other. */
const check = (body: Fields, allowed: ReadonlySet<string>): void => {
  for (const [name, value] of Object.entries(body)) {
    if (!allowed.has(name)) refuse(400, `${name} cannot be set here`)
    if (value === null) continue
    if (name.endsWith("_amount") || name === "amount") money(value, name)
    if ((name.endsWith("_date") || name === "date") && !(typeof value === "string" && isDay(value)))
      refuse(400, `${name} is no day`)
    if (name === "currency" && !/^[A-Z]{3}$/.test(String(value))) refuse(400, "currency")
    if (name === "pay_method" && !PAY_METHODS.includes(String(value))) refuse(400, "pay_method")
    if ((name === "debtor" || name === "creditor") && !String(value).startsWith("co-")) refuse(400, `unknown ${name}`)
  }
}

/** A schedule adds up to the amount due, and its last day is the due date (II 4, Amend rules; "checked before sending"). */
const checkSchedule = (fields: Fields): void => {
  const schedule = instalments(fields["scheduled_payments"])
  if (schedule === undefined || schedule.length === 0) return
  const total = fields["gross_amount"] ?? fields["net_amount"]
  const sum = Decimal.sum(schedule.map(({ amount }) => amount))
  if (total !== undefined && total !== null && sum !== money(total, "total"))
    refuse(400, `the schedule sums to ${Decimal.format(sum, 2)}, not to ${total}`)
  if (schedule.at(-1)!.date !== fields["due_date"]) refuse(400, "due_date is not the schedule's last day")
  if (schedule.some(({ amount }) => amount < 0n)) refuse(400, "an instalment is negative")
}

export class ServiceModel {
  readonly #transactions = new Map<string, Transaction>()
  #n = 0

  /** A service with this one transaction. */
  static holding(key: string, transaction: Transaction): ServiceModel {
    const model = new ServiceModel()
    model.#transactions.set(key, transaction)
    return model
  }

  /** By the key that the caller uses, its `unique_id`. */
  get(key: string): Transaction | undefined {
    return this.#transactions.get(key)
  }

  /** Somebody else buys cover. Returns whether there was a transaction to insure. */
  insure(key: string): boolean {
    const found = this.#transactions.get(key)
    if (found !== undefined) this.#transactions.set(key, { ...found, insured: true })
    return found !== undefined
  }

  /** Applies a call, or throws `Refused`. Returns the resulting transaction. */
  perform(call: InvoiceCall): Transaction | undefined {
    if (call.operation === "transactions.create") return this.#create(call)
    const found = this.#transactions.get(call.subject) ?? refuse(404, "there is no such transaction")
    if (!("transaction_id" in call.params)) return refuse(405, call.operation)
    if (call.params.transaction_id !== `<${call.subject}>`) refuse(404, "the path names another transaction")
    const next = this.#change(found, call)
    if (next === undefined) this.#transactions.delete(call.subject)
    else this.#transactions.set(call.subject, next)
    return next
  }

  #create({ body, subject }: CallOf<"transactions.create">): Transaction {
    check(body, WRITABLE)
    if (typeof body["owner"] !== "string" || body["owner"] === "") refuse(400, "owner is required")
    if (body["unique_id"] !== subject || this.#transactions.has(subject)) refuse(400, "its unique_id is not its own")
    const { owner: _, status = "pending", ...fields } = body
    if (status !== "draft" && status !== "pending") refuse(400, "a transaction begins as draft or pending")
    checkSchedule(fields)
    const made: Transaction = {
      id: `trns-${++this.#n}`,
      status: status as "draft" | "pending",
      insured: false,
      fields,
      payments: []
    }
    this.#transactions.set(subject, made)
    return made
  }

  #change(found: Transaction, call: InvoiceCall): Transaction | undefined {
    const body = bodyOf(call) ?? {}
    switch (call.operation) {
      case "transactions.update": {
        if (found.insured) refuse(409, "it is insured and cannot be updated")
        check(body, WRITABLE)
        const { status = found.status, ...fields } = body
        // II 3.1: PATCH leads from draft to pending, and nowhere else.
        if (status !== found.status && !(found.status === "draft" && status === "pending"))
          refuse(400, `it cannot go from ${found.status} to ${status} by PATCH`)
        const next = { ...found, status: status as Transaction["status"], fields: { ...found.fields, ...fields } }
        checkSchedule(next.fields)
        return next
      }
      case "transactions.amend": {
        check(body, AMENDABLE)
        const schedule = instalments(body["scheduled_payments"])
        if (schedule !== undefined && typeof body["gross_amount"] === "string") {
          const sum = Decimal.sum(schedule.map(({ amount }) => amount))
          if (sum !== money(body["gross_amount"], "gross_amount")) refuse(400, "the schedule does not sum to the gross")
        }
        const next = { ...found, fields: { ...found.fields, ...body } }
        checkSchedule(next.fields)
        return next
      }
      case "transactions.confirm":
        if (found.status !== "draft") refuse(409, "it is not a draft")
        return { ...found, status: "pending" }
      case "transactions.paid": {
        check(body, new Set(["pay_method", "paid_date"]))
        if (found.status !== "pending") refuse(409, `it is ${found.status}; only what is pending becomes paid`)
        return { ...found, status: "paid", fields: { ...found.fields, ...body } }
      }
      case "transactions.remove":
        if (found.insured) refuse(409, "it is insured and cannot be deleted")
        return undefined
      case "transactions.matchDebtor": {
        check(body, new Set(["debtor"]))
        if (typeof body["debtor"] !== "string") refuse(400, "debtor is required")
        // II 2.7: an insured transaction is not changed, and support is warned.
        if (found.insured) refuse(409, "it is insured, so the match leaves it as it is")
        return { ...found, fields: { ...found.fields, ...body } }
      }
      case "transactions.createPayment":
        return { ...found, payments: [...found.payments, payment(found, body)] }
      default:
        return refuse(405, call.operation)
    }
  }
}

/** II 2.6. */
const payment = (found: Transaction, body: Fields): Payment => {
  check(body, PAYMENT_MEMBERS)
  const amount = money(body["amount"], "amount")
  const { date, details = "", type = amount > 0n ? "settlement" : undefined } = body
  if (typeof date !== "string") refuse(400, "date is required")
  if (amount === 0n) refuse(400, "a payment of nothing")
  if (amount > 0n && type !== "settlement") refuse(400, "what is positive is a settlement")
  if (amount < 0n) {
    if (!REVERSALS.includes(String(type))) refuse(400, "a negative payment needs its type")
    if (Decimal.sum(found.payments.map((one) => one.amount)) + amount < 0n)
      refuse(400, "a negative payment needs an earlier positive one of at least that amount")
  }
  if (found.payments.some((one) => one.details === details)) refuse(400, "that payment was reported before")
  return { date: String(date), amount, type: String(type), details: String(details) }
}
