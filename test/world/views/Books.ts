/** The books as an accounting program exports them: invoices, payments and credit notes as CSV. */
import { type Day, iso, major, type Minor } from "../Values.ts"
import type { InvoiceBody, Money } from "../truth/Money.ts"
import type { Style } from "../truth/Plan.ts"
import { csv } from "./Csv.ts"
import type { Program } from "./Program.ts"

const CURRENT_DAYS = 30
const WORDS = { balance: "Balance", paid: "Paid", settled: "Settled" } as const

export class Books implements Program {
  readonly #money: Money
  readonly #style: Style["books"]

  constructor(money: Money, style: Style["books"]) {
    this.#money = money
    this.#style = style
  }

  /** What the books show as open. */
  open(id: string, body: InvoiceBody, day: Day): Minor {
    return body.gross - this.#money.credited(id, day) - this.#money.booked(id, day)
  }

  files(day: Day): ReadonlyMap<string, string> {
    const files = new Map<string, string>()
    const rows = [...this.#money.invoices.values()].flatMap(({ body, id }) => {
      const now = body.at(day)
      return now === undefined ? [] : [{ issued: now.issued, row: this.#row(id, now, day) }]
    })
    const { rolling, word } = this.#style
    const head = [
      "Id",
      "Number",
      "Customer",
      "Issued",
      "Due",
      "Gross",
      "Status",
      ...(word in WORDS ? [WORDS[word as "paid"]] : [])
    ]
    if (rolling) {
      files.set(
        "invoices/current.csv",
        csv(
          head,
          rows.filter(({ issued }) => issued > day - CURRENT_DAYS).map(({ row }) => row)
        )
      )
      for (let month = 0; (month + 1) * CURRENT_DAYS <= day; month++) {
        const those = rows.filter(({ issued }) => Math.floor(issued / CURRENT_DAYS) === month)
        if (those.length > 0)
          files.set(
            `invoices/archive-${month}.csv`,
            csv(
              head,
              those.map(({ row }) => row)
            )
          )
      }
    } else
      files.set(
        "invoices/invoices.csv",
        csv(
          head,
          rows.map(({ row }) => row)
        )
      )
    if (this.#style.payments) files.set("payments.csv", this.#payments(day))
    files.set(
      "credits.csv",
      csv(
        ["Id", "Invoice", "Date", "Amount"],
        [...this.#money.credits.values()]
          .filter((one) => one.day <= day)
          .map((one) => [one.id, one.invoice, iso(one.day), major(one.amount)])
      )
    )
    return files
  }

  #row(id: string, now: InvoiceBody, day: Day): ReadonlyArray<string> {
    const { word } = this.#style
    const open = this.open(id, now, day)
    const status = now.status !== "open" ? now.status : word === "status" && open <= 0n ? "paid" : "open"
    const last = word === "balance" ? [major(open)] : word === "paid" ? [major(this.#money.booked(id, day))] : []
    const customer = this.#money.customers.get(now.customer)?.name ?? ""
    return [
      id,
      now.number,
      customer,
      iso(now.issued),
      now.garbled ? "31/02" : iso(now.due),
      major(now.gross),
      status,
      ...last
    ]
  }

  #payments(day: Day): string {
    const rows = [...this.#money.entries.values()].flatMap(({ body, id, movement, reverses }) => {
      const now = body.at(day)
      if (now === undefined) return []
      return [
        [
          id,
          now.invoice ?? "",
          now.garbled ? "31/02" : iso(now.date),
          major(now.amount),
          reverses === undefined ? "" : "refund",
          reverses ?? "",
          this.#money.customers.get(this.#money.movements.get(movement)?.customer ?? "")?.name ?? ""
        ]
      ]
    })
    return csv(["Id", "Invoice", "Date", "Amount", "Type", "Payment", "Customer"], rows)
  }

  answers(): undefined {
    return undefined
  }

  source(_: string, explained: boolean): object {
    const { payments, word } = this.#style
    const names = explained ? { names: "id" } : {}
    const currency = "EUR"
    const says = word in WORDS ? { [word]: WORDS[word as "paid"] } : {}
    return {
      connector: "files",
      invoices: {
        path: "invoices/*.csv",
        columns: {
          id: "Id",
          number: "Number",
          customer: "Customer",
          issued: "Issued",
          due: "Due",
          gross: "Gross",
          status: "Status",
          ...says
        },
        statuses: { draft: "draft", open: "open", paid: "paid", void: "void" },
        currency
      },
      credit_notes: {
        path: "credits.csv",
        ...names,
        columns: { id: "Id", invoice: "Invoice", date: "Date", gross: "Amount" },
        currency
      },
      ...(payments
        ? {
            payments: {
              path: "payments.csv",
              ...names,
              columns: {
                id: "Id",
                invoice: "Invoice",
                date: "Date",
                amount: "Amount",
                type: "Type",
                payment: "Payment",
                customer: "Customer"
              },
              currency
            }
          }
        : {})
    }
  }
}
