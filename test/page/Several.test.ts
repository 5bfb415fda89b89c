/** Several plans, or items of attention, decided about with one form: those that were shown, and no others. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import { foresee } from "../../sync/decisions/Together.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { Database } from "../../sync/state/Database.ts"
import { Client } from "../../core/Client.ts"
import { list } from "../../cli/page/AttentionList.ts"
import { html, render } from "../../cli/page/Html.ts"
import { find } from "../../cli/page/Routes.ts"
import { shared } from "../../sync/model/Person.ts"
import { at, machine, of } from "../sync/Machine.ts"

const NOW = at("2026-06-30T12:00:00Z")

const desk = async () => {
  const made = await machine("2026-06-30T12:00:00Z", [])
  const { db } = made
  const woken: Array<string> = []
  const around = {
    connections: ["books", "shop", "fair"].map((id) => of(id)),
    folder: ".",
    environment: {},
    file: "daybook.config.json",
    wake: (id: string) => Effect.sync(() => void woken.push(id))
  }
  const post = (path: string, fields: ReadonlyArray<readonly [string, string]>) =>
    Effect.runPromise(
      find("POST", path.split("/").slice(1))!(
        {
          path: path.split("/").slice(1),
          query: new URLSearchParams(),
          posted: new URLSearchParams(fields.map(([name, value]) => [name, value])),
          form: "",
          name: "Ada",
          cookie: () => undefined,
          sessions: { own: "", all: () => [], end: () => Effect.void, persons: () => [] },
          person: shared("shared password")
        },
        around
      ).pipe(Effect.provideService(Database, db), Effect.provideService(Client, undefined as never))
    )
  return { around, db, woken, post, close: () => made.close() }
}

describe("several at once", () => {
  it("are approved by the digests that were shown; a plan that moved on, or was not chosen, is left undecided", async () => {
    const { close, db, post, woken } = await desk()
    for (const id of ["books", "shop", "fair"])
      Approvals.ask(db, id, { ...new Tally().summary(), digest: `${id}-1` }, NOW)
    assert.deepInclude(await post("/plans/several/approve", []), { said: "noneChosen" })
    // The plan of the shop is another one by now.
    Approvals.ask(db, "shop", { ...new Tally().summary(), digest: "shop-2" }, NOW)
    const chosen = [
      ["plan", "books-1 books"],
      ["plan", "shop-1 shop"]
    ] as const
    assert.deepInclude(await post("/plans/several/approve", chosen), { said: "someMoved" })
    const decided = () => Approvals.list(db).map(({ connection, decision, who }) => [connection, decision, who])
    const expected = [
      ["books", "approved", "Ada"],
      ["fair", null, null],
      ["shop", null, null]
    ]
    assert.deepStrictEqual(decided(), expected)
    assert.deepStrictEqual(woken, ["books"])
    // What was decided once stays as it was decided.
    assert.deepInclude(await post("/plans/several/reject", [["plan", "books-1 books"]]), { said: "someMoved" })
    assert.deepStrictEqual(decided(), expected)
    const rest = [
      ["plan", "shop-2 shop"],
      ["plan", "fair-1 fair"]
    ] as const
    assert.deepInclude(await post("/plans/several/reject", rest), { said: "rejectedAll" })
    assert.deepStrictEqual(
      decided().map(([, decision]) => decision),
      ["approved", "rejected", "rejected"]
    )
    await close()
  })

  it("are closed where they are items of attention; exactly those that were shown, or none", async () => {
    const { close, db, post } = await desk()
    const item = (why: string) => ({ rule: "P1", fact: "books/payment/P1", why, todo: "check it" }) as never
    AttentionStore.update(db, "books/invoice/I1", [item("a"), item("b"), item("c")], undefined, NOW)
    const ids = AttentionStore.list(db).map(({ id }) => id)
    const chosen = { what: "close", ids: ids.slice(0, 2) } as const
    const { digest } = foresee(db, [], chosen, NOW)
    const fields = [["ids", chosen.ids.join(" ")]] as const
    for (const wrong of [[], [["digest", "of another"] as const]])
      assert.deepInclude(await post("/attention/all/resolve", [...fields, ...wrong]), { status: 409 })
    assert.deepInclude(await post("/attention/all/retry", [...fields, ["digest", digest]]), { status: 409 })
    assert.strictEqual(AttentionStore.count(db), 3)
    assert.deepInclude(
      await post("/attention/all/resolve", [
        ["ids", `${ids[0]} ${ids[1]} x`],
        ["digest", digest]
      ]),
      {
        said: "resolvedAll"
      }
    )
    assert.deepStrictEqual(
      AttentionStore.list(db).map(({ id }) => id),
      [ids[2]]
    )
    await close()
  })

  it("show whose invoices a payment is for, and whose a payer pays, only to who may see those invoices", async () => {
    const { around, close, db } = await desk()
    db.prepare("INSERT INTO choice VALUES ('bank/payment/B1', ?, 1)").run('[["books/invoice/I1","100"]]')
    db.prepare("INSERT INTO payer VALUES ('bank', 'X9', 'TERN', '', 'TERN', 'Tern & Sons', 1)").run()
    const bank = { ...of("bank"), pays: { connection: "books", days: 30 } }
    const shown = async (connections: typeof around.connections) => {
      const asked = {
        path: ["attention"],
        query: new URLSearchParams(),
        form: "",
        name: "",
        cookie: () => undefined,
        person: shared("shared password")
      }
      const answer = await Effect.runPromise(Effect.provideService(list(asked, { connections }), Database, db))
      return "file" in answer ? "" : render(html`<main>${answer.body}</main>`)
    }
    assert.match(await shown([of("books"), bank]), /Tern &amp; Sons/)
    assert.include(await shown([of("books"), bank]), "books/invoice/I1")
    assert.notMatch(await shown([bank]), /Tern|books\/invoice/)
    await close()
  })
})
