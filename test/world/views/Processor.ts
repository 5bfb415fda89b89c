/** The processor of debits, as a list of its payments exported as CSV, or as GoCardless's interface. */
import { type Day, instant, iso, major, type Minor } from "../Values.ts"
import type { Attempt, Money, Movement } from "../truth/Money.ts"
import { csv } from "./Csv.ts"
import type { Answered, Asked } from "./Server.ts"

interface Debit {
  readonly attempt: Attempt
  readonly movement: Movement
  readonly amount: Minor
  readonly name: string
}

const at = (day: Day, hour = 9): string => new Date(instant(day, hour)).toISOString()

export class Processor {
  readonly #money: Money

  constructor(money: Money) {
    this.#money = money
  }

  #debits(day: Day): ReadonlyArray<Debit> {
    return [...this.#money.attempts.values()].flatMap((attempt) => {
      const movement = this.#money.movements.get(attempt.movement)
      if (movement === undefined || attempt.charged > day) return []
      return [
        {
          attempt,
          movement,
          amount: this.#money.amountOf(movement),
          name: this.#money.customers.get(movement.customer)?.name ?? ""
        }
      ]
    })
  }

  table(day: Day): string {
    const rows = this.#debits(day).flatMap(({ amount, attempt, movement, name }) => {
      if (attempt.confirmed > day) return []
      const row = (id: string, on: Day, what: Minor, type: string, of: string) => [
        id,
        attempt.link ?? "",
        iso(on),
        major(what),
        type,
        of,
        attempt.text,
        name
      ]
      return [
        row(attempt.id, attempt.confirmed, amount, "", ""),
        ...(movement.died !== undefined && movement.died.day <= day
          ? [
              row(
                `${attempt.id}-F`,
                movement.died.day,
                -amount,
                movement.died.how === "failed" ? "error" : "chargeback",
                attempt.id
              )
            ]
          : []),
        ...movement.refunds
          .filter((one) => one.day <= day)
          .map((one) => row(one.id, one.day, -one.amount, "refund", attempt.id))
      ]
    })
    return csv(["Id", "Invoice", "Date", "Amount", "Type", "Payment", "Text", "Customer"], rows)
  }

  static get tableSource(): object {
    const columns = {
      id: "Id",
      invoice: "Invoice",
      date: "Date",
      amount: "Amount",
      type: "Type",
      payment: "Payment",
      reference: "Text",
      customer: "Customer"
    }
    return { connector: "files", payments: { path: "debits.csv", columns, currency: "EUR" } }
  }

  #events(day: Day): ReadonlyArray<Readonly<Record<string, unknown>> & { readonly created_at: string }> {
    return this.#debits(day).flatMap(({ attempt: { charged, confirmed, id }, movement: { died } }) => {
      const event = (action: string, on: Day, cause: string, code?: string) => ({
        id: `EV-${id}-${action}`,
        created_at: at(on),
        resource_type: "payments",
        action,
        links: { payment: id },
        details: {
          origin: "bank",
          cause,
          description: cause,
          ...(code === undefined ? {} : { scheme: "sepa_core", reason_code: code })
        }
      })
      return [
        event("created", charged - 1, "payment_created"),
        ...(confirmed <= day ? [event("confirmed", confirmed, "payment_confirmed")] : []),
        ...(died === undefined || died.day > day
          ? []
          : died.how === "failed"
            ? [event("failed", died.day, "insufficient_funds", "AM04")]
            : [event("charged_back", died.day, "refund_requested", "MD06")])
      ]
    })
  }

  #refundEvents(day: Day): ReadonlyArray<Readonly<Record<string, unknown>> & { readonly created_at: string }> {
    return this.#refunds(day).flatMap((refund) =>
      ["created", "paid"].map((action) => ({
        id: `EV-${refund["id"]}-${action}`,
        created_at: refund["created_at"] as string,
        resource_type: "refunds",
        action,
        links: { refund: refund["id"] },
        details: { origin: "api", cause: `refund_${action}`, description: "" }
      }))
    )
  }

  /** What it paid out, net of fees, with the text that the bank has. */
  #payouts(day: Day) {
    return [...this.#money.payouts.values()].flatMap(({ id, line }) =>
      line.day <= day
        ? [
            {
              id,
              amount: Number(line.amount),
              currency: "EUR",
              arrival_date: iso(line.day),
              created_at: at(line.day),
              reference: line.text,
              status: "paid",
              links: { creditor: "CR1" }
            }
          ]
        : []
    )
  }

  #payoutEvents(day: Day): ReadonlyArray<Readonly<Record<string, unknown>> & { readonly created_at: string }> {
    return this.#payouts(day).map(({ created_at, id }) => ({
      id: `EV-${id}`,
      created_at,
      resource_type: "payouts",
      action: "paid",
      links: { payout: id },
      details: { origin: "gocardless", cause: "payout_paid", description: "" }
    }))
  }

  #payment({ amount, attempt, movement }: Debit, day: Day): object {
    const { charged, confirmed, id, link, text } = attempt
    const { died } = movement
    const status =
      died !== undefined && died.day <= day
        ? died.how === "failed"
          ? "failed"
          : "charged_back"
        : confirmed <= day
          ? "confirmed"
          : "submitted"
    return {
      id,
      amount: Number(amount),
      currency: "EUR",
      status,
      charge_date: iso(charged),
      created_at: at(charged - 1),
      reference: link ?? null,
      description: text === "" ? null : text,
      metadata: link === undefined ? {} : { invoice: link },
      links: { mandate: `MD-${movement.customer}` }
    }
  }

  #refunds(day: Day): ReadonlyArray<Readonly<Record<string, unknown>>> {
    return this.#debits(day).flatMap(({ attempt, movement }) =>
      movement.refunds
        .filter((one) => one.day <= day)
        .map((one) => ({
          id: one.id,
          amount: Number(one.amount),
          currency: "EUR",
          created_at: at(one.day),
          reference: null,
          metadata: {},
          status: "paid",
          links: { payment: attempt.id }
        }))
    )
  }

  /** GoCardless, version 2015-07-06. */
  answers({ path, query }: Asked, day: Day): Answered | undefined {
    const list = (name: string, all: ReadonlyArray<unknown>): Answered => ({
      body: { [name]: all, meta: { cursors: { before: null, after: null }, limit: 500 } }
    })
    const [, name = "", id] = path.split("/")
    const customers = [...this.#money.customers.values()].map((one) => ({
      id: `CU-${one.id}`,
      company_name: one.name,
      given_name: null,
      family_name: null,
      email: null,
      metadata: {}
    }))
    const mandates = customers.map(({ id: of }) => ({
      id: of.replace("CU", "MD"),
      status: "active",
      links: { customer: of }
    }))
    const debits = this.#debits(day)
    const lists: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>> = {
      payments: debits.map((one) => this.#payment(one, day) as Readonly<Record<string, unknown>>),
      refunds: this.#refunds(day),
      customers,
      mandates,
      payouts: this.#payouts(day),
      payout_items: [...this.#money.payouts.values()].flatMap(({ id, items }) =>
        items.map(({ amount, attempt, type }) => ({
          type,
          amount: `${amount}.0`,
          links: { payment: attempt, payout: id }
        }))
      ),
      events: [...this.#events(day), ...this.#refundEvents(day), ...this.#payoutEvents(day)]
        .filter((one) =>
          ["action", "resource_type"].every((of) => query.get(of) === null || one[of as "action"] === query.get(of))
        )
        .filter(
          (one) =>
            one.created_at > (query.get("created_at[gt]") ?? "") &&
            one.created_at >= (query.get("created_at[gte]") ?? "")
        )
        .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
    }
    const about = (one: Readonly<Record<string, unknown>>) =>
      ["payment", "refund", "mandate", "payout"].every(
        (of) => query.get(of) === null || (one["links"] as Readonly<Record<string, unknown>>)[of] === query.get(of)
      )
    const all = lists[name]?.filter(about)
    if (all === undefined) return undefined
    if (id === undefined) {
      const { body } = list(name, all)
      const linked = query.get("include") === "payment" ? { linked: { payments: lists["payments"] } } : {}
      return { body: { ...(body as object), ...linked } }
    }
    const found = all.find((one) => one["id"] === id)
    return found === undefined ? undefined : { body: { [name]: found } }
  }
}
