/** What the page says of its sums in a word: never more than the sums themselves say. */
import { assert, describe, it } from "@effect/vitest"
import { html, render } from "../../cli/page/Html.ts"
import { agree } from "../../cli/page/Statements.ts"
import { resultOf } from "../../sync/reconciliation/PaymentStatement.ts"

const said = (...statements: Parameters<typeof agree>[0]): string =>
  render(html`<p>${agree(statements)}</p>`).replaceAll(/<[^>]*>/g, "")

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

describe("the word for all sums", () => {
  it("is agree only where everything was read and compared", () => {
    assert.strictEqual(said(), "nothing yet")
    assert.strictEqual(said(whole, whole), "agree")
    assert.strictEqual(said(whole, { ...whole, quarantined: 1 }), "agree as far as read")
    assert.strictEqual(said(whole, { ...whole, unchecked: 1 }), "books and service agree")
    assert.strictEqual(said(whole, { ...whole, stale: true }), "agreed at the last run")
    assert.strictEqual(said({ ...whole, differences: [1] }, { ...whole, quarantined: 1 }), "1 apart")
    assert.strictEqual(said({ ...whole, lists: [{ agrees: false }] }), "1 apart")
  })
})
