/** A person who answers every question that can be answered, and truly. */
import type { AttentionItem } from "../../../sync/library/Daybook.ts"
import type { Product } from "../Product.ts"
import type { Money, Movement } from "../truth/Money.ts"
import { type Day, major, sum } from "../Values.ts"
import type { Mistakes } from "./Mistakes.ts"
import { type About, aboutOf, movementsOf, paymentsIn } from "./Related.ts"

/** The same question, whatever its number. */
export const nameOf = ({ fact, rule, subject }: Pick<AttentionItem, "fact" | "rule" | "subject">): string =>
  `${subject} ${fact} ${rule}`

/** Whether it wants a decision about money: findings are read, and need none. */
export const asks = ({ rule, todo }: Pick<AttentionItem, "rule" | "todo">): boolean =>
  rule === "V1" || todo.includes("--invoice")

export class Person {
  readonly #money: Money
  /** How often each question was answered, and why the last answer was not taken. */
  readonly answered = new Map<string, { times: number; refused: string | undefined }>()
  /** What was decided about money, each question once, and why it was asked. */
  readonly decided = new Map<string, string>()
  readonly #seen = new Set<string>()
  readonly #mistakes: Mistakes

  constructor(money: Money, mistakes: Mistakes) {
    this.#money = money
    this.#mistakes = mistakes
  }

  async answer(day: Day, items: ReadonlyArray<AttentionItem>, product: Product): Promise<void> {
    let open = await this.#strangers(items, product)
    for (const item of items) {
      // One answer may have been the answer to others.
      if (asks(item) && open?.has(nameOf(item)) === false) continue
      const refused = await this.#answer(day, item, product)
      if (refused === null) continue
      const before = this.answered.get(nameOf(item))
      this.answered.set(nameOf(item), { times: (before?.times ?? 0) + 1, refused })
      if (!asks(item) || refused !== undefined) continue
      this.decided.set(nameOf(item), `${item.rule} ${item.why}`)
      open = new Set((await product.attention()).map(nameOf))
    }
  }

  /** What is nobody's is looked at together: one answer for all of it. */
  async #strangers(items: ReadonlyArray<AttentionItem>, product: Product): Promise<ReadonlySet<string> | undefined> {
    const all = items.filter((item) => {
      const { line, movement } = aboutOf(this.#money, item)
      return asks(item) && line !== undefined && movement === undefined
    })
    let refused: string | undefined
    // One that names a number, or has the amount of an invoice, needs an answer of its own.
    for (let at = -2; at !== -1 && all.length > 0; ) {
      refused = await product.assignNone(all.map(({ id }) => id))
      at = all.findIndex(({ id }) => refused?.startsWith(`number ${id} `))
      if (at >= 0) all.splice(at, 1)
    }
    const [first] = all
    if (first === undefined) return undefined
    for (const item of all)
      this.answered.set(nameOf(item), { times: (this.answered.get(nameOf(item))?.times ?? 0) + 1, refused })
    if (refused === undefined) this.decided.set(nameOf(first), `${first.rule} ${all.length} together: ${first.why}`)
    return new Set((await product.attention()).map(nameOf))
  }

