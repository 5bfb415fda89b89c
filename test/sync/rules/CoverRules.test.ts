/** The rules of cover as properties: never above what a person wrote down, and nothing is left to do once it is done. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import * as Decimal from "../../../core/money/Decimal.ts"
import { advanceInvoice } from "../../../sync/model/Advance.ts"
import type { CoverContext } from "../../../sync/model/CoverContext.ts"
import type { RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { cover } from "../../../sync/rules/Cover.ts"
import { about } from "../../support/Documents.ts"
import { due, SETTINGS } from "../Covered.ts"

const NOW = Date.UTC(2026, 2, 1, 9)

const pounds = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((pence) => (pence / 100).toFixed(2))

const given = fc.record({
  total: pounds(60),
  perInvoice: fc.option(pounds(60)),
  ofNet: fc.option(fc.constantFrom("0.005", "0.01", "0.02", "0.05")),
  perMonth: pounds(120),
  spent: pounds(120),
  ahead: pounds(60),
  currency: fc.constantFrom("GBP", "GBP", "EUR"),
  status: fc.constantFrom("offered", "offered", "declined", "expired", "accepted", undefined),
  approve: fc.constantFrom("always", "above", "never" as const),
  asked: fc.integer({ min: 1, max: 5 })
})

const context = (spent: string, ahead: string): CoverContext => ({
  contradictions: () => [],
  standing: {},
  now: NOW,
  spent: Decimal.of(spent),
  ahead: Decimal.of(ahead),
  exposure: { insured: 0n, waiting: 0n, ahead: 0n, first: true, others: [], count: 0 },
  known: [],
  listed: true,
  speaks: true
})

describe("the rules of cover", () => {
  const invoice = due("1")
  const facts = about([invoice], "1")

  it("Q1, Q4: buy nothing above a limit of price, ask for one thing at a time, and leave nothing to do", () => {
    fc.assert(
      fc.property(given, ({ ahead, approve, asked, currency, ofNet, perInvoice, perMonth, spent, status, total }) => {
        const price = {
          currency: "GBP",
          per_month: perMonth,
          ...(perInvoice === null ? {} : { per_invoice: perInvoice }),
          ...(ofNet === null ? {} : { of_net: ofNet })
        }
        const settings = { ...SETTINGS, price, approve: approve as "always" | "above" | "never" }
        const quote = {
          id: "quo-1",
          status: status ?? "",
          created: "2026-03-01T08:00:00Z",
          validUntil: "2026-03-20T08:00:00Z",
          price: { currency, total },
          ...(status === "declined" ? { rejection: { code: "buyer-sector" } } : {})
        }
        const remote: RemoteInvoice = {
          kind: "invoice",
          id: "trns-1",
          status: "pending",
          insured: false,
          fields: { net_amount: "1000.00", gross_amount: "1200.00", currency: "GBP" },
          postings: [],
          ...(status === undefined ? {} : { cover: { quote, asked } })
        }
        const of = { facts, invoice, settings, context: context(spent, ahead) }
        const { calls } = cover({ ...of, remote })
        assert.isAtMost(calls.length, 1)
        const [call] = calls
        if (call === undefined) return
        if (call.operation === "policies.create") {
          const cost = Decimal.of(total)
          assert.strictEqual(currency, "GBP")
          assert.notStrictEqual(approve, "always")
          assert.isTrue(perInvoice === null || cost <= Decimal.of(perInvoice))
          assert.isTrue(ofNet === null || cost <= Decimal.multiply(Decimal.of("1000"), Decimal.of(ofNet)))
          assert.isTrue(Decimal.of(spent) + Decimal.of(ahead) + cost <= Decimal.of(perMonth))
        } else assert.notStrictEqual(status, "offered", "an offer that stands is not expired by another quote")
        const after = advanceInvoice(remote, call)
        assert.deepStrictEqual(after === undefined ? [] : cover({ ...of, remote: after }).calls, [])
      }),
      { numRuns: 300 }
    )
  })

  it("Q3: nothing is asked for where a refusal is certain: past due, or declined before for currency, country or terms", () => {
    const remote: RemoteInvoice = {
      kind: "invoice",
      id: "trns-1",
      status: "pending",
      insured: false,
      fields: { net_amount: "1000.00", gross_amount: "1200.00", currency: "GBP" },
      postings: []
    }
    const settings = { ...SETTINGS, price: { currency: "GBP", per_month: "100.00" } }
    const asks = (known: CoverContext["known"], now = NOW) =>
      cover({ facts, invoice, settings, context: { ...context("0", "0"), known, now }, remote }).calls.length
    const country = invoice.party.country ?? ""
    assert.strictEqual(asks([]), 1)
    assert.strictEqual(asks([], Date.parse(invoice.due) + 86_400_000), 0)
    assert.strictEqual(asks([], Date.parse(invoice.due)), 1)
    assert.strictEqual(asks([{ code: "invoice-currency", params: { tx_currency: "GBP" } }]), 0)
    assert.strictEqual(asks([{ code: "invoice-currency", params: { tx_currency: "EUR" } }]), 1)
    assert.strictEqual(asks([{ code: "buyer-country", params: { debtor_country: country } }]), 0)
    assert.strictEqual(asks([{ code: "buyer-country", params: { debtor_country: "JP" } }]), 1)
    assert.strictEqual(asks([{ code: "invoice-credit-terms", params: { MAX_CREDIT_TERMS_DAYS: 1 } }]), 0)
    assert.strictEqual(asks([{ code: "invoice-credit-terms", params: { MAX_CREDIT_TERMS_DAYS: 999 } }]), 1)
  })

  it.each([
    ["2026-02-20T10:00:00Z", 4, true],
    ["2026-02-20T10:00:00Z", 50, true],
    ["2026-02-28T08:00:00Z", 3, true],
    ["2026-02-28T08:00:00Z", 4, false]
  ])("Q6: of an offer until %s that expired as number %i, another is asked for: %s", (validUntil, asked, again) => {
    const quote = { id: "quo-1", status: "expired", created: "2026-02-20T08:00:00Z", validUntil }
    const remote: RemoteInvoice = {
      kind: "invoice",
      id: "trns-1",
      status: "pending",
      insured: false,
      fields: { net_amount: "1000.00", gross_amount: "1200.00", currency: "GBP" },
      postings: [],
      cover: { quote, asked }
    }
    const settings = { ...SETTINGS, price: { currency: "GBP", per_month: "100.00" } }
    const { attention, calls } = cover({ facts, invoice, settings, context: context("0", "0"), remote })
    assert.deepStrictEqual([calls.length === 1, attention.length === 0], [again, again])
  })
})
