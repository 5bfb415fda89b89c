/** Works out what is to be captured, refunded and voided of one order, of which it is known what left: T1 to T3 (`OrderDecision.ts`). */
import type { OrderPostingKind } from "../model/DeferredPayment.ts"
import { givenBack, owed, type Owed, priceOfRest, rounding, statedBack, staysNothing, worthBack } from "./OrderOwed.ts"
import type { DecisionSettings, Memory, OrderDecided, OrderStep, Seen } from "./OrderDecided.ts"
import { askedAbout, CHARGE, type Questions, STAYS } from "./OrderQuestions.ts"
import type { Standing } from "./OrderStanding.ts"
import { say } from "./PostingKinds.ts"
import { atLeastZero, max, min } from "./WholeUnits.ts"

export class OrderAccount {
  readonly #steps: Array<OrderStep> = []
  readonly #questions: Questions
  readonly #memory: Memory
  readonly #settings: DecisionSettings
  #its: Standing
  /** Nothing more leaves, whatever is still here. */
  #over = false
  /** Somebody else posted, and nobody said what for. */
  #strange = false
  #unasked: Parameters<Questions["ask"]>[0] | undefined
  #captured: bigint
  #voided: bigint
  #refunded: bigint
  #open: bigint
  readonly #authorised: bigint
  #owed: Owed
  /** What the shop has by this method; 0 if it does not count money. */
  #kept: bigint
  /** What was refunded, is on no record of the source any more, and stays given back by a person's word. */
  #stays = 0n

  constructor(its: Standing, seen: Seen, memory: Memory, settings: DecisionSettings, questions: Questions) {
    this.#its = its
    this.#memory = memory
    this.#settings = settings
    this.#questions = questions
    this.#end()
    const { captured, open, refunded, voided } = this.#counted(seen)
    this.#captured = captured
    this.#open = open
    this.#refunded = refunded
    this.#voided = voided
    this.#authorised = open + captured + voided + seen.expired
    this.#owed = owed(this.#its, this.#authorised)
    const { given, received } = this.#its.own
    this.#kept = received === undefined ? 0n : atLeastZero(received - given)
    if (!this.#over) return
    // What will not leave is not owed, as if it had been cancelled: the shop's status says so.
    const { least, owe, short } = this.#owed
    const rest = priceOfRest(this.#its, least)
    this.#kept = atLeastZero(this.#kept - rest)
    this.#owed = { owe: owe - min(owe, rest), still: 0n, least: 0n, short }
  }

  /** Q1. Goods that neither left nor were cancelled, in an order that ended. */
  #end(): void {
    const its = this.#its
    const here = its.lines.some(({ still }) => still > 0n)
    this.#over = its.end === "cancelled"
    if (!here || its.end === undefined || its.end === "cancelled") return
    if (its.end === "archived" && this.#settings.archivedIsOver === true) {
      this.#over = true
      return
    }
    const answer = this.#questions.ask(askedAbout.unshipped(its))
    if (answer === "they left")
      this.#its = {
        ...its,
        lines: its.lines.map((line) => ({ ...line, left: (line.left ?? 0n) + line.still, still: 0n }))
      }
    this.#over = answer === "they will not leave"
  }

  /**
   * Q3. Somebody else posted: counted, or apart; until somebody says which, nothing is given up. Where they captured no more than
   * is due, as a plugin of the shop does, nobody is asked before there is something to give up.
   */
  #counted(seen: Seen): Omit<Seen, "currency" | "expired"> {
    const sent = this.#memory.sent ?? seen
    const others = {
      captured: seen.captured - sent.captured,
      voided: seen.voided - sent.voided,
      refunded: seen.refunded - sent.refunded
    }
    if (Object.values(others).every((sum) => sum === 0n)) return seen
    const asked = askedAbout.others(others, this.#its)
    this.#strange = this.#questions.answer(asked) === undefined
    if (this.#strange && others.voided === 0n && others.refunded === 0n && this.#isWithin(seen)) {
      this.#unasked = asked
      return seen
    }
    const answer = this.#questions.ask(asked)
    return answer === "it was for something else" ? { ...seen, ...sent } : seen
  }

