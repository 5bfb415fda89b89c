/** A payment that names an invoice in short pays no other one of its amount, whatever became of that invoice. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { invoice, payment } from "../../support/Documents.ts"
import { given, matches, needs, received } from "../Paying.ts"

const of = (id: string, name: string, gross = "120.00") => invoice({ id, number: id, gross, party: { name } })
const by = (id: string, name: string, reference: string, amount = "120.00", date = "2026-01-31") =>
  received(id, { amount, date, reference, party: { name } })

describe("a transfer that names an invoice in short", () => {
  it.effect("is not what the books have of its payer and amount for another one", () => {
    const both = [of("INV-1002", "Meyer Bau"), of("INV-1003", "Meyer Bau")]
    const debit = payment("B1", { "INV-1003": "120.00" }, "2026-01-31")
    return given([...both, debit], [by("P1", "Meyer Bau", "Rg. 1002")], (db) => {
      const how = db
        .prepare("SELECT s.how FROM sighting s JOIN document d ON d.id = s.document WHERE d.key = 'debits/payment/P1'")
        .pluck()
        .get()
      assert.strictEqual(how, "doubt")
    })
  })
})

describe("a typing error in a number", () => {
  it.effect("is none where the number is that of an invoice which is void: an equal one is for a person", () => {
    const gone = { ...of("INV-1004", "Tern & Sons"), status: "void" } as const
    const came = [by("P1", "Tern & Sons", "Rg. 1004")]
    return given([gone, of("INV-1005", "Tern & Sons")], came, (db) => {
      assert.deepStrictEqual(matches(db), [])
      assert.match(needs(db).join("\n"), /payment\/P1 .*it names INV-1004/s)
    })
  })

  it.effect(
    "is none where the number is that of an invoice which is paid: another of the amount is for a person",
    () => {
      const both = [of("INV-1047", "Tern & Sons"), of("INV-1048", "Tern & Sons")]
      const name = { name: "Tern & Sons" }
      const came = [by("P1", name.name, "INV-1047"), by("P2", name.name, "Rg. 1047", "120.00", "2026-02-03")]
      return Effect.gen(function* () {
        yield* given(both, came, (db) => {
          assert.deepStrictEqual(matches(db), ["P1 → INV-1047 120.00"])
          assert.match(
            needs(db).join("\n"),
            /payment\/P2 .*it names INV-1047, which does not fit; it could be for INV-1048$/s
          )
        })
        const paid = received("B1", { link: "INV-1047", date: "2026-01-30", party: name })
        yield* given([...both, paid], came, (db) => assert.notInclude(matches(db).join(), "INV-1048"))
        const dearer = [of("INV-1047", name.name, "130.00"), both[1]!]
        yield* given(dearer, came.slice(1), (db) => {
          assert.deepStrictEqual(matches(db), [])
          assert.include(needs(db)[0], "it names INV-1047, which does not fit; it could be for INV-1048")
        })
      })
    }
  )
})
