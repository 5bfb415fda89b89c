/** What was received for an invoice as far as anybody could see it, and the most that anybody could say of it. */
import type { Attempt, EntryBody, Invoice, InvoiceBody, Line, Money, Movement } from "../truth/Money.ts"
import type { Style } from "../truth/Plan.ts"
import { type Day, type Minor, most, sum } from "../Values.ts"
import type { Days } from "./Related.ts"

/** Whether something was shown by a day, where Daybook is to look for it. */
export interface Shown {
  readonly bank: (line: Line, day: Day) => boolean
  readonly debits: (attempt: Attempt, day: Day) => boolean
  /** Whether what the processor says is still for these books. */
  readonly failures: () => boolean
}

export class Truth {
  readonly #money: Money
  readonly #style: Style
  readonly #shown: Shown

  constructor(money: Money, style: Style, shown: Shown) {
    this.#money = money
    this.#style = style
    this.#shown = shown
  }

  /** The body that it has, or had last. */
  bodyOf({ body }: Invoice, day: Day): InvoiceBody {
    return body.at(day) ?? body.days.map((one) => body.at(one)).findLast((one) => one !== undefined)!
  }

  /** What an invoice asks for. */
  asks(id: string, { gross }: InvoiceBody, day: Day): Minor {
    return gross - this.#money.credited(id, day)
  }

  /** It did not come, or came back; of what the bank took back, once the bank has shown that. */
  #isDead({ died }: Movement, day: Day): boolean {
    if (died === undefined || died.day > day) return false
    return died.line === undefined || this.#shown.bank(this.#money.lines.get(died.line)!, day)
  }

  dead(movement: string, day: Day): boolean {
    const one = this.#money.movements.get(movement)
    return one !== undefined && this.#isDead(one, day) && this.#shown.failures()
  }

  live(movement: Movement, invoice: string, day: Day): Minor {
    return this.#money.live(movement, invoice, day, this.#isDead(movement, day))
  }

  received(invoice: string, day: Day): Minor {
    return sum(this.#money.movementsFor(invoice).map((one) => this.live(one, invoice, day)))
  }

  /** The most that anybody could say was received: what is true, or what the books alone say. */
  most(id: string, { before, now }: Days): Minor {
    // Of each movement, what is true or what the books say.
    const booked = this.#money.entriesFor(id).flatMap(({ movement }) => this.#money.movements.get(movement) ?? [])
    const about = new Set([...this.#money.movementsFor(id), ...booked])
    const at = (day: Day) =>
      sum(
        [...about].map((one) =>
          most(
            this.live(one, id, day),
            this.#money.booked(id, day, (movement) => movement !== one.id || this.dead(movement, before))
          )
        )
      ) - (this.#shown.failures() ? 0n : this.#money.aside(id, day))
    return most(at(now), at(before)) + this.undesignated(id, now)
  }

  /**
   * What came from the payer without a word for another invoice, by transfer or debit, in exactly this amount or what the books have
   * open of it, and nobody booked: nothing says that it was not for this one.
   */
  undesignated(id: string, day: Day): Minor {
    const body = this.#money.invoices.get(id)?.body.at(day)
    if (body === undefined) return 0n
    // The number of another customer's invoice names none of the payer's own, nor does that of one which was deleted.
    const own = this.#money.invoicesOf(body.customer).flatMap((one) => one.body.at(day) ?? [])
    const numbers = own.flatMap((one) => (one.customer === body.customer ? (/\d+/.exec(one.number)?.[0] ?? []) : []))
    const debits = [...this.#money.attempts.values()].filter(({ link }) => link === undefined)
    const silent = [...this.#money.linesOf(body.customer), ...debits].flatMap(({ movement = "", text }) => {
      const one = numbers.some((number) => text.includes(number)) ? undefined : this.#money.movements.get(movement)
      if (one === undefined || one.customer !== body.customer || one.day > day) return []
      return this.#money.entriesOf(movement).some((entry) => this.#isFor(entry.body.at(day), day)) ? [] : [one]
    })
    const asks = this.asks(id, body, day)
    const open = [asks, asks - this.#money.booked(id, day)]
    const alike = silent.find(
      ({ for: [one, more] }) => more === undefined && one!.invoice !== id && open.includes(one!.amount)
    )
    return alike === undefined ? 0n : this.#money.amountOf(alike)
  }

  /** Programs have money on account where there is no invoice to apply it to. */
  #isFor(entry: EntryBody | undefined, day: Day): boolean {
    if (this.#style.books.program === undefined || entry === undefined) return entry !== undefined
    const body = this.#money.invoices.get(entry.invoice ?? "")?.body.at(day)
    return body?.status === "open" && this.#money.booked(entry.invoice!, day) <= this.asks(entry.invoice!, body, day)
  }

  /** Whether a movement was to be seen anywhere. */
  seen(movement: Movement, day: Day): boolean {
    return (
      this.#money
        .entriesOf(movement.id)
        .some((one) => this.#style.books.payments && one.body.at(day)?.invoice !== undefined) ||
      this.#money
        .linesOf(movement.customer)
        .some((one) => one.movement === movement.id && this.#shown.bank(one, day)) ||
      [...this.#money.attempts.values()].some((one) => one.movement === movement.id && this.#shown.debits(one, day))
    )
  }
}
