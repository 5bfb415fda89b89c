/** One box finds what somebody knows of a matter: a number, a name, a reference, or an amount however it is written. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decimal from "../../../core/money/Decimal.ts"
import { search, searchedSum } from "../../../sync/reports/Search.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { World } from "../World.ts"

describe("an amount that is searched for", () => {
  it("is understood as English and German write it, with a currency or without", () => {
    const all = ["2662.59", "2,662.59", "2.662,59", "2662,59", "£2,662.59", "2662.59 EUR", "GBP 2662.59", "2 662,59 €"]
    for (const text of all) assert.strictEqual(searchedSum(text), Decimal.of("2662.59"), text)
    assert.strictEqual(searchedSum("2,662"), Decimal.of("2662"))
    assert.strictEqual(searchedSum("2.662"), Decimal.of("2662"))
    for (const text of ["0040000", "INV-7", "", "Acme", "1.2.3"]) assert.isUndefined(searchedSum(text), text)
  })
})

describe("a search", () => {
  it("finds customers, invoices and payments by what is known of them, and nothing of other connections", async () => {
    const world = new World()
    world.documents = [
      invoice({ id: "I-100", number: "INV-100", gross: "2662.59", party: { id: "B1", name: "Kestrel 100% Ltd" } }),
      invoice({ id: "I-1001", number: "INV-1001", gross: "120.00", party: { id: "B2", name: 'Harbour "Lane"' } }),
      invoice({
        id: "I-2",
        number: "INV-2",
        currency: "JPY",
        gross: "2662",
        party: { id: "B2", name: 'Harbour "Lane"' }
      }),
      payment("P-77", { "I-100": "62.59" })
    ]
    await world.sync()
    const found = async (text: string, connections: ReadonlyArray<string> = ["books"]) => {
      const ended = await world.life(Effect.flatMap(Database, (db) => db.read(() => search(db, connections, text))))
      if (ended._tag === "Failure") throw new Error(String(ended.cause))
      const { customers, documents } = ended.value
      return [
        ...customers.map(({ name }) => name),
        ...[...documents.values()].flat().map(({ document }) => document.id)
      ]
    }
    const expected: Readonly<Record<string, ReadonlyArray<string>>> = {
      "I-100": ["I-100"],
      "i-100": ["I-100"],
      "INV-100": ["I-100", "I-1001"],
      "100": ["Kestrel 100% Ltd", "I-100", "I-1001", "P-77"],
      "2,662.59": ["I-100"],
      "2.662,59": ["I-100"],
      "2662": ["I-2"],
      "62,59": ["P-77"],
      kestrel: ["Kestrel 100% Ltd"],
      '"lane"': ['Harbour "Lane"'],
      "100%": ["Kestrel 100% Ltd"],
      "1_0": [],
      "\0": [],
      "\0harbour": [],
      nobody: []
    }
    for (const [text, documents] of Object.entries(expected))
      assert.sameMembers([...(await found(text))], [...documents], text)
    for (const text of Object.keys(expected)) assert.deepStrictEqual(await found(text, ["elsewhere"]), [], text)
    world.close()
  })
})
