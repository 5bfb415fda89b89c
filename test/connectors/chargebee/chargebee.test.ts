/** Chargebee: what its records mean, what it is asked, and what a change or a deletion takes back. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/chargebee/Sample.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"
import { type Facts, records } from "./Records.ts"

/** A source with these records only. */
const opened = (lists: Facts) => {
  const stage = subject.open()
  for (const [name, { records }] of Object.entries(stage.source!.lists))
    records.splice(0, records.length, ...copy(lists[name as keyof Facts] ?? []))
  return stage
}

const LATER = Date.parse("2026-03-01T12:30:00Z") / 1000

const quarantined = ({ pages }: Awaited<ReturnType<typeof run>>) =>
  pages.flatMap(({ quarantined }) => quarantined).map(({ origin, why }) => `${origin}: ${why}`)

describe("chargebee", () => {
  for (const [what, { facts, golden }] of Object.entries(records))
    it(what, async () => {
      const ran = await run(subject, opened(facts))
      assert.deepStrictEqual(quarantined(ran), [])
      assert.sameMembers([...fold(ran.pages).values()], [...golden])
    })

  it("queries no time at first, as records without one would be missing, and later what changed, oldest first", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    assert.isTrue(first.asked.every(({ query }) => query.get("include_deleted") === "true"))
    assert.isFalse(first.asked.some(({ query }) => query.has("updated_at[after]") || query.has("sort_by[asc]")))
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    assert.strictEqual(next.asked.length, 3)
    for (const { query } of next.asked) {
      assert.match(query.get("updated_at[after]") ?? "", /^\d{10}$/)
      assert.strictEqual(query.get("sort_by[asc]"), "updated_at")
    }
  })

  it("takes back what is deleted, voided or no longer allocated, in each list, and an invoice that its id does not find", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    const [invoices, transactions, notes] = ["invoices", "transactions", "credit_notes"].map(
      (name) => stage.source!.lists[name]!.records
    )
    const change = (record: object, change: object) => Object.assign(record, { updated_at: LATER, ...change })
    change(invoices![1], { deleted: true })
    change(transactions![0], { linked_invoices: [] })
    change(transactions![3], { deleted: true })
    change(notes![0], { status: "voided" })
    change(notes![2], { allocations: [] })
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    const left = fold(next.pages, fold(first.pages))
    assert.sameMembers([...left.keys()], ["invoice/i1", "invoice/i3", "payment/p2", "credit_note/n3/refunded"])
    const again = await run(subject, stage, { reread: ["i1", "i2", "i9"] })
    const gone = again.pages.flatMap(({ deleted = [] }) => deleted).filter(({ kind }) => kind === "invoice")
    assert.sameDeepMembers(
      gone,
      ["i2", "i9"].map((id) => ({ kind: "invoice" as const, id }))
    )
    assert.deepStrictEqual([...fold(again.pages).keys()], ["invoice/i1"])
  })

  it("reads many invoices again in one request", async () => {
    const { asked, pages } = await run(subject, subject.open(), { reread: ["i1", "i2", "i3"], bend: { size: 100 } })
    assert.deepStrictEqual(
      asked.map(({ query }) => query.get("id[in]")),
      ['["i1","i2","i3"]']
    )
    assert.strictEqual(fold(pages).size, 3)
  })

  it("quarantines amounts in a currency whose decimals Chargebee does not state, statuses and kinds that are new", async () => {
    const stage = subject.open()
    const { credit_notes, invoices, transactions } = stage.source!.lists
    invoices!.records[0].currency_code = "ISK"
    invoices!.records[1].site_details_at_creation = { timezone: "Atlantis" }
    transactions!.records[0].status = "odd"
    credit_notes!.records[0].type = "odd"
    assert.sameMembers(quarantined(await run(subject, stage)), [
      "invoices/i1: Chargebee does not say how many decimals its amounts in ISK have",
      "invoices/i2: Invalid time zone specified: Atlantis",
      'transactions/p1: "odd" is not a known status',
      'credit_notes/n1: "odd" is not a known type'
    ])
  })

  it("takes deliveries with the webhook's user and password, and reads what changed for those about its records", () => {
    const webhook = subject.connector.webhook!
    const body = (value: unknown) => Buffer.from(JSON.stringify(value))
    const sent = (authorization?: string) =>
      webhook.verify({ headers: { authorization }, body: body({}) }, "daybook:secret", 0)
    assert.isTrue(sent(`Basic ${btoa("daybook:secret")}`))
    for (const other of [undefined, "", "daybook:secret", `Basic ${btoa("daybook:other")}`]) assert.isFalse(sent(other))
    const events = (value: unknown) => webhook.events({ headers: {}, body: body(value) }, subject.settings as never)
    const event = (content: object) => events({ id: "ev_1", event_type: "payment_succeeded", content })
    assert.deepStrictEqual(event({ transaction: { id: "p1" }, invoice: { id: "i1" } }), [{ event: "ev_1" }])
    assert.deepStrictEqual(event({ coupon: { id: "c1" } }), [])
    assert.isUndefined(events({ hello: "there" }))
  })
})
