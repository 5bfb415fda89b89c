/**
 * Odoo's JSON-2 interface (version 19): invoices, and the reconciliations of their receivable with payments and credit notes. A payment
 * that changes is unreconciled and reconciled anew; an invoice whose payment no bank line confirms yet is `in_payment`.
 */
import type { Credit, Invoice, Money } from "../truth/Money.ts"
import { type Day, iso, least, major, type Minor, sum } from "../Values.ts"
import { Changed, Numbered } from "./Changed.ts"
import { applied, type Posting, postings, roomOf } from "./Postings.ts"
import type { Program } from "./Program.ts"
import type { Answered, Asked } from "./Server.ts"

type Json = Readonly<Record<string, unknown>>

/** A payment is seen on the bank so many days after it was entered. */
const CONFIRMED = 5

const time = (millis: number): string => new Date(millis).toISOString().slice(0, 19).replace("T", " ")
const number = (amount: Minor): number => Number(major(amount))
const EUR = { id: 125, name: "EUR" }

/** What one reconciliation is made of. */
interface Part {
  readonly name: string
  readonly invoice: string
  readonly amount: Minor
  readonly day: Day
  readonly line: () => Json
}

/** The values at a path, through lists. */
const valuesAt = (record: unknown, path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (Array.isArray(record)) return record.flatMap((one) => valuesAt(one, path))
  const [first, ...rest] = path
  if (first === undefined) return [typeof record === "object" && record !== null ? (record as Json)["id"] : record]
  return typeof record === "object" && record !== null ? valuesAt((record as Json)[first], rest) : []
}

const holds = (record: Json, [path, operator, wanted]: readonly [string, string, unknown]): boolean =>
  valuesAt(record, path.split(".")).some((value) => {
    switch (operator) {
      case "=":
        return value === wanted
      case "in":
        return (wanted as ReadonlyArray<unknown>).includes(value)
      case ">":
        return (value as number) > (wanted as number)
      case ">=":
        return (value as string) >= (wanted as string)
      default:
        throw new Error(`no such operator: ${operator}`)
    }
  })

/** A domain in its own notation: operators before what they connect, and all of what stands beside one another. */
const fits = (record: Json, domain: ReadonlyArray<unknown>): boolean => {
  const rest = [...domain]
  const next = (): boolean => {
    const one = rest.shift()
    if (one === "|" || one === "&") {
      const [a, b] = [next(), next()]
      return one === "|" ? a || b : a && b
    }
    return holds(record, one as unknown as readonly [string, string, unknown])
  }
  let all = true
  while (rest.length > 0) all = next() && all
  return all
}

/** The fields of a record that a specification names. */
const shown = (record: Json, specification: Json): Json =>
  Object.fromEntries(
    Object.entries(specification).map(([name, of]) => {
      const value = record[name]
      const fields = (of as { readonly fields?: Json }).fields
      const one = (its: unknown): unknown =>
        typeof its !== "object" || its === null
          ? its
          : fields === undefined
            ? (its as Json)["id"]
            : shown(its as Json, fields)
      return [name, value === undefined ? false : Array.isArray(value) ? value.map(one) : one(value)]
    })
  )

export class Odoo implements Program {
  readonly #money: Money
  readonly #changed = new Changed()
  readonly #ids = new Numbered()

  constructor(money: Money) {
    this.#money = money
  }

  files(): ReadonlyMap<string, string> {
    return new Map()
  }

  source(url: string): object {
    return { connector: "odoo", url, key: { env: "APP" } }
  }

