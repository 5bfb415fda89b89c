/**
 * Sums up a plan in the figures that a person asks for first: how many invoices and orders would be created, changed and
 * deleted, how many payments reported, and how the open amounts on the service would change.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { type Call, isReading } from "../model/Call.ts"

/** Amounts in major units, by currency. */
export type AmountsByCurrency = ReadonlyMap<string, Decimal.Decimal>

const COUNTED = [
  "create",
  "change",
  "delete",
  "payments",
  "reversals",
  "paid",
  "captures",
  "voids",
  "refunds",
  "readings",
  "quotes",
  "policies",
  "handovers"
] as const
type Counted = (typeof COUNTED)[number]

const SUMMED = ["open", "captured", "voided", "refunded", "premium"] as const
type Summed = (typeof SUMMED)[number]

export type Figures = Readonly<Record<Counted, number>> &
  Readonly<Record<Summed, AmountsByCurrency>> & {
    /** Every amount that the calls state, without its sign: what a plan is about in money, for who approves it. */
    readonly moved?: AmountsByCurrency
  }

/** What the calls for one document count as. A document counts once for each; its payments and postings count one by one. */
const COUNT_OF: Readonly<Partial<Record<Call["operation"], Counted>>> = {
  "transactions.create": "create",
  "orders.create": "create",
  "transactions.update": "change",
  "transactions.amend": "change",
  "transactions.confirm": "change",
  "transactions.matchDebtor": "change",
  "orders.update": "change",
  "organisations.update": "change",
  "users.update": "change",
  "transactions.remove": "delete",
  "transactions.paid": "paid",
  "quotes.create": "quotes",
  "policies.create": "policies",
  "collections.send": "handovers"
}

const POSTED = {
  capture: ["captures", "captured"],
  void: ["voids", "voided"],
  refund: ["refunds", "refunded"]
} as const

/** The parts of a plan's document that are counted. */
interface Document {
  readonly calls: ReadonlyArray<Call>
  readonly currency?: string
  readonly opens?: AmountsByCurrency
}

/** Adds up documents while a plan is streamed. */
export class FigureCounter {
  readonly #counts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Record<Counted, number>
  readonly #sums = Object.fromEntries(SUMMED.map((name) => [name, new Map()])) as Record<
    Summed,
    Map<string, Decimal.Decimal>
  >

  readonly #moved = new Map<string, Decimal.Decimal>()

  add({ calls, currency = "", opens = new Map() }: Document): void {
    const changes = new Map(opens)
    const kinds = new Set<Counted>()
    for (const call of calls) {
      if (isReading(call)) this.#counts.readings++
      if ("posting" in call) {
        const { amount } = call.posting
        this.#counts[amount < 0n ? "reversals" : "payments"]++
        this.#move(currency, amount)
        // What is open changes by the invoice's own amount, less what is posted to it.
        changes.set(currency, (changes.get(currency) ?? 0n) + amount)
      }
      if ("orderPosting" in call) {
        const { amount, taking } = call.orderPosting
        const [count, sum] = POSTED[taking]
        this.#counts[count]++
        this.#sum(sum, currency, Currency.ofMinor(BigInt(amount), currency))
        this.#move(currency, Currency.ofMinor(BigInt(amount), currency))
      }
      if (call.operation === "policies.create") {
        this.#sum("premium", call.price.currency, Decimal.of(call.price.total))
        this.#move(call.price.currency, Decimal.of(call.price.total))
      }
      const kind = COUNT_OF[call.operation]
      if (kind !== undefined && call.kind !== "buyer") kinds.add(kind)
    }
    // A change that is made while creating it is part of the creation.
    if (kinds.has("create")) kinds.delete("change")
    for (const kind of kinds) this.#counts[kind]++
    for (const [code, amount] of opens) this.#sum("open", code, amount)
    for (const [code, amount] of changes) this.#move(code, amount)
  }

  /** Adds the figures of another counter. */
  merge(other: Figures): void {
    for (const name of COUNTED) this.#counts[name] += other[name]
    for (const name of SUMMED) for (const [currency, sum] of other[name]) this.#sum(name, currency, sum)
    for (const [currency, sum] of other.moved ?? []) this.#move(currency, sum)
  }

  #move(currency: string, amount: Decimal.Decimal): void {
    if (amount !== 0n) this.#moved.set(currency, (this.#moved.get(currency) ?? 0n) + Decimal.abs(amount))
  }

  #sum(what: Summed, currency: string, amount: Decimal.Decimal): void {
    const sums = this.#sums[what]
    sums.set(currency, (sums.get(currency) ?? 0n) + amount)
  }

  figures(): Figures {
    return { ...this.#counts, ...this.#sums, moved: this.#moved }
  }
}

const n = (count: number): string => grouped(count)

/** Leaves out sums of zero, unless there is nothing else. */
const said = (sums: AmountsByCurrency, sign = false): string =>
  ([...sums].some(([, sum]) => sum !== 0n) ? [...sums].filter(([, sum]) => sum !== 0n) : [...sums])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sum]) => `${sign && sum > 0n ? "+" : ""}${Currency.say(sum, currency)}`)
    .join(", ")

/** `37 to create, 2 to change, 1 to delete, 42 payments: +134,999.65 USD open`; empty if there is nothing. */
export const sentence = (figures: Figures): string => {
  const {
    captures,
    change,
    create,
    delete: remove,
    open,
    paid,
    payments,
    refunds,
    readings,
    reversals,
    voids
  } = figures
  const some = (count: number, text: string): ReadonlyArray<string> => (count === 0 ? [] : [text])
  const invoices = [
    ...some(create, `${n(create)} to create`),
    ...some(change, `${n(change)} to change`),
    ...some(remove, `${n(remove)} to delete`),
    ...some(payments, plural(payments, "payment")),
    ...some(reversals, plural(reversals, "reversal")),
    ...some(paid, `${n(paid)} to mark as paid`)
  ].join(", ")
  const sums = open.size === 0 || invoices === "" ? "" : `: ${said(open, true)} open`
  const goods = [
    ...some(captures, `${plural(captures, "capture")} of ${said(figures.captured)}`),
    ...some(voids, `${plural(voids, "void")} of ${said(figures.voided)}`),
    ...some(refunds, `${plural(refunds, "refund")} of ${said(figures.refunded)}`),
    ...some(readings, `${plural(readings, "deferred payment")} to read`)
  ].join(", ")
  const cover = [
    ...some(figures.quotes, `${plural(figures.quotes, "quote")} to ask for`),
    ...some(figures.policies, `cover of ${plural(figures.policies, "invoice")} to buy for ${said(figures.premium)}`),
    ...some(figures.handovers, `${plural(figures.handovers, "invoice")} to hand over to collections`)
  ].join(", ")
  return [`${invoices}${sums}`, goods, cover].filter((part) => part !== "").join("; ")
}

/** Exact decimals by currency, for programs. */
export const amountTexts = (sums: AmountsByCurrency): Readonly<Record<string, string>> =>
  Object.fromEntries([...sums].map(([currency, sum]) => [currency, Currency.format(sum, currency)]))

/** For programs: counts as numbers, sums as exact decimals by currency. */
export const record = (figures: Figures) => ({
  ...Object.fromEntries(COUNTED.map((name) => [name, figures[name]])),
  ...Object.fromEntries(
    SUMMED.flatMap((name) => (figures[name].size === 0 ? [] : [[name, amountTexts(figures[name])]]))
  )
})
