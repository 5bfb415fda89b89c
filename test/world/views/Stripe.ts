/**
 * Stripe's interface, version 2025-05-28.basil, for a seller whose invoices are there: charged, or marked as paid outside of Stripe.
 * What is paid stays paid: refunds, disputes and credit notes stand beside it. What changed is told by events, for thirty days.
 */
import type { Credit, Entry, Invoice, Money, Movement } from "../truth/Money.ts"
import { type Day, instant, instantIn, least, type Minor, most, sum, type Zone } from "../Values.ts"
import { Changed } from "./Changed.ts"
import { payoutsOf } from "./StripePayouts.ts"
import type { Program } from "./Program.ts"
import type { Answered, Asked } from "./Server.ts"

type Json = Readonly<Record<string, unknown>>

const KEPT_DAYS = 30
const number = (amount: Minor): number => Number(amount)
const plain = (id: string): string => id.replaceAll(/\W/g, "")

const EVENTS: Readonly<Record<string, string>> = {
  invoices: "invoice.updated",
  invoice_payments: "invoice_payment.paid",
  refunds: "refund.created",
  disputes: "charge.dispute.updated",
  credit_notes: "credit_note.created",
  payouts: "payout.paid"
}

export class Stripe implements Program {
  readonly #money: Money
  readonly #changed = new Changed()
  readonly #zone: Zone

  constructor(money: Money, zone: Zone | undefined) {
    this.#money = money
    this.#zone = zone ?? "Europe/Berlin"
  }

  /** The account's days are those of its own time zone. */
  #seconds(day: Day, hour?: number): number {
    return Math.round(instantIn(this.#zone, day, hour) / 1000)
  }

  files(): ReadonlyMap<string, string> {
    return new Map()
  }

  source(url: string): object {
    return { connector: "stripe", key: { env: "APP" }, url }
  }

  #id(kind: string, of: string): string {
    const id = `${kind}_1${plain(of)}`
    this.#money.called.set(id, of)
    return id
  }

