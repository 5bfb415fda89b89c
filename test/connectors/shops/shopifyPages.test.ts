/** Pages of Shopify's orders: what is whole in one, and what is asked for by itself. */
import { assert, describe, it } from "@effect/vitest"
import { line, order, subject, transaction } from "../../../connectors/shopify/Sample.ts"
import { shopOf } from "../../../connectors/shopify/SampleShop.ts"
import { read, subjectOf } from "./World.ts"

const shop = (orders: ReadonlyArray<object>) => subjectOf(subject, shopOf(orders))

/** A page of orders is asked for with all that belongs to them. */
const isWhole = (body: string) => body.includes("query Orders") && body.includes("lineItems")

describe("an order of Shopify's", () => {
  it("is whole in a page of the list, and asked for by itself where it does not fit into one", async () => {
    const cup = (id: string) => line(id, "Cup", 1, "5.00", "GBP")
    const small = order("2", "GBP", "5.00", { lineItems: [cup("13")] })
    const often = order("3", "GBP", "5.00", {
      lineItems: [cup("14")],
      transactions: ["1", "2", "3"].map((id) => transaction(id, "AUTHORIZATION", "deferred", "5.00", "GBP"))
    })
    const long = order("4", "GBP", "15.00", { lineItems: ["15", "16", "17"].map(cup) })
    const { asked, documents } = await read(shop([small, often, long]), { bend: { size: 100 } })
    const names = asked.map(({ body }) => /query (\w+)/.exec(body)![1])
    assert.deepStrictEqual(names, ["Orders", "Whole", "Whole", "Rest"])
    const [one, other] = [small, long].map(({ id }) => id.slice(id.lastIndexOf("/") + 1))
    assert.includeMembers(
      documents.map(({ id, kind }) => `${kind}/${id}`),
      [`order/${one}`, `order/${other}`, "order/3"]
    )
    assert.strictEqual(documents.flatMap((it) => (it.kind === "order" ? it.lines : [])).length, 5)
  })

  it("is asked for by itself where a page of orders as a whole is too costly", async () => {
    const errors = [{ message: "Query cost is 1200", extensions: { code: "MAX_COST_EXCEEDED" } }]
    const { asked, documents, error } = await read(
      shop([order("1", "GBP", "5.00", { lineItems: [line("11", "Cup", 1, "5.00", "GBP")] })]),
      {
        bend: { instead: ({ body }) => (isWhole(body) ? new Response(JSON.stringify({ errors })) : undefined) }
      }
    )
    assert.isUndefined(error)
    assert.deepStrictEqual(documents.filter(({ kind }) => kind === "order").length, 1)
    assert.deepStrictEqual(asked.map(({ body }) => /query (\w+)/.exec(body)![1]).slice(0, 3), [
      "Orders",
      "Orders",
      "Whole"
    ])
  })
})
