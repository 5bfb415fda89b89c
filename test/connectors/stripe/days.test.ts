/** Whose days Stripe's invoices have. */
import { assert, describe, it } from "vitest"
import * as Json from "../../../connectors/Json.ts"
import * as Mapping from "../../../connectors/stripe/Mapping.ts"
import { dayOf } from "../../../connectors/TimeZone.ts"

describe("Stripe's invoices", () => {
  it("have the days of the account, or of the place where they are due at the end of a day", () => {
    const times = {
      created: Date.parse("2026-04-01T01:00:00Z") / 1000,
      due_date: Date.parse("2026-05-01T06:59:59Z") / 1000
    }
    const days = (invoice: object, zoned?: Json.DayOf) => {
      const record = {
        invoice: { id: "in_1", status: "open", currency: "gbp", customer_name: "A", total: 1, ...invoice }
      }
      const [one] = Mapping.invoice(
        new Json.Fields(Json.parse(JSON.stringify(record)) as Json.Members),
        zoned
      ).documents
      return one?.kind === "invoice" && `${one.issued} ${one.due}`
    }
    assert.strictEqual(days(times, dayOf("America/Los_Angeles")), "2026-03-31 2026-04-30")
    assert.strictEqual(days(times), "2026-03-31 2026-04-30")
    assert.strictEqual(days({ ...times, due_date: times.due_date + 1 }), "2026-04-01 2026-05-01")
    // The last second of 30 April in Auckland.
    assert.strictEqual(days({ ...times, due_date: Date.parse("2026-04-30T10:59:59Z") / 1000 }), "2026-04-01 2026-04-30")
  })
})
