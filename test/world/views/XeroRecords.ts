/** Xero's records of what is true: invoices, payments, credit notes, over- and prepayments. */
import type { Credit, Entry, Invoice, InvoiceBody, Money } from "../truth/Money.ts"
import { type Day, instant, iso, least, major, type Minor, sum } from "../Values.ts"
import { guid } from "./Changed.ts"
import { applied, type Posting, postings, roomOf } from "./Postings.ts"

export type Json = Readonly<Record<string, unknown>>

/** A payment, over- or prepayment, and how much of it is applied to which invoice. */
export interface Moved {
  readonly list: List
  readonly record: Json
  readonly about: string | undefined
  readonly amount: Minor
}

export const LISTS = {
  Invoices: "InvoiceID",
  Payments: "PaymentID",
  CreditNotes: "CreditNoteID",
  Overpayments: "OverpaymentID",
  Prepayments: "PrepaymentID"
} as const
export type List = keyof typeof LISTS

export const stamp = (millis: number): string => `/Date(${millis}+0000)/`
const days = (name: string, day: Day): Json => ({
  [`${name}String`]: `${iso(day)}T00:00:00`,
  [name]: stamp(instant(day))
})
const number = (amount: Minor): number => Number(major(amount))

export class XeroRecords {
  readonly #money: Money

  constructor(money: Money) {
    this.#money = money
  }

  id(kind: string, of: string): string {
    const id = guid(`${kind} ${of}`)
    // Versions of a payment are the same entry to whoever knows what is true.
    this.#money.called.set(id, of.replace(/v\d+o?$/, ""))
    return id
  }

  contact(customer: string): Json {
    const name = this.#money.customers.get(customer)?.name ?? ""
    return {
      ContactID: guid(`contact ${customer}`),
      Name: name,
      Addresses: [{ AddressType: "POBOX", City: "Berlin", Country: "Germany" }],
      Phones: [],
      ContactGroups: [],
      HasValidationErrors: false
    }
  }

