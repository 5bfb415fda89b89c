/**
 * A processor's account as the processor itself keeps it: a ledger of entries, a balance, payouts that take entries out of it,
 * and the bank that receives them. It knows nothing of how Daybook ties them. Whole cents are `bigint`s here.
 */
import * as fc from "fast-check"
import type { Payment, Payout, PayoutItem } from "../../connectors/Document.ts"
import { ofMinor } from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"

type Part = PayoutItem["part"]

/** How a payout comes to the bank. */
const WAYS = [
  "whole",
  "whole",
  "whole",
  "named",
  "named",
  "late",
  "merged",
  "split",
  "short",
  "lost",
  "failed"
] as const

const NAMES: Readonly<Record<Part, string>> = {
  collected: "charge",
  refunds: "refund",
  chargebacks: "dispute",
  failures: "payment_failure",
  fees: "fee",
  adjustments: "adjustment"
}
const SIGNS: Readonly<Record<Part, bigint>> = {
  collected: 1n,
  refunds: -1n,
  chargebacks: -1n,
  failures: -1n,
  fees: -1n,
  adjustments: 1n
}

/** Days of an account: what happened, and whether what is there is paid out, how, and how many days it takes. */
export const lives = fc.array(
  fc.record({
    entries: fc.array(
      fc.record({
        part: fc.constantFrom<Part>(
          "collected",
          "collected",
          "collected",
          "refunds",
          "chargebacks",
          "failures",
          "fees",
          "adjustments"
        ),
        cents: fc.integer({ min: 1, max: 90_000 })
      }),
      { maxLength: 6 }
    ),
    pays: fc.constantFrom("itemised", "itemised", "itemised", "by hand", "not"),
    way: fc.constantFrom(...WAYS),
    days: fc.integer({ min: 0, max: 3 })
  }),
  { minLength: 1, maxLength: 60 }
)
export type Life = typeof lives extends fc.Arbitrary<infer A> ? A : never

interface Entry {
  readonly part: Part
  readonly name: string
  readonly cents: bigint
}

export interface PaidOut {
  readonly payout: Payout
  readonly cents: bigint
  /** The ids of the bank's lines, as the truth has it. */
  readonly lines: ReadonlyArray<string>
  readonly way: (typeof WAYS)[number]
}

export interface Account {
  readonly ledger: ReadonlyArray<Entry>
  readonly opening: bigint
  readonly closing: bigint
  readonly paid: ReadonlyArray<PaidOut>
  readonly lines: ReadonlyArray<Payment>
}

const FIRST = Day.of("2026-01-05")

const itemsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<PayoutItem> =>
  [...Map.groupBy(entries, ({ name, part }) => `${part} ${name}`).values()].map((all) => ({
    part: all[0]!.part,
    name: all[0]!.name,
    count: all.length,
    amount: ofMinor(
      all.reduce((sum, { cents }) => sum + cents, 0n),
      "GBP"
    )
  }))

const lineOf = (id: string, date: Day.Day, cents: bigint, reference: string): Payment => ({
  kind: "payment",
  id,
  date,
  currency: "GBP",
  shares: [],
  unallocated: ofMinor(cents, "GBP"),
  reference,
  party: { name: "Stripe Payments UK Ltd" }
})

/**
 * Lives through the days, with so many of them between two payouts: with ten, none is in the days of another, unless it is merged
 * with it. Entries that a payout by hand takes are in no payout's items, and neither is the opening balance.
 */
export const live = (life: Life, opening: bigint, every = 10): Account => {
  const ledger: Array<Entry> = []
  const paid: Array<PaidOut> = []
  const lines: Array<Payment> = []
  let [balance, open]: [bigint, Array<Entry>] = [opening, []]
  const book = (part: Part, name: string, cents: bigint) => {
    const entry = { part, name, cents }
    ledger.push(entry)
    open.push(entry)
    balance += cents
  }
  for (const [n, { days, entries, pays, way: wish }] of life.entries()) {
    const day = Day.addDays(FIRST, n * every)
    for (const { cents, part } of entries) book(part, NAMES[part], SIGNS[part] * BigInt(cents))
    const sum = open.reduce((sum, { cents }) => sum + cents, 0n)
    const amount = pays === "by hand" ? balance : sum
    if (pays === "not" || amount <= 1000n || amount > balance) continue
    const way = wish === "merged" && paid.length === 0 ? "whole" : wish
    const index = paid.length
    const id = `po_${String(index).padStart(6, "0")}x`
    const arrives = Day.addDays(day, days)
    const payout: Payout = {
      kind: "payout",
      id,
      date: arrives,
      currency: "GBP",
      amount: ofMinor(amount, "GBP"),
      status: way === "failed" ? "failed" : "paid",
      by: "Stripe",
      items: pays === "by hand" ? [] : itemsOf(open)
    }
    open = []
    balance -= amount
    const names = (text: string) => `STRIPE ${text}`
    const put = (cents: bigint, late: number, text = names("PAYOUT")): string => {
      const line = `L${lines.length}`
      lines.push(lineOf(line, Day.addDays(arrives, late), cents, text))
      return line
    }
    const its: Array<string> = []
    if (way === "whole") its.push(put(amount, days % 3))
    else if (way === "named") its.push(put(amount, 12 + days, names(id)))
    else if (way === "late") its.push(put(amount, 4))
    else if (way === "split") its.push(put(amount - 700n, 0), put(700n, 1))
    else if (way === "short") its.push(put(amount - amount / 40n, 1, names(id)))
    else if (way === "merged") {
      // The bank shows it in one line with what a second payout of that day brings.
      const more = amount / 3n + 1n
      if (more <= balance) {
        const second: Payout = { ...payout, id: `${id}2`, amount: ofMinor(more, "GBP"), items: [] }
        balance -= more
        const line = put(amount + more, 1)
        its.push(line)
        paid.push({ payout: second, cents: more, lines: [line], way })
      } else its.push(put(amount, 1))
    } else if (way === "failed") book("adjustments", "payout_failure", amount)
    paid.push({ payout, cents: amount, lines: its, way })
  }
  return { ledger, opening, closing: balance, paid, lines }
}
