/** The books as an accounting program exports them: invoices, payments and credit notes as CSV. */
import type { Day, Minor } from "../Values.ts"
import type { InvoiceBody, Money } from "../truth/Money.ts"
import type { Style } from "../truth/Plan.ts"
import { amountIn, csv, dated, settingsOf } from "./Csv.ts"
import { type Export, EXPORTS, OWN } from "./Exports.ts"
import type { Program } from "./Program.ts"

const CURRENT_DAYS = 30
const SAYS: ReadonlyArray<string> = ["balance", "paid"]

type Said = "number" | "customer" | "issued" | "due" | "gross" | "status" | "says" | "currency"

export class Books implements Program {
  readonly #money: Money
  readonly #style: Style["books"]
  readonly #export: Export

  constructor(money: Money, style: Style["books"]) {
    this.#money = money
    this.#style = style
    this.#export = style.export === undefined ? OWN : EXPORTS[style.export]
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
    const { rolling } = this.#style
    const { writing } = this.#export
    const head = Object.keys(this.#cells({ id: "" }))
    const list = (those: typeof rows) =>
      csv(
        head,
        those.map(({ row }) => row),
        writing
      )
    if (rolling) {
      files.set("invoices/current.csv", list(rows.filter(({ issued }) => issued > day - CURRENT_DAYS)))
      for (let month = 0; (month + 1) * CURRENT_DAYS <= day; month++) {
        const those = rows.filter(({ issued }) => Math.floor(issued / CURRENT_DAYS) === month)
        if (those.length > 0) files.set(`invoices/archive-${month}.csv`, list(those))
      }
    } else files.set("invoices/invoices.csv", list(rows))
    if (this.#style.payments) files.set("payments.csv", this.#payments(day))
    files.set(
      "credits.csv",
      csv(
        ["Id", "Invoice", "Date", "Amount"],
        [...this.#money.credits.values()]
          .filter((one) => one.day <= day)
          .map((one) => [one.id, one.invoice, dated(one.day, writing), amountIn(one.amount, writing)]),
        writing
      )
    )
    return files
  }

  /** A row by its headings; what is not given is empty. */
  #cells(said: Readonly<Partial<Record<Said, string>>> & { readonly id: string }): Readonly<Record<string, string>> {
    const { also, ...its } = this.#export
    const { word } = this.#style
    const names = (["id", "number", "customer", "issued", "due", "gross", "status"] as const).flatMap((name) => {
      const heading = its[name]
      return heading === undefined ? [] : [[heading, said[name] ?? ""] as const]
    })
    const says = SAYS.includes(word) ? [[its[word as "paid"], said.says ?? ""] as const] : []
    const currency = this.#style.dollars === true ? { Currency: said.currency ?? "" } : {}
    return { ...Object.fromEntries([...names, ...says]), ...currency, ...also }
  }

  #row(id: string, now: InvoiceBody, day: Day): ReadonlyArray<string> {
    const { word } = this.#style
    const { statuses, writing } = this.#export
    const open = this.open(id, now, day)
    const status = now.status !== "open" ? now.status : word === "status" && open <= 0n ? "paid" : "open"
    const says = word === "balance" ? open : this.#money.booked(id, day)
    return Object.values(
      this.#cells({
        id,
        number: now.number,
        customer: this.#money.customers.get(now.customer)?.name ?? "",
        issued: dated(now.issued, writing),
        due: now.garbled ? "31/02" : dated(now.due, writing),
        gross: amountIn(now.gross, writing),
        status: statuses[status],
        says: amountIn(says, writing),
        currency: now.currency ?? "EUR"
      })
    )
  }

  #payments(day: Day): string {
    const { writing } = this.#export
    const rows = [...this.#money.entries.values()].flatMap(({ body, id, movement, reverses }) => {
      const now = body.at(day)
      if (now === undefined) return []
      return [
        [
          id,
          now.invoice ?? "",
          now.garbled ? "31/02" : dated(now.date, writing),
          amountIn(now.amount, writing),
          reverses === undefined ? "" : "refund",
          reverses ?? "",
          this.#money.customers.get(this.#money.movements.get(movement)?.customer ?? "")?.name ?? "",
          ...(this.#style.dollars === true ? [this.#currencyOf(now.invoice, day)] : [])
        ]
      ]
    })
    const currency = this.#style.dollars === true ? ["Currency"] : []
    return csv(["Id", "Invoice", "Date", "Amount", "Type", "Payment", "Customer", ...currency], rows, writing)
  }

  #currencyOf(invoice: string | undefined, day: Day): string {
    return this.#money.invoices.get(invoice ?? "")?.body.at(day)?.currency ?? "EUR"
  }

  answers(): undefined {
    return undefined
  }

  source(_: string, explained: boolean): object {
    const { payments, word } = this.#style
    const { also: _also, statuses, writing, ...its } = this.#export
    const written = { ...settingsOf(writing), currency: "EUR" }
    const currency = this.#style.dollars === true ? { currency: "Currency" } : {}
    const names = explained ? { names: "id" } : {}
    const { balance, id = its.number, paid, ...columns } = its
    return {
      connector: "files",
      invoices: {
        path: "invoices/*.csv",
        columns: {
          ...columns,
          ...currency,
          id,
          ...(word === "balance" ? { balance } : word === "paid" ? { paid } : {})
        },
        statuses: Object.fromEntries(Object.entries(statuses).map(([meaning, said]) => [said, meaning])),
        ...written
      },
      credit_notes: {
        path: "credits.csv",
        ...names,
        columns: { id: "Id", invoice: "Invoice", date: "Date", gross: "Amount" },
        ...written
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
                customer: "Customer",
                ...currency
              },
              ...written
            }
          }
        : {})
    }
  }
}
