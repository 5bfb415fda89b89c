/** What was received for an invoice, as anybody could say who sees what was to be seen. */
import type { EntryBody, Invoice, InvoiceBody, Money } from "../truth/Money.ts"
import type { Style } from "../truth/Plan.ts"
import { type Day, type Minor, most, sum } from "../Values.ts"
import type { Shown } from "./Judge.ts"
import type { Days } from "./Related.ts"

export class Received {
  readonly #money: Money
  readonly #style: Style
  readonly #shown: Pick<Shown, "failures">

  constructor(money: Money, style: Style, shown: Pick<Shown, "failures">) {
    this.#money = money
    this.#style = style
    this.#shown = shown
  }

  /** The body that it has, or had last. */
  bodyOf({ body }: Invoice, now: Day): InvoiceBody {
    return body.at(now) ?? body.days.map((day) => body.at(day)).findLast((one) => one !== undefined)!
  }

  /** Whether a debit failed or was charged back by then, where Daybook is to look for it. */
  dead(movement: string, day: Day): boolean {
    const died = this.#money.movements.get(movement)?.died
    return died !== undefined && died.day <= day && this.#shown.failures()
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
            this.#money.live(one, id, day),
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

  /** What an invoice asks for. */
  asks(id: string, { gross }: InvoiceBody, day: Day): Minor {
    return gross - this.#money.credited(id, day)
  }
}