  /** Undefined: it was answered; null: there is nothing to answer yet. */
  async #answer(day: Day, item: AttentionItem, product: Product): Promise<string | undefined | null> {
    const { line, movement } = aboutOf(this.#money, item)
    if (item.rule === "V1") return this.#same(day, item, product)
    const asksWhich = asks(item)
    if (asksWhich && (await this.#errs(day, item, { movement }, product))) return undefined
    if (asksWhich && movement !== undefined) {
      const entries = [...this.#money.entries.values()].filter((one) => one.movement === movement.id)
      // The books have it whole, with what a bank kept: who looks at both sees that nothing is lacking, and lets it be.
      if (
        movement.fee > 0n &&
        sum(entries.map((one) => one.body.at(day)?.amount ?? 0n)) >= this.#money.amountOf(movement)
      )
        return null
      const shares = movement.for.flatMap(({ amount, invoice }) => {
        const number = this.#money.invoices.get(invoice)?.body.at(day)?.number
        return number === undefined ? [] : [{ amount, number, key: `books/invoice/${this.#money.nameFor(invoice)}` }]
      })
      if (shares.length === 0) return product.assign(item.id, [])
      // Of a payment in another currency, who gives it to an invoice says how much that got.
      const billed = this.#money.invoices.get(movement.for[0]!.invoice)?.body.at(day)?.currency
      const isWhole = movement.for.length === 1 && (line === undefined || billed === line.currency)
      const answer = (name: "number" | "key") =>
        product.assign(item.id, isWhole ? [shares[0]![name]] : shares.map((one) => `${one[name]}=${major(one.amount)}`))
      const refused = await answer("number")
      return refused !== undefined && /use the key/.test(refused) ? answer("key") : refused
    }
    if (asksWhich && line !== undefined) return product.assign(item.id, [])
    const misplaced = item.rule === "S2" ? this.#misplacedOn(item) : undefined
    if (misplaced !== undefined) return product.ask(misplaced)
    // Others are read and thought about first.
    if (!this.#seen.has(nameOf(item))) {
      this.#seen.add(nameOf(item))
      return null
    }
    return item.refused ? product.retry(item.id) : product.resolve(item.id)
  }

  /** A payment that was matched with an invoice which it was not for, as far as its key says which one it is. */
  #misplacedOn(item: AttentionItem): string | undefined {
    const { invoices } = aboutOf(this.#money, item)
    return paymentsIn(item.todo).find((key) => {
      const movements = [...movementsOf(this.#money, { why: item.todo }, key)].flatMap(
        (id) => this.#money.movements.get(id) ?? []
      )
      return (
        movements.length > 0 && movements.every(({ for: its }) => its.every(({ invoice }) => !invoices.has(invoice)))
      )
    })
  }

  /** Whether two payments are the same money. */
  async #same(day: Day, item: AttentionItem, product: Product): Promise<string | undefined | null> {
    const own = item.subject.includes("/payment/") ? item.subject : item.fact
    const mine = movementsOf(this.#money, item, own)
    // The books have it under another invoice: they are corrected first.
    if (item.todo.includes("correct the source") && this.#isMisplaced(day, mine)) return null
    const others = paymentsIn(item.why).filter((key) => key !== own)
    if (mine.size === 0 || others.length === 0) return null
    const same = others.find((key) => [...movementsOf(this.#money, item, key)].some((one) => mine.has(one)))
    if (this.#mistakes.errs(nameOf(item), day)) {
      const wrong = same === undefined ? others[0] : undefined
      if ((await product.sameMoney(item.id, wrong)) === undefined) {
        const what = `${own} is ${wrong === undefined ? "no other" : "the same as another"}, somebody said`
        this.#mistakes.keep(
          nameOf(item),
          own,
          what,
          day,
          this.#customersOf([...mine].map((one) => this.#money.movements.get(one)))
        )
        return undefined
      }
    }
    return product.sameMoney(item.id, same)
  }

  #customersOf(movements: ReadonlyArray<Movement | undefined>): ReadonlySet<string> {
    return new Set(movements.flatMap((one) => (one === undefined ? [] : [one.customer])))
  }

  /** Whether this one was answered wrongly: for an invoice that it was not for, or for none. */
  async #errs(
    day: Day,
    item: AttentionItem,
    { movement }: Pick<About, "movement">,
    product: Product
  ): Promise<boolean> {
    const payment = [item.subject, item.fact].find((key) => key.includes("/payment/"))
    if (payment === undefined || !this.#mistakes.errs(nameOf(item), day)) return false
    const other = this.#mistakes.wrongInvoice(movement, day)
    const wrong = other === undefined ? [] : [other.key]
    if ((await product.assign(item.id, wrong)) !== undefined) return false
    const customers = new Set([...this.#customersOf([movement]), ...(other === undefined ? [] : [other.customer])])
    this.#mistakes.keep(
      nameOf(item),
      payment,
      `${payment} is for ${other?.key ?? "nothing"}, somebody said`,
      day,
      customers
    )
    return true
  }

  /** Whether the books have a payment for an invoice that it was not for. */
  #isMisplaced(day: Day, movements: ReadonlySet<string>): boolean {
    return [...this.#money.entries.values()].some(({ body, movement }) => {
      const invoice = body.at(day)?.invoice
      const its = this.#money.movements.get(movement)?.for ?? []
      return movements.has(movement) && invoice !== undefined && its.every((one) => one.invoice !== invoice)
    })
  }
}