  /** Q6. How much of a capture waits for a person: what was refunded is not charged again because its record disappeared. */
  #waiting(amount: bigint): bigint {
    const gone = min(this.#refunded, atLeastZero((this.#memory.given ?? 0n) - givenBack(this.#its)))
    const its = this.#its
    if (gone === 0n || amount <= 0n) return 0n
    const answer = this.#questions.ask(askedAbout.withdrawn(gone, its))
    if (answer === STAYS) this.#stays = gone
    return answer === undefined ? min(gone, amount) : 0n
  }

  /** Whether all that is authorised is for this order, nothing of it lacks, and no more was charged than is due. */
  #isWithin({ captured, expired, open, refunded, voided }: Seen): boolean {
    const authorised = open + captured + voided + expired
    const { owe, short, still } = owed(this.#its, authorised)
    const surplus = authorised - (this.#memory.began ?? authorised)
    return max(short, surplus, captured - refunded - (owe - still)) <= rounding(this.#its)
  }

  /** Whether nothing is given up before somebody has said what others posted for; they are asked now. */
  #isStrange(): boolean {
    if (this.#unasked !== undefined) this.#questions.ask(this.#unasked)
    this.#unasked = undefined
    return this.#strange
  }

  get #net(): bigint {
    return this.#captured - this.#refunded + this.#stays
  }

  get #due(): bigint {
    return this.#owed.owe - this.#owed.still
  }

  /** What was stated as given back or cancelled, and neither refunded nor voided yet, if so much of what was voided counts. */
  #todo(voided: bigint): bigint {
    return atLeastZero(statedBack(this.#its) - this.#refunded - voided)
  }

  /** What was voided for what was stated, and not as the rest of an ended order. */
  get #voidedOfStated(): bigint {
    return this.#voided - (this.#memory.rest ?? 0n)
  }

