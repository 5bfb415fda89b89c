/** What the seller's bank collects from several at once: one entry, with details of each or without; some come back later. */
import { Dice } from "../../../simulation/Dice.ts"
import { type Day, major, sum } from "../../Values.ts"
import type { Line } from "../Money.ts"
import type { Bill } from "./Sellers.ts"
import type { Year } from "./Year.ts"

export class Batches {
  readonly #year: Year

  constructor(year: Year) {
    this.#year = year
  }

  collect(bills: ReadonlyArray<Bill>): void {
    const open = bills.filter(({ buyer, id }) => buyer.batched && this.#year.open.get(id)! > 0n)
    const byDay = Map.groupBy(open, ({ due }) => Math.ceil((due + 1) / 10) * 10)
    const detailed = this.#year.style.bank?.details === true
    for (const [day, all] of byDay)
      if (detailed) this.#detailed(day, all)
      else this.#whole(day, all)
  }

  /** One line, of which only the books tell what it is made of. */
  #whole(day: Day, bills: ReadonlyArray<Bill>): void {
    const shares = bills.map((one) => this.#year.rest(one))
    const id = this.#year.name("M")
    const amount = sum(shares.map((one) => one.amount))
    this.#year.say(id, day, "batch", `the bank collects ${major(amount)} from ${bills.length} at once`, ({ money }) => {
      money.movements.set(id, { id, customer: "", via: "transfer", day, for: shares, fee: 0n, refunds: [] })
      const text = `SAMMLER ANZAHL ${bills.length}`
      const own = { name: "Acme Ltd", iban: "DE02120300000000202051" }
      money.lines.set(`L${id}`, { id: `L${id}`, day, amount, ...own, text, movement: id })
    })
    const entered = day + this.#year.dice.below(7)
    for (const share of shares) this.#year.enters(this.#year.name("P"), id, entered, { date: day, ...share })
  }

  #detailed(day: Day, bills: ReadonlyArray<Bill>): void {
    const batch = this.#year.name("B")
    const dice = Dice.of(this.#year.seed, batch)
    const entered = day + dice.below(7)
    // What is collected from one is booked as it is.
    const together = bills.length > 1 ? { batch } : {}
    for (const bill of bills) {
      const share = this.#year.rest(bill)
      const id = this.#year.name("M")
      const text = dice.chance(0.9) ? `${dice.of(["", "Rechnung "])}${bill.number}` : "Mitgliedsbeitrag"
      const { iban, name } = bill.buyer
      const line: Line = {
        id: `L${id}`,
        day,
        amount: share.amount,
        name,
        iban,
        text,
        e2e: `E2E${id}`,
        movement: id,
        ...together
      }
      const what = `the bank collects ${major(share.amount)} for ${bill.number}, one of ${bills.length}`
      this.#year.say(id, day, "collected with others", what, ({ money }) => {
        const customer = bill.buyer.id
        const settles = this.#year.settled(money, { buyer: bill.buyer, day, text }, [share])
        money.movements.set(id, { id, customer, via: "transfer", day, for: settles, fee: 0n, refunds: [] })
        money.lines.set(line.id, line)
      })
      const entry = this.#year.name("P")
      if (this.#year.style.books.payments) this.#year.enters(entry, id, entered, { date: day, ...share })
      if (dice.chance(0.02)) this.#comesBack(bill, line, entry, dice)
    }
  }

  /** The bank takes one of them back; four of ten books take it out as well. */
  #comesBack(bill: Bill, { batch: _, movement, ...line }: Line, entry: string, dice: Dice): void {
    const day = line.day + 2 + dice.below(6)
    const id = `${line.id}R`
    const reason = dice.of(["AM04", "MD06"])!
    this.#year.say(
      `${movement ?? ""}.died`,
      day,
      "taken back",
      `the collection of ${bill.number} comes back`,
      ({ money }) => {
        money.lines.set(id, { ...line, id, day, amount: -line.amount, returned: reason })
        const one = money.movements.get(movement ?? "")
        if (one !== undefined) one.died = { day, how: reason === "AM04" ? "failed" : "charged back", line: id }
      }
    )
    if (this.#year.style.books.payments && dice.chance(0.4)) this.#year.takesOut(entry, day + 6 + dice.below(8))
  }
}
