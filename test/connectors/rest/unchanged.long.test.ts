/** Lists that are read completely, and left out while nothing in them changed: what a deletion must not be missed for. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/freeagent/Sample.ts"
import { bookmark, copy, fold, type Run, run, type Stage } from "../../../connectors/testing/index.ts"

const LIST = "bank_transaction_explanations"
const LATER = "2026-03-01T13:00:00Z"
const size = { bend: { size: 100, most: 1000 } }

/** Of a run: how often the list was asked for changes, for its length, and for pages of it. */
const asked = (ran: Run) => {
  const its = ran.asked.filter(({ path }) => path.endsWith(`/${LIST}`))
  const changes = its.filter(({ query }) => query.has("updated_since")).length
  const lengths = its.filter(({ query }) => query.get("per_page") === "1").length - changes
  return { changes, lengths, pages: its.length - changes - lengths }
}

/** A source with eight pages of payments at three bank accounts, which was read. */
const opened = async (clock?: number) => {
  const stage = subject.open()
  stage.grow!(1000)
  const first = await run(subject, stage, { bend: { ...size.bend, clock } })
  assert.deepStrictEqual(asked(first), { changes: 0, lengths: 0, pages: 8 })
  let [books, after] = [fold(first.pages), bookmark(subject.connector, first.pages.at(-1)!)]
  /** Reads on, and returns what was asked, and whether a document is left. */
  const next = async (clock?: number) => {
    const ran = await run(subject, stage, { bend: { ...size.bend, clock }, after })
    books = fold(ran.pages, books)
    after = bookmark(subject.connector, ran.pages.at(-1)!)
    return asked(ran)
  }
  const { records } = stage.source!.lists[LIST]!
  return { stage, records, next, has: (name: string) => books.has(name) }
}

const QUIET = { changes: 3, lengths: 3, pages: 0 }
const of = ({ source }: Stage, list: string) => source!.lists[list]!.records
const named = (id: string) => `https://api.freeagent.com/v2/${LIST}/${id}`
const at = (records: ReadonlyArray<{ url: string }>, id: string) => records.findIndex(({ url }) => url === named(id))

describe("a list that is read completely", () => {
  it("is left out where nothing changed, and read again where it is shorter", async () => {
    const { has, next, records } = await opened()
    assert.deepStrictEqual(await next(), QUIET)
    assert.deepStrictEqual(await next(), QUIET)
    records.splice(at(records, "20"), 1)
    assert.strictEqual((await next()).pages, 8)
    assert.isFalse(has("payment/20"))
    assert.isTrue(has("payment/21"))
    assert.deepStrictEqual(await next(), QUIET)
  })

  it("is read again after a day", async () => {
    const begun = Date.parse("2026-03-01T12:00:00Z")
    const { next } = await opened(begun)
    for (const hours of [12, 23]) assert.deepStrictEqual(await next(begun + hours * 3_600_000), QUIET)
    assert.strictEqual((await next(begun + 24 * 3_600_000)).pages, 8)
    assert.deepStrictEqual(await next(begun + 25 * 3_600_000), QUIET)
  })

  it("is read again where one was deleted and another one came", async () => {
    const { has, next, records } = await opened()
    const [gone] = records.splice(at(records, "20"), 1)
    records.push(...copy([{ ...gone, url: named("99"), updated_at: LATER }]))
    assert.strictEqual((await next()).pages, 8)
    assert.deepStrictEqual([has("payment/20"), has("payment/99")], [false, true])
  })

  it("is read again where a record changed without the length, and where an account came or went", async () => {
    const { has, next, records, stage } = await opened()
    Object.assign(records[at(records, "20")], { paid_invoice: undefined, updated_at: LATER })
    assert.strictEqual((await next()).pages, 8)
    assert.isFalse(has("payment/20"))
    of(stage, "bank_accounts").splice(1, 1)
    assert.deepStrictEqual(await next(), { changes: 0, lengths: 0, pages: 7 })
    assert.isFalse(has("payment/23"))
  })

  it("is read again as long as a record could not be read, because another may have been deleted meanwhile", async () => {
    const { has, next, records } = await opened()
    const broken = records[at(records, "21")]
    Object.assign(broken, { gross_value: "a hundred", foreign_currency_value: "a hundred" })
    records.splice(at(records, "20"), 1)
    assert.strictEqual((await next()).pages, 8)
    assert.strictEqual((await next()).pages, 8)
    Object.assign(broken, { gross_value: "64.2", foreign_currency_value: "75.5" })
    await next()
    assert.isFalse(has("payment/20"))
    assert.isTrue(has("payment/21"))
  })
})