  named(id: string): Json {
    const body = this.bodyOf(this.#money.invoices.get(id)!)
    return { InvoiceID: this.id("invoice", id), InvoiceNumber: body.number, Type: "ACCREC", CurrencyCode: "EUR" }
  }

  /** As it is, or was last. */
  bodyOf({ body }: Invoice, day: Day = Number.MAX_SAFE_INTEGER): InvoiceBody {
    const there = body.days.filter((one) => one <= day)
    return body.at(day) ?? there.map((one) => body.at(one)).findLast((one) => one !== undefined)!
  }

  allocation(invoice: string, amount: Minor, day: Day): Json {
    return {
      AllocationID: guid(`allocation ${invoice} ${amount} ${day}`),
      Amount: number(amount),
      ...days("Date", day),
      Invoice: this.named(invoice),
      IsDeleted: false
    }
  }

  credit({ amount, day, id, invoice }: Credit, today: Day): Json {
    const body = this.#money.invoices.get(invoice)!.body.at(today)
    const given = body?.status === "open" ? least(amount, body.gross) : 0n
    return {
      CreditNoteID: this.id("credit", id),
      CreditNoteNumber: id,
      Type: "ACCRECCREDIT",
      Status: given === amount ? "PAID" : "AUTHORISED",
      Contact: this.contact(this.bodyOf(this.#money.invoices.get(invoice)!).customer),
      ...days("Date", day),
      LineAmountTypes: "Exclusive",
      SubTotal: number(amount),
      TotalTax: 0,
      Total: number(amount),
      RemainingCredit: number(amount - given),
      Allocations: given === 0n ? [] : [this.allocation(invoice, given, day)],
      Payments: [],
      CurrencyCode: "EUR"
    }
  }

  /** What went back is a credit note of its own that was paid out, beside the invoice, which stays paid. */
  refund(
    { aside, body, id, movement }: Entry,
    today: Day
  ): ReadonlyArray<{ readonly list: List; readonly record: Json }> {
    const now = body.at(today)
    if (aside !== true || now === undefined) return []
    const note = { CreditNoteID: this.id("refund", id), CreditNoteNumber: `CN-${id}` }
    const paid = {
      PaymentID: this.id("refunded", id),
      Date: stamp(instant(now.date)),
      Amount: number(-now.amount),
      Reference: "Refund",
      CurrencyRate: 1
    }
    return [
      {
        list: "CreditNotes",
        record: {
          ...note,
          Type: "ACCRECCREDIT",
          Status: "PAID",
          Contact: this.contact(this.#money.movements.get(movement)?.customer ?? ""),
          ...days("Date", now.date),
          SubTotal: number(-now.amount),
          TotalTax: 0,
          Total: number(-now.amount),
          RemainingCredit: 0,
          Allocations: [],
          Payments: [paid],
          CurrencyCode: "EUR"
        }
      },
      {
        list: "Payments",
        record: {
          ...paid,
          PaymentType: "ARCREDITPAYMENT",
          Status: "AUTHORISED",
          CreditNote: { ...note, CurrencyCode: "EUR" }
        }
      }
    ]
  }

  payment({ date, entry, id, invoice, stands }: Posting, amount: Minor, together: ReadonlySet<string>): Json {
    const batch = together.has(entry.movement) ? { BatchPaymentID: guid(`batch ${entry.movement}`) } : {}
    return {
      PaymentID: this.id("payment", id),
      ...batch,
      Date: stamp(instant(date)),
      Amount: number(amount),
      BankAmount: number(amount),
      CurrencyRate: 1,
      PaymentType: "ACCRECPAYMENT",
      Status: stands ? "AUTHORISED" : "DELETED",
      HasAccount: true,
      IsReconciled: false,
      Account: { AccountID: guid("account"), Code: "090" },
      Invoice: {
        ...this.named(invoice!),
        Contact: this.contact(this.bodyOf(this.#money.invoices.get(invoice!)!).customer)
      },
      HasValidationErrors: false
    }
  }

  /** What is on account, or beyond what its invoice asks for. */
  over(
    { date, entry, id, stands }: Posting,
    total: Minor,
    given: Json | undefined,
    amount: Minor
  ): { readonly list: List; readonly record: Json } {
    const isBefore = entry.id.length % 2 === 0
    const list = isBefore ? "Prepayments" : "Overpayments"
    const movement = this.#money.movements.get(entry.movement)
    return {
      list,
      record: {
        [LISTS[list]]: this.id("over", `${id}`),
        Type: isBefore ? "RECEIVE-PREPAYMENT" : "RECEIVE-OVERPAYMENT",
        Status: !stands ? "VOIDED" : amount === total ? "PAID" : "AUTHORISED",
        Contact: this.contact(movement?.customer ?? ""),
        ...days("Date", date),
        LineAmountTypes: "NoTax",
        LineItems: [],
        SubTotal: number(total),
        TotalTax: 0,
        Total: number(total),
        RemainingCredit: stands ? number(total - amount) : 0,
        Allocations: given === undefined ? [] : [given],
        Payments: [],
        HasAttachments: false,
        CurrencyCode: "EUR"
      }
    }
  }

  moved(today: Day): ReadonlyArray<Moved> {
    const all = postings(this.#money, today)
    const given = applied(this.#money, all, today)
    const several = Map.groupBy(
      all.filter(({ invoice }) => invoice !== undefined),
      ({ entry }) => entry.movement
    )
    const together = new Set([...several].flatMap(([movement, its]) => (its.length > 1 ? [movement] : [])))
    const onAccount = new Set(
      [...this.#money.entries.values()].flatMap(({ body, id }) =>
        body.days.some((day) => day <= today && body.at(day) !== undefined && body.at(day)?.invoice === undefined)
          ? [id]
          : []
      )
    )
    return all.flatMap((one) => {
      const part = given.get(one.id) ?? 0n
      const { amount, entry, invoice, stands } = one
      // It was on account first, and was then allocated.
      const wasOver = onAccount.has(entry.id) && one.id === `${entry.id}v0`
      if (invoice === undefined || wasOver) {
        const allocation =
          stands && invoice !== undefined && part > 0n ? this.allocation(invoice, part, one.from) : undefined
        return [
          {
            ...this.over(one, amount, allocation, part),
            about: allocation === undefined ? undefined : invoice,
            amount: part
          }
        ]
      }
      const rest = amount - part
      const beyond =
        stands && rest > 0n
          ? [{ ...this.over({ ...one, id: `${one.id}o` }, rest, undefined, 0n), about: undefined, amount: 0n }]
          : []
      const paid = stands ? part : amount
      return [
        ...(paid > 0n
          ? [
              {
                list: "Payments" as const,
                record: this.payment(one, paid, together),
                about: stands ? invoice : undefined,
                amount: part
              }
            ]
          : []),
        ...beyond
      ]
    })
  }

  invoice(invoice: Invoice, today: Day, moved: ReadonlyArray<Moved>): Json {
    const body = this.bodyOf(invoice, today)
    const { id } = invoice
    const isOpen = invoice.body.at(today)?.status === "open"
    const mine = moved.filter(({ about }) => about === id)
    const of = (list: List) => mine.filter((one) => one.list === list)
    const total = (list: List) => sum(of(list).map(({ amount }) => amount))
    const credits = [...this.#money.credits.values()].filter((one) => one.invoice === id && one.day <= today)
    const credited = isOpen ? body.gross - roomOf(this.#money, id, today) : 0n
    const paid = total("Payments")
    const over = total("Overpayments") + total("Prepayments")
    const due = isOpen ? body.gross - credited - paid - over : body.status === "draft" ? body.gross : 0n
    const wasIssued = invoice.body.days.some((day) => day <= today && invoice.body.at(day)?.status === "open")
    const gone = wasIssued ? "VOIDED" : "DELETED"
    const status =
      invoice.body.at(today) === undefined || body.status === "void"
        ? gone
        : body.status === "draft"
          ? "DRAFT"
          : due <= 0n
            ? "PAID"
            : "AUTHORISED"
    const brief = (list: List) =>
      of(list).map(({ amount, record }) => ({
        [LISTS[list]]: record[LISTS[list]],
        ...days("Date", 0),
        AppliedAmount: number(amount),
        Total: record["Total"]
      }))
    return {
      Type: "ACCREC",
      InvoiceID: this.id("invoice", id),
      InvoiceNumber: body.number,
      Reference: "",
      Contact: this.contact(body.customer),
      ...days("Date", body.issued),
      ...days("DueDate", body.due),
      Status: status,
      LineAmountTypes: "Exclusive",
      LineItems: [],
      SubTotal: number(body.gross),
      TotalTax: 0,
      Total: number(body.gross),
      CurrencyCode: "EUR",
      AmountDue: number(due),
      AmountPaid: number(paid),
      AmountCredited: number(credited + over),
      ...(status === "PAID" ? { FullyPaidOnDate: stamp(instant(today)) } : {}),
      Payments: of("Payments").map(({ record }) => ({
        PaymentID: record["PaymentID"],
        Date: record["Date"],
        Amount: record["Amount"],
        CurrencyRate: 1,
        HasAccount: false,
        HasValidationErrors: false
      })),
      CreditNotes: isOpen
        ? credits.map((one) => ({
            CreditNoteID: this.id("credit", one.id),
            CreditNoteNumber: one.id,
            ...days("Date", one.day),
            Total: number(one.amount),
            AppliedAmount: number(one.amount)
          }))
        : [],
      Overpayments: brief("Overpayments"),
      Prepayments: brief("Prepayments"),
      HasErrors: false
    }
  }
}
