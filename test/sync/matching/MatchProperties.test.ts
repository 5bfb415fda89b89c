/**
 * What holds of matching whatever the facts are: the order in which they come to be known decides nothing, nothing is
 * matched twice or beyond what is open, and every payment has its place or a person's attention.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Document } from "../../../connectors/Document.ts"
import { of } from "../../../core/money/Decimal.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as Facts from "../../../sync/plan/Facts.ts"
import { invoice } from "../../support/Documents.ts"
import { back, books, debits, debitsById, matches, needs, received, take } from "../Paying.ts"
import { EFFORT, times } from "../../support/Effort.ts"

const memory = Database.layer({ file: ":memory:", mode: "write" })

/** What a buyer is asked to write: a reference of its own, one that several invoices have, or another invoice's number. */
const asking = (what: string, n: number): string =>
  what === "own" ? `0000000000000077770${n}` : what === "same" ? "RF18 5390 0754 7034" : `INV-10${(n + 1) % 5}`

/** A few invoices and payments of few payers and amounts, so that they get into each other's way. */
const world = fc
  .tuple(
    fc.array(
      fc.record({
        gross: fc.constantFrom("100.00", "60.00", "40.00"),
        number: fc.constantFrom("", "same"),
        asks: fc.constantFrom("", "", "own", "same", "other's number"),
        name: fc.constantFrom("Harbour Lane Bakery", "Quay Books"),
        customer: fc.constantFrom(undefined, "C-1", "C-2"),
        month: fc.constantFrom("01", "02"),
        status: fc.constantFrom("open", "open", "open", "paid", "void", "draft" as const),
        currency: fc.constantFrom("GBP", "GBP", "GBP", "EUR")
      }),
      { minLength: 1, maxLength: 5 }
    ),
    fc.array(
      fc.record({
        amount: fc.constantFrom("100.00", "60.00", "40.00", "160.00"),
        says: fc.constantFrom("link", "number", "text", "texts", "asked", "linked", "nothing", "nothing"),
        at: fc.nat(5),
        other: fc.nat(5),
        name: fc.constantFrom("harbour lane bakery", "Quay Books", undefined),
        customer: fc.constantFrom(undefined, undefined, "C-1", "C-2"),
        day: fc.constantFrom("2026-01-20", "2026-02-10", "2026-03-05"),
        back: fc.constantFrom("", "", "all", "part")
      }),
      { maxLength: 7 }
    ),
    fc.constantFrom(debits, debitsById)
  )
  .map(([invoices, payments, payer]) => {
    const stated: ReadonlyArray<Document> = invoices.map(
      ({ asks, currency, customer, gross, month, name, number, status }, n) =>
        invoice({
          id: `I${n}`,
          number: number === "same" ? "INV-100" : `INV-10${n}`,
          ...(asks === "" ? {} : { reference: asking(asks, n) }),
          gross,
          currency,
          status: status as "open",
          party: { name, ...(customer === undefined ? {} : { id: customer }) },
          issued: `2026-${month}-01`,
          due: `2026-${month}-25`
        })
    )
    const paid: ReadonlyArray<Document> = payments.flatMap(
      ({ amount, at, back: returned, customer, day: date, name, other, says }, n) => {
        const payer = { ...(name === undefined ? {} : { name }), ...(customer === undefined ? {} : { id: customer }) }
        const party = name === undefined && customer === undefined ? {} : { party: payer }
        const reference =
          says === "text"
            ? `for INV-10${at}`
            : says === "texts"
              ? `INV-10${at} and INV-10${other}`
              : says === "asked"
                ? `OCR ${asking(other > 3 ? "same" : "own", at)}`
                : "standing order"
        const links = { link: `I${at}`, number: `INV-10${at}`, linked: asking("own", at) } as Record<string, string>
        const link = links[says]
        const money = received(`P${n}`, { amount, date, reference, ...party, ...(link === undefined ? {} : { link }) })
        return returned === ""
          ? [money]
          : [money, back(`R${n}`, `P${n}`, { amount: returned === "all" ? amount : "10.00", date: "2026-03-01" })]
      }
    )
    return { stated, paid, payer }
  })

