/** Accounts of a processor as the processor keeps them: what Daybook reports of them adds up to the cent, with the bank. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as Payouts from "../../../sync/reports/Payouts.ts"
import { invoice } from "../../support/Documents.ts"
import { times } from "../../support/Effort.ts"
import { matches, needs, received } from "../Paying.ts"
import { inMemory, payingOut as world } from "../PayingOut.ts"
import { type Account, live, lives } from "../Processor.ts"

const cents = (text: string): bigint => Currency.toMinor(Decimal.of(text), "GBP")
const sum = (all: ReadonlyArray<bigint>): bigint => all.reduce((total, one) => total + one, 0n)

/** What the processor and the bank know of each payout, in the words of the report. */
const truth = ({ paid }: Account): ReadonlyArray<string> =>
  paid.map(({ cents, lines, payout, way }) => {
    const at = way === "failed" ? "failed" : way === "lost" ? "lost" : "arrived"
    return `${payout.id}: ${at} as ${lines.join(" and ")}, apart ${way === "short" ? -(cents / 40n) : 0n}`
  })

const told = ({ payouts }: Payouts.PayoutReport): ReadonlyArray<string> =>
  payouts.map(({ apart, lines, payout, standing }) => {
    const at = standing === "missing" || standing === "in transit" || standing === "no bank" ? "lost" : standing
    return `${payout.slice(14)}: ${at} as ${lines.map(({ line }) => line.slice(15)).join(" and ")}, apart ${cents(apart)}`
  })

describe("an account of a processor, written from the processor's side", () => {
  const start = fc.integer({ min: 0, max: 50_000 }).map(BigInt)
  it("adds up to the cent: opening, entries, payouts, closing, and the bank", () => {
    fc.assert(
      fc.property(lives, start, (life, opening) => {
        const account = live(life, opening)
        const customer = received("C1", { amount: "33.33", date: "2026-01-07", party: { name: "Harbour Lane Bakery" } })
        const lines = [...account.lines, customer]
        const payouts = account.paid.map(({ payout }) => payout)
        const db = world(payouts, lines, [invoice({ gross: "33.33" })])
        const { report, ...found } = Effect.runSync(
          inMemory(
            Effect.map(db, (db) => ({
              report: Payouts.report(db, ["stripe"], Day.of("2028-01-01")),
              needs: needs(db),
              matches: matches(db)
            }))
          )
        )
        assert.deepStrictEqual(told(report).toSorted(), truth(account).toSorted())
        assert.deepStrictEqual([found, report.lines], [{ needs: [], matches: ["C1 → I1 33.33"] }, []])
        for (const one of report.accounts) {
          const paidOut = cents(one.paidOut)
          assert.strictEqual(opening + sum(account.ledger.map((entry) => entry.cents)) - paidOut, account.closing)
          assert.strictEqual(sum(Object.values(one.parts).map(cents)), paidOut)
          assert.strictEqual(sum(Object.values(one.standings).map(cents)), paidOut)
          const received = sum(account.lines.map(({ unallocated = 0n }) => Currency.toMinor(unallocated, "GBP")))
          const apart = sum(one.apart.map(({ amount }) => cents(amount)))
          assert.strictEqual(received, cents(one.standings.arrived) + apart)
        }
      }),
      { numRuns: times(1500) }
    )
  })
})
