/**
 * A seller's books that change their mind: invoices are issued, edited, renumbered, voided, deleted and restored; payments come in,
 * are split, moved, edited and deleted; money goes back, and comes back again. All of it from one seed.
 */
import type { CreditNote, Document, Invoice, Payment, Reversal, Share } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import { type Decimal, min } from "../../core/money/Decimal.ts"
import { day } from "../support/Documents.ts"
import type { Dice } from "./Dice.ts"

export const DAYS = ["2026-01-05", "2026-01-31", "2026-02-14", "2026-02-28", "2026-03-31"].map(day)
/** None of them is coarser than what amounts here are made of. */
const OTHERS = ["USD", "KWD", "EUR"]

/** How often something is in another currency than what it is about, and how often an invoice's own is edited. */
export interface Mixing {
  readonly foreign_fact: number
  readonly currency_edited: number
}

/** The smallest amounts that the service takes: two places, or none where the currency has none. */
export const cents = (n: number, currency: string): Decimal =>
  BigInt(n) * 10n ** BigInt(Currency.decimals(currency) === 0 ? 8 : 6)

export type Of<K extends Document["kind"]> = Extract<Document, { kind: K }>

export class Seller {
  #documents: ReadonlyArray<Document> = []
  /** Documents that were deleted, and may be restored as they were. */
  #deleted: ReadonlyArray<Document> = []
  readonly currency: string
  /** Invoices of few amounts, so that payments which say no more get into each other's way. */
  readonly #few: boolean
  readonly #mixing: Mixing
  readonly #address: { readonly address?: string }
  #dice: Dice
  #n = 0

  /** @param address of the buyer, where it is known */
  constructor(dice: Dice, few = false, mixing: Mixing = { foreign_fact: 0, currency_edited: 0 }, address?: string) {
    this.#address = address === undefined ? {} : { address }
    this.#mixing = mixing
    this.#dice = dice
    this.#few = few
    this.currency = dice.of(["GBP", "GBP", "EUR", "JPY", "KWD"])!
  }

  get documents(): ReadonlyArray<Document> {
    return this.#documents
  }

