/** Rows of a statement that say what the balance was, or what moved in all. */
import { describe, expect, it } from "vitest"
import { isBalanceLine } from "../../../connectors/tabular/Totals.ts"

describe("a row about the balance of an account", () => {
  const row = (text: string) => ["EE382200221020145685", "82", "31.03.2026", "", text, "2.170,50", "EUR", "K", "", "K2"]

  it("is told by its words, whatever codes and account numbers stand beside them", () => {
    for (const text of [
      "Opening balance",
      "Turnover",
      "Algsaldo",
      "Käive",
      "Beigu atlikums",
      "Likutis pabaigai",
      "Saldo końcowe"
    ])
      expect(isBalanceLine(row(text)), text).toBe(true)
  })

  it("is not one that says more, or that names a payer", () => {
    for (const text of ["Turnover tax Q1", "rent", ""]) expect(isBalanceLine(row(text)), text).toBe(false)
    expect(isBalanceLine(["EE382200221020145685", "Acme OÜ", "Turnover", "1,00"])).toBe(false)
  })
})
