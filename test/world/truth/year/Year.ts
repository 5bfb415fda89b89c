/**
 * A year of one seller by seed, with hundreds or thousands of payments: how often things happen is plausible and not sampled.
 * Lives of months bring what is rare together; years show how often a person is asked about what is ordinary.
 */
import { Dice } from "../../../simulation/Dice.ts"
import { type Day, major, type Minor, sum, Told } from "../../Values.ts"
import type { Money, Share } from "../Money.ts"
import type { Happening, Plan, Style } from "../Plan.ts"
import { type Abroad, arrived, isBilledInDollars, someAbroad } from "./Abroad.ts"
import { Batches } from "./Batches.ts"
import { Debits } from "./Debits.ts"
import { type Bill, billsOf, type Buyer, buyersOf, isDesignated, textFor, YEAR } from "./Sellers.ts"
import { settingOf } from "./Setting.ts"

const NOBODYS = [
  "FINANZAMT MITTE",
  "LANDESBANK ZINSEN",
  "STADTWERKE ERSTATTUNG",
  "EIGENES SPARKONTO",
  "VERSICHERUNG LEISTUNG"
]

export class Year {
  readonly dice: Dice
  readonly style: Style
  readonly happenings: Array<Happening> = []
  readonly open: Map<string, Minor>
  readonly seed: number
  readonly #buyers: ReadonlyArray<Buyer>
  readonly #bills: ReadonlyArray<Bill>
  #count = 0

