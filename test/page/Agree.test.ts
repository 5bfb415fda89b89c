/** What the page says of its sums in a word: never more than the sums themselves say. */
import { assert, describe, it } from "@effect/vitest"
import { html, render } from "../../cli/page/Html.ts"
import { agree } from "../../cli/page/Statements.ts"
import { coverCompleteness } from "../../cli/render/CoverView.ts"
import type { Output } from "../../cli/render/Output.ts"
import { looked } from "../../cli/render/WitnessView.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { orderResult as ofOrders } from "../../sync/reconciliation/OrderStatement.ts"
import { resultOf } from "../../sync/reconciliation/PaymentStatement.ts"

const said = (...statements: Parameters<typeof agree>[0]): string =>
  render(html`<p>${agree(statements)}</p>`).replaceAll(/<[^>]*>/g, "")

const same = (text: string): string => text
const plainStyle = { bold: same, dim: same, red: same, green: same, yellow: same, blue: same }

const whole = { differences: [], quarantined: 0, unchecked: 0 }

describe("the word for payments of another connection's invoices", () => {
  it("is agree only where everything was read", () => {
    const payments = { differences: [], more: 0, quarantined: 0 }
    assert.deepStrictEqual(resultOf(payments), { kind: "agree", text: "agree" })
    const unread = resultOf({ ...payments, quarantined: 1 })
    assert.deepStrictEqual(unread, { kind: "not checked", text: "as far as read: 1 record not read" })
    assert.deepStrictEqual(resultOf({ ...payments, more: 2, quarantined: 1 }), {
      kind: "differ",
      text: "2 differences"
    })
  })
})

describe("the word for orders", () => {
  const orders = { differences: [], more: 0, pending: 0, quarantined: 0 }
  it("is agree only where everything was read and nothing waits", () => {
    assert.deepStrictEqual(ofOrders(orders), { kind: "agree", text: "agree" })
    const unread = { kind: "not checked", text: "as far as read: 2 records not read" } as const
    assert.deepStrictEqual(ofOrders({ ...orders, quarantined: 2 }), unread)
    assert.strictEqual(ofOrders({ ...orders, pending: 1, quarantined: 2 }).text, "1 order waiting")
    assert.strictEqual(ofOrders({ ...orders, more: 2, pending: 1, quarantined: 2 }).text, "2 differences")
  })
})

describe("the word for what is covered", () => {
  it("is agree only where everything was read", () => {
    const part = { state: "insured", invoices: 1, books: "9.00", service: "9.00" } as const
    const one = { connection: "books", currency: "EUR", books: "9.00", service: "9.00", differences: [], more: 0 }
    const said = (quarantined: number) =>
      coverCompleteness([{ ...one, parts: [part], unread: 0, quarantined }], { style: plainStyle, width: 200 })
    assert.match(said(0), /insured +1 +9\.00 +9\.00 +agree/)
    assert.match(said(1), /insured +1 +9\.00 +9\.00 +as far as read: 1 record not read/)
  })
})

describe("the word of the witness", () => {
  it("is agree only where everything was read", () => {
    const nine = Decimal.of("9.00")
    const sums = { connection: "books", currency: "EUR", invoices: 1, says: nine, stated: 1, source: nine }
    const figures = { documents: 1, transactions: 1, orders: 0, others: 0, differences: 0, notChecked: 0 }
    const record = { connection: "books", kind: "payment", origin: "p.csv:3", why: "no amount" } as const
    const said = (unread: ReadonlyArray<typeof record>) =>
      looked({ ...figures, sums: [{ ...sums, service: nine, differing: 0 }], unread }, { shown: [], unchecked: [] }, {
        style: plainStyle,
        width: 200
      } as Output)
    assert.match(said([]), /9\.00 +9\.00 +agree/)
    assert.match(said([record]), /9\.00 +9\.00 +as far as read: 1 record not read/)
  })
})

describe("the word for all sums", () => {
  it("is agree only where everything was read and compared", () => {
    assert.strictEqual(said(), "nothing yet")
    assert.strictEqual(said(whole, whole), "agree")
    assert.strictEqual(said(whole, { ...whole, quarantined: 1 }), "agree as far as read")
    assert.strictEqual(said(whole, { ...whole, unchecked: 1 }), "books and service agree")
    assert.strictEqual(said(whole, { ...whole, stale: true }), "agreed at the last run")
    assert.strictEqual(said({ ...whole, differences: [1] }, { ...whole, quarantined: 1 }), "1 sum differs")
    assert.strictEqual(said({ ...whole, lists: [{ agrees: false }] }), "1 sum differs")
  })
})
