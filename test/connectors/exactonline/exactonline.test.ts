/** Exact Online: what a payment term says of an invoice, matches that are taken back, and row versions. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/exactonline/Sample.ts"
import * as Mapping from "../../../connectors/exactonline/Mapping.ts"
import * as Json from "../../../connectors/Json.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const DAY = "/Date(1770076800000)/"
const term = {
  ...{ ID: "t", LineType: "20", Status: "50", TransactionType: "20", TransactionEntryID: "i", Currency: "EUR" },
  ...{ TransactionAmountFC: "121", AmountFC: "-121", LastPaymentDate: DAY, EndDate: DAY }
}
const mapped = (more: object) => Mapping.term(new Json.Fields({ ...term, ...more }))
const said = (more: object) => mapped(more).documents.map((one) => `${one.kind} ${"date" in one ? one.date : ""}`)

describe("exactonline", () => {
  it("takes money for money only where a day says that it came, and nothing for what was only sent to the bank", () => {
    assert.deepStrictEqual(said({}), ["payment 2026-02-03"])
    assert.deepStrictEqual(said({ LastPaymentDate: undefined }), ["credit_note 2026-02-03"])
    for (const Status of ["20", "30", "40"]) assert.deepStrictEqual(said({ Status }), [])
    for (const more of [{ LineType: "22" }, { TransactionType: "40" }, { TransactionAmountFC: "-121" }])
      assert.deepStrictEqual(said(more), [])
    assert.deepStrictEqual(
      mapped({ Status: "20" }).deleted?.map(({ kind }) => kind),
      ["payment", "credit_note"]
    )
  })

  it("quarantines what it does not know, and days that are none", () => {
    assert.throws(() => mapped({ Status: "60" }), /not a known status/)
    assert.throws(() => mapped({ TransactionType: "77" }), /not a known type of transaction/)
    assert.throws(() => mapped({ LastPaymentDate: "2026-02-03" }), /not a day like/)
    const entry = { EntryID: "i", Type: "20", Currency: "EUR", AmountFC: "121", VATAmountFC: "21", Reversal: true }
    assert.throws(() => Mapping.entry(new Json.Fields(entry)), /takes back another entry/)
  })

  it("asks for higher row versions from 1 on, and sees a term that is split, opened again or deleted", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    const versions = (asked: typeof first.asked) =>
      asked.flatMap(({ query }) => /Timestamp gt \d+L/.exec(query.get("$filter") ?? "")?.[0] ?? [])
    assert.strictEqual(versions(first.asked)[0], "Timestamp gt 1L")
    const [, open, paid, credited] = stage.source!.lists["terms"]!.records
    const LATER = "/Date(1772323200000)/"
    Object.assign(open, { Status: 50, LastPaymentDate: LATER, Timestamp: 9_000_001 })
    Object.assign(paid, { Status: 20, LastPaymentDate: null, Timestamp: 9_000_002 })
    Object.assign(credited, { isGone: true, Timestamp: 9_000_003 })
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    assert.strictEqual(versions(next.asked)[0], "Timestamp gt 8185279L")
    const held = [...fold([...first.pages, ...next.pages]).keys()].filter((name) => !name.startsWith("invoice"))
    const ids = (records: ReadonlyArray<{ ID: string }>) => records.map(({ ID }) => `payment/${ID}`)
    const { records } = stage.source!.lists["terms"]!
    assert.sameMembers(held, ids([records[0], open, records.at(-1)]))
  })
})
