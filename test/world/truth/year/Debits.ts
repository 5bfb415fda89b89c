/** What a processor collects in a year: most comes, some fails at once or late, is charged back, or is refunded; and its payouts. */
import { type Day, least, major, type Minor, sum } from "../../Values.ts"
import type { Payout } from "../Money.ts"
import type { Bill } from "./Sellers.ts"
import type { Year } from "./Year.ts"

/** Days from the charge to the confirmation. */
const CONFIRMED = 3
const NEVER: Day = 1_000_000

export class Debits {
  readonly #year: Year
  /** When the books enter a debit: on its charge day, or when it is paid out. */
  readonly #booksPayouts: boolean
  readonly #paid = new Map<Day, Array<Payout["items"][number]>>()

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
    const moves = (on: Day, type: string, moved: Minor) =>
      this.#paid.set(on, [...(this.#paid.get(on) ?? []), { type, amount: moved, attempt: `PM${id}` }])
    moves(day + CONFIRMED + 2, "payment_paid_out", amount)
    moves(day + CONFIRMED + 2, "gocardless_fee", -least(400n, 20n + amount / 100n))
    if (died !== undefined) moves(died, dies === undefined ? "payment_charged_back" : "payment_failed", -amount)
    if (refund !== undefined) moves(refund.day, "refund", -refund.amount)
    return id
  }

  /** What was collected comes to the bank day by day, less fees and what went back. */
  paidOut(): void {
    let items: Payout["items"] = []
    for (const [day, moved] of [...this.#paid].sort(([a], [b]) => a - b)) {
      items = [...items, ...moved]
      const amount = sum(items.map((one) => one.amount))
      if (amount <= 0n) continue
      const id = this.#year.name("L")
      const text = this.#year.dice.chance(0.9) ? `GC-${(day * 7919).toString(36).toUpperCase()}` : "GOCARDLESS"
      const line = { id, day, amount, name: "GoCardless Ltd", iban: "DE02700202700010108669", text }
      const payout = { id: `PO-${id}`, line, items }
      this.#year.say(id, day, "payout", `the processor pays out ${major(amount)}`, ({ money }) => {
        money.lines.set(id, line)
        money.payouts.set(payout.id, payout)
      })
      items = []
    }
  }
}
