/** Odoo: a list of some thousand reconciliations. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../../connectors/odoo/Sample.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const questions = ({ asked }: Awaited<ReturnType<typeof run>>, model: string) =>
  asked.filter(({ path }) => path.includes(`/${model}/`))

describe("odoo", () => {
  it("reads all reconciliations only if one of them was changed or deleted", async () => {
    const stage = subject.open()
    stage.grow!(6000)
    const all = { bend: { size: 1000, most: 1000 } }
    const first = await run(subject, stage, all)
    const model = "account.partial.reconcile"
    assert.lengthOf(questions(first, model), 5)
    let [books, after] = [fold(first.pages), bookmark(subject.connector, first.pages.at(-1)!)]
    const next = async () => {
      const ran = await run(subject, stage, { ...all, after })
      books = fold(ran.pages, books)
      after = bookmark(subject.connector, ran.pages.at(-1)!)
      return questions(ran, model).length
    }
    assert.strictEqual(await next(), 2)
    const { records } = stage.source!.lists[model]!
    records.splice(0, 1)
    // One for what changed, one for the length, and the pages.
    assert.strictEqual(await next(), 2 + 5)
    assert.deepStrictEqual([books.has("payment/1"), books.has("payment/3")], [false, true])
    assert.strictEqual(await next(), 2)
  })
})
