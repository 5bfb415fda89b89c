/**
 * Public samples of what sources send, where they are present beside this checkout: each record becomes documents, or
 * says why it is none, with every amount and day as it was written.
 */
import { assert, describe, it } from "vitest"
import { existsSync, readFileSync } from "node:fs"
import * as Day from "../../../core/wire/Day.ts"
import * as Json from "../../../connectors/Json.ts"
import * as GoCardless from "../../../connectors/gocardless/Mapping.ts"

const FOLDER = ["../shared/samples", "../../shared/samples"].find((path) => existsSync(path))

const load = (path: string): Json.Fields =>
  new Json.Fields(Json.parse(readFileSync(`${FOLDER}/${path}`, "utf8")) as Json.Members)

/** Skips, and says so, where the samples are not there. */
const present = (skip: (why: string) => void): boolean => {
  if (FOLDER !== undefined) return true
  console.info("the public samples are not beside this checkout (../shared/samples): skipped")
  skip("the public samples are not here")
  return false
}

describe("public samples", () => {
  it("of GoCardless", ({ skip }) => {
    if (!present(skip)) return
    const payments = Json.objects(load("gocardless/fixtures/payments.json").get("list.body.payments"))
    const refunds = Json.objects(load("gocardless/fixtures/refunds.json").get("list.body.refunds"))
    const events = Json.objects(load("gocardless/fixtures/events.json").get("list.body.events"))
    assert.isAbove(payments.length, 0)
    for (const record of payments) {
      const decode = (changes: object) =>
        GoCardless.payment("reference")(
          new Json.Fields({ id: record["id"], payment: { ...record, ...changes }, events, refunds } as never)
        ).documents
      // As it is: submitted, so no money has come.
      assert.deepStrictEqual(decode({}), [])
      const [received, back] = decode({ status: "confirmed" })
      assert.deepInclude(received, { kind: "payment", id: "PM123", date: Day.of("2014-05-21"), currency: "EUR" })
      assert.deepStrictEqual((received as { shares: unknown }).shares, [
        { invoice: "WINEBOX001", amount: 10n * 10n ** 8n }
      ])
      assert.deepInclude(back, {
        kind: "reversal",
        id: "RF123",
        payment: "PM123",
        date: Day.of("2014-01-01"),
        type: "refund"
      })
    }
  })
})
