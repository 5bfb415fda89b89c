/**
 * What is out of the ordinary about a plan, guard by guard, and what stops a run because of it: pure decisions, without a
 * state file.
 */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import { strange as ofReading } from "../../../sync/books/StrangeScans.ts"
import { advanceInvoice } from "../../../sync/model/Advance.ts"
import type { RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { check, ofPlan, reductions } from "../../../sync/plan/Guards.ts"
import type { DocumentPlan } from "../../../sync/plan/Plan.ts"
import { Tally } from "../../../sync/plan/Tally.ts"
import { strange } from "../../../sync/rules/Strange.ts"
import { reconcile } from "../../../sync/rules/Invoices.ts"
import { oneOf } from "../../support/Books.ts"
import { about, creditNote, day, invoice, payment, planning } from "../../support/Documents.ts"
import { insured, heldFor } from "../../support/Plans.ts"

const TODAY = day("2026-03-01")

interface Given {
  readonly before?: RemoteInvoice | undefined
  readonly deleted?: boolean
  readonly twin?: string
  readonly key?: string
}

/** The plan of an invoice that the source states like this, and the service holds like that. */
const planned = (now: ReadonlyArray<Document>, { before, deleted = false, key, twin }: Given = {}): DocumentPlan => {
  const facts = { ...about(now), deleted, ...(key === undefined ? {} : { key }) }
  const { calls } = reconcile(facts, before, planning)
  const after = calls.reduce<RemoteInvoice | undefined>((one, call) => advanceInvoice(one, call), before)
  return {
    kind: "document",
    subject: facts.key,
    connection: "books",
    remote: before,
    calls,
    attention: [],
    reason: undefined,
    fingerprint: "",
    currency: "GBP",
    open: 0n,
    changes: 0,
    claims: 0,
    ...(calls.length === 0 ? {} : { strange: strange(facts, before, after, calls, twin) })
  }
}

const guardsOf = (plans: ReadonlyArray<DocumentPlan>) => {
  const tally = new Tally()
  for (const one of plans) tally.add(one)
  const guarded = tally.summary().guarded.get("books")
  return guarded === undefined ? [] : ofPlan(guarded, TODAY)
}

/** The numbers of the guards that one invoice alone stops a run by. */
const numbers = (now: ReadonlyArray<Document>, given: Given = {}) =>
  guardsOf([planned(now, given)]).map(({ guard }) => guard)

const words = (now: ReadonlyArray<Document>, given: Given = {}) => guardsOf([planned(now, given)]).map(({ why }) => why)

/** Invoices I1 to In, each planned alone. */
const each = (n: number, now: ReadonlyArray<Document>) =>
  Array.from({ length: n }, (_, i) => planned(now, { key: `books/invoice/${now.length}-${i}` }))

const paid = heldFor([invoice(), payment("P1", "120.00")])

describe("a plan that nobody would be surprised by", () => {
  it("stops nothing", () => {
    assert.deepStrictEqual(numbers([invoice()]), [])
    assert.deepStrictEqual(numbers([invoice(), payment("P1", "120.00")]), [])
    assert.deepStrictEqual(numbers([invoice({ gross: "60.00" })], { before: heldFor([invoice()]) }), [])
    assert.deepStrictEqual(numbers([invoice({ due: "2026-06-30" })], { before: heldFor([invoice()]) }), [])
    assert.deepStrictEqual(numbers([invoice()], { before: heldFor([invoice()]), deleted: true }), [])
    assert.deepStrictEqual(guardsOf(each(500, [invoice(), payment("P1", "120.00")])), [])
  })
})

describe("G2, payments far beyond invoices", () => {
  it("one that received more than twice what it asked for", () => {
    assert.deepStrictEqual(numbers([invoice(), payment("P1", "240.00")]), [])
    assert.deepStrictEqual(words([invoice(), payment("P1", "240.01")]), [
      "payments far beyond invoices: books/invoice/I1 is about 120.00 GBP, and 240.01 GBP would be received on it"
    ])
  })

  it("many that received a little too much, but not few", () => {
    const over = [invoice(), payment("P1", "121.00")]
    const fine = [invoice()]
    assert.deepStrictEqual(guardsOf(each(3, over)), [])
    assert.deepStrictEqual(
      guardsOf(each(4, over)).map(({ guard }) => guard),
      ["G2"]
    )
    assert.deepStrictEqual(guardsOf([...each(4, over), ...each(16, fine)]), [], "a fifth of the plan")
  })

  it("what was credited later was owed when it was paid, and nothing new that was received is nothing new", () => {
    assert.deepStrictEqual(numbers([invoice(), payment("P1", "120.00"), creditNote("C1", "120.00")]), [])
    const before = heldFor([invoice(), payment("P1", "500.00")])
    assert.deepStrictEqual(numbers([invoice({ due: "2026-02-28" }), payment("P1", "500.00")], { before }), [])
  })
})

describe("G3, many invoices settled at zero", () => {
  it("four and more, where that is more than a tenth of the plan", () => {
    const zero = [invoice(), creditNote("C1", "120.00")]
    assert.deepStrictEqual(guardsOf(each(3, zero)), [])
    assert.deepStrictEqual(
      guardsOf(each(4, zero)).map(({ why }) => why),
      ["many invoices settled at zero: books/invoice/2-0 would be marked as paid with 0.00 GBP due (and 3 more)"]
    )
    assert.deepStrictEqual(guardsOf([...each(4, zero), ...each(36, [invoice(), payment("P1", "5.00")])]), [])
  })
})

describe("G4, an invoice lowered by more than half", () => {
  it("by the source's own amount, insured or not", () => {
    const before = heldFor([invoice()])
    assert.deepStrictEqual(words([invoice({ gross: "59.99" })], { before }), [
      "an invoice lowered by more than half: books/invoice/I1 would be lowered from 120.00 GBP to 59.99 GBP"
    ])
    assert.deepStrictEqual(numbers([invoice({ gross: "12.00" })], { before: insured(before) }), ["G4"])
  })

  it("not by credit notes, which say where it comes from, and not while it is a draft", () => {
    assert.deepStrictEqual(numbers([invoice(), creditNote("C1", "119.00")], { before: heldFor([invoice()]) }), [])
    const draft = { ...heldFor([invoice()])!, status: "draft" }
    assert.deepStrictEqual(numbers([invoice({ gross: "12.00" })], { before: draft }), [])
  })
})

describe("G5, another currency with the same amount", () => {
  it("is hardly what the invoice was changed to", () => {
    const before = heldFor([invoice()])
    assert.deepStrictEqual(words([invoice({ currency: "EUR" })], { before }), [
      "another currency with the same amount: books/invoice/I1 would change from 120.00 GBP to 120.00 EUR"
    ])
    assert.deepStrictEqual(numbers([invoice({ currency: "EUR", gross: "139.20" })], { before }), [])
  })
})

describe("G6, an invoice deleted that money was received on", () => {
  it("paid, or in part", () => {
    const part = [invoice(), payment("P1", "20.00")]
    assert.deepStrictEqual(words([invoice(), payment("P1", "120.00")], { before: paid, deleted: true }), [
      "an invoice deleted that money was received on: books/invoice/I1 would be deleted, though it is paid"
    ])
    assert.deepStrictEqual(words(part, { before: heldFor(part), deleted: true }), [
      "an invoice deleted that money was received on: books/invoice/I1 would be deleted, though it has 20.00 GBP received on it"
    ])
  })
})

describe("G7, dates years away", () => {
  it("two years ahead, five of a due date, twenty back", () => {
    assert.deepStrictEqual(numbers([invoice({ issued: "2028-03-01", due: "2031-03-01" })]), [])
    assert.deepStrictEqual(words([invoice({ issued: "2028-03-02", due: "2028-04-01" })]), [
      "a date years away: books/invoice/I1 would be issued on 2028-03-02"
    ])
    assert.deepStrictEqual(words([invoice({ due: "2062-01-31" })]), [
      "a date years away: books/invoice/I1 would be due on 2062-01-31"
    ])
    assert.deepStrictEqual(numbers([invoice({ issued: "1926-01-01" })]), ["G7"])
    assert.deepStrictEqual(numbers([invoice(), payment("P1", "5.00", "2206-01-10")]), ["G7"])
  })
})

describe("G8 and G9, a source that looks like another one", () => {
  const reading = (before: number, kept: number, added: number, revived = 0) =>
    ofReading({ before, kept, added, revived })

  it("all ids are new, or a tenth is left", () => {
    assert.strictEqual(reading(10, 0, 5), "G8")
    assert.strictEqual(reading(100, 0, 100), "G8")
    assert.strictEqual(reading(100, 10, 0), "G9")
    assert.strictEqual(reading(100, 0, 0), "G9")
    assert.strictEqual(reading(10, 0, 1), "G9")
  })

  it("nothing of that where few change, some stay, or what comes was there before", () => {
    assert.isUndefined(reading(9, 0, 9))
    assert.isUndefined(reading(100, 11, 0))
    assert.isUndefined(reading(100, 1, 100))
    assert.isUndefined(reading(100, 0, 0, 100))
    assert.isUndefined(reading(0, 0, 1000))
  })
})

describe("G10, two invoices of one number", () => {
  it("where one of them is about to be created", () => {
    assert.deepStrictEqual(words([invoice()], { twin: "books/invoice/I2" }), [
      "two invoices of one number: books/invoice/I1 has the number INV-1, which books/invoice/I2 has as well"
    ])
  })
})

describe("what stops a run", () => {
  const stops = [
    { connection: "books", guard: "G4" as const, why: "one" },
    { connection: "shop", guard: "G10" as const, why: "two" }
  ]

  it("is said with its numbers, and passed by those and no others", () => {
    assert.strictEqual(
      check(stops)?.message,
      "books: G4: one; shop: G10: two. Nothing was sent. Look at `daybook plan`; if it is right, run again with --allow G4,G10"
    )
    assert.deepStrictEqual(check(stops, ["G4"])?.guards, ["G10"])
    assert.isUndefined(check(stops, ["G10", "G4"]))
    assert.isUndefined(check([], []))
    assert.isDefined(check(stops, ["G1", "G2", "G3", "G5"]))
  })

  const kinds: ReadonlyArray<() => DocumentPlan> = [
    () => planned([invoice()]),
    () => planned([invoice(), payment("P1", "120.00")]),
    () => planned([invoice(), payment("P1", "125.00")]),
    () => planned([invoice({ gross: "0.00" })]),
    () => planned([invoice({ gross: "9.00" })], { before: heldFor([invoice()]) }),
    () => planned([invoice({ currency: "EUR" })], { before: heldFor([invoice()]) }),
    () => planned([invoice()], { before: paid, deleted: true }),
    () => planned([invoice({ due: "2099-01-01" })])
  ]
  const many = Arbitrary.array(oneOf(0, 1, 2, 3, 4, 5, 6, 7), { maxLength: 40 })

  it.prop("does not depend on the order of the documents", { plans: many, at: oneOf(1, 3, 7) }, ({ at, plans }) => {
    const all = plans.map((kind) => kinds[kind]!())
    const turned = [...all.slice(at), ...all.slice(0, at)].toReversed()
    const found = (some: ReadonlyArray<DocumentPlan>) => guardsOf(some).map(({ guard }) => guard)
    assert.deepStrictEqual(found(turned), found(all))
  })

  it.prop("what one strange invoice stops, no number of ordinary ones hides", { plans: many }, ({ plans }) => {
    const guards = guardsOf(plans.map((kind) => kinds[kind]!())).map(({ guard }) => guard)
    for (const [kind, guard] of [
      [4, "G4"],
      [5, "G5"],
      [6, "G6"],
      [7, "G7"]
    ] as const)
      assert.strictEqual(guards.includes(guard), plans.includes(kind), guard)
  })

  it.prop("G1: more reductions never pass where fewer did not", { count: oneOf(0, 3, 4, 20, 50, 51) }, ({ count }) => {
    for (const held of [0, 10, 100, 1000]) {
      if (reductions(count, held) !== undefined) assert.isDefined(reductions(count + 1, held))
    }
  })
})
