/** Accounts of a processor as the processor keeps them: what Daybook reports of them adds up to the cent, with the bank. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as Payouts from "../../../sync/reports/Payouts.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice } from "../../support/Documents.ts"
import { times } from "../../support/Effort.ts"
import { books, debits, matches, needs, received, take } from "../Paying.ts"
import { inMemory, payingOut as world, stripe } from "../PayingOut.ts"
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

const start = fc.integer({ min: 0, max: 50_000 }).map(BigInt)
const LATE = Day.of("2028-01-01")
const CUSTOMER = received("C1", { amount: "33.33", date: "2026-01-07", party: { name: "Harbour Lane Bakery" } })

/** What is reported of an account after all of it was read, and what is asked and matched. */
const judged = ({ lines, paid }: Account) =>
  Effect.runSync(
    inMemory(
      Effect.map(
        world(
          paid.map(({ payout }) => payout),
          [...lines, CUSTOMER],
          [invoice({ gross: "33.33" })]
        ),
        (db) => ({ report: Payouts.report(db, ["stripe"], LATE), needs: needs(db), matches: matches(db) })
      )
    )
  )

/** Opening, entries and payouts come to the closing balance; parts and standings to what was paid out; that and the bank agree. */
const addsUp = (account: Account, { accounts, lines }: Payouts.PayoutReport, opening: bigint): void => {
  for (const one of accounts) {
    const paidOut = cents(one.paidOut)
    assert.strictEqual(opening + sum(account.ledger.map((entry) => entry.cents)) - paidOut, account.closing)
    assert.strictEqual(sum(Object.values(one.parts).map(cents)), paidOut)
    assert.strictEqual(sum(Object.values(one.standings).map(cents)), paidOut)
    const received = sum(account.lines.map(({ unallocated = 0n }) => Currency.toMinor(unallocated, "GBP")))
    const apart = sum(one.apart.map(({ amount }) => cents(amount)))
    const strange = sum(lines.map(({ amount }) => cents(amount)))
    assert.strictEqual(received, cents(one.standings.arrived) + apart + strange)
  }
}

const NOBODY_ASKED = { needs: [], matches: ["C1 → I1 33.33"] }

describe("an account of a processor, written from the processor's side", () => {
  it("adds up to the cent: opening, entries, payouts, closing, and the bank", () => {
    fc.assert(
      fc.property(lives, start, (life, opening) => {
        const account = live(life, opening)
        const { report, ...found } = judged(account)
        assert.deepStrictEqual(told(report).toSorted(), truth(account).toSorted())
        assert.deepStrictEqual([found, report.lines], [NOBODY_ASKED, []])
        addsUp(account, report, opening)
      }),
      { numRuns: times(300) }
    )
  })

  it("adds up as well if it pays out every day, so that lines may be one payout or another", () => {
    fc.assert(
      fc.property(lives, start, fc.integer({ min: 1, max: 3 }), (life, opening, every) => {
        const account = live(life, opening, every)
        const { report, ...found } = judged(account)
        assert.deepStrictEqual(found, NOBODY_ASKED)
        addsUp(account, report, opening)
        const said = new Map(told(report).map((one) => [one.slice(0, one.indexOf(":")), one]))
        const named = account.paid.filter(({ way }) => way === "named" || way === "short")
        assert.deepStrictEqual(
          named.map(({ payout }) => said.get(payout.id)),
          [...truth({ ...account, paid: named })]
        )
      }),
      { numRuns: times(200) }
    )
  })

  it("is the same whatever was read first", () => {
    fc.assert(
      fc.property(lives, start, fc.array(fc.nat(), { minLength: 200, maxLength: 200 }), (life, opening, dice) => {
        const account = live(life.slice(0, 20), opening, 2)
        const documents = [...account.paid.map(({ payout }) => payout), ...account.lines]
        const order = documents.map((document, n) => ({ document, at: dice[n] ?? 0 })).toSorted((a, b) => a.at - b.at)
        const read = Effect.gen(function* () {
          yield* take(books, [invoice({ gross: "33.33" })])
          for (const { at, document } of order) {
            yield* take(document.kind === "payout" ? stripe : debits, [document])
            if (at % 3 === 0) yield* Matching.run
          }
          yield* take(debits, [CUSTOMER])
          yield* Matching.run
          const db = yield* Database
          return { report: Payouts.report(db, ["stripe"], LATE), needs: needs(db), matches: matches(db) }
        })
        assert.deepStrictEqual(Effect.runSync(inMemory(read)), judged(account))
      }),
      { numRuns: times(60) }
    )
  })
})