  /** Something changes, or nothing where there is nothing to change. */
  change(dice: Dice): void {
    this.#dice = dice
    if (this.#documents.length === 0) return this.#issue()
    const invoice = dice.of(this.#all("invoice"))
    if (invoice !== undefined && dice.chance(this.#mixing.currency_edited))
      return this.#replace({ ...invoice, currency: dice.of([this.currency, ...OTHERS])! })
    const payment = dice.of(this.#all("payment"))
    switch (dice.below(14)) {
      case 0:
      case 1:
        return this.#issue()
      case 2:
      case 3:
      case 4:
        return this.#pay()
      case 5:
        if (payment !== undefined) this.#replace({ ...payment, date: dice.of(DAYS)! })
        return
      case 6:
        if (payment !== undefined) this.#replace({ ...payment, shares: this.#shares() })
        return
      case 7:
        return this.#delete(dice.of(this.#documents))
      case 8: {
        const back = dice.of(this.#deleted)
        if (back === undefined) return
        this.#deleted = this.#deleted.filter((one) => one !== back)
        this.#documents = [...this.#documents, back]
        return
      }
      case 9:
      case 10:
        if (payment !== undefined) this.#reverse(payment)
        return
      case 11:
        if (invoice !== undefined) this.#credit(invoice)
        return
      case 12:
        if (invoice !== undefined) this.#edit(invoice)
        return
      default:
        if (invoice !== undefined) this.#replace({ ...invoice, status: dice.of(["open", "open", "void", "draft"])! })
    }
  }

  #all<K extends Document["kind"]>(kind: K): ReadonlyArray<Of<K>> {
    return this.#documents.filter((one): one is Of<K> => one.kind === kind)
  }

  #cents(n: number): Decimal {
    return cents(n, this.currency)
  }

  #id(letter: string): string {
    return `${letter}${++this.#n}`
  }

  /** More invoices at once: what is insured of them is shared out. */
  issue(n: number): void {
    for (let left = n; left > 0; left--) this.#issue()
  }

  #issue(): void {
    const gross = this.#gross()
    const invoice: Invoice = {
      kind: "invoice",
      id: this.#id("I"),
      number: `INV-${this.#n}`,
      status: this.#dice.of(["open", "open", "open", "draft"])!,
      party: {
        id: "c1",
        name: "Harbour Lane Bakery",
        country: "GB",
        ...this.#address,
        ...(this.#dice.chance(0.5) ? { company: "co-1001" } : {})
      },
      currency: this.currency,
      issued: day("2026-01-01"),
      due: this.#dice.of(DAYS)!,
      ...gross
    }
    this.#documents = [...this.#documents, invoice]
  }

  #gross(): Pick<Invoice, "net" | "gross"> {
    const gross = this.#few ? 4000 * (1 + this.#dice.below(3)) : 100 + this.#dice.below(20_000)
    return { net: this.#cents(gross - Math.floor(gross / 6)), gross: this.#cents(gross) }
  }

  /** The currency that a fact states, where it states one; sometimes another than its invoice's. */
  #stated(): { readonly currency?: string } {
    return this.#dice.chance(this.#mixing.foreign_fact) ? { currency: this.#dice.of([this.currency, ...OTHERS])! } : {}
  }

  /** Another due date, amount or number; the number may be that of another invoice. */
  #edit(invoice: Invoice): void {
    const what = this.#dice.below(4)
    if (what < 2) return this.#replace({ ...invoice, due: this.#dice.of(DAYS)! })
    if (what === 2) return this.#replace({ ...invoice, ...this.#gross() })
    const { number } = this.#dice.of(this.#all("invoice"))!
    this.#replace({ ...invoice, number: this.#dice.chance(0.5) ? `INV-${++this.#n}` : number })
  }

  /** Of one invoice or two, never the same twice. */
  #shares(): ReadonlyArray<Share> {
    const invoices = this.#all("invoice")
    const first = this.#dice.of(invoices)
    const second = this.#dice.below(4) === 0 ? this.#dice.of(invoices) : undefined
    return [...new Set([first, second])].flatMap((invoice) => {
      if (invoice === undefined) return []
      const whole = invoice.gross!
      const part = this.#cents(1 + this.#dice.below(8000))
      return [{ invoice: invoice.id, amount: this.#dice.below(2) === 0 ? whole : min(whole, part) }]
    })
  }

  #pay(): void {
    const payment: Payment = {
      kind: "payment",
      id: this.#id("P"),
      date: this.#dice.of(DAYS)!,
      shares: this.#shares(),
      ...this.#stated()
    }
    if (payment.shares.length > 0) this.#documents = [...this.#documents, payment]
  }

  #reverse(payment: Payment): void {
    const share = this.#dice.of(payment.shares)
    if (share === undefined) return
    const half = this.#cents(Number(share.amount / this.#cents(2)))
    const reversal: Reversal = {
      kind: "reversal",
      id: this.#id("R"),
      payment: payment.id,
      date: this.#dice.of(DAYS)!,
      shares: [{ ...share, amount: this.#dice.below(3) === 0 ? half : share.amount }],
      ...(payment.currency === undefined ? this.#stated() : { currency: payment.currency }),
      type: this.#dice.of(["error", "chargeback", "refund", "unknown"])!
    }
    if (reversal.shares[0]!.amount > 0n) this.#documents = [...this.#documents, reversal]
  }

  #credit(invoice: Invoice): void {
    const amount = this.#cents(1 + this.#dice.below(100))
    const note: CreditNote = {
      kind: "credit_note",
      id: this.#id("C"),
      date: this.#dice.of(DAYS)!,
      shares: [{ invoice: invoice.id, amount }],
      ...this.#stated()
    }
    this.#documents = [...this.#documents, note]
  }

  #replace(document: Document): void {
    this.#documents = this.#documents.map((one) =>
      one.kind === document.kind && one.id === document.id ? document : one
    )
  }

  #delete(document: Document | undefined): void {
    if (document === undefined) return
    this.#documents = this.#documents.filter((one) => one !== document)
    this.#deleted = [...this.#deleted, document]
  }
}