  constructor(seed: number, payments: number) {
    this.seed = seed
    this.dice = Dice.of(seed, "year")
    this.style = settingOf(seed, this.dice)
    const { bank, books, processor } = this.style
    const has = { debits: processor !== undefined, batches: processor === undefined || bank?.details === true }
    const buyers = buyersOf(this.dice, Math.max(2, Math.round(payments / 25)), has)
    this.#buyers = books.dollars === true ? someAbroad(seed, buyers, bank) : buyers
    this.#bills = billsOf(this.dice, this.#buyers, this.style.books.numbers)
    this.open = new Map(this.#bills.map(({ gross, id }) => [id, gross]))
  }

  write(every: Day): Plan {
    for (const bill of this.#bills) this.#issue(bill)
    const debits = new Debits(this)
    for (const buyer of this.#buyers) this.#paysAll(buyer, debits)
    new Batches(this).collect(this.#bills)
    debits.paidOut()
    for (let n = Math.round(this.#bills.length / 40); n > 0; n--) this.#nobodys()
    const quiet = Math.max(...this.happenings.map(({ day }) => day)) + 1
    return {
      seed: this.seed,
      style: this.style,
      customers: this.#buyers,
      happenings: this.happenings.toSorted((a, b) => a.day - b.day),
      syncs: Array.from({ length: Math.floor((quiet - 1) / every) }, (_, n) => (n + 1) * every),
      quiet
    }
  }

  name(kind: string): string {
    return `${kind}${String(++this.#count).padStart(5, "0")}`
  }

  say(id: string, day: Day, kind: string, what: string, does: Happening["does"]): void {
    this.happenings.push({ id, day, kind, what, does })
  }

  /** All that is still open of an invoice, which it is no longer. */
  rest({ id }: Bill): Share {
    const amount = this.open.get(id)!
    this.open.set(id, 0n)
    return { invoice: id, amount }
  }

  #issue({ buyer, due, gross, id, issued, number }: Bill): void {
    const currency = isBilledInDollars(buyer) ? { currency: "USD" as const } : {}
    this.say(id, issued, "invoice", `invoice ${number} of ${major(gross)} for ${buyer.name}`, ({ money }) =>
      money.invoices.set(id, {
        id,
        body: new Told(issued, { number, customer: buyer.id, gross, ...currency, issued, due, status: "open" as const })
      })
    )
  }

  #paysAll(buyer: Buyer, debits: Debits): void {
    const own = this.#bills.filter((one) => one.buyer === buyer)
    for (const bill of own) {
      if (this.open.get(bill.id) === 0n) continue
      if (buyer.debited) debits.collect(bill)
      else if (!buyer.batched && !this.dice.chance(0.02)) this.#pays(bill, own)
    }
  }

  #pays(bill: Bill, own: ReadonlyArray<Bill>): void {
    const { dice } = this
    const { buyer } = bill
    const day = Math.max(bill.issued + 1, bill.due + dice.below(27) - 6)
    const roll = dice.throw()
    if (buyer.abroad !== undefined)
      return this.#transfer(buyer, day, [this.rest(bill)], [bill], { abroad: buyer.abroad })
    if (this.style.books.payments && dice.chance(0.012))
      return this.#transfer(buyer, day, [this.rest(bill)], [bill], { via: "cash" })
    const others = own.filter(
      (one) => one !== bill && this.open.get(one.id)! > 0n && one.issued < day && one.due - bill.due < 25
    )
    if (roll < 0.12 && others.length > 0) {
      const some = [bill, ...others.slice(0, 1 + dice.below(3))]
      return this.#transfer(
        buyer,
        day,
        some.map((one) => this.rest(one)),
        some
      )
    }
    const all = this.rest(bill)
    if (roll < 0.16 && all.amount > 10_000n) {
      const first = ((all.amount * BigInt(dice.of([5, 3, 4])!)) / 1000n) * 100n
      const part = (amount: Minor, on: Day, word: string) =>
        this.#transfer(buyer, on, [{ ...all, amount }], [bill], { text: `${word} ${bill.number}` })
      part(first, day, "Teilzahlung")
      return part(all.amount - first, day + 5 + dice.below(21), "Rest")
    }
    if (buyer.takesDiscount && roll < 0.8) return this.#discount(bill, all.amount)
    const fee = buyer.foreign && all.amount > 20_000n ? BigInt(dice.of([150, 800, 1200, 1500])!) : 0n
    const parent = dice.chance(0.6) ? buyer.parent : undefined
    const named = parent !== undefined && dice.chance(0.8) ? { text: bill.number } : {}
    this.#transfer(buyer, day, [all], [bill], { fee, ...named, ...(parent === undefined ? {} : { payer: parent }) })
    if (dice.chance(0.003))
      this.#transfer(buyer, day + 1 + dice.below(6), [all], [bill], { again: true, text: bill.number })
  }

  #discount(bill: Bill, open: Minor): void {
    const less = open - (open * 98n) / 100n
    const day = bill.issued + 3 + this.dice.below(8)
    this.#transfer(bill.buyer, day, [{ invoice: bill.id, amount: open - less }], [bill])
    const id = `CN-${bill.id}`
    this.say(id, day + 12, "credit note", `the books credit ${major(less)} of ${bill.number}`, ({ money }) =>
      money.credits.set(id, { id, invoice: bill.id, day: day + 12, amount: less })
    )
  }

  #transfer(
    buyer: Buyer,
    day: Day,
    shares: ReadonlyArray<Share>,
    bills: ReadonlyArray<Bill>,
    more: {
      readonly via?: "cash"
      readonly fee?: Minor
      readonly payer?: string
      readonly text?: string
      readonly again?: boolean
      readonly abroad?: Abroad
    } = {}
  ): void {
    const { again = false, payer, via = "transfer" } = more
    const isBooked = this.style.books.payments && !this.dice.chance(0.004)
    if (via === "cash" && !isBooked) return
    const id = this.name("M")
    const text = more.text ?? textFor(this.dice, buyer, bills)
    const amount = sum(shares.map((one) => one.amount))
    const name = payer ?? buyer.name
    const came =
      more.abroad === undefined
        ? { amount: amount - (more.fee ?? 0n), fee: more.fee ?? 0n }
        : arrived(more.abroad, amount, day, Dice.of(this.seed, `${id}.abroad`))
    const what = `${name} pays ${major(amount)} for ${bills.map(({ number }) => number).join(", ")} ("${text}")`
    this.say(id, day, via === "cash" ? "cash" : again ? "paid twice" : "transfer", what, ({ money }) => {
      const settles = this.settled(money, { buyer, day, text }, shares)
      const { fee, ...its } = came
      money.movements.set(id, { id, customer: buyer.id, via, day, for: settles, fee, refunds: [] })
      if (payer !== undefined) money.aliases.set(payer, buyer.id)
      const iban = payer === undefined ? buyer.iban : "DE02100500000054540402"
      if (via === "transfer") money.lines.set(`L${id}`, { id: `L${id}`, day, ...its, name, iban, text, movement: id })
    })
    if (isBooked) this.booked(id, day, again ? shares.map((one) => ({ ...one, invoice: undefined })) : shares)
  }

