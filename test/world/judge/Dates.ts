/** Whether what the service has is of days on which something happened, in the seller's own time. */
import type { Held } from "../Service.ts"
import type { Money } from "../truth/Money.ts"
import { type Day, iso, major } from "../Values.ts"

export class Dates {
  readonly #money: Money
  /** Days on which Daybook ran: in UTC, the next one by then. */
  readonly #ran = new Set<string>()

  constructor(money: Money) {
    this.#money = money
  }

  /** Days on which money moved, or was written down. */
  #happened(): ReadonlyArray<Day> {
    const { attempts, entries, lines, movements } = this.#money
    return [
      ...[...movements.values()].flatMap(({ day, died, refunds }) => [
        day,
        ...(died === undefined ? [] : [died.day]),
        ...refunds.map((one) => one.day)
      ]),
      ...[...attempts.values()].flatMap(({ charged, confirmed }) => [charged, confirmed]),
      ...[...lines.values()].map(({ day }) => day),
      ...[...entries.values()].flatMap(({ body }) => body.days.flatMap((day) => [day, body.at(day)?.date ?? day]))
    ]
  }

  /** What is told for other days, in words. */
  wrong(today: Day, held: ReadonlyArray<Held>): ReadonlyArray<string> {
    this.#ran.add(iso(today)).add(iso(today + 1))
    const days = new Set([...this.#happened().map(iso), ...this.#ran])
    return held.flatMap(({ number, payments }) =>
      payments.flatMap(({ amount, date }) =>
        days.has(date) ? [] : [`${number}: ${major(amount)} is told for ${date}`]
      )
    )
  }
}
