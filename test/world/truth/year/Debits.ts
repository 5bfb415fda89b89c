/** What a processor collects in a year: most comes, some fails at once or late, is charged back, or is refunded; and its payouts. */
import { type Day, least, major, type Minor } from "../../Values.ts"
import type { Bill } from "./Sellers.ts"
import type { Year } from "./Year.ts"

/** Days from the charge to the confirmation. */
const CONFIRMED = 3
const NEVER: Day = 1_000_000

export class Debits {
  readonly #year: Year
  /** When the books enter a debit: on its charge day, or when it is paid out. */
  readonly #booksPayouts: boolean
  readonly #paid = new Map<Day, Minor>()

  constructor(year: Year) {
    this.#year = year
    this.#booksPayouts = year.dice.chance(0.4)
  }

  collect(bill: Bill): void {
    const { dice } = this.#year
    const share = this.#year.rest(bill)
    const linked = dice.chance(0.9)
    const text = linked ? "" : dice.of(["Monthly fee", bill.number])!
    const tries = dice.chance(0.01)
      ? ["early"]
      : dice.chance(0.015)
        ? dice.chance(0.6)
          ? ["late", "ok"]
          : ["late"]
        : ["ok"]
    let day = bill.due
    let entry: string | undefined
    for (const how of tries) {
      const id = this.#attempt(bill, share.amount, day, how, linked ? bill.number : undefined, text)
      if (this.#year.style.books.payments && entry === undefined) {
        const arrives = day + CONFIRMED + 2
        const from = this.#booksPayouts ? arrives + dice.below(4) : day + dice.below(2)
        if (!this.#booksPayouts || how !== "early") {
          entry = this.#year.name("P")
          this.#year.enters(entry, id, from, { ...share, date: this.#booksPayouts ? arrives : day })
          // After a failure 6 of 10 books go on saying paid.
          if ((how === "late" || how === "early") && dice.chance(0.4)) {
            this.#year.takesOut(entry, day + 12 + dice.below(8))
            entry = undefined
          }
        }
      }
      day += 10
    }
  }

  #attempt(bill: Bill, amount: Minor, day: Day, how: string, link: string | undefined, text: string): string {
    const { dice } = this.#year
    const id = this.#year.name("D")
    const confirmed = how === "early" ? NEVER : day + CONFIRMED
    const dies = how === "late" ? day + CONFIRMED + 1 + dice.below(5) : how === "early" ? day + CONFIRMED : undefined
    const chargedBack = how === "ok" && dice.chance(0.003) ? day + 25 + dice.below(31) : undefined
    const refund =
      how === "ok" && chargedBack === undefined && dice.chance(0.006)
        ? { day: day + 10 + dice.below(31), amount: (amount * BigInt(dice.of([1, 5, 10])!)) / 10n }
        : undefined
    this.#year.say(
      id,
      day,
      "debit",
      `a debit of ${major(amount)} for ${bill.number} is charged (${how})`,
      ({ money }) => {
        const share = { invoice: bill.id, amount }
        money.movements.set(id, {
          id,
          customer: bill.buyer.id,
          via: "debit",
          day: confirmed,
          for: [share],
          fee: 0n,
          refunds: []
        })
        money.attempts.set(`PM${id}`, { id: `PM${id}`, movement: id, link, text, charged: day, confirmed })
      }
    )
    const died = dies ?? chargedBack
    if (died !== undefined) {
      const word = chargedBack === undefined ? ("failed" as const) : ("charged back" as const)
      this.#year.say(`${id}.died`, died, word, `the debit of ${bill.number} is ${word}`, ({ money }) => {
        const movement = money.movements.get(id)
        // Nobody sees in a list of what was confirmed that something was not.
        const isSeen = how !== "early" || this.#year.style.processor?.api === "gocardless"
        if (movement !== undefined && isSeen) movement.died = { day: died, how: word }
      })
    }
    if (refund !== undefined)
      this.#year.say(
        `${id}.refund`,
        refund.day,
        "refund",
        `${major(refund.amount)} of ${bill.number} is refunded`,
        ({ money }) => {
          money.movements.get(id)?.refunds.push({ id: `RF${id}`, ...refund })
        }
      )
    if (how === "early") return id
    this.#moves(day + CONFIRMED + 2, amount - least(400n, 20n + amount / 100n))
    if (died !== undefined) this.#moves(died, -amount)
    if (refund !== undefined) this.#moves(refund.day, -refund.amount)
    return id
  }

  #moves(day: Day, amount: Minor): void {
    this.#paid.set(day, (this.#paid.get(day) ?? 0n) + amount)
  }

  /** What was collected comes to the bank day by day, less fees and what went back. */
  paidOut(): void {
    let carried = 0n
    for (const [day, amount] of [...this.#paid].sort(([a], [b]) => a - b)) {
      carried += amount
      if (carried <= 0n) continue
      const id = this.#year.name("L")
      const text = this.#year.dice.chance(0.9) ? `GC-${(day * 7919).toString(36).toUpperCase()}` : "GOCARDLESS"
      const line = { id, day, amount: carried, name: "GoCardless Ltd", iban: "DE02700202700010108669", text }
      this.#year.say(id, day, "payout", `the processor pays out ${major(carried)}`, ({ money }) =>
        money.lines.set(id, line)
      )
      carried = 0n
    }
  }
}