  /** Where the books have no payments and nothing is written, a payment settles the oldest invoice of its amount. */
  settled(
    money: Money,
    { buyer, day, text }: { readonly buyer: Buyer; readonly day: Day; readonly text: string },
    shares: ReadonlyArray<Share>
  ): ReadonlyArray<Share> {
    if (this.style.books.payments || isDesignated(text)) return shares
    const taken = new Set<string>()
    return shares.map((share) => {
      const open = this.#bills.filter(
        (one) =>
          one.buyer === buyer &&
          one.gross === share.amount &&
          one.issued <= day &&
          !taken.has(one.id) &&
          money.received(one.id, day) === 0n
      )
      const [first] = open.toSorted((a, b) => a.due - b.due)
      if (first !== undefined) taken.add(first.id)
      return first === undefined ? share : { ...share, invoice: first.id }
    })
  }

  /** A bookkeeper enters it some days later, now and then with another date, under another id, or twice. */
  booked(
    movement: string,
    day: Day,
    shares: ReadonlyArray<{ readonly invoice: string | undefined; readonly amount: Minor }>
  ): void {
    const { dice } = this
    const entered = day + (dice.chance(0.05) ? 13 + dice.below(18) : dice.below(13))
    const date = dice.chance(0.88) ? day : dice.chance(0.6) ? entered : day - 1 - dice.below(2)
    for (const { amount, invoice } of shares) {
      const id = this.name("P")
      this.enters(id, movement, entered, { date, amount, invoice })
      if (dice.chance(0.005)) {
        const gone = entered + 2 + dice.below(19)
        this.takesOut(id, gone)
        this.enters(`${id}b`, movement, gone, { date, amount, invoice })
      } else if (dice.chance(0.001)) this.enters(`${id}c`, movement, entered + dice.below(4), { date, amount, invoice })
    }
  }

  enters(
    id: string,
    movement: string,
    from: Day,
    body: { readonly date: Day; readonly amount: Minor; readonly invoice: string | undefined }
  ): void {
    this.say(`${id}.entered`, from, "booked", `the books have ${major(body.amount)} as ${id}`, ({ money }) => {
      const isThere = body.invoice === undefined || money.invoices.has(body.invoice)
      if (money.movements.has(movement) && isThere) money.entries.set(id, { id, movement, body: new Told(from, body) })
    })
  }

  takesOut(id: string, day: Day): void {
    this.say(`${id}.deleted`, day, "entry deleted", `the books delete ${id}`, ({ money }) =>
      money.entries.get(id)?.body.say(day, undefined)
    )
  }

  #nobodys(): void {
    const { dice } = this
    const id = this.name("L")
    const day = dice.below(YEAR)
    const line = {
      id,
      day,
      amount: BigInt(1000 + dice.below(499_000)),
      name: dice.of(NOBODYS)!,
      iban: "DE02500105170137075030",
      text: dice.of(["STEUER 2026", "Zinsen", "Umbuchung", "Erstattung 20260110"])!
    }
    this.say(id, day, "money of nobody's", `${line.name} pays ${major(line.amount)}`, ({ money }) =>
      money.lines.set(id, line)
    )
  }
}

/** @param every days between two runs of Daybook */
export const yearOf = (seed: number, payments: number, every: Day): Plan => new Year(seed, payments).write(every)
