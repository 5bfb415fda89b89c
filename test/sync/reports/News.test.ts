/** What is new since a time is what changed in the source since: whatever came, changed, went and came back between two pulls. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { FetchHttpClient } from "effect/http"
import type { Document } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import * as AttentionGroups from "../../../sync/reports/AttentionGroups.ts"
import * as News from "../../../sync/reports/News.ts"
import { Database } from "../../../sync/state/Database.ts"
import { creditNote, invoice, payment, reversal } from "../../support/Documents.ts"
import { connection, whole } from "../Source.ts"
import { JumpingClock } from "../Time.ts"

const START = Date.parse("2026-06-30T09:00:00Z")
const HOUR = 3_600_000
const outside = Layer.mergeAll(NodeFileSystem.layer, FetchHttpClient.layer)

/** Documents by their number, in one of three versions each. */
const MAKERS: ReadonlyArray<(version: number) => Document> = [
  (n) => invoice({ id: "I1", gross: `${100 + n}` }),
  (n) => invoice({ id: "I2", gross: `${200 + n}`, currency: "EUR" }),
  (n) => payment("P1", { I1: `${10 + n}` }),
  (n) => payment("P2", { I2: `${20 + n}` }),
  (n) => reversal("R1", { I1: `${5 + n}` }, n === 2 ? "refund" : "error"),
  (n) => creditNote("C1", { I1: `${1 + n}` })
]

/** What a source holds: the version of each document, or 3 where it has none. */
const held = fc.tuple(...MAKERS.map(() => fc.integer({ min: 0, max: 3 })))

const WHAT: ReadonlyArray<News.What> = ["invoices", "invoices", "in", "in", "back", "credits"]

/** The words for what became of each from one state to another. */
const expected = (known: ReadonlySet<number>, before: ReadonlyArray<number>, after: ReadonlyArray<number>) =>
  MAKERS.flatMap((_, i) => {
    const [was = 3, is = 3] = [before[i], after[i]]
    if (was === is) return []
    if (is === 3) return known.has(i) ? [`${i} deleted`] : []
    return [`${i} ${known.has(i) ? "changed" : WHAT[i]}`]
  })

const found = (items: ReadonlyArray<News.NewsItem>) =>
  items.map(({ document, what }) => {
    const n = MAKERS.findIndex((make) => make(0).kind === document.kind && make(0).id === document.id)
    return `${n} ${what}`
  })

type Db = Database["Service"]

const story = (states: ReadonlyArray<ReadonlyArray<number>>, look: (db: Db, at: number) => void) => {
  const clock = new JumpingClock(START)
  let now: ReadonlyArray<number> = []
  const source = whole(() => MAKERS.flatMap((make, i) => (now[i] === undefined || now[i] === 3 ? [] : [make(now[i])])))
  const program = Effect.gen(function* () {
    const db = yield* Database
    for (const [n, state] of states.entries()) {
      clock.set(START + (n + 1) * HOUR)
      now = state
      yield* pull(connection(source), { folder: "." })
      look(db, n)
    }
  })
  return Effect.runPromise(
    program.pipe(
      Effect.provide(Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside)),
      Effect.provideService(Clock.Clock, clock)
    )
  )
}