  #movement({ movement }: Entry): Movement | undefined {
    return this.#money.movements.get(movement)
  }

  /** Payments of an invoice: charges with a payment intent, and what was paid outside of Stripe. */
  #payments({ id }: Invoice, day: Day): ReadonlyArray<Json> {
    const pending = [...this.#money.attempts.values()].flatMap(({ charged, confirmed, movement }) => {
      const its = this.#money.movements.get(movement)
      if (its?.for[0]?.invoice !== id || charged > day || confirmed <= day) return []
      return [
        this.#payment(movement, {
          invoice: id,
          amount: its.for[0].amount,
          from: charged,
          paid: undefined,
          inside: true
        })
      ]
    })
    const paid = [...this.#money.entries.values()].flatMap((entry) => {
      const body = entry.body.at(day)
      if (entry.reverses !== undefined || body?.invoice !== id) return []
      const inside = this.#movement(entry)?.via === "debit"
      return [
        this.#payment(inside ? entry.movement : entry.id, {
          invoice: id,
          amount: body.amount,
          from: body.date,
          paid: body.date,
          inside,
          entry: entry.id
        })
      ]
    })
    return [...pending, ...paid]
  }

  #payment(
    of: string,
    {
      amount,
      entry,
      from,
      inside,
      invoice,
      paid
    }: {
      readonly invoice: string
      readonly amount: Minor
      readonly from: Day
      readonly paid: Day | undefined
      readonly inside: boolean
      readonly entry?: string
    }
  ): Json {
    const id = this.#id("inpay", of)
    if (entry !== undefined) this.#money.called.set(id, entry)
    return {
      id,
      object: "invoice_payment",
      amount_paid: paid === undefined ? null : number(amount),
      amount_requested: number(amount),
      created: this.#seconds(from),
      currency: "eur",
      invoice: this.#id("in", invoice),
      is_default: inside,
      livemode: true,
      payment: inside
        ? { type: "payment_intent", payment_intent: `pi_1${plain(of)}` }
        : { type: "payment_record", payment_record: `pr_1${plain(of)}` },
      status: paid === undefined ? "open" : "paid",
      status_transitions: { canceled_at: null, paid_at: paid === undefined ? null : this.#seconds(paid) }
    }
  }

  #invoice(invoice: Invoice, day: Day): Json | undefined {
    const { body, id } = invoice
    const last = body.days
      .filter((one) => one <= day)
      .map((one) => body.at(one))
      .findLast((one) => one !== undefined)
    const now = body.at(day)
    if (last === undefined) return undefined
    const credits = [...this.#money.credits.values()].filter((one) => one.invoice === id && one.day <= day)
    const balance = sum(credits.filter((one) => one.balance === true).map(({ amount }) => amount))
    const noted = sum(credits.filter((one) => one.balance !== true).map(({ amount }) => amount))
    const payments = this.#payments(invoice, day)
    const paid = payments.filter(({ status }) => status === "paid")
    const amount = BigInt(paid.reduce((all, one) => all + (one["amount_paid"] as number), 0))
    const due = most(0n, last.gross - balance - noted)
    const status =
      now === undefined || now.status === "void"
        ? "void"
        : now.status === "draft"
          ? "draft"
          : amount >= due
            ? "paid"
            : day > last.due + 35
              ? "uncollectible"
              : "open"
    const customer = this.#money.customers.get(last.customer)
    const at = Math.max(...paid.map((one) => one["created"] as number), this.#seconds(last.issued))
    return {
      id: this.#id("in", id),
      object: "invoice",
      number: status === "draft" ? null : last.number,
      status,
      currency: "eur",
      collection_method: "send_invoice",
      created: this.#seconds(last.issued),
      effective_at: status === "draft" ? null : this.#seconds(last.issued),
      due_date: this.#seconds(last.due, 23.99),
      customer: `cus_${last.customer}`,
      customer_name: customer?.name ?? null,
      customer_email: null,
      customer_address: { city: "Berlin", country: "DE", line1: null, line2: null, postal_code: null, state: null },
      total: number(last.gross),
      total_excluding_tax: number(last.gross),
      subtotal: number(last.gross),
      amount_due: number(due),
      amount_paid: number(amount),
      amount_overpaid: 0,
      amount_remaining: number(most(0n, due - amount)),
      starting_balance: number(-balance),
      ending_balance: status === "draft" ? null : 0,
      pre_payment_credit_notes_amount: number(noted),
      post_payment_credit_notes_amount: 0,
      payments: { object: "list", data: payments, has_more: false },
      status_transitions: {
        finalized_at: status === "draft" ? null : this.#seconds(last.issued),
        paid_at: status === "paid" ? at : null,
        voided_at: status === "void" ? this.#seconds(day) : null,
        marked_uncollectible_at: null
      }
    }
  }

  #note({ amount, day, id, invoice }: Credit): Json {
    return {
      id: this.#id("cn", id),
      object: "credit_note",
      amount: number(amount),
      total: number(amount),
      created: this.#seconds(day),
      currency: "eur",
      invoice: this.#id("in", invoice),
      customer_balance_transaction: null,
      out_of_band_amount: null,
      post_payment_amount: 0,
      pre_payment_amount: number(amount),
      refunds: [],
      status: "issued",
      type: "pre_payment"
    }
  }

  #lists(day: Day): Readonly<Record<string, ReadonlyArray<Json>>> {
    const invoices: ReadonlyArray<Json> = [...this.#money.invoices.values()].flatMap(
      (one): ReadonlyArray<Json> => [this.#invoice(one, day) ?? []].flat()
    )
    const debits = [...this.#money.movements.values()].filter(({ via }) => via === "debit")
    const refunds = debits.flatMap(({ id, refunds: all }) =>
      all
        .filter((one) => one.day <= day)
        .map((one) => ({
          id: this.#id("re", one.id),
          object: "refund",
          amount: number(one.amount),
          charge: `ch_1${plain(id)}`,
          payment_intent: `pi_1${plain(id)}`,
          created: this.#seconds(one.day),
          currency: "eur",
          reason: null,
          status: day > one.day + 3 ? "succeeded" : "pending"
        }))
    )
    const disputes = debits.flatMap((movement): ReadonlyArray<Json> => {
      const { died, id } = movement
      if (died === undefined || died.day > day) return []
      return [
        {
          id: this.#id("du", id),
          object: "dispute",
          amount: number(this.#money.amountOf(movement)),
          charge: `ch_1${plain(id)}`,
          payment_intent: `pi_1${plain(id)}`,
          created: this.#seconds(died.day),
          currency: "eur",
          is_charge_refundable: false,
          reason: died.how === "failed" ? "insufficient_funds" : "debit_not_authorized",
          status: died.how === "failed" || day > died.day + 10 ? "lost" : "needs_response",
          balance_transactions: []
        }
      ]
    })
    const notes = [...this.#money.credits.values()].flatMap((one) =>
      one.day > day || one.balance === true ? [] : [this.#note(one)]
    )
    const payments = invoices.flatMap(({ payments: all }) => (all as { readonly data: ReadonlyArray<Json> }).data)
    return {
      ...{ invoices, invoice_payments: payments, refunds, disputes, credit_notes: notes },
      ...payoutsOf(this.#money, day)
    }
  }

  #events(lists: Readonly<Record<string, ReadonlyArray<Json>>>, day: Day): ReadonlyArray<Json> {
    return Object.entries(lists).flatMap(([list, all]) =>
      (EVENTS[list] === undefined ? [] : all).flatMap((object) => {
        const at = this.#changed.at(String(object["id"]), object, day)
        if (at < instant(day - KEPT_DAYS)) return []
        return [
          {
            id: `evt_1${plain(String(object["id"]))}${at}`,
            object: "event",
            type: EVENTS[list],
            created: at / 1000,
            data: { object }
          }
        ]
      })
    )
  }

  answers({ headers, path, query }: Asked, day: Day): Answered | undefined {
    const [, version, name = "", id] = path.split("/")
    if (version !== "v1") return undefined
    if (headers["authorization"] !== "Bearer app")
      return { status: 401, body: { error: { message: "Invalid API Key" } } }
    if (name === "account")
      return { body: { id: "acct_1", object: "account", settings: { dashboard: { timezone: this.#zone } } } }
    const lists = this.#lists(day)
    const events = this.#events(lists, day)
    const all = name === "events" ? events : lists[name]
    if (all === undefined) return { status: 404, body: { error: { message: "Unrecognized request URL" } } }
    if (id !== undefined) {
      const found = all.find((one) => one["id"] === id)
      return found === undefined
        ? { status: 404, body: { error: { code: "resource_missing", message: `No such object: ${id}` } } }
        : { body: this.#shown(found, name, query) }
    }
    return this.#listed(name, all, query)
  }

  /** Payments are in an invoice where they are asked for. */
  #shown(one: Json, name: string, query: URLSearchParams): Json {
    if (name !== "invoices" || query.getAll("expand[]").some((path) => path.endsWith("payments"))) return one
    const { payments: _, ...rest } = one
    return rest
  }

  #listed(name: string, all: ReadonlyArray<Json>, query: URLSearchParams): Answered {
    const wanted = all.filter((one) => {
      const payment = one["payment"] as Json | undefined
      const is = (param: string, value: unknown) => query.get(param) === null || query.get(param) === value
      return (
        is("status", one["status"]) &&
        is("invoice", one["invoice"]) &&
        is("payment_intent", one["payment_intent"]) &&
        is("charge", one["charge"]) &&
        is("payout", one["payout"]) &&
        is("payment[type]", payment?.["type"]) &&
        is("payment[payment_intent]", payment?.["payment_intent"]) &&
        (one["created"] as number) >= Number(query.get("created[gte]") ?? 0)
      )
    })
    const sorted = wanted.toSorted(
      (a, b) => (b["created"] as number) - (a["created"] as number) || (String(a["id"]) < String(b["id"]) ? -1 : 1)
    )
    const from =
      query.get("starting_after") === null
        ? 0
        : sorted.findIndex((one) => one["id"] === query.get("starting_after")) + 1
    const limit = Number(least(BigInt(query.get("limit") ?? 10), 100n))
    const data = sorted.slice(from, from + limit)
    return {
      body: {
        object: "list",
        url: `/v1/${name}`,
        has_more: from + limit < sorted.length,
        data: data.map((one) => this.#shown(one, name, query))
      }
    }
  }
}
