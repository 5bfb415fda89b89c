/**
 * What happens to a seller's books in a year, day by day: drawn from a seed, before anything is run. The moves:
 *
 *   issue       an invoice: small, dear, in euros, to a buyer that the configuration leaves out, or one of many
 *   pay         in full or in part; on time, late, while it could be handed over, after it was, after its cover lapsed
 *   fail        a debit fails, days after it was collected
 *   credit      a credit note for a part of an invoice or all of it
 *   decide      the service judges a company anew: declined by a code of II 2.8, or insurable again
 *   approve     a person buys an offer that is too dear for the rules
 *   reject      a person rejects one; others are left until they expire
 *   hand over   a person looks at a late invoice, adds a file to some, declares and confirms
 *   recover     the service says how far recovery is
 *
 * What lapses is what a person leaves alone. Amounts are pence.
 */
import { REJECTIONS } from "../../core/sandbox/rules/Rejections.ts"
import { Dice } from "../simulation/Dice.ts"

export interface Bill {
  readonly id: string
  readonly buyer: string
  readonly currency: "GBP" | "EUR"
  /** Days of the year, from 0. */
  readonly issued: number
  readonly due: number
  readonly net: bigint
  readonly gross: bigint
}

export type Move =
  | { readonly what: "issue"; readonly bill: Bill }
  | { readonly what: "pay" | "fail" | "credit"; readonly bill: Bill; readonly amount: bigint }
  | { readonly what: "decide"; readonly buyer: string; readonly code: string | null }
  | { readonly what: "approve" | "reject"; readonly bill: Bill }
  | { readonly what: "hand over"; readonly bill: Bill; readonly file: boolean }
  | { readonly what: "recover"; readonly bill: Bill; readonly status: string; readonly recovered?: bigint }

export interface Script {
  readonly buyers: ReadonlyArray<string>
  readonly bills: ReadonlyArray<Bill>
  readonly on: (day: number) => ReadonlyArray<Move>
}

const solid = Array.from({ length: 12 }, (_, n) => `Solid Buyer ${n + 1} Ltd`)
const doubtful = Array.from({ length: 7 }, (_, n) => `Doubtful Buyer ${n + 1} Ltd`)

/** The configuration leaves it out. */
export const LEFT_OUT = "Cash Sales Ltd"
/** The service insures it up to a limit. */
export const LIMITED = solid[0]!
export const CODES = Object.keys(REJECTIONS)

export const DAYS = 365
const INVOICES = 200
const KINDS = [
  "small",
  "euros",
  "left out",
  "dear",
  "dear",
  ..."usual usual usual usual usual usual usual usual".split(" ")
]

const FATES = [
  "on time",
  "on time",
  "on time",
  "in parts",
  "late",
  "while it could be handed over",
  "handed over",
  "handed over and paid",
  "lapses",
  "lapses and is paid",
  "credited",
  "credited in part",
  "a debit fails, then it is paid",
  "a debit fails",
  "a debit fails after all was paid"
] as const

class Author {
  readonly moves = new Map<number, Array<Move>>()
  readonly bills: Array<Bill> = []
  readonly dice: Dice

  constructor(seed: number) {
    this.dice = Dice.of(seed, "year")
  }

  on(day: number, move: Move): void {
    this.moves.set(day, [...(this.moves.get(day) ?? []), move])
  }

  between(least: number, most: number): number {
    return least + this.dice.below(most - least + 1)
  }

  bill(of: Pick<Bill, "buyer" | "currency" | "issued" | "net">, terms: number): Bill {
    const id = `INV-${String(this.bills.length + 1).padStart(3, "0")}`
    const made = { ...of, id, due: of.issued + terms, gross: of.net + of.net / 5n }
    this.bills.push(made)
    this.on(made.issued, { what: "issue", bill: made })
    return made
  }

  /** Whole pounds, so that a fifth of tax is whole pence. */
  pounds(least: number, most: number): bigint {
    return BigInt(this.between(least, most)) * 100n
  }

  lives(bill: Bill, fate: (typeof FATES)[number]): void {
    const { due, gross, issued } = bill
    const part = (gross * 2n) / 5n
    const pay = (day: number, amount: bigint) => this.on(day, { what: "pay", bill, amount })
    const handed = due + this.between(33, 50)
    switch (fate) {
      case "on time":
        return pay(this.between(issued + 4, due - 1), gross)
      case "in parts":
        pay(due - this.between(1, 8), part)
        return pay(due + this.between(0, 20), gross - part)
      case "late":
        return pay(due + this.between(2, 28), gross)
      case "while it could be handed over":
        return pay(due + this.between(33, 52), gross)
      case "handed over":
      case "handed over and paid":
        this.on(handed, { what: "hand over", bill, file: this.dice.chance(0.5) })
        this.on(handed + 10, { what: "recover", bill, status: "recovery_underway", recovered: part })
        if (fate === "handed over and paid") return pay(handed + 12, gross)
        return this.on(handed + 20, { what: "recover", bill, status: "recovery_complete", recovered: gross })
      case "lapses":
        return
      case "lapses and is paid":
        return pay(due + 75, gross)
      case "credited":
        return this.on(this.between(issued + 3, due + 20), { what: "credit", bill, amount: gross })
      case "credited in part":
        this.on(this.between(issued + 3, due + 5), { what: "credit", bill, amount: part })
        return pay(due + 10, gross - part)
      default: {
        const all = fate === "a debit fails after all was paid" ? gross : part
        pay(due - 3, all)
        this.on(due + 2, { what: "fail", bill, amount: all })
        if (fate === "a debit fails, then it is paid") pay(due + 12, gross)
      }
    }
  }

  /** A company is declined by one code after another, each with an invoice that meets it. */
  doubted(): void {
    for (const [n, code] of CODES.entries()) {
      const buyer = doubtful[n % doubtful.length]!
      const day = 3 + Math.floor(n / doubtful.length) * 54 + (n % doubtful.length) * 2
      this.on(day, { what: "decide", buyer, code })
      const bill = this.bill({ buyer, currency: "GBP", issued: day, net: this.pounds(600, 1900) }, 60)
      this.lives(bill, this.dice.of(FATES)!)
      if (this.dice.chance(0.6)) this.on(day + this.between(9, 45), { what: "decide", buyer, code: null })
    }
  }

  usual(n: number): void {
    const kind = KINDS[n % KINDS.length]!
    const buyer = kind === "left out" ? LEFT_OUT : this.dice.of(solid)!
    const net =
      kind === "small" ? this.pounds(40, 480) : kind === "dear" ? this.pounds(2300, 5500) : this.pounds(500, 1900)
    const issued = this.between(0, 330)
    const terms = this.dice.of([14, 30, 45, 60])!
    const bill = this.bill({ buyer, currency: kind === "euros" ? "EUR" : "GBP", issued, net }, terms)
    this.lives(bill, FATES[(n + Math.floor(n / KINDS.length)) % FATES.length]!)
    const word = (["approve", "approve", "reject", undefined, undefined] as const)[this.dice.below(5)]
    if (kind === "dear" && word !== undefined) this.on(issued + this.between(1, 9), { what: word, bill })
  }
}

export const script = (seed: number): Script => {
  const author = new Author(seed)
  author.doubted()
  for (let n = author.bills.length; n < INVOICES; n++) author.usual(n)
  const { bills, moves } = author
  return { buyers: [...solid, ...doubtful, LEFT_OUT], bills, on: (day) => moves.get(day) ?? [] }
}
