/** What PostgreSQL says of tenants, as lists of them show it. */
import { assert, describe, it } from "@effect/vitest"
import { renderToString } from "preact-render-to-string"
import { allPage } from "../../cli/tenants/AllPage.ts"
import { keptStatus } from "../../sync/library/many/KeptStatus.ts"

const NOTHING = { isRunning: false, due: 5, held: null, paused: null }
const of = (more: object) => keptStatus({ tenant: "globex", kept: { ...NOTHING, ...more }, body: null })

const shown = (...rows: ReadonlyArray<ReturnType<typeof of>>) =>
  renderToString(
    allPage(rows, { search: "", after: "" }, { form: "f", elsewhere: 0, missing: "nobody answers" }) as never
  )

describe("the list of tenants of a database", () => {
  it("says of each what its row says", () => {
    assert.deepInclude(of({}), { name: "globex", state: "waiting", next: 5 })
    assert.deepInclude(of({ isRunning: true }), { state: "running" })
    assert.deepInclude(of({ held: "it ended" }), { state: "in trouble", trouble: "held back: it ended" })
    const paused = { since: "2026-11-30T00:00:00.000Z", by: "Ann" }
    assert.deepInclude(of({ paused }), { state: "paused", paused })
    const page = shown(of({ held: "it ended" }))
    assert.include(page, 'href="/t/globex/"')
    assert.include(page, "held back: it ended")
    assert.include(page, "Not all tenants are shown: nobody answers")
  })

  it("says which nothing runs, because its configuration stayed in a folder", () => {
    const left = keptStatus({ tenant: "acme", kept: null, body: { attention: 2, state: "waiting", next: 7 } })
    assert.deepInclude(left, { name: "acme", state: "in trouble", attention: 2 })
    assert.include(left.trouble, "daybook tenants import")
  })
})
