/**
 * Works out from the truth alone what the service must hold for every invoice, given what was to be seen by then, and compares
 * it with what the service holds and what Daybook says. It knows no rule of Daybook's.
 */
import type { AttentionItem } from "../../../sync/library/Daybook.ts"
import type { Said } from "../Product.ts"
import type { Held } from "../Service.ts"
import type { Invoice, InvoiceBody, Money } from "../truth/Money.ts"
import type { Style } from "../truth/Plan.ts"
import { type Day, iso, least, major, type Minor, sum } from "../Values.ts"
import { Dates } from "./Dates.ts"
import type { Mistakes } from "./Mistakes.ts"
import { nameOf, type Person } from "./Person.ts"
import { aboutOf, type Days, differencesIn, isNeedless, isStrange } from "./Related.ts"
import { type Shown, Truth } from "./Truth.ts"

export type Kind = "wrong money" | "silence" | "false agree" | "a question nobody can answer"

export interface Failure {
  readonly kind: Kind
  /** In a few words that fit many stories. */
  readonly about: string
  readonly what: string
  readonly day: Day
}

export class Judge {
  readonly failures: Array<Failure> = []
  /** What people caused who answered wrongly. */
  readonly caused: Array<Failure> = []
  /** What was wrong at the last sync, whether it was found before or not, and whether somebody caused it. */
  standing: Array<Failure & { readonly isCaused: boolean }> = []
  readonly #money: Money
  readonly #style: Style
  readonly #truth: Truth
  readonly #mistakes: Mistakes
  /** What was received for each invoice on the service at the last sync. */
  readonly #had = new Map<string, Minor>()
  readonly #hand = new Map<string, Minor>()
  /** Invoices that some item was about. */
  readonly #asked = new Set<string>()
  readonly #paid = new Set<string>()
  /** What was not asked at the sync before. */
  #fresh: ReadonlySet<string> = new Set()
  readonly #dates: Dates
  #days: Days = { now: -1, before: -1 }
  #isLate = false
  #waits = false
  #said: Said | undefined
  #held: ReadonlyArray<Held> = []
  #items: ReadonlyArray<{ readonly item: AttentionItem; readonly invoices: ReadonlySet<string> }> = []

  /** The customer whose invoice is looked at may have been answered about wrongly. */
  #isCaused = false

  constructor(money: Money, style: Style, shown: Shown, mistakes: Mistakes) {
    this.#mistakes = mistakes
    this.#money = money
    this.#dates = new Dates(money)
    this.#style = style
    this.#truth = new Truth(money, style, shown)
  }

  /** Somebody recorded this on the service by hand, or took it back there. */
  byHand(number: string, amount: Minor): void {
    const sum = this.handOf(number) + amount
    if (sum === 0n) this.#hand.delete(number)
    else this.#hand.set(number, sum)
  }

  handOf(number: string): Minor {
    return this.#hand.get(number) ?? 0n
  }

  #fails(kind: Kind, about: string, what: string): void {
    const isCaused = this.#isCaused
    const known = isCaused ? this.caused : this.failures
    const failure = { kind, about, what, day: this.#days.now }
    this.standing.push({ ...failure, isCaused })
    if (known.every((one) => one.kind !== kind || one.about !== about || one.what !== what)) known.push(failure)
  }

