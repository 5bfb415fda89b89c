/**
 * Two sources as rows that a seed changes: books with invoices, payments, reversals and credit notes, and a bank that
 * pays for them. Each row goes to a file for the program, and to the witness as what it says.
 */
import type { Dice } from "../simulation/Dice.ts"
import { digits, fromMinor, type PlainDocument } from "../../sync/witness/Plain.ts"

interface Invoice {
  readonly id: string
  readonly currency: string
  status: string
  due: number
  gross: number
}

/** A payment, a reversal or a credit note of the books. */
interface Fact {
  readonly id: string
  readonly kind: "payment" | "reversal" | "credit_note"
  invoice: string
  currency: string
  day: number
  amount: number
}

/** A line of the bank's statement. */
interface Receipt {
  readonly id: string
  readonly currency: string
  day: number
  amount: number
  text: string
}

const CURRENCIES = ["GBP", "GBP", "EUR", "JPY"]

const date = (day: number): string => new Date(Date.UTC(2026, 2, 1 + day)).toISOString().slice(0, 10)

const money = (minor: number, currency: string): string => {
  const places = digits(currency)
  const text = `${Math.abs(minor)}`.padStart(places + 1, "0")
  const sign = minor < 0 ? "-" : ""
  return places === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`
}

const csv = (rows: ReadonlyArray<ReadonlyArray<string>>): string => `${rows.map((row) => row.join(",")).join("\n")}\n`

const columns = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, name]))

const INVOICES = ["id", "number", "customer", "customer_country", "issued", "due", "gross", "status", "currency"]
const PAYMENTS = ["id", "invoice", "date", "amount", "type", "currency"]
const CREDIT_NOTES = ["id", "invoice", "date", "gross", "currency"]
const BANK = ["id", "date", "amount", "reference", "customer", "currency"]

export const CONNECTIONS = [
  {
    id: "books",
    every: "10 seconds",
    source: {
      connector: "files",
      invoices: { path: "invoices.csv", decimal: ".", columns: columns(...INVOICES) },
      payments: { path: "payments.csv", decimal: ".", columns: columns(...PAYMENTS) },
      credit_notes: { path: "credit_notes.csv", decimal: ".", columns: columns(...CREDIT_NOTES) }
    },
    first_sync: "send",
    owner: { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }
  },
  {
    id: "bank",
    every: "10 seconds",
    source: {
      connector: "files",
      payments: { path: "bank.csv", decimal: ".", columns: columns(...BANK) }
    },
    pays: "books"
  }
]

export class Ledgers {
  #invoices: ReadonlyArray<Invoice> = []
  #facts: ReadonlyArray<Fact> = []
  #receipts: ReadonlyArray<Receipt> = []
  #n = 0

  /** Ids of invoices that are in the books now. */
  get invoices(): ReadonlyArray<string> {
    return this.#invoices.map(({ id }) => id)
  }

  files(): Readonly<Record<string, string>> {
    const invoices = this.#invoices.map(({ currency, due, gross, id, status }) => [
      ...[id, id, `Customer ${id}`, "GB", date(0), date(due), money(gross, currency), status, currency]
    ])
    const paid = this.#facts.filter(({ kind }) => kind !== "credit_note")
    const payments = paid.map(({ amount, currency, day, id, invoice, kind }) => [
      ...[id, invoice, date(day), money(amount, currency), kind === "reversal" ? "chargeback" : "", currency]
    ])
    const notes = this.#facts.filter(({ kind }) => kind === "credit_note")
    const credit = notes.map(({ amount, currency, day, id, invoice }) => [
      ...[id, invoice, date(day), money(amount, currency), currency]
    ])
    const bank = this.#receipts.map(({ amount, currency, day, id, text }) => [
      ...[id, date(day), money(amount, currency), text, `Payer ${id}`, currency]
    ])
    return {
      "invoices.csv": csv([INVOICES, ...invoices]),
      "payments.csv": csv([PAYMENTS, ...payments]),
      "credit_notes.csv": csv([CREDIT_NOTES, ...credit]),
      "bank.csv": csv([BANK, ...bank])
    }
  }

  /** What the files say, for the witness. */
  documents(): { readonly books: ReadonlyArray<PlainDocument>; readonly bank: ReadonlyArray<PlainDocument> } {
    const invoices = this.#invoices.map(({ currency, gross, id, status }) => ({
      ...{ kind: "invoice", id, number: id, status, currency, gross: fromMinor(BigInt(gross), currency) }
    }))
    const facts = this.#facts.map(({ amount, currency, id, invoice, kind }) => ({
      ...{ kind, id: `${id}/${invoice}`, currency },
      shares: [{ invoice, amount: fromMinor(BigInt(Math.abs(amount)), currency) }]
    }))
    const bank = this.#receipts.map(({ amount, currency, id, text }) => ({
      ...{ kind: "payment", id, currency, shares: [], reference: text },
      unallocated: fromMinor(BigInt(amount), currency)
    }))
    return { books: [...invoices, ...facts], bank }
  }

  /** Somebody changes the books or the bank's statement. Answers what was done, in words. */
  change(dice: Dice): string {
    const kinds = ["invoice", "invoice", "payment", "payment", "receipt", "receipt", "edit", "edit", "other"] as const
    const kind = this.#invoices.length < 3 ? "invoice" : dice.of(kinds)!
    if (kind === "invoice") return this.#issue(dice)
    if (kind === "payment") return this.#pay(dice)
    if (kind === "receipt") return this.#receive(dice)
    return kind === "edit" ? this.#edit(dice) : this.#other(dice)
  }

  #issue(dice: Dice): string {
    const currency = dice.of(CURRENCIES)!
    const id = `INV-${++this.#n}`
    const one = { id, currency, status: "open", due: 30 + dice.below(30), gross: 1000 + dice.below(90_000) }
    this.#invoices = [...this.#invoices, one]
    return `${id} of ${money(one.gross, currency)} ${currency}`
  }

  #pay(dice: Dice): string {
    const { currency, gross, id: invoice } = dice.of(this.#invoices)!
    const amount = dice.chance(0.5) ? gross : 1 + dice.below(gross)
    const one: Fact = { id: `P-${++this.#n}`, kind: "payment", invoice, currency, day: dice.below(60), amount }
    this.#facts = [...this.#facts, one]
    return `${one.id}: ${money(amount, currency)} for ${invoice}`
  }

  #receive(dice: Dice): string {
    const { currency, gross, id: invoice } = dice.of(this.#invoices)!
    const text = dice.chance(0.8) ? `Invoice ${invoice}` : "thank you"
    const amount = dice.chance(0.5) ? gross : 1 + dice.below(gross)
    const one: Receipt = { id: `R-${++this.#n}`, currency, day: dice.below(60), amount, text }
    this.#receipts = [...this.#receipts, one]
    return `the bank's ${one.id}: ${money(amount, currency)}, "${text}"`
  }

  /** An invoice or a payment is changed. */
  #edit(dice: Dice): string {
    const what = dice.of(["due", "due", "gross", "amount", "amount", "receipt", "moved"] as const)!
    if (what === "due" || what === "gross") {
      const one = dice.of(this.#invoices)!
      if (what === "due") one.due = 30 + dice.below(60)
      else one.gross = 1000 + dice.below(90_000)
      return `${one.id} is due ${date(one.due)}, of ${money(one.gross, one.currency)}`
    }
    if (what === "receipt") {
      const one = dice.of(this.#receipts)
      if (one === undefined) return this.#receive(dice)
      one.amount = 1 + dice.below(90_000)
      return `the bank's ${one.id} is ${money(one.amount, one.currency)}`
    }
    const one = dice.of(this.#facts.filter(({ kind }) => kind === "payment"))
    if (one === undefined) return this.#pay(dice)
    if (what === "amount") one.amount = 1 + dice.below(90_000)
    else {
      const to = dice.of(this.#invoices.filter(({ currency }) => currency === one.currency)) ?? this.#invoices[0]!
      one.invoice = to.id
    }
    return `${one.id} is ${money(one.amount, one.currency)} for ${one.invoice}`
  }

  /** What happens less often: something goes, comes back, or is in another currency. */
  #other(dice: Dice): string {
    const one = dice.of(this.#facts)
    const what = dice.of(["gone", "invoice", "void", "reversal", "credit", "currency"] as const)!
    if (what === "gone" && one !== undefined) {
      this.#facts = this.#facts.filter((other) => other !== one)
      return `${one.id} is gone`
    }
    const invoice = dice.of(this.#invoices)!
    if (what === "invoice" && this.#invoices.length > 5) {
      this.#invoices = this.#invoices.filter((other) => other !== invoice)
      return `${invoice.id} is gone`
    }
    if (what === "void") {
      invoice.status = invoice.status === "void" ? "open" : "void"
      return `${invoice.id} is ${invoice.status}`
    }
    if (what === "reversal" && one?.kind === "payment") {
      const amount = -(1 + dice.below(one.amount))
      this.#facts = [...this.#facts, { ...one, id: `B-${++this.#n}`, kind: "reversal", amount }]
      return `B-${this.#n}: ${money(amount, one.currency)} of ${one.invoice} went back`
    }
    const [id, currency] = [`C-${++this.#n}`, what === "currency" ? "CHF" : invoice.currency]
    const kind = what === "currency" ? "payment" : "credit_note"
    const amount = 1 + dice.below(Math.ceil(invoice.gross / 4))
    this.#facts = [...this.#facts, { id, kind, invoice: invoice.id, currency, day: dice.below(60), amount }]
    return `${id}: a ${kind} of ${money(amount, currency)} ${currency} for ${invoice.id}`
  }
}
