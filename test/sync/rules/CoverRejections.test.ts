/** When declined cover is asked for again: every code of the specification has its row, and the page says the same. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { REJECTIONS as SANDBOX } from "../../../core/sandbox/rules/Rejections.ts"
import { day } from "../../support/Documents.ts"
import { whenToAskAgain, type Declined, REJECTIONS } from "../../../sync/rules/Rejections.ts"

const declined = (code: string, changes: Partial<Declined> = {}, params: Record<string, number> = {}): Declined => ({
  rejection: { code, params },
  on: day("2026-03-01"),
  issued: day("2026-03-01"),
  due: day("2026-06-01"),
  registered: day("2026-02-20"),
  lastPaid: undefined,
  ...changes
})

describe("the table of rejections", () => {
  it("has a row for each code, and no other", () => {
    assert.sameMembers(Object.keys(REJECTIONS), Object.keys(SANDBOX))
  })

  it("is what the page on rules says", () => {
    const page = readFileSync("sync/rules/README.md", "utf8")
    const line = (start: string) => page.split("\n").find((one) => one.startsWith(`| ${start}`)) ?? ""
    for (const [code, { again }] of Object.entries(REJECTIONS)) {
      const start =
        again.kind === "never"
          ? "never"
          : again.kind === "days"
            ? `after ${again.days} days`
            : again.kind === "payment"
              ? "after a payment"
              : "on the day"
      assert.include(line(start), `\`${code}\``)
    }
  })

  it("asks again after days, on a date, after a payment, or never", () => {
    const on = (one: Declined, today: string) => whenToAskAgain(one, day(today))
    assert.deepInclude(on(declined("buyer-high-risk"), "2026-03-30"), { again: false, on: day("2026-03-31") })
    assert.deepInclude(on(declined("buyer-high-risk"), "2026-03-31"), { again: true })
    assert.deepInclude(on(declined("buyer-sector"), "2030-01-01"), { again: false })
    assert.deepInclude(on(declined("buyer-limit"), "2026-09-01"), { again: false })
    assert.deepInclude(on(declined("buyer-limit", { lastPaid: day("2026-02-27") }), "2026-09-01"), { again: false })
    assert.deepInclude(on(declined("buyer-limit", { lastPaid: day("2026-03-05") }), "2026-03-06"), { again: true })
    const young = declined("seller-too-young-on-platform", {}, { customer_min_registration_days: 30 })
    assert.deepInclude(on(young, "2026-03-21"), { again: false, on: day("2026-03-22") })
    assert.deepInclude(on(young, "2026-03-22"), { again: true })
    const early = declined("invoice-too-early", { issued: day("2026-05-01") }, { future_dated_limit_days: 14 })
    assert.deepInclude(on(early, "2026-04-17"), { again: true })
    assert.deepInclude(on(declined("buyer-high-risk-long-term", {}, { max_term: 30 }), "2026-03-02"), {
      again: false,
      on: day("2026-05-02")
    })
  })

  it("leaves a code that it does not know to a person, and a date that nobody knows open", () => {
    assert.deepInclude(whenToAskAgain(declined("buyer-moon-phase"), day("2030-01-01")), { again: false, unknown: true })
    assert.deepInclude(whenToAskAgain(declined("invoice-too-early"), day("2030-01-01")), { again: false })
  })
})
