/**
 * Figures of a record that do not add up are found in one place for every connector (`connectors/Contradictions.ts`): a total that
 * is half a unit off, in a fixture of each that states sums. VENDORS.md says of every connector what adds up, or why nothing is said.
 */
import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { connectors } from "../../../connectors/index.ts"
import { invoice } from "../../../connectors/chargebee/Mapping.ts"
import { unequal } from "../../../connectors/Contradictions.ts"
import * as Json from "../../../connectors/Json.ts"
import { sumsOf } from "../../../connectors/stripe/Amounts.ts"
import { made, written } from "../../../connectors/testing/Edits.ts"
import { textOf } from "../../../connectors/testing/Simulator.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

/** The members with a total, and the list that they are in. */
const SUMS: Readonly<Record<string, readonly [list: string, ...paths: ReadonlyArray<string>]>> = {
  bigcommerce: ["orders", "total_inc_tax"],
  chargebee: ["invoices", "total", "tax"],
  freeagent: ["invoices", "total_value", "net_value"],
  medusa: ["orders", "total"],
  moneybird: ["sales_invoices", "total_price_incl_tax", "details.*.total_price_excl_tax_with_discount"],
  odoo: ["account.move", "amount_total", "amount_tax"],
  odoosales: ["orders", "amount_total"],
  pennylane: ["invoices", "currency_amount", "currency_tax"],
  prestashop: ["orders", "total_paid_tax_incl"],
  quickbooks: ["Invoice", "TotalAmt", "Line.*.Amount"],
  sage: ["sales_invoices", "total_amount", "tax_amount"],
  shopware: ["orders", "amountTotal"],
  stripe: ["invoices", "total", "lines.data.*.amount", "total_taxes.*.amount"],
  tryton: ["invoices", "total_amount.decimal", "tax_amount.decimal"],
  vendure: ["orders", "totalWithTax"],
  xero: ["Invoices", "Total", "TotalTax", "LineItems.*.LineAmount"]
}

const HEAD = "| connector | adds up |"

describe("figures that do not add up", () => {
  it("differ by more than each of them may be rounded by", () => {
    const of = (total: string, ...parts: ReadonlyArray<string>) =>
      unequal({
        currency: "GBP",
        field: "Total",
        of: "its lines",
        total: Decimal.of(total),
        parts: parts.map(Decimal.of)
      })
    assert.isUndefined(of("10.03", "5", "5"))
    assert.isUndefined(of("0"))
    assert.deepStrictEqual(of("10.04", "5", "5"), {
      field: "Total",
      why: "its lines come to 10.00 GBP, and it says 10.04 GBP; correct one of both in the source"
    })
    assert.isDefined(of("9.96", "5", "5"))
    assert.isDefined(of("10.0301", "5", "5"))
  })

  it("are found in Stripe's invoices with discounts, by what these are without tax", () => {
    const wrong = (more: object) =>
      sumsOf(
        new Json.Fields({
          ...{ subtotal: "10000", total: "10800", total_excluding_tax: "9000" },
          ...{ total_discount_amounts: [{ amount: "1000" }], total_taxes: [{ amount: "1800" }], ...more }
        }),
        "EUR"
      ).flatMap((sum) => unequal(sum)?.why ?? [])
    assert.deepStrictEqual(wrong({}), [])
    assert.deepStrictEqual(wrong({ total: "11800" }), [
      "what it is without tax, and its taxes, come to 108.00 EUR, and it says 118.00 EUR; correct one of both in the source"
    ])
    assert.deepStrictEqual(wrong({ total: "11800", total_excluding_tax: null }), [])
  })

  it("are found in Chargebee's invoices with discounts, whichever of them the subtotal already has", () => {
    const wrong = (total: number, more: object = { discounts: [{ amount: 1000 }] }) => {
      const its = { id: "i1", customer_id: "c1", currency_code: "EUR", status: "posted", date: 1_769_850_000 }
      const amounts = { price_type: "tax_exclusive", sub_total: 10_000, tax: 1800, round_off_amount: 0, total }
      const text = JSON.stringify({ invoice: { ...its, amount_due: total, ...amounts, ...more } })
      return (
        invoice()(new Json.Fields(Json.parse(text) as Json.Members)).sums?.flatMap((sum) => unequal(sum)?.why ?? []) ??
        []
      )
    }
    for (const total of [11_800, 10_800, 11_300]) assert.deepStrictEqual(wrong(total), [])
    assert.match(wrong(12_800).join(), /before its discounts, come to 118.00 EUR, and it says 128.00 EUR/)
    assert.match(wrong(9800).join(), /less its discounts, come to 108.00 EUR, and it says 98.00 EUR/)
    const lines = { line_item_discounts: [{ discount_amount: 500 }] }
    assert.deepStrictEqual(wrong(11_300, lines), [])
    assert.match(wrong(10_800, lines).join(), /come to 113.00 EUR/)
  })

  it("are on the page of every connector, with what is compared or why nothing is", () => {
    const [, below = ""] = readFileSync("connectors/VENDORS.md", "utf8").split(`${HEAD}\n`)
    const rows = below.trimEnd().split("\n").slice(1)
    const said = rows.map(
      (row) =>
        row
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()) as [string, string]
    )
    const names = ([cell]: readonly [string, string]) => [...cell.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!)
    assert.sameMembers(
      said.flatMap(names),
      connectors.map(({ name }) => name)
    )
    const silent = said.filter(([, words]) => words.startsWith("nothing"))
    for (const name of silent.flatMap(names)) assert.notProperty(SUMS, name)
  })

  for (const [name, [list, ...paths]] of Object.entries(SUMS))
    it(`quarantine the record: ${name}`, async () => {
      const { subject } = await connectors.find((one) => one.name === name)!.sample()
      const whole = await made(subject)
      assert.isFalse(
        whole.refused?.some((why) => why.includes("come to")),
        whole.refused?.join("; ")
      )
      for (const path of paths) {
        const more = (value: unknown) => {
          const text = textOf(value)
          // Minor units are integers.
          return written(value, Decimal.format(Decimal.of(text) + Decimal.of(text.includes(".") ? "1" : "77")))
        }
        const { refused } = await made(subject, { list, path, to: more })
        assert.isTrue(
          refused?.some((why) => / come to .* and it says /.test(why)),
          `${path}: ${refused?.join("; ")}`
        )
      }
    })
})
