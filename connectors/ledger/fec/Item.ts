/** A line on a customer's account. */
import * as Currency from "../../../core/money/Currency.ts"
import type { Decimal } from "../../../core/money/Decimal.ts"
import type { Day } from "../../../core/wire/Day.ts"
import type { PayMethod } from "../../Document.ts"
import type { Share } from "../Share.ts"
import { amountOf, dayOf, type FecLine, type Layout } from "./Lines.ts"
import type { Role } from "./Roles.ts"

/** A copy of a text: a part of a longer one would keep all of that in memory. */
export const copied = (text: string): string => Buffer.from(text, "utf8").toString("utf8")

/** What an entry says of one of its lines. */
export interface Within {
  readonly role: Role
  /** Of an invoice or credit note, its part without tax. */
  readonly net?: Decimal | undefined
  /** Of a payment, the part that was a discount or a loss, and no money. */
  readonly lost?: Decimal | undefined
  readonly method?: PayMethod | undefined
  /** Lines of one move have the same. */
  readonly move?: number | undefined
}

/** What the lines of one file share. */
export interface Source {
  readonly file: string
  readonly layout: Layout
}

/** `-` stands for nothing. */
const refOf = (written: string): string => (/^[-.\s]*$/.test(written) ? "" : written.trim())

const NONE: ReadonlyArray<Share> = []

export class Item {
  readonly line: number
  readonly role: Role
  /** The auxiliary account, else the account. */
  readonly customer: string
  readonly account: string
  readonly ref: string
  readonly letter: string
  readonly day: Day
  /** Debits are positive. */
  readonly amount: Decimal
  readonly net: Decimal | undefined
  readonly lost: Decimal | undefined
  readonly method: PayMethod | undefined
  readonly move: number | undefined
  readonly file: string
  readonly raw: string
  readonly #columns: Layout["at"]
  readonly #cells: ReadonlyArray<string>
  /** Its place among those that belong together. */
  node = -1
  /** What is wrong with its letter, of the first line that has it. */
  torn: string | undefined
  /** It only repeats what last year's file has. */
  isRepeated = false
  /** Which invoices it settles, or owes again. */
  shares: ReadonlyArray<Share> = NONE
  /** Of a reversal: the payment that went back. */
  reverses: Item | undefined
  /** Counts lines with the same contents. */
  nth = 1

  constructor({ file, layout }: Source, line: FecLine, within: Within) {
    this.file = file
    this.#columns = layout.at
    this.#cells = line.cells
    this.raw = line.raw
    this.line = line.number
    this.role = within.role
    this.account = this.#cell("account")
    this.customer = this.#cell("aux") || this.account
    this.ref = refOf(this.#cell("ref"))
    this.letter = this.#cell("letter")
    this.day = line.day
    this.amount = line.amount
    this.net = within.net
    this.lost = within.lost
    this.method = within.method
    this.move = within.move
  }

  #cell(column: keyof Layout["at"]): string {
    return (this.#cells[this.#columns[column]] ?? "").trim()
  }

  get name(): string {
    return this.#cell(this.customer === this.account ? "accountName" : "auxName") || this.customer
  }

  get label(): string {
    return this.#cell("label")
  }

  get journal(): string {
    return this.#cell("journal")
  }

  get entry(): string {
    return this.#cell("entry")
  }

  /** The day of its piece. */
  get issued(): Day {
    return dayOf(this.#cell("refDay")) ?? this.day
  }

  /** The amount in another currency, if the line states one. */
  get foreign(): string | undefined {
    const currency = this.#cell("currency").toUpperCase()
    const amount = amountOf(this.#cell("foreign"))
    if (!/^[A-Z]{3}$/.test(currency) || currency === "EUR" || amount === undefined || amount === 0n) return undefined
    return Currency.say(amount < 0n ? -amount : amount, currency)
  }

  /** What asks for money: an invoice, or one that an earlier year left. */
  get isAsking(): boolean {
    return (
      this.role === "invoice" ||
      (this.role === "opening" && this.amount > 0n && this.ref !== "" && this.issued < this.day)
    )
  }

  /** Of its invoice or credit note: `CUSTOMER:PIECE`; without a piece, the entry, which may sell to several customers. */
  get piece(): string {
    return `${this.customer}:${this.ref === "" ? `${this.journal}:${this.entry}:${this.day}` : this.ref}`
  }

  /** The same in every export: without the entry's number, which may change until the year is closed. */
  get content(): string {
    const amount = this.role === "payment" ? -this.amount : this.amount
    return [this.journal, this.day, this.customer, this.ref, Currency.format(amount, "EUR")].join(":")
  }

  get id(): string {
    return this.nth === 1 ? this.content : `${this.content}:${this.nth}`
  }
}
