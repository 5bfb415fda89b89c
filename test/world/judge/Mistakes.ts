/**
 * A person who errs: says of some payments that they are for another invoice, or for none, or the same money as another though they
 * are not, or the reverse. They notice it at once or weeks later, and take it back. What follows meanwhile is theirs, not Daybook's.
 */
import { Dice } from "../../simulation/Dice.ts"
import type { Product } from "../Product.ts"
import type { Money, Movement } from "../truth/Money.ts"
import type { Day } from "../Values.ts"

/** Within so many days of being taken back, what it did is asked about anew, answered, and made good. */
const GOOD_AGAIN: Day = 70
/** The books have entered what was paid, and their balance was read. */
const HEARD: Day = 35

interface Mistake {
  /** The question that was answered wrongly. */
  readonly question: string
  /** The payment, by key. */
  readonly payment: string
  readonly what: string
  readonly day: Day
  readonly notices: Day
  readonly customers: ReadonlySet<string>
  takenBack?: Day
}

export class Mistakes {
  readonly all: Array<Mistake> = []
  /** Why a mistake could not be taken back. What it was about then is told, or asked again: the judge sees to that. */
  readonly refused: Array<string> = []
  readonly #money: Money
  readonly #dice: Dice
  readonly #share: number
  readonly #until: Day

  /** @param until from this day on nobody errs any more */
  constructor(money: Money, seed: number, share: number, until: Day) {
    this.#money = money
    this.#dice = Dice.of(seed, "mistakes")
    this.#share = share
    this.#until = until
  }

  /** Whether this answer is to be a wrong one: each question is answered wrongly once at most. */
  errs(question: string, day: Day): boolean {
    if (this.#share === 0 || day >= this.#until || this.all.some((one) => one.question === question)) return false
    return this.#dice.chance(this.#share)
  }

  keep(question: string, payment: string, what: string, day: Day, customers: ReadonlySet<string>): void {
    const notices = day + this.#dice.of([0, 0, 7, 20, 60])!
    this.all.push({ question, payment, what, day, notices, customers })
  }

  /** An invoice that it was not for, by key: of the same customer if possible; undefined: none will do. */
  wrongInvoice(
    movement: Movement | undefined,
    day: Day
  ): { readonly key: string; readonly customer: string } | undefined {
    const own = new Set(movement?.for.map(({ invoice }) => invoice))
    const open = [...this.#money.invoices.values()].flatMap(({ body, id }) => {
      const now = body.at(day)
      if (now?.status !== "open" || own.has(id) || this.#money.received(id, day) > 0n) return []
      return [{ key: `books/invoice/${this.#money.nameFor(id)}`, customer: now.customer }]
    })
    const theirs = open.filter(({ customer }) => customer === movement?.customer)
    return this.#dice.of(theirs.length > 0 && this.#dice.chance(0.7) ? theirs : open)
  }

  /** What a customer with a wrong answer shares may be wrong until that is made good; without a day: ever. */
  concerns(customer: string, day: Day = 0): boolean {
    return this.all.some(({ customers, takenBack = day }) => customers.has(customer) && day <= takenBack + GOOD_AGAIN)
  }

  /** Whether a mistake has stood for so long that books which say otherwise must have been heard. */
  stands(customer: string, day: Day): boolean {
    return this.all.some((one) => one.customers.has(customer) && one.takenBack === undefined && one.day + HEARD <= day)
  }

  /** Takes back what was noticed by now. */
  async takeBack(day: Day, product: Product): Promise<ReadonlyArray<string>> {
    const due = this.all.filter(
      ({ notices, takenBack }) => takenBack === undefined && (notices <= day || day >= this.#until)
    )
    for (const one of due) {
      if (one.takenBack !== undefined) continue
      // All that was said of it is taken back at once.
      for (const other of this.all) if (other.payment === one.payment) other.takenBack ??= day
      const refused = await product.takeBack(one.payment)
      if (refused !== undefined) this.refused.push(`${one.what}: ${refused}`)
    }
    return due.map(({ question }) => question)
  }
}
