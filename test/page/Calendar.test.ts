/** Each day of the calendar of deadlines says what is open of its invoices: exactly, by currency, each invoice once. */
import { describe, expect, it } from "vitest"
import { calendar } from "../../cli/page/Calendar.ts"
import { html, render } from "../../cli/page/Html.ts"
import type { CoverDeadline } from "../../sync/reports/Cover.ts"

const deadline = (number: string, open: string, more: Partial<CoverDeadline> = {}): CoverDeadline => ({
  ...{ subject: `books/invoice/${number}`, connection: "books", number, name: "Tern & Sons" },
  ...{ day: "2026-12-03", daysLeft: 3, what: "due", open, currency: "GBP", status: "active", remind: [] },
  ...more
})

describe("the calendar of deadlines", () => {
  it("says what is open by day and currency, each invoice once", () => {
    const page = render(
      html`<div>${calendar("2026-11-30", [
        deadline("1", "900719925474099.10"),
        deadline("1", "900719925474099.10", { what: "offer ends" }),
        deadline("2", "0.20"),
        deadline("3", "5", { currency: "JPY" }),
        deadline("4", "7.00", { day: "2026-12-04" })
      ])}</div>`
    )
    const day = /<td data-title="2026-12-03">.*?<\/td>/s.exec(page)?.[0] ?? ""
    expect(day).toContain("900,719,925,474,099.30 GBP + 5 JPY")
    expect(/<td data-title="2026-12-04">.*?<\/td>/s.exec(page)?.[0]).toContain("7.00 GBP")
  })
})
