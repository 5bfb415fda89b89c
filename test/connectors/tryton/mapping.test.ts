/**
 * What Tryton's lines come to, where a real server's clerk would have to go far: one payment over several invoices,
 * several payments for one, another currency, an overpayment that is paid back.
 */
import { assert, describe, it } from "vitest"
import type { Document } from "../../../connectors/Document.ts"
import * as Json from "../../../connectors/Json.ts"
import { bill, line, settle } from "../../../connectors/tryton/Mapping.ts"
import { datetime, plain } from "../../../connectors/tryton/Values.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

const exactly = (record: object) => Json.parse(JSON.stringify(record))
const decimal = (text: string) => ({ __class__: "Decimal", decimal: text })

const invoice = (id: number, total: string, more: object = {}) =>
  bill(
    exactly({
      id,
      state: "paid",
      total_amount: decimal(total),
      payment_lines: [],
      move: 100 + id,
      cancel_move: null,
      "currency.": { code: "GBP" },
      "company.": { "currency.": { code: "GBP" } },
      ...more
    })
  )

const entry = (id: number, move: number, debit: string, credit: string, more: object = {}) =>
  line(
    exactly({
      id,
      debit: decimal(debit),
      credit: decimal(credit),
      date: { __class__: "date", year: 2026, month: 2, day: 10 },
      reconciliation: 1,
      "move.": { id: move, origin: null, "journal.": { type: "cash" } },
      ...more
    })
  )

/** `payment 7: 1=60 2=40` */
const shown = (facts: ReadonlyMap<string, Document | Error>) =>
  [...facts.values()].map((fact) => {
    if (fact instanceof Error) return `wrong: ${fact.message}`
    const shares = "shares" in fact ? fact.shares : []
    return `${fact.kind} ${fact.id}: ${shares.map(({ amount, invoice }) => `${invoice}=${Decimal.format(amount)}`).join(" ")}`
  })

describe("lines that are reconciled together", () => {
  it("one payment pays several invoices, and several payments one", () => {
    const facts = settle({
      bills: [invoice(1, "60.00"), invoice(2, "90.00")],
      lines: [
        entry(1, 101, "60.00", "0"),
        entry(2, 102, "90.00", "0"),
        entry(7, 200, "0", "100.00"),
        entry(8, 201, "0", "50.00")
      ]
    })
    assert.deepStrictEqual(shown(facts), ["payment 7: 1=60 2=40", "payment 8: 2=50"])
  })

  it("what an invoice names as its own payment is its own first", () => {
    const facts = settle({
      bills: [invoice(1, "60.00"), invoice(2, "60.00", { payment_lines: [7] })],
      lines: [
        entry(1, 101, "60.00", "0"),
        entry(2, 102, "60.00", "0"),
        entry(7, 200, "0", "60.00"),
        entry(8, 201, "0", "60.00")
      ]
    })
    assert.deepStrictEqual(shown(facts), ["payment 7: 2=60", "payment 8: 1=60"])
  })

  it("an overpayment that was paid back pays what was asked for, and no more", () => {
    const facts = settle({
      bills: [invoice(1, "60.00")],
      lines: [entry(1, 101, "60.00", "0"), entry(7, 200, "0", "75.00"), entry(8, 201, "15.00", "0")]
    })
    assert.deepStrictEqual(shown(facts), ["payment 7: 1=60"])
  })

  it("amounts are those of the invoice's currency", () => {
    const dollars = { "currency.": { code: "USD" } }
    const inDollars = (amount: string) => ({
      amount_second_currency: decimal(amount),
      "second_currency.": { code: "USD" }
    })
    const claim = entry(1, 101, "80.00", "0", inDollars("100.00"))
    const paid = settle({
      bills: [invoice(1, "100.00", dollars)],
      lines: [claim, entry(7, 200, "0", "79.00", inDollars("-100.00"))]
    })
    assert.deepStrictEqual(shown(paid), ["payment 7: 1=100"])
    const pounds = settle({ bills: [invoice(1, "100.00", dollars)], lines: [claim, entry(7, 200, "0", "80.00")] })
    assert.deepStrictEqual(shown(pounds), ["wrong: the line has no amount in USD, the currency of its invoice"])
  })

  it("what belongs to a cancelled invoice is no fact", () => {
    const facts = settle({
      bills: [invoice(1, "60.00", { state: "cancelled", cancel_move: 300 })],
      lines: [entry(1, 101, "60.00", "0"), entry(2, 300, "-60.00", "0")]
    })
    assert.deepStrictEqual(shown(facts), [])
  })
})

describe("values of Tryton", () => {
  it("keep every digit", () => {
    const cases = [
      ["0E-8", "0.00000000"],
      ["1E+3", "1000"],
      ["-1.25E+1", "-12.5"],
      ["1.5E-2", "0.015"],
      ["-0", "0"],
      ["90071992547409.93", "90071992547409.93"]
    ] as const
    for (const [written, is] of cases) assert.strictEqual(plain(decimal(written)), is)
  })

  it("are instants to the microsecond, and asked for to the second", () => {
    const text = "2026-11-20T23:44:03.000314"
    const value = {
      __class__: "datetime",
      year: 2026,
      month: 11,
      day: 20,
      hour: 23,
      minute: 44,
      second: 3,
      microsecond: 314
    }
    assert.strictEqual(plain(exactly(value)), text)
    assert.deepInclude(datetime(text, 86_400), { day: 19, hour: 23, minute: 44, second: 3, microsecond: 0 })
  })
})
