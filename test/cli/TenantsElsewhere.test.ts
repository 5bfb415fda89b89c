/** The page of all tenants on a node of a cluster: what it shows of the tenants of other nodes, and where its links lead. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { renderToString } from "preact-render-to-string"
import { allPage, type AllPageOptions } from "../../cli/tenants/AllPage.ts"
import { found, type TenantRow, type TenantSearch } from "../../cli/tenants/TenantSearch.ts"
import type { TenantReport } from "../../sync/cluster/Operations.ts"
import { OtherNodes, statusElsewhere } from "../../sync/library/many/OtherNodes.ts"
import { NO_FIGURES } from "../../sync/library/many/TenantFigures.ts"
import type { PgSession, PgSessions } from "../../sync/state/replication/postgres/PgSessions.ts"
import { StoreAway } from "../../sync/state/replication/Store.ts"

const said = (more: object = {}) => ({ ...NO_FIGURES, state: "waiting", next: null, ...more })
const OTHER: TenantReport = {
  tenant: "globex",
  node: "node-2",
  page: "https://node-2.example.com",
  tries: 0,
  kept: null,
  body: said({ attention: 2, approvals: 1 })
}
const own: TenantRow = { ...statusElsewhere({ ...OTHER, tenant: "acme" }), node: undefined, page: undefined }

const shown = (
  rows: ReadonlyArray<TenantRow>,
  wanted: Partial<TenantSearch> = {},
  more: Partial<AllPageOptions> = {}
) =>
  renderToString(
    allPage(rows, { search: "", after: "", ...wanted }, { form: "f", elsewhere: 0, own: "node-1", ...more }) as never
  )

describe("the page of all tenants in a cluster", () => {
  it("names the node of each tenant, and leads to its page there", () => {
    const page = shown([own, statusElsewhere(OTHER)])
    for (const place of ["/", "/attention", "/plans"]) {
      assert.include(page, `href="https://node-2.example.com/t/globex${place}"`)
      assert.include(page, `href="/t/acme${place}"`)
    }
    assert.match(page, /<td[^>]*>node-1<\/td>/)
    assert.match(page, /<td[^>]*>node-2<\/td>/)
    assert.notInclude(page, 'href="/t/globex')
  })

  it("runs a tenant of another node, but leaves its settings to that node's page", () => {
    const page = shown([own, statusElsewhere(OTHER)])
    assert.include(page, "/tenants/globex/sync")
    assert.include(page, "/tenants/acme/pause")
    assert.notInclude(page, "/tenants/globex/pause")
  })

  it("counts, finds and filters them like its own", () => {
    const calm = statusElsewhere({ ...OTHER, tenant: "initech", body: said() })
    const rows = [own, statusElsewhere(OTHER), calm]
    assert.deepStrictEqual(
      found(rows, { search: "", only: "attention", after: "" }).map(({ name }) => name),
      ["acme", "globex"]
    )
    const page = shown(rows, { search: "GLOB" })
    assert.include(page, "1 tenant of 3")
    assert.notInclude(page, "initech")
  })

  it("says what no node has, and what it cannot know", () => {
    const nobodys = statusElsewhere({ tenant: "globex", node: null, page: null, tries: 0, kept: null, body: null })
    const page = shown([nobodys])
    assert.include(page, "no living node has it")
    const heldBack = statusElsewhere({ tenant: "globex", node: null, page: null, tries: 2, kept: null, body: null })
    assert.include(shown([heldBack]), "2 nodes ended while they had it open")
    assert.notInclude(page, 'href="/t/globex')
    assert.include(shown([own], {}, { missing: "PostgreSQL: nobody answers" }), "PostgreSQL: nobody answers")
  })

  it("says of a tenant without a folder what its row says", () => {
    const kept = { isRunning: false, due: 5, held: null, paused: null }
    const of = (more: Partial<typeof kept> | object) =>
      statusElsewhere({ tenant: "globex", node: null, page: null, tries: 0, kept: { ...kept, ...more }, body: null })
    assert.deepInclude(of({}), { state: "waiting", next: 5, node: null })
    assert.deepInclude(of({ isRunning: true }), { state: "running" })
    assert.deepInclude(of({ held: "it ended" }), { state: "in trouble", trouble: "held back: it ended" })
    const paused = { since: "2026-11-30T00:00:00.000Z", by: "Ann" }
    assert.deepInclude(of({ paused }), { state: "paused", paused })
  })

  it("takes nothing for an address that is none", () => {
    for (const page of ["javascript:alert(1)", "https://a b", "", "ftp://node-2", '"><script>'])
      assert.isNull(statusElsewhere({ ...OTHER, page }).page)
  })
})

describe("what a node knows of the others", () => {
  const answering = () => {
    const state = { asked: 0, away: false }
    const ask = async () => {
      state.asked++
      return [OTHER, { ...OTHER, tenant: "acme" }]
    }
    const use: PgSessions["use"] = (work) =>
      Effect.suspend(() =>
        state.away
          ? Effect.fail(new StoreAway("nobody answers"))
          : Effect.promise(() => work({ ask: ask as unknown as PgSession["ask"] }))
      )
    return { state, elsewhere: new OtherNodes({ use, transaction: use }, (name) => name === "acme") }
  }

  it.effect("leaves out its own, and asks PostgreSQL at most every two seconds", () =>
    Effect.gen(function* () {
      const { elsewhere, state } = answering()
      for (let n = 0; n < 3; n++)
        assert.deepStrictEqual(
          (yield* elsewhere.all).map(({ name }) => name),
          ["globex"]
        )
      assert.strictEqual(state.asked, 1)
      yield* TestClock.adjust("2 seconds")
      yield* elsewhere.all
      assert.strictEqual(state.asked, 2)
    })
  )

  it.effect("knows the page of a tenant's node, and none of its own tenants or while PostgreSQL is away", () =>
    Effect.gen(function* () {
      const { elsewhere, state } = answering()
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* elsewhere.pageOf("globex"), "https://node-2.example.com")
      assert.isUndefined(yield* elsewhere.pageOf("acme"))
      state.away = true
      yield* TestClock.adjust("1 minute")
      assert.isUndefined(yield* elsewhere.pageOf("globex"))
    })
  )
})
