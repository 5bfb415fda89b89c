/** Sage: what was deleted, and who gets what an allocation gives. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/sage/Sample.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

describe("sage", () => {
  it("learns what was deleted of each list, and asks for that in later readings only", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    assert.isFalse(first.asked.some(({ query }) => query.has("deleted_since")))
    const after = bookmark(subject.connector, first.pages.at(-1)!)
    const { lists } = stage.source!
    const id = { sales_invoices: "i3", contact_payments: "p1", contact_allocations: "l2" }
    for (const [name, gone] of Object.entries(id))
      lists[name]!.records.find((one) => one.id === gone).deleted_at = "2026-03-01T12:30:00Z"
    const next = await run(subject, stage, { after })
    const left = [...fold([...first.pages, ...next.pages]).keys()]
    assert.sameMembers(left, [
      ...["invoice/i1", "invoice/i2", "invoice/i4", "invoice/i5", "payment/p2"],
      ...["reversal/p4", "credit_note/l1"]
    ])
  })

  it("takes back a share that is allocated no more, and quarantines what gives more than it has", async () => {
    const stage = subject.open()
    const { contact_allocations: allocations, contact_payments: payments } = stage.source!.lists
    const first = await run(subject, stage)
    const after = bookmark(subject.connector, first.pages.at(-1)!)
    const later = (record: { updated_at: string }) => void (record.updated_at = "2026-03-01T12:30:00Z")
    payments!.records[0].allocated_artefacts = []
    allocations!.records[0].allocated_artefacts.pop()
    allocations!.records[1].allocated_artefacts[1].artefact.$path = "nowhere"
    for (const record of [payments!.records[0], ...allocations!.records]) later(record)
    const { pages } = await run(subject, stage, { after })
    const left = fold([...first.pages, ...pages])
    assert.isFalse(left.has("payment/p1"))
    assert.isFalse(left.has("credit_note/p1"))
    assert.sameMembers(
      pages.flatMap(({ quarantined }) => quarantined).map(({ origin, why }) => `${origin}: ${why}`),
      [
        "contact_allocations/l1: gives invoices more than it takes from elsewhere",
        "contact_allocations/l2: is not the path of a record"
      ]
    )
  })

  it("reads the business that the settings name, and says what Sage says where it may not", async () => {
    const other = { ...subject, settings: { ...(subject.settings as object), business: "b-2" } }
    const { error } = await run(other, subject.open())
    assert.match(error!.message, /No access to this business/)
    assert.strictEqual(subject.connector.identity!({ business: "b-1" }), "business b-1")
  })
})