  /** Of that, what is not to be refunded: at the end the rest is void anyway, and what was given back was voided of that. */
  get #settledByVoid(): bigint {
    const voided = this.#voidedOfStated
    const { byCancelling = voided } = this.#its
    return this.#over ? min(voided, byCancelling) : voided
  }

  /** What is open and not owed. */
  get #excess(): bigint {
    return atLeastZero(this.#open - atLeastZero(this.#owed.owe - this.#net))
  }

  get #isEnded(): boolean {
    return (this.#over || this.#its.end === "complete") && this.#owed.still === 0n
  }

  /** T0. A step leads from one sum to another. */
  #take(taking: OrderPostingKind, amount: bigint, why: string, rest?: bigint): void {
    const from = { capture: this.#captured, refund: this.#refunded, void: this.#voided }[taking]
    this.#steps.push({ taking, amount, from, to: from + amount, why, ...(rest === undefined ? {} : { rest }) })
    if (taking === "refund") this.#refunded += amount
    else this.#open -= amount
    if (taking === "capture") this.#captured += amount
    if (taking === "void") this.#voided += amount
  }

  /** T1. Captures what is owed for what left. Returns what of it waits. */
  #capture(): bigint {
    const { owe, still } = this.#owed
    const waits = this.#waiting(this.#due - this.#net)
    const amount = min(this.#open, this.#due - this.#net - waits)
    if (amount <= 0n) return waits
    const cause = this.#its.lines.some(({ left = 0n }) => left > 0n) ? "for what left" : "though nothing left"
    const why = `${this.#say(this.#due)} is owed ${cause} (${this.#say(owe)} in all, ${this.#say(still)} for what is still to leave), and ${this.#say(this.#net)} was charged`
    this.#take("capture", amount, why)
    return waits
  }

  /** What may be refunded: the shop stated it, or has given it back by its own money, or by a lower total. */
  #ground(): bigint {
    const [{ owe }, { own, says }] = [this.#owed, this.#its]
    const stated = this.#todo(this.#settledByVoid)
    // Where everything that left came back, what its parts were rounded to stays charged of nothing.
    if (says === "events") return stated > 0n && staysNothing(this.#its, "most") ? stated + rounding(this.#its) : stated
    if (own.received !== undefined) return max(stated, this.#net - max(owe, this.#kept))
    const beyond = this.#net - owe
    if (this.#over || this.#its.end === "complete") return max(stated, beyond)
    // Goods that came back are an unpaid shop's word; a lower total alone may be half of an edit until the end.
    return max(
      stated,
      statedBack(this.#its) > 0n ? 0n : min(beyond, atLeastZero(worthBack(this.#its) - this.#refunded))
    )
  }

  /** T2. Refunds what was charged beyond that, as far as the shop gave it back and nothing that still leaves needs it. */
  #refund(): void {
    const { least, owe } = this.#owed
    const ground = this.#ground()
    const beyond = this.#net - owe
    const upTo = (most: bigint) =>
      min(
        this.#captured - this.#refunded,
        min(this.#net - (owe - least), most, atLeastZero(this.#net + this.#open - owe))
      )
    let amount = upTo(ground)
    if (!this.#strange && this.#isEnded && beyond - atLeastZero(ground) > rounding(this.#its)) {
      // What is given back anyway is in no question: afterwards it would be another one.
      const answer = this.#questions.ask(askedAbout.charged(this.#net - atLeastZero(amount), owe, this.#its))
      if (answer === "give it back") amount = upTo(beyond)
    }
    if (amount <= 0n || this.#isStrange()) return
    this.#take(
      "refund",
      amount,
      `${this.#say(owe)} is owed in all, ${this.#say(this.#net)} was charged, and it was given back`
    )
  }

  /** What may be voided at the end without anybody's statement, of what is open and not owed. */
  #atEnd(excess: bigint): bigint {
    if (!this.#isEnded || this.#settings.keepsRest === true) return 0n
    const { owe } = this.#owed
    const began = this.#memory.began ?? this.#authorised
    const more = this.#authorised - began
    // A few minor units are rounding, more is somebody's purpose.
    const surplus = more > rounding(this.#its) ? more : 0n
    const unsettled = atLeastZero(this.#kept - owe)
    let amount = atLeastZero(excess - unsettled - surplus)
    if (surplus > 0n && excess > unsettled) {
      const answer = this.#questions.ask(askedAbout.surplus(this.#authorised, began, this.#its))
      if (answer === "void the rest") amount = atLeastZero(excess - unsettled)
    }
    if (unsettled > 0n && excess > 0n) {
      const answer = this.#questions.ask(askedAbout.unsettled(this.#kept, owe, this.#its))
      if (answer === "void it") amount = atLeastZero(excess - surplus)
    }
    return amount
  }

  /** T3. Voids what can no longer be owed: what the shop stated, at once and unasked; any other rest when the order has ended. */
  #void(): bigint {
    const excess = this.#excess
    const stated = this.#todo(this.#voidedOfStated)
    const amount = stated >= excess ? excess : max(stated, this.#atEnd(excess))
    if (amount <= 0n || this.#isStrange()) return excess
    const rest = atLeastZero(amount - stated)
    this.#take(
      "void",
      amount,
      rest === 0n ? "it was given back or cancelled before it left" : "the order has ended",
      rest
    )
    return excess - amount
  }

  /** Q4. What the shop kept beyond what the order comes to, such as a fee, where a person says that it is charged. */
  #fee(): void {
    const asked = askedAbout.unsettled(this.#kept, this.#owed.owe, this.#its)
    if (!this.#isEnded || this.#kept <= this.#owed.owe || this.#questions.answer(asked) !== CHARGE) return
    this.#questions.ask(asked)
    this.#owed = { ...this.#owed, owe: this.#kept }
  }

  get decided(): OrderDecided {
    this.#fee()
    const waits = this.#capture()
    // Voided or expired meanwhile: what left cannot be captured any more.
    const lost = this.#due - this.#net - waits
    this.#refund()
    const toVoid = this.#void()
    const { owe, still } = this.#owed
    const short = max(this.#owed.short, lost)
    if (short > rounding(this.#its)) this.#questions.ask(askedAbout.short(short, this.#its))
    const ahead = atLeastZero(this.#net - this.#due)
    const figures = { owe, still, due: this.#due, short, ahead, toVoid, stays: this.#stays }
    const { answered, open: asks } = this.#questions
    return { steps: this.#steps, asks, answered, held: [], figures }
  }

  #say(minor: bigint): string {
    return say(minor, this.#its)
  }
}