describe("what is new", () => {
  it("is no money while a debit is pending, nor where it failed before it was received; it is once it is confirmed", async () => {
    const debit = payment("P1", { I1: "10.00" })
    const failed = [
      { ...debit, tried: "failed" as const },
      reversal("P1/failed", { I1: "10.00" }, "error", { payment: "P1" })
    ]
    const read = [[], [{ ...debit, tried: "pending" as const }], failed, [debit]]
    const clock = new JumpingClock(START)
    let now: ReadonlyArray<Document> = []
    const seen: Array<ReadonlyArray<string>> = []
    const program = Effect.gen(function* () {
      const db = yield* Database
      for (const [n, documents] of read.entries()) {
        clock.set(START + (n + 1) * HOUR)
        now = documents
        yield* pull(connection(whole(() => now)), { folder: "." })
        const { items } = News.news(db, ["books"], START + (n + 1) * HOUR)
        seen.push(items.map(({ key, what }) => `${key} ${what}`))
      }
    })
    const layers = Layer.merge(Database.layer({ file: ":memory:", mode: "write" }), outside)
    await Effect.runPromise(program.pipe(Effect.provide(layers), Effect.provideService(Clock.Clock, clock)))
    assert.deepStrictEqual(seen.slice(0, 3), [[], [], []])
    assert.isTrue(seen[3]?.includes("books/payment/P1 in"))
  })

  it("is what changed in the source since then, from any pull on", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(held, { minLength: 2, maxLength: 4 }), async (states) => {
        await story(states, (db, n) => {
          for (let from = 0; from <= n; from++) {
            const since = START + (from + 0.5) * HOUR
            const known = new Set(
              states.slice(0, from).flatMap((state) => state.flatMap((version, i) => (version === 3 ? [] : [i])))
            )
            const before = states[from - 1] ?? []
            const { items, more } = News.news(db, ["books"], since)
            assert.isFalse(more)
            const now = states[n] ?? []
            // One that was changed and changed back is named, too: it was read anew.
            const must = expected(known, before, now)
            const may = new Set([
              ...must,
              ...[...known].map((i) => `${i} changed`),
              ...[...known].map((i) => `${i} deleted`)
            ])
            const seen = found(items)
            assert.includeMembers(seen, must)
            for (const one of seen) assert.isTrue(may.has(one), `${one} since ${from}`)
            if (from === n) assert.sameMembers(seen, must)
          }
        })
      }),
      { numRuns: 15 }
    )
  })

  it("comes to sums by kind and currency, failed debits apart, and looks no further than it may", async () => {
    await story(
      [
        [3, 3, 3, 3, 3, 3],
        [0, 0, 0, 0, 0, 0]
      ],
      (db, n) => {
        if (n === 0) return
        const { items } = News.news(db, ["books"], START + 1.5 * HOUR)
        const said = News.figures(db, items).map(({ amount, currency, documents, failed, what }) => [
          ...[what, currency, documents],
          ...[Decimal.format(amount), failed]
        ])
        assert.deepStrictEqual(said, [
          ["in", "EUR", 1, "20", 0],
          ["in", "GBP", 1, "10", 0],
          ["back", "GBP", 1, "5", 1],
          ["invoices", "EUR", 1, "200", 0],
          ["invoices", "GBP", 1, "100", 0],
          ["credits", "GBP", 1, "1", 0]
        ])
        const some = News.news(db, ["books"], START, 2)
        assert.deepStrictEqual([some.items.length, some.more], [2, true])
        assert.deepStrictEqual(News.news(db, ["elsewhere"], START).items, [])
        const [first] = items.filter(({ key }) => key.includes("/payment/P1"))
        assert.deepStrictEqual(News.invoiceNamed(db, first!), { name: "Harbour Lane Bakery", number: "INV-1" })
        const stake = AttentionGroups.stakeOf(db, { subject: "books/invoice/I9", fact: "books/payment/P2/I9" })
        assert.deepStrictEqual(stake, { of: "books/payment/P2", currency: "EUR", amount: Decimal.of("20") })
        assert.isUndefined(AttentionGroups.stakeOf(db, { subject: "books/invoice/I9", fact: "books/invoice/I9" }))
      }
    )
  })
})

describe("what needs attention", () => {
  it("is grouped by cause, and counts what is at stake once in a group", () => {
    const item = (id: number, rule: string, todo: string, fact: string) =>
      ({ id, rule, todo, fact, subject: `books/${fact}`, why: "", since: id, refused: false }) as never
    const stakeOf = ({ fact }: { readonly fact: string }) =>
      fact === "none" ? undefined : { of: fact, currency: fact.slice(0, 3), amount: Decimal.of("10") }
    const groups = AttentionGroups.group(
      [
        item(4, "P1", "check", "GBP 1"),
        item(3, "P1", "check", "GBP 1"),
        item(2, "P1", "check", "EUR 1"),
        item(1, "P1", "check", "none"),
        item(5, "P1", "other", "GBP 1"),
        item(6, "T2", "check", "GBP 1")
      ],
      stakeOf
    )
    assert.deepStrictEqual(
      groups.map(({ items, rule, since, stake, todo }) => [rule, todo, items.length, since, ...stake.keys()]),
      [
        ["P1", "check", 4, 1, "GBP", "EUR"],
        ["P1", "other", 1, 5, "GBP"],
        ["T2", "check", 1, 6, "GBP"]
      ]
    )
    assert.strictEqual(groups[0]?.stake.get("GBP"), Decimal.of("10"))
  })
})
