/** FreeAgent: every account of the bank, what is deleted, and what is only guessed. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/freeagent/Sample.ts"
import { bookmark, copy, fold, run } from "../../../connectors/testing/index.ts"

const accounts = ({ asked }: Awaited<ReturnType<typeof run>>) => [
  ...new Set(asked.flatMap(({ query }) => query.get("bank_account") ?? []).map((url) => url.slice(-1)))
]

describe("freeagent", () => {
  it("reads the explanations of each account in turn, and begins with the first where it was stopped", async () => {
    const stage = subject.open()
    const whole = await run(subject, stage)
    assert.deepStrictEqual(accounts(whole), ["1", "2", "3"])
    const at = whole.pages.findIndex(({ read }) => read.some(({ document }) => document.id === "23"))
    const before = whole.pages.slice(0, at + 1)
    const rest = await run(subject, stage, { after: bookmark(subject.connector, before.at(-1)!) })
    assert.deepStrictEqual(accounts(rest), ["1", "2", "3"])
    assert.deepStrictEqual(fold([...before, ...rest.pages]), fold(whole.pages))
  })

  it("takes back what is deleted, also of the last account, and all of it where there are no accounts", async () => {
    const stage = subject.open()
    const { bank_accounts, bank_transaction_explanations } = stage.source!.lists
    const whole = await run(subject, stage)
    const after = bookmark(subject.connector, whole.pages.at(-1)!)
    const names = async () => {
      const { pages } = await run(subject, stage, { after })
      return [...fold([...whole.pages, ...pages]).keys()].filter((name) => /payment|reversal/.test(name))
    }
    bank_transaction_explanations!.records.splice(4, 1)
    assert.sameMembers(await names(), ["payment/20", "payment/21", "payment/23"])
    bank_accounts!.records.splice(0)
    assert.deepStrictEqual(await names(), [])
  })

  it("deletes nothing where accounts or explanations are answered with nothing at all", async () => {
    const stage = subject.open()
    const whole = await run(subject, stage)
    const after = bookmark(subject.connector, whole.pages.at(-1)!)
    for (const list of ["bank_accounts", "bank_transaction_explanations", "credit_note_reconciliations"]) {
      const instead = ({ path }: { readonly path: string }) =>
        path === `/v2/${list}` ? new Response(null, { status: 204 }) : undefined
      const { error, pages } = await run(subject, stage, { after, bend: { instead } })
      assert.match(error?.message ?? "", /empty \(204\) where the whole list is expected/, list)
      assert.strictEqual(fold([...whole.pages, ...pages]).size, fold(whole.pages).size, list)
    }
  })

  it("believes a guess once it is approved, and quarantines what does not say what it explains", async () => {
    const stage = subject.open()
    const { records } = stage.source!.lists["bank_transaction_explanations"]!
    records.find(({ url }) => url.endsWith("/26")).marked_for_review = false
    records[0].marked_for_review = true
    records.push(...copy([{ ...records[1], url: `${records[1].url}1`, paid_invoice: "somewhere" }]))
    delete records[1].paid_invoice
    const { pages } = await run(subject, stage)
    const names = [...fold(pages).keys()]
    assert.include(names, "payment/26")
    assert.notInclude(names, "payment/20")
    assert.sameMembers(
      pages.flatMap(({ quarantined }) => quarantined).map(({ field, why }) => `${field}: ${why}`),
      ["paid_invoice: is missing; it is required", "paid_invoice: is not the address of an invoice or of a credit note"]
    )
  })
})
