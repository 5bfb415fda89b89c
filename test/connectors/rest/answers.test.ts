/** Answers in the forms that sources write: one record instead of a list, `[]` instead of an object, ids in brackets. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Connector } from "../../../connectors/Connector.ts"
import { type Json, Rest } from "../../../connectors/index.ts"
import { fold, run, type Subject } from "../../../connectors/testing/index.ts"
import type { Answered, Asked } from "../../../connectors/testing/Simulator.ts"

const NONE = { pagination: { by: "none" }, size: { most: 50 } } as const

const invoice = (fields: Json.Fields): Json.Decoded => ({
  documents: [
    {
      ...{ kind: "invoice", id: fields.text("id"), number: fields.text("id"), status: "open", currency: "EUR" },
      party: { name: fields.text("customer.0.name") },
      issued: fields.day("date"),
      due: fields.day("date"),
      gross: fields.major("lines.0.total", "EUR")
    }
  ]
})

const connector = Rest.make({
  name: "sample",
  title: "A sample",
  settings: Schema.Struct({ key: Rest.secret("KEY") }),
  kinds: ["invoice"],
  deletions: "status",
  blindSpots: [],
  limits: { perMinute: 600 },
  base: () => "https://sample.example",
  authorise: Rest.bearer(({ key }: { readonly key: { readonly env: string } }) => key),
  overlapSeconds: 0,
  lists: [
    {
      ...{ ...NONE, name: "invoices", kind: "invoice", path: "/invoices", records: "invoices", absent: "[]" },
      changes: { since: "since", inclusive: true },
      children: {
        customer: {
          ...{ ...NONE, by: "each", path: "/customers/{id}", records: "customer", single: true, whose: "of" },
          expects: "unknown"
        },
        lines: {
          ...{ ...NONE, by: "ids", path: "/lines", records: "lines", param: "invoice", key: "invoice", absent: "[]" },
          written: (ids) => `[${ids.join("|")}]`
        }
      },
      decode: () => invoice
    }
  ]
}) as Connector

const INVOICES = { invoices: [{ id: "1001", of: "7", date: "2026-01-31" }] }
const LINES = { lines: [{ id: "1", invoice: "1001", total: "12.50" }] }
const CUSTOMER = { customer: { id: "7", name: "Harbour Tea Ltd" } }

const read = async (answers: Readonly<Record<string, unknown>>) => {
  const asked: Array<Asked> = []
  const answer = (one: Asked): Answered => {
    asked.push(one)
    return { body: answers[one.path] }
  }
  const subject: Subject = {
    ...{ connector, settings: { key: { env: "KEY" } }, environment: { KEY: "k" }, golden: [] },
    open: () => ({ source: { lists: {}, answer } })
  }
  const { error, pages } = await run(subject, subject.open())
  return { asked, error, pages, held: fold(pages) }
}
const ALL = { "/invoices": INVOICES, "/lines": LINES, "/customers/7": CUSTOMER }

describe("the answers of a declared source", () => {
  it("may be one record, and name ids as the source writes them", async () => {
    const { asked, held } = await read(ALL)
    assert.include(held.get("invoice/1001")!, '"name":"Harbour Tea Ltd"')
    assert.strictEqual(asked.find(({ path }) => path === "/lines")?.query.get("invoice"), "[1001]")
  })

  it("are empty as [], and not as anything else without the list", async () => {
    const { error, held } = await read({ ...ALL, "/invoices": [] })
    assert.deepStrictEqual([error, held.size], [undefined, 0])
    for (const body of [{}, { message: "No" }, ["invoices"]])
      assert.match(String((await read({ ...ALL, "/invoices": body })).error), /has no list invoices/)
  })

  it("are quarantined where a single record is none", async () => {
    for (const body of [{ customer: "7" }, { customer: [] }, {}]) {
      const { error, pages } = await read({ ...ALL, "/customers/7": body })
      const why = [String(error), ...pages.flatMap(({ quarantined }) => quarantined.map((one) => one.why))].join("\n")
      assert.match(why, /no list customer|required/)
    }
  })
})
