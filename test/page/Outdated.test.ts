/** Today and Connections show what is so now: what was repaired, closed or decided since the last run is not said any more. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Client } from "../../core/Client.ts"
import { type Node, render, html } from "../../cli/page/Html.ts"
import { find } from "../../cli/page/Routes.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Runs from "../../sync/apply/Runs.ts"
import { shared } from "../../sync/model/Person.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import * as RunState from "../../sync/schedule/RunState.ts"
import { Database } from "../../sync/state/Database.ts"
import { at, machine, of } from "../sync/Machine.ts"

const NOW = at("2026-06-30T12:00:00Z")
const ITEM = { rule: "X1", fact: "books/invoice/I1", why: "the service refused it", todo: "correct it" } as never

const desk = async () => {
  const made = await machine("2026-06-30T12:00:00Z", [])
  const { db } = made
  const around = {
    connections: [of("books")],
    folder: ".",
    environment: {},
    file: "daybook.config.json",
    wake: () => Effect.void
  }
  const person = shared("shared password")
  const sessions = { own: "", all: () => [], end: () => Effect.void, persons: () => [] }
  const get = async (...path: ReadonlyArray<string>) => {
    const asked = { path, query: new URLSearchParams(), posted: new URLSearchParams(), form: "", name: "", person }
    const answer = await Effect.runPromise(
      find("GET", path)!({ ...asked, cookie: () => undefined, sessions }, around).pipe(
        Effect.provideService(Database, db),
        Effect.provideService(Client, undefined as never)
      )
    )
    return render(html`<p>${(answer as { readonly body: Node }).body}</p>`).replace(/<[^>]+>/g, " ")
  }
  RunState.current(db, undefined, of("books"), NOW)
  RunState.begin(db, of("books"), NOW)
  return { close: () => made.close(), db, get }
}

describe("the page after something was done", () => {
  it("says of the last run what it left only as long as it is left", async () => {
    const { close, db, get } = await desk()
    AttentionStore.update(db, "books/invoice/I1", [ITEM], undefined, NOW)
    RunState.end(db, "books", { failed: false, outcome: "attention", message: "" }, NOW)
    assert.match(await get("connections"), /1 item\s+2026-06-30/)
    AttentionStore.close(db, AttentionStore.list(db)[0]!.id, "closed by hand", NOW)
    const after = await get("connections")
    assert.match(after, /done\s+2026-06-30/)
    assert.notInclude(after, "attention")
    Approvals.ask(db, "books", { ...new Tally().summary(), digest: "1" }, NOW)
    RunState.end(db, "books", { failed: false, outcome: "waits for approval", message: "" }, NOW)
    assert.include(await get("connections"), "waits for approval")
    Approvals.decide(db, { connection: "books", digest: "1", decision: "rejected", who: "Ada" }, NOW)
    assert.notInclude(await get("connections"), "waits for approval")
    assert.match(await get("connections"), /rejected\s+2026-06-30/)
    await close()
  })

  it("says that a run is interrupted only if it is not running", async () => {
    const { close, db, get } = await desk()
    const run = Runs.begin(db, [of("books")], NOW)
    assert.include(await get("connections"), "interrupted")
    await Effect.runPromise(
      Runs.living(
        db,
        run,
        Effect.promise(async () => {
          const shown = await get("connections")
          assert.match(shown, /apply\s+2026-06-30 12:00\s+running/)
          assert.notInclude(shown, "interrupted")
        })
      )
    )
    await close()
  })

  it("counts refused calls until they were sent again", async () => {
    const { close, db, get } = await desk()
    AttentionStore.update(db, "books/invoice/I1", [], { attention: ITEM, state: "x" }, NOW)
    assert.include(await get(""), "1 call")
    assert.include(await get(""), "refused by the service")
    AttentionStore.update(db, "books/invoice/I1", [], undefined, NOW)
    assert.notInclude(await get(""), "refused by the service")
    await close()
  })
})
