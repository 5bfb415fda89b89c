/** Nobody writes the number of an invoice that they do not have yet, unless they pay in advance. */
import { assert, describe, it } from "@effect/vitest"
import { invoice } from "../../support/Documents.ts"
import { given, matches, needs, received } from "../Paying.ts"

const of = (id: string, name: string, gross = "120.00", more: Parameters<typeof invoice>[0] = {}) =>
  invoice({ id, number: id, gross, party: { name }, ...more })
const by = (id: string, name: string, reference: string, amount = "120.00", date = "2026-01-31") =>
  received(id, { amount, date, reference, party: { name } })

describe("the number of an invoice that was issued after the payment came", () => {
  const issued = (id: string, day: string, gross = "49.00") => of(id, "Tern & Sons", gross, { issued: day, due: day })

  it.effect("is a typing mistake where the payer owed exactly the amount by then: a person decides", () =>
    given(
      [issued("INV-1", "2026-01-02"), issued("INV-2", "2026-02-02")],
      [by("P1", "Tern & Sons", "INV-2", "49.00")],
      (db) => {
        assert.deepStrictEqual(matches(db), [])
        assert.include(
          needs(db)[0],
          "it names INV-2, which was issued only after it came, and INV-1 asks for exactly this amount"
        )
      }
    )
  )

  it.effect("is paid in advance where the payer owed no such amount by then", () =>
    given(
      [issued("INV-1", "2026-01-02", "50.00"), issued("INV-2", "2026-02-02"), issued("INV-3", "2026-02-03")],
      [by("P1", "Tern & Sons", "INV-2", "49.00")],
      (db) => assert.deepStrictEqual(matches(db), ["P1 → INV-2 49.00"])
    )
  )
})
