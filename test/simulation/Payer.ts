/**
 * Payments and reversals from another source for the seller's invoices. They name their invoice by id, by number, in their text,
 * or only by amount and payer; one may pay several invoices, and several may pay one. They are edited, moved, deleted, restored
 * and reversed repeatedly, whatever happens to the invoices meanwhile.
 */
import type { Document, Invoice, Payer as Who, Payment, Reversal, Share } from "../../connectors/Document.ts"
import { type Decimal, sum } from "../../core/money/Decimal.ts"
import type { Dice } from "./Dice.ts"
import { cents, DAYS, type Of } from "./Source.ts"

/** As the seller's books call the payer, more or less; as only this source knows it; and not at all. */
const PAYERS: ReadonlyArray<Who | undefined> = [
  { name: "HARBOUR LANE bakery" },
  { id: "CU1", name: "Harbour-Lane Bakery" },
  { id: "CU1" },
  undefined
]

/** Much is written with a payment that names no invoice. */
const WORDS = ["standing order", "thanks", "March 2026"]

export class Payer {
  readonly #currency: string
  #documents: ReadonlyArray<Document> = []
  #deleted: ReadonlyArray<Document> = []
  #dice!: Dice
  /** What the seller has issued. */
  #invoices: ReadonlyArray<Invoice> = []
  #n = 0

  constructor(currency: string) {
    this.#currency = currency
  }

  get documents(): ReadonlyArray<Document> {
    return this.#documents
  }

  /** Something happens, or nothing where there is nothing that it could happen to. */
  change(dice: Dice, seller: ReadonlyArray<Document>): void {
    this.#dice = dice
    this.#invoices = seller.filter((one): one is Invoice => one.kind === "invoice")
    const payment = dice.of(this.#all("payment"))
    switch (payment === undefined ? 0 : dice.below(12)) {
      case 5:
        return this.#replace({ ...payment!, date: dice.of(DAYS)! })
      case 6: {
        const { id } = payment!
        const now = this.#payment(id)
        if (now !== undefined) this.#replace(now)
        return
      }
      case 7: {
        const one = dice.of(this.#documents)!
        this.#documents = this.#documents.filter((other) => other !== one)
        this.#deleted = [...this.#deleted, one]
        return
      }
      case 8: {
        const back = dice.of(this.#deleted)
        if (back === undefined) return
        this.#deleted = this.#deleted.filter((one) => one !== back)
        this.#documents = [...this.#documents, back]
        return
      }
      case 9:
      case 10:
        return this.#reverse(payment!)
      default: {
        const made = this.#payment(`D${++this.#n}`)
        if (made === undefined) return
        this.#documents = [...this.#documents, made]
        // Some come back at once, and whole.
        if (dice.chance(0.3)) this.#reverse(made, true)
      }
    }
  }

  #all<K extends Document["kind"]>(kind: K): ReadonlyArray<Of<K>> {
    return this.#documents.filter((one): one is Of<K> => one.kind === kind)
  }

  #replace(document: Document): void {
    this.#documents = this.#documents.map((one) =>
      one.kind === document.kind && one.id === document.id ? document : one
    )
  }

  /** All of an amount, or some of it. */
  #part(whole: Decimal): Decimal {
    if (this.#dice.chance(0.6)) return whole
    const unit = cents(1, this.#currency)
    return unit * BigInt(1 + this.#dice.below(Number(whole / unit)))
  }

  #payment(id: string): Payment | undefined {
    const dice = this.#dice
    const first = dice.of(this.#invoices)
    const second = dice.of(this.#invoices)
    if (first === undefined || second === undefined) return undefined
    const both = first.id === second.id ? [first] : [first, second]
    const whole = sum(both.map(({ gross }) => gross!))
    const party = dice.of(PAYERS)
    const common = {
      kind: "payment" as const,
      id,
      date: dice.of(DAYS)!,
      currency: dice.chance(0.05) ? "USD" : this.#currency,
      ...(party === undefined ? {} : { party })
    }
    const share = (invoice: string, of: Invoice): Share => ({ invoice, amount: this.#part(of.gross!) })
    const rest = dice.chance(0.2) ? { unallocated: cents(1 + dice.below(500), this.#currency) } : {}
    switch (dice.below(10)) {
      case 0:
      case 1:
        return { ...common, shares: [share(first.id, first)], ...rest }
      case 2:
        return { ...common, shares: [share(first.number.toLowerCase(), first)], ...rest }
      case 3:
        return { ...common, shares: both.map((one) => share(one.id, one)), ...rest }
      case 4:
        return { ...common, shares: [share(`I${1 + dice.below(30)}`, first)] }
      case 5:
        return { ...common, shares: [], unallocated: this.#part(first.gross!), reference: `for ${first.number}!` }
      case 6: {
        const reference = both.map(({ number }) => number.replace("-", " ")).join(" and ")
        return { ...common, shares: [], unallocated: this.#part(whole), reference }
      }
      default:
        return { ...common, shares: [], unallocated: first.gross!, reference: dice.of(WORDS)! }
    }
  }

  #reverse({ currency, date, id, shares, unallocated = 0n }: Payment, all = false): void {
    const dice = this.#dice
    const share = dice.of(shares)
    const whole = sum(shares.map(({ amount }) => amount)) + unallocated
    const named = !all && share !== undefined && dice.chance(0.4)
    const reversal: Reversal = {
      kind: "reversal",
      id: `B${++this.#n}`,
      ...(!all && dice.chance(0.1) ? {} : { payment: !all && dice.chance(0.05) ? "D999" : id }),
      date: dice.chance(0.2) ? date : dice.of(DAYS)!,
      ...(currency === undefined ? {} : { currency }),
      shares: named ? [{ ...share, amount: this.#part(share.amount) }] : [],
      ...(named ? {} : { unallocated: all ? whole : this.#part(whole) }),
      type: dice.of(["error", "chargeback", "refund", "unknown"])!
    }
    this.#documents = [...this.#documents, reversal]
  }
}
