/** Pennylane: how much of a transaction is for an invoice, matches that are undone, and deleted invoices. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/pennylane/Sample.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const LATER = { updated_at: "2026-03-01T12:30:00Z" }
type Lists = Record<"invoices" | "transactions", Array<Record<string, unknown>>>

/** What the books hold after a first pull, and after a second one of a source that was changed. */
const later = async (change: (lists: Lists) => void) => {
  const stage = subject.open()
  const first = await run(subject, stage)
  const { invoices, transactions } = stage.source!.lists
  change({ invoices: invoices!.records, transactions: transactions!.records })
  const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
  return { held: fold([...first.pages, ...next.pages]), next }
}

describe("pennylane", () => {
  it("reads again what the list of changes names, and nothing else", async () => {
    const { next } = await later(({ invoices }) => void Object.assign(invoices[7]!, LATER))
    assert.deepStrictEqual(
      next.asked.map(({ path }) => path.split("/v2/")[1]),
      [
        ...["changelogs/customer_invoices", "changelogs/customer_invoices", "customer_invoices/25461646009"],
        ...["customers/1338681847808", "customer_invoices/25461646009/matched_transactions"]
      ].slice(1)
    )
  })

  it("takes back a match that is undone, and moves up what follows it", async () => {
    const { held } = await later(({ invoices, transactions }) => {
      transactions.shift()
      Object.assign(invoices[0]!, { remaining_amount_with_tax: "550.0", ...LATER })
    })
    assert.match(held.get("payment/25461646001/1")!, /"amount":"5000000000n"/)
    assert.isFalse(held.has("payment/25461646001/2"))
  })

  it("leaves out with a notice what it cannot tell", async () => {
    const { held, next } = await later(({ invoices }) => {
      Object.assign(invoices[0]!, { remaining_amount_with_tax: "500.0", ...LATER })
    })
    assert.deepStrictEqual(
      [...held.keys()].filter((name) => name.startsWith("payment/25461646001")),
      []
    )
    assert.match(next.pages.flatMap(({ notices = [] }) => notices)[0]!.what, /cannot be told/)
  })

  it("deletes an invoice that is not there any more, and quarantines an archived one", async () => {
    const stage = subject.open()
    const after = bookmark(subject.connector, (await run(subject, stage)).pages.at(-1)!)
    const items = [{ id: 999, operation: "delete", processed_at: LATER.updated_at }]
    const instead = ({ path }: { readonly path: string }) =>
      path.includes("/changelogs/") ? Response.json({ items, has_more: false, next_cursor: null }) : undefined
    const { pages } = await run(subject, stage, { after, bend: { instead } })
    assert.deepStrictEqual(
      pages.flatMap(({ deleted = [] }) => deleted),
      [{ kind: "invoice", id: "999" }]
    )
    const { next } = await later(({ invoices }) => void Object.assign(invoices[0]!, LATER, { status: "archived" }))
    assert.match(next.pages.flatMap(({ quarantined }) => quarantined)[0]!.why, /"archived" is not a known status/)
  })
})
