/** Records that contradict themselves are quarantined, whichever connector reads them. */
import { assert, describe, it } from "vitest"
import type { Invoice } from "../../../connectors/Document.ts"
import * as Quarantine from "../../../connectors/Quarantine.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"

const of = (text: string) => Decimal.of(text)
const invoice = (more: Partial<Invoice>): Invoice => ({
  kind: "invoice",
  id: "1",
  number: "1",
  status: "open",
  party: { name: "Harbour Tea Ltd" },
  currency: "GBP",
  issued: Day.of("2026-01-31"),
  due: Day.of("2026-03-02"),
  net: of("100"),
  gross: of("120"),
  ...more
})
const why = (more: Partial<Invoice>) => {
  const found = Quarantine.defect(invoice(more))
  return found && `${found.field}: ${found.why}`
}

describe("a record that contradicts itself", () => {
  it("is paid with an open amount", () => {
    assert.match(
      why({ status: "paid", stated: { open: of("20") } })!,
      /^status: the source calls it paid.*20\.00 GBP is open/
    )
    assert.isUndefined(why({ status: "paid", stated: { open: 0n } }))
    assert.isUndefined(why({ status: "paid", stated: { open: of("-5") } }))
    assert.isUndefined(why({ status: "void", stated: { open: of("120") } }))
  })

  it("is paid, and nothing was paid or credited", () => {
    assert.match(
      why({ status: "paid", stated: { paid: 0n, credited: 0n } })!,
      /^status: .*nothing was paid or credited/
    )
    assert.isUndefined(why({ status: "paid", stated: { paid: 0n } }))
    assert.isUndefined(why({ status: "paid", net: 0n, gross: 0n, stated: { paid: 0n, credited: 0n } }))
    assert.isUndefined(why({ stated: { paid: 0n, credited: 0n } }))
  })

  it("has more open than it asks for", () => {
    assert.match(why({ net: of("120"), gross: of("100"), stated: { open: of("120") } })!, /^stated: .*net and gross/)
    assert.isUndefined(why({ stated: { open: of("120") } }))
  })

  it("has figures that do not add up", () => {
    const stated = { open: of("20"), paid: of("90"), credited: of("10") }
    assert.isUndefined(why({ stated }))
    assert.match(why({ stated: { ...stated, paid: 0n } })!, /do not add up: 20\.00 GBP open, 0\.00 GBP paid/)
    assert.match(why({ status: "paid", stated: { open: 0n, paid: of("20"), credited: 0n } })!, /do not add up/)
    assert.isUndefined(why({ stated: { open: of("20"), paid: 0n } }))
  })

  it("has instalments of another amount", () => {
    const schedule = [{ date: Day.of("2026-02-28"), amount: of("60") }]
    assert.match(why({ schedule })!, /^schedule: its instalments add up to 60\.00 GBP/)
    assert.isUndefined(why({ schedule: [...schedule, ...schedule] }))
  })

  it("has a day of another age", () => {
    assert.match(why({ issued: Day.of("0026-01-31") })!, /^issued: is 0026-01-31/)
    assert.match(why({ due: Day.of("2926-01-31") })!, /^due: is 2926-01-31/)
    const payment = { kind: "payment", id: "p", date: Day.of("0001-01-01"), currency: "GBP", shares: [] } as const
    assert.strictEqual(Quarantine.defect(payment)?.field, "date")
  })
})