  /** @param isLast everything was made good by now: whoever erred has said so */
  look(day: Day, said: Said, held: ReadonlyArray<Held>, isLast: boolean): void {
    this.standing = []
    this.#days = { now: day, before: this.#days.now < 0 ? day : this.#days.now }
    this.#said = said
    this.#held = held
    this.#fresh = new Set(
      said.attention.map(nameOf).filter((name) => this.#items.every(({ item }) => nameOf(item) !== name))
    )
    this.#items = said.attention.map((item) => ({ item, invoices: aboutOf(this.#money, item).invoices }))
    for (const { invoices } of this.#items) for (const one of invoices) this.#asked.add(one)
    const before = this.failures.length
    if (said.exit !== 1)
      for (const { item } of this.#items)
        if (isNeedless(this.#money, item, this.#days))
          this.#fails(
            "a question nobody can answer",
            "about a debit that names its invoice",
            `${item.subject}: ${item.why}`
          )
    for (const invoice of this.#money.invoices.values()) {
      const { customer } = this.#truth.bodyOf(invoice, day)
      this.#isCaused = !isLast && this.#mistakes.concerns(customer, day)
      const known = this.standing.length
      this.#one(invoice)
      const wrong = this.#isCaused ? this.standing.slice(known).find(({ kind }) => kind === "wrong money") : undefined
      this.#isCaused = false
      if (wrong === undefined || said.exit !== 0 || !this.#style.books.payments) continue
      if (this.#mistakes.stands(customer, day))
        this.#fails("false agree", "a person's mistake, and everything agrees", wrong.what)
    }
    for (const what of this.#dates.wrong(day, held))
      this.#fails("wrong money", "told on a day on which nothing happened", what)
    const wrong = this.failures.slice(before).find(({ kind }) => kind === "wrong money")
    if (wrong !== undefined && said.exit === 0)
      this.#fails("false agree", `${wrong.about}, and everything agrees`, wrong.what)
  }

  /** Who knows what is true asked somebody else, who shares no rule with Daybook, and heard that there is no difference. */
  unwitnessed(): void {
    for (const { about, isCaused, kind, what } of this.standing.slice()) {
      this.#isCaused = isCaused
      if (kind === "wrong money") this.#fails("false agree", `${about}, and the witness finds nothing`, what)
    }
    this.#isCaused = false
  }

  /** A person's mistake could not be taken back, or what a processor paid out is not explained. */
  fails(kind: Kind, about: string, all: ReadonlyArray<string>): void {
    for (const what of all) this.#fails(kind, about, what)
  }

  #onService(invoice: Invoice): ReadonlyArray<Held> {
    const { number } = this.#truth.bodyOf(invoice, this.#days.now)
    return this.#held.filter((one) => one.number === number)
  }

  #one(invoice: Invoice): void {
    const body = this.#truth.bodyOf(invoice, this.#days.now)
    const held = this.#onService(invoice)
    if (held.length > 1)
      this.#fails("wrong money", "an invoice is there twice", `${body.number} is on the service ${held.length} times`)
    const got = sum(held.map(({ received }) => received))
    const right = this.#truth.most(invoice.id, this.#days) + this.handOf(body.number)
    if (got > right)
      this.#fails(
        "wrong money",
        "more is received than was paid",
        `${body.number}: ${major(got)} is received on the service, and at most ${major(right)} was paid`
      )
    this.#takenBack(invoice, body, got)
    for (const one of held) if (one.status === "paid" && !this.#paid.has(one.id)) this.#marked(invoice, body, one)
  }

  /** What was received, and rightly so, is so no longer, though nothing came back and nobody said so. */
  #takenBack({ body, id }: Invoice, { number }: InvoiceBody, got: Minor): void {
    const { before, now } = this.#days
    const had = this.#had.get(id) ?? 0n
    const has = got - this.handOf(number)
    this.#had.set(id, has)
    // Who changed a setting was shown what is taken back for it, and let it pass.
    if (this.#said!.allowed.includes("G11")) return
    const [was, is] = [this.#truth.received(id, before), this.#truth.received(id, now)]
    const booked = this.#money.booked(id, now) - this.#money.booked(id, before)
    // What the books deleted goes, with its money.
    if (body.at(now)?.status === "open" && has < had && had <= was && is >= was && booked >= 0n)
      this.#fails(
        "wrong money",
        "what was paid is taken back",
        `${number}: ${major(had)} was received on the service, ${major(has)} is now, and nothing came back`
      )
  }

  /** What cannot be undone was done: was it true? */
  #marked(invoice: Invoice, body: InvoiceBody, { id }: Held): void {
    this.#paid.add(id)
    const { now } = this.#days
    const asks = this.#truth.asks(invoice.id, body, this.#days.now)
    const open = asks - this.#truth.received(invoice.id, now) - this.#truth.undesignated(invoice.id, now)
    const aside = this.#money.aside(invoice.id, now)
    const booked = asks + aside - this.#money.booked(invoice.id, now, (movement) => this.#truth.dead(movement, now))
    const byBooks = this.#style.books.payments ? booked : open
    if (open > 0n && byBooks > 0n)
      this.#fails(
        "wrong money",
        "marked as paid though it is open",
        `${body.number} is marked as paid, and ${major(least(open, byBooks))} of ${major(asks)} is open`
      )
  }

  /** What the books and the world say of an invoice differs for good, so that somebody has to be asked. */
  #contradicts(invoice: Invoice): boolean {
    const { now } = this.#days
    const body = invoice.body.at(now)
    if (body === undefined || body.status !== "open" || body.garbled) return true
    const received = this.#money.received(invoice.id, now)
    const booked = this.#money.booked(invoice.id, now)
    const movements = this.#money.movementsFor(invoice.id)
    const asks = this.#truth.asks(invoice.id, body, this.#days.now)
    const fee = movements.some((one) => one.fee > 0n)
    const says = this.#style.books.payments || this.#style.books.word !== "none"
    // Cash is in a balance, and on no list.
    const unseen = movements.some((one) => this.#money.live(one, invoice.id, now) > 0n && !this.#truth.seen(one, now))
    // What cannot be undone.
    const isCalledPaid = this.#onService(invoice).some(({ status }) => status === "paid")
    return (
      fee ||
      (says && (booked !== received || unseen)) ||
      received > asks ||
      // As much as nothing says was not for it.
      sum(this.#onService(invoice).map((one) => one.received)) > asks ||
      (isCalledPaid && received < asks) ||
      this.#hand.has(body.number)
    )
  }

  /**
   * Nothing happens any more, and everything was to be sent or asked.
   * @param isLate the quarter is over in which nobody is asked about strangers' money
   * @returns whether strangers' money waits
   */
  end(person: Person, isPlain: boolean, isLate: boolean): boolean {
    this.#isLate = isLate
    this.#waits = false
    const before = this.failures.length
    for (const invoice of this.#money.invoices.values()) this.#settled(invoice, person)
    // What is asked about strangers only then is answered next.
    if (!isLate) for (const { invoices, item } of this.#items) this.#stands(item, invoices, person)
    const said = this.#said!
    if (said.exit === 1) this.#fails("a question nobody can answer", "every run fails", said.error ?? "")
    const garbled = [...this.#money.invoices.values(), ...this.#money.entries.values()].some(
      ({ body }) => body.at(this.#days.now)?.garbled
    )
    // Payments that no longer pay for any books are read by nobody.
    if (said.quarantined > 0 && !garbled && isPlain)
      this.#fails(
        "a question nobody can answer",
        "a record cannot be read, though all is right",
        `${said.quarantined} records cannot be read`
      )
    const isRight =
      this.failures.length === before && [...this.#money.invoices.values()].every((one) => !this.#contradicts(one))
    if (isPlain && isRight && said.quarantined === 0 && said.exit === 3 && this.#items.length === 0)
      this.#fails("a question nobody can answer", "it differs for ever", differencesIn(said))
    return this.#waits
  }

  #settled(invoice: Invoice, person: Person): void {
    const body = invoice.body.at(this.#days.now)
    const held = this.#onService(invoice)
    const items = this.#items.filter(({ invoices }) => invoices.has(invoice.id))
    const lacks = (about: string, what: string) => {
      if (items.length === 0) {
        if (this.#said!.quarantined > 0) return
        const isAsked = this.#asked.has(invoice.id)
        this.#fails("silence", isAsked ? `${about}, asked about once` : about, what)
        if (this.#said?.exit === 0) this.#fails("false agree", `${about}, and everything agrees`, what)
        return
      }
      if (this.#isLate) return
      const answer = items.map(({ item }) => person.answered.get(nameOf(item))).find((one) => one !== undefined)
      if (answer !== undefined)
        this.#fails(
          "a question nobody can answer",
          `${about}, and no answer helps`,
          `${what}: ${items[0]!.item.why}${answer.refused === undefined ? "" : ` (${answer.refused})`}`
        )
      else if (!this.#contradicts(invoice))
        this.#fails("a question nobody can answer", `${about}, and it waits for ever`, `${what}: ${items[0]!.item.why}`)
    }
    if (body === undefined || body.status !== "open") {
      const isKept = held.length > 0 && this.#money.movementsFor(invoice.id).length === 0
      // Who was told of it and closed the item has decided.
      if (body?.status !== "draft" && isKept && items.length === 0 && !this.#asked.has(invoice.id))
        lacks(
          "a void invoice stays",
          `${this.#truth.bodyOf(invoice, this.#days.now).number} is void or deleted, and on the service`
        )
      return
    }
    if (body.garbled) return
    if (held.length === 0) return lacks("an invoice is not there", `${body.number} is not on the service`)
    const [one] = held
    const asks = this.#truth.asks(invoice.id, body, this.#days.now)
    if (one!.gross !== asks)
      lacks("another amount", `${body.number} asks for ${major(asks)}, and for ${major(one!.gross)} on the service`)
    if (one!.due !== iso(body.due))
      lacks("another due date", `${body.number} is due on ${iso(body.due)}, and on ${one!.due} on the service`)
    const seen = this.#money.movementsFor(invoice.id).filter((movement) => this.#truth.seen(movement, this.#days.now))
    const movements = this.#isLate ? seen : seen.filter((movement) => !isStrange(this.#money, movement))
    this.#waits ||= movements.length < seen.length
    const true_ = sum(movements.map((movement) => this.#money.live(movement, invoice.id, this.#days.now)))
    const right = least(asks, true_ - sum(movements.map(({ fee }) => fee)))
    const got = sum(held.map(({ received }) => received))
    if (got < right)
      lacks(
        "money is not told",
        `${body.number}: ${major(true_)} was paid, and ${major(got)} is received on the service`
      )
    else if (got === asks && true_ === asks && one!.status !== "paid" && !this.#contradicts(invoice))
      lacks(
        "paid in full and never marked as paid",
        `${body.number} is paid in full, and ${one!.status} on the service`
      )
    this.#failed(invoice, body, one!, lacks)
    const isTold = this.#asked.has(invoice.id) || differencesIn(this.#said!).includes(invoice.id)
    const came = sum(seen.map((movement) => this.#money.live(movement, invoice.id, this.#days.now)))
    if (one!.status === "paid" && came < asks && this.#mistakes.concerns(body.customer) && !isTold)
      lacks("paid because of a person's mistake, and nobody is told", `${body.number} is paid on the service`)
  }

  /** A debit failed, and the books go on calling it paid. */
  #failed(invoice: Invoice, body: InvoiceBody, held: Held, lacks: (about: string, what: string) => void): void {
    const { now } = this.#days
    const open = this.#truth.asks(invoice.id, body, this.#days.now) - this.#money.received(invoice.id, now)
    const failed = this.#money.movementsFor(invoice.id).some(({ id }) => this.#truth.dead(id, now))
    if (!failed || open <= 0n || this.#asked.has(invoice.id)) return
    const booked = this.#money.booked(invoice.id, now)
    if (held.status === "paid")
      lacks("a failed debit of a paid invoice", `${body.number} is paid on the service; its debit failed`)
    else if (this.#style.books.payments && booked > this.#money.received(invoice.id, now))
      lacks(
        "the books call a failed debit paid",
        `${body.number}: the books have ${major(booked)}, and the debit failed`
      )
  }

  /** An item stands in the end: is there anything to ask about? */
  #stands(item: AttentionItem, invoices: ReadonlySet<string>, person: Person): void {
    const about = [...invoices].flatMap((id) => this.#money.invoices.get(id) ?? [])
    if (about.some((one) => this.#contradicts(one))) return
    const answer = person.answered.get(nameOf(item))
    // What is nobody's is asked about together, once in a while, and may be so for the first time now.
    const { line, movement } = aboutOf(this.#money, item)
    if (line !== undefined && movement === undefined && this.#fresh.has(nameOf(item))) return
    const what = `${item.subject}: ${item.why}${answer?.refused === undefined ? "" : ` (answered: ${answer.refused})`}`
    const [connection, kind] = item.subject.split("/")
    this.#fails("a question nobody can answer", `about a ${kind} of ${connection}, though all is right`, what)
  }
}
