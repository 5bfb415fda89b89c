/** Which of several equal invoices a payment is for that says nothing of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { invoice } from "../../support/Documents.ts"
import { matches, needs } from "../Paying.ts"
import { by, given, of } from "./OneCustomer.ts"

describe("several equal invoices that a payment may be for", () => {
  const equal = [of("I1", "100.00", { due: "2026-01-20" }), of("I2", "100.00", { due: "2026-01-15" })]

  it.effect("are asked about, or the oldest is paid first where a person wrote so", () =>
    given({}, equal, [[by("P1", "100.00")]], (db) => {
      assert.deepStrictEqual(matches(db), [])
      assert.include(needs(db)[0], "it could be for I1 and I2")
    }).pipe(
      Effect.andThen(
        given({ undesignated: "oldest" }, equal, [[by("P1", "100.00")]], (db) =>
          assert.deepStrictEqual(matches(db), ["P1 → I2 100.00"])
        )
      )
    )
  )

  it.effect("are paid from the oldest on, however long that was due, whatever date the text has", () =>
    Effect.forEach(["thanks", "rent 2026/05"], (text) =>
      given({ undesignated: "oldest" }, equal, [[by("P1", "100.00", text, "2026-06-30")]], (db) =>
        assert.deepStrictEqual(matches(db), ["P1 → I2 100.00"], text)
      )
    )
  )

  it.effect("are not told apart by a date that is nearly the number of one", () =>
    given(
      { undesignated: "oldest" },
      [of("INV-2126", "49.00", { due: "2026-03-20" }), of("INV-1541", "49.00", { due: "2026-02-20" })],
      [[by("P1", "49.00", "Miete 2026/03", "2026-03-19")]],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → INV-1541 49.00"])
    )
  )

  it.effect("are those that no other payment names which is enough for them and waits", () =>
    given(
      { undesignated: "oldest" },
      equal,
      [[by("P1", "350.00", "I2", "2026-01-21"), by("P2", "100.00", "thanks", "2026-01-22")]],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P2 → I1 100.00"])
        assert.include(needs(db)[0], "it names I2, but only 100.00 GBP of that is open")
      }
    )
  )

  it.effect("are left to another of its payer and amount that waits, because it names another customer's", () => {
    const others = invoice({ id: "X-909", number: "X-909", gross: "100.00", party: { name: "Otto Ltd" } })
    const both = [[by("P1", "100.00", "X-909", "2026-01-21"), by("P2", "100.00", "thanks", "2026-01-22")]]
    return given({ undesignated: "oldest" }, [...equal, others], both, (db) =>
      assert.deepStrictEqual(matches(db), ["P2 → I1 100.00"])
    ).pipe(
      Effect.andThen(
        given({ undesignated: "oldest" }, [...equal.slice(0, 1), others], both, (db) => {
          assert.deepStrictEqual(matches(db), [])
          assert.lengthOf(needs(db), 2)
        })
      )
    )
  })

  it.effect("are asked about where another payment names the only one and waits", () =>
    given(
      {},
      equal.slice(0, 1),
      [[by("P1", "350.00", "I1", "2026-01-21"), by("P2", "100.00", "thanks", "2026-01-22")]],
      (db) => {
        assert.deepStrictEqual(matches(db), [])
        assert.include(needs(db).join("\n"), "another payment could also be for I1")
      }
    )
  )

  it.effect("are all paid where as many payments came: every assignment is the same to the service", () =>
    given(
      {},
      equal,
      [[by("P1", "100.00", "thanks", "2026-01-12"), by("P2", "100.00", "thanks", "2026-01-11")]],
      (db) => {
        assert.deepStrictEqual(matches(db), ["P1 → I1 100.00", "P2 → I2 100.00"])
        assert.deepStrictEqual(needs(db), [])
      }
    )
  )
})