const state = (db: Database["Service"]) => ({ matches: matches(db), needs: needs(db) })

const run = <A>(work: Effect.Effect<A, unknown, Database>): A =>
  Effect.runSync(Effect.orDie(Effect.provide(work, memory)) as Effect.Effect<A>)

describe("whatever the facts are", { timeout: 60_000 * Math.max(1, EFFORT / 4) }, () => {
  it("the order in which they come to be known decides nothing, nor does what was known before", () => {
    fc.assert(
      fc.property(world, fc.infiniteStream(fc.nat(1_000_000)), ({ paid, payer, stated }, dice) => {
        const roll = (n: number) => dice.next().value % n
        const plain = run(
          Effect.gen(function* () {
            yield* take(books, stated)
            yield* take(payer, paid)
            yield* Matching.run
            return state(yield* Database)
          })
        )
        const steps: Array<{ connection: typeof books; document: Document; deleted?: boolean }> = []
        for (const document of [...stated, ...paid]) {
          const connection = stated.includes(document) ? books : payer
          const at = roll(steps.length + 1)
          steps.splice(at, 0, { connection, document })
          // Before that it said something else, or was withdrawn for a while.
          const before =
            document.kind === "invoice"
              ? {
                  ...document,
                  gross: of(roll(2) === 0 ? "40.00" : "100.00"),
                  number: `INV-10${roll(5)}`,
                  ...(roll(2) === 0 ? {} : { reference: asking("own", roll(5)) })
                }
              : document.kind === "payment"
                ? received(document.id, { link: `I${roll(5)}`, amount: "60.00", date: "2026-01-11" })
                : { ...document, payment: `P${roll(5)}` }
          if (roll(2) === 0)
            steps.splice(roll(at + 1), 0, { connection, document: before as Document, deleted: roll(2) === 0 })
        }
        const shuffled = run(
          Effect.gen(function* () {
            yield* take(books, [])
            yield* take(payer, [])
            for (const { document, deleted, connection } of steps) {
              yield* take(connection, [document])
              if (deleted === true) yield* take(connection, [], [document])
              if (roll(3) === 0) yield* Matching.run
            }
            yield* Matching.run
            return state(yield* Database)
          })
        )
        assert.deepStrictEqual(shuffled, plain)
      }),
      { numRuns: times(75) }
    )
  })

  it("nothing is matched twice or beyond what is open, and every payment has its place or a person's attention", () => {
    fc.assert(
      fc.property(world, ({ paid, payer, stated }) => {
        run(
          Effect.gen(function* () {
            const db = yield* Database
            yield* take(books, stated)
            yield* take(payer, paid)
            yield* Matching.run
            const open = new Set(needs(db).map((line) => line.slice(0, line.indexOf(" "))))
            for (const document of paid) {
              if (document.kind !== "payment") continue
              const key = `debits/payment/${document.id}`
              const rows = db
                .prepare("SELECT a.amount FROM allocation a JOIN document d ON d.id = a.document WHERE d.key = ?")
                .pluck()
                .all(key) as ReadonlyArray<string>
              const total = (document.unallocated ?? 0n) + document.shares.reduce((sum, { amount }) => sum + amount, 0n)
              const placed = rows.reduce((sum, amount) => sum + BigInt(amount), 0n)
              assert.isTrue(placed <= total, `${key} is matched with more than it is`)
              if (placed < total) assert.isTrue(open.has(key), `${key} is neither matched nor reported`)
            }
            for (const document of stated) {
              const { invoice: own, payments, reversals } = Facts.invoiceFacts(db, `books/invoice/${document.id}`)
              if (payments.some(({ how }) => how === "link")) continue
              const sum = (facts: ReadonlyArray<{ readonly amount: bigint }>) =>
                facts.reduce((total, { amount }) => total + amount, 0n)
              assert.isTrue(sum(payments) - sum(reversals) <= (own?.gross ?? 0n), `${document.id} is overpaid`)
              if (own?.status === "void" || own?.status === "draft") assert.deepStrictEqual(payments, [])
              for (const { document } of payments) assert.strictEqual(document.currency, own?.currency)
            }
          })
        )
      }),
      { numRuns: times(75) }
    )
  })
})
