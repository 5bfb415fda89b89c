/**
 * An order to which things happen by chance, with what is true of it: what the model has taken as long as nothing
 * contradicts what was sent, and otherwise all that happened, reckoned from the beginning.
 */
import { type Fact, type Goods, type Order, STANDARD } from "./Books.ts"
import { inOrder, Model, type Sharing, type Sums, withGoods } from "./Model.ts"
import { Tale, type Truth } from "./Tale.ts"

export class Life extends Tale {
  payment: string | undefined
  sharing: Sharing = "value"
  /** What was sent to the service, as far as everything went well. */
  model: Model
  /** Facts that the model has taken. */
  readonly taken = new Set<Fact>()
  /** True, and not yet in the books. */
  ahead: Array<Fact> = []
  /** Facts that nothing may be sent for. */
  readonly strangers = new Set<Fact>()
  /** Something contradicts what was sent: from now on a person may be told. */
  odd = false
  /** Nothing may move any more, as of these sums. */
  frozen: Truth | undefined
  accepted = true
  /** The state file is lost at some time, or put back. */
  traceless = false
  /** Daybook creates it on the service. */
  creates = false
  /** What the service authorises beyond the order, or less than it. */
  beyond = 0
  /** Goods left of a payment that ended: a person has to be told. */
  lost = false
  /** How far off sums may be where it is not known by which setting an order is shared out. */
  slack = 0

  constructor(...of: ConstructorParameters<typeof Tale>) {
    super(...of)
    this.model = new Model(STANDARD, this.sharing)
  }

  get order(): Order {
    return this.orders[0]!
  }

  get begun(): boolean {
    return this.taken.size > 0
  }

  override get happened(): ReadonlyArray<Fact> {
    return [...this.facts, ...this.ahead]
  }

  /** What is true of its payment once everything is sent that is in the books by now. */
  truth(): Truth {
    if (this.frozen !== undefined) return this.frozen
    if (!this.odd) return this.#around([this.#onward().sums])
    return this.#around([this.#again(({ goods }) => goods), this.#again(({ goods, was }) => was ?? goods)])
  }

  get #isOver(): boolean {
    const whole = ({ amount, goods, kind }: Fact) =>
      kind === "parcel" && amount === undefined && Object.keys(goods).length === 0
    if (this.desk.front.can.ending && this.facts.some(whole)) return true
    return this.odd ? this.order.status !== "open" : this.model.closed
  }

  #around(all: ReadonlyArray<Sums>): Truth {
    const by = all[0]!.room + this.slack + (this.odd ? this.facts.length + 1 : 0)
    const range = (name: "captured" | "refunded" | "voided") => {
      // All that is authorised is given up with the order.
      const more = name === "voided" && this.#isOver ? this.beyond : 0
      const amounts = all.map((sums) => sums[name] + more)
      return [Math.min(...amounts) - by, Math.max(...amounts) + by] as const
    }
    return { captured: range("captured"), voided: range("voided"), refunded: range("refunded") }
  }

  /** All that happened so far, from the beginning. */
  #again(goodsOf: (fact: Fact) => Goods): Sums {
    const model = new Model(STANDARD, this.sharing)
    const ours = [...this.facts, ...this.ahead].filter(
      (fact) => !this.strangers.has(fact) && fact.order === this.order.id
    )
    const facts = ours.map((fact) => ({ ...fact, goods: goodsOf(fact) }))
    for (const fact of inOrder(facts)) model.take(this.#meant(fact, facts))
    if (this.order.status !== "open" && this.accepted) model.close()
    return model.sums
  }

  #meant(fact: Fact, facts: ReadonlyArray<Fact>): Fact {
    return withGoods(fact, { facts, lines: STANDARD, sharing: this.sharing })
  }

  /** What is new, after what was sent. */
  #onward(): Model {
    if (!this.accepted) return this.model
    for (const fact of inOrder(this.facts)) {
      if (this.taken.has(fact)) continue
      this.taken.add(fact)
      this.model.take(this.#meant(fact, this.facts))
    }
    if (this.order.status !== "open" && !this.model.closed) this.model.close()
    return this.model
  }

  /** What its goods are once all in the books is sent: nothing is promised twice. */
  get warehouse(): Model {
    const model = new Model(STANDARD, this.sharing)
    for (const fact of inOrder([...this.facts, ...this.ahead])) model.take(fact)
    return model
  }

  ready(): void {
    if (this.payment !== undefined) this.expect(this.payment, this.truth(), "not")
    const { room } = this.model.sums
    this.attention = this.lost && !this.traceless ? "must" : this.odd || room > 0 || this.lenient ? "may" : "not"
  }

  becomesOdd(what: string): true {
    this.odd = true
    this.say(what)
    return true
  }
}