  #id(of: string, own?: string): number {
    const id = this.#ids.of(of)
    if (own !== undefined) this.#money.called.set(id, own)
    return Number(id)
  }

  /** The line of a move that is reconciled with invoices. */
  #line(of: string, total: Minor, parts: ReadonlyArray<Part>, more: Json, [date, day]: readonly [Day, Day]): Json {
    const debits = parts.map(({ amount, name }) => ({ id: this.#id(name), credit_amount_currency: number(amount) }))
    const line = {
      id: this.#id(`line ${of}`),
      account_type: "asset_receivable",
      amount_currency: -number(total),
      matched_debit_ids: debits
    }
    return {
      id: line.id,
      ref: of,
      date: iso(date),
      currency_id: EUR,
      payment_id: false,
      statement_line_id: false,
      ...more,
      move_id: { id: this.#id(`move ${of}`), line_ids: [line] },
      write_date: time(this.#changed.at(`line ${of}`, [total, date, parts.map(({ name }) => name)], day))
    }
  }

  #payments(day: Day): ReadonlyArray<Part> {
    const all = postings(this.#money, day).filter(({ stands }) => stands)
    const given = applied(this.#money, all, day)
    // What was received together is one payment, reconciled with several invoices.
    const groups = Map.groupBy(all, ({ date, entry }) => `${entry.movement}${/b$/.exec(entry.id)?.[0] ?? ""} ${date}`)
    return [...groups].flatMap(([of, its]) => {
      const total = sum(its.map(({ amount }) => amount))
      const partOf = (one: Posting): Part => ({
        name: `reconcile ${one.id} ${given.get(one.id)} ${one.invoice}`,
        invoice: one.invoice ?? "",
        amount: given.get(one.id) ?? 0n,
        day: one.from,
        line: () => {
          const parts = its.map(partOf).filter(({ amount }) => amount > 0n)
          const payment_id = { id: this.#id(`payment ${of}`), amount: number(total), currency_id: EUR }
          return this.#line(of, total, parts, { move_type: "entry", journal_id: { id: 7, type: "bank" }, payment_id }, [
            one.date,
            day
          ])
        }
      })
      for (const one of its) this.#id(partOf(one).name, one.entry.id)
      return its.map(partOf).filter(({ amount }) => amount > 0n)
    })
  }

  #credit({ amount, day: from, id, invoice }: Credit, day: Day): ReadonlyArray<Part> {
    const body = this.#money.invoices.get(invoice)?.body.at(day)
    const given = from > day || body?.status !== "open" ? 0n : least(amount, body.gross)
    if (given === 0n) return []
    const part: Part = {
      name: `reconcile ${id} ${given}`,
      invoice,
      amount: given,
      day: from,
      line: () =>
        this.#line(id, amount, [part], { move_type: "out_refund", journal_id: { id: 1, type: "sale" } }, [from, day])
    }
    this.#id(part.name, id)
    return [part]
  }

  #invoice(invoice: Invoice, day: Day, parts: ReadonlyArray<Part>): Json | undefined {
    const { body, id } = invoice
    const last = body.days
      .filter((one) => one <= day)
      .map((one) => body.at(one))
      .findLast((one) => one !== undefined)
    if (last === undefined) return undefined
    const now = body.at(day)
    // A draft may be deleted; what was posted is cancelled.
    if (now === undefined && last.status === "draft") return undefined
    const state = now === undefined || now.status === "void" ? "cancel" : now.status === "draft" ? "draft" : "posted"
    const mine = parts.filter((one) => one.invoice === id)
    const residual =
      state === "posted" ? last.gross - sum(mine.map(({ amount }) => amount)) : state === "draft" ? last.gross : 0n
    const credited = state === "posted" && roomOf(this.#money, id, day) === 0n
    const isFresh = mine.some((one) => one.day > day - CONFIRMED)
    const payment_state =
      state !== "posted" || (mine.length === 0 && residual > 0n)
        ? "not_paid"
        : residual > 0n
          ? "partial"
          : credited
            ? "reversed"
            : isFresh
              ? "in_payment"
              : "paid"
    const customer = this.#money.customers.get(last.customer)
    const record = {
      id: this.#id(`invoice ${id}`, id),
      move_type: "out_invoice",
      name: state === "draft" ? "/" : last.number,
      state,
      invoice_date: iso(last.issued),
      invoice_date_due: iso(last.due),
      date: iso(last.issued),
      ref: false,
      amount_untaxed: number(last.gross),
      amount_total: number(last.gross),
      commercial_partner_id: {
        id: this.#id(`partner ${last.customer}`),
        name: customer?.name ?? "",
        country_code: "DE",
        vat: false
      },
      currency_id: EUR
    }
    const at = this.#changed.at(`invoice ${id}`, record, day)
    return {
      ...record,
      payment_state,
      amount_residual: number(residual),
      // Being paid changes no time of its own.
      write_date: time(at),
      line_ids: [
        {
          id: this.#id(`receivable ${id}`),
          matched_credit_ids: mine.map((one) => ({ id: this.#id(one.name), create_date: this.#made(one, day) }))
        }
      ]
    }
  }

  #made({ name }: Part, day: Day): string {
    return time(this.#changed.at(name, name, day))
  }

  #records(model: string, day: Day): ReadonlyArray<Json> | undefined {
    const parts = [
      ...this.#payments(day),
      ...[...this.#money.credits.values()].flatMap((one) => this.#credit(one, day))
    ]
    if (model === "account.move")
      return [...this.#money.invoices.values()].flatMap(
        (one): ReadonlyArray<Json> => [this.#invoice(one, day, parts) ?? []].flat()
      )
    if (model !== "account.partial.reconcile") return undefined
    return parts.map((part) => {
      const credit_move_id = part.line()
      const id = this.#id(part.name)
      return {
        id,
        debit_amount_currency: number(part.amount),
        max_date: credit_move_id["date"],
        debit_currency_id: EUR,
        debit_move_id: {
          id: this.#id(`receivable ${part.invoice}`),
          move_id: { id: this.#id(`invoice ${part.invoice}`), move_type: "out_invoice" },
          write_date: this.#made(part, day)
        },
        credit_move_id,
        write_date: this.#made(part, day)
      }
    })
  }

  answers({ body, headers, path }: Asked, day: Day): Answered | undefined {
    const [, model] = /^\/json\/2\/([\w.]+)\/web_search_read$/.exec(path) ?? []
    if (model === undefined) return undefined
    if (headers["authorization"] !== "bearer app" && headers["authorization"] !== "Bearer app")
      return { status: 401, body: { name: "werkzeug.exceptions.Unauthorized", message: "Invalid apikey" } }
    const records = this.#records(model, day)
    if (records === undefined)
      return {
        status: 404,
        body: { name: "werkzeug.exceptions.NotFound", message: `the model '${model}' does not exist` }
      }
    const { domain, limit, specification } = JSON.parse(body) as {
      readonly domain: ReadonlyArray<unknown>
      readonly limit: number
      readonly specification: Json
    }
    const found = records
      .filter((one) => fits(one, domain))
      .toSorted((a, b) => (a["id"] as number) - (b["id"] as number))
    return { body: { length: found.length, records: found.slice(0, limit).map((one) => shown(one, specification)) } }
  }
}
