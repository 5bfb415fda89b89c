/** Two people at the same matter: who comes second is told what was decided, and changes nothing; and a choice is taken back. */
import Sqlite from "better-sqlite3"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { lock } from "../../sync/state/FileLock.ts"
import { books, configuration, service, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"
import { BANK, PASSWORD } from "../support/PageHouse.ts"

useCommand()

/** A daemon with a payment that nobody can tell, and a person who is signed in at its page. */
const house = async () => {
  const there = await service()
  const { connections, ...rest } = configuration(there.url)
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...rest,
      daemon: { page: { password: { env: "PAGE_PASSWORD" } } },
      connections: [{ ...connections[0], every: "1 hour" }, BANK]
    }),
    "payments.csv": "Ref,Invoice,Date,Amount,Type,Code\n",
    "bank.csv": "No,Day,Amount,From\n1,2026-03-22,300.60,Somebody Else\n"
  })
  const running = await startDaemon(here.folder, { env: { PAGE_PASSWORD: PASSWORD } })
  for (const id of ["books", "bank"])
    await running.says(({ connection, outcome }) => connection === id && outcome !== undefined)
  const signIn = await fetch(`${running.url}/login`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ password: PASSWORD })
  })
  const cookie = signIn.headers.get("set-cookie")!.split(";")[0]!
  const get = async (path: string) => (await fetch(`${running.url}${path}`, { headers: { cookie } })).text()
  const form = /name="form" value="([^"]+)"/.exec(await get("/"))![1]!
  const post = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${running.url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie },
      body: new URLSearchParams({ form, ...fields })
    })
    return { status: answer.status, to: answer.headers.get("location"), text: await answer.text() }
  }
  const state = here.path("daybook.db")
  const closings = () => {
    const db = new Sqlite(state, { readonly: true })
    try {
      return db.prepare("SELECT how FROM attention WHERE id = 1").pluck().all()
    } finally {
      db.close()
    }
  }
  const read = (sql: string): string => {
    const db = new Sqlite(state, { readonly: true })
    try {
      return String(db.prepare(sql).pluck().get())
    } finally {
      db.close()
    }
  }
  return { there, here, get, post, read, state, closings }
}

describe("an attention item that somebody else has resolved", { timeout: 60_000 }, () => {
  it("keeps the first person's note, however long the second one waits for the state file", async () => {
    const { closings, post, state } = await house()
    // As a command has it: first the lock, then the decision.
    const scope = await Effect.runPromise(Scope.make())
    const take = lock(state, "daybook attention resolve").pipe(Effect.provideService(Scope.Scope, scope))
    await until("the lock", async () => ((await Effect.runPromiseExit(take))._tag === "Success" ? true : undefined))
    const waiting = post("/attention/1/resolve")
    const choosing = post("/attention/1/match", { invoices: "INV-2" })
    await new Promise((resolve) => setTimeout(resolve, 700))
    const db = new Sqlite(state)
    db.prepare("UPDATE attention SET closed = 1774000000000, how = 'called them' WHERE id = 1").run()
    db.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    for (const answer of [await waiting, await choosing]) {
      assert.strictEqual(answer.status, 409)
      assert.include(
        answer.text,
        "item 1 was already closed at 2026-03-20 09:46 UTC: called them. Nothing was changed."
      )
    }
    assert.deepStrictEqual(closings(), ["called them"])
  })

  it("is reported to whoever comes second at the page, too; and a choice can be taken back there", async () => {
    const { get, post, read, there } = await house()
    // INV-1 asks for less: what follows is shown first, and a second word makes the choice.
    const shown = await post("/attention/1/match", { invoices: "INV-1=300.60" })
    assert.strictEqual(shown.status, 422)
    assert.include(shown.text, "180.60 GBP more than it asks for would be received")
    assert.match(shown.text, /It is for these all the same/)
    const first = await post("/attention/1/match", { invoices: "INV-2", sure: "yes" })
    assert.deepStrictEqual([first.status, first.to], [303, "/attention?said=matched&undo=1"])
    for (const [path, fields] of [
      ["/attention/1/match", { none: "yes" }],
      ["/attention/1/resolve", {}],
      ["/attention/1/retry", {}]
    ] as const) {
      const second = await post(path, fields)
      assert.strictEqual(second.status, 409, path)
      assert.include(second.text, "allocated by hand to books/invoice/INV-2 (300.60)", path)
    }
    const reported = (amount: string) =>
      until(`${amount} at the service`, async () => {
        const { payments } = (await there.holds())["books/invoice/INV-2"] as {
          readonly payments: ReadonlyArray<string>
        }
        return payments.some((one) => one.includes(` ${amount} `)) ? true : undefined
      })
    await reported("300.60")
    assert.include(await get("/attention"), "Undo")
    // It was sent: what undoes that is said of the payment, and not of the decision.
    assert.notInclude(await get("/attention?said=matched&undo=1"), "/attention/undo")
    const late = await post("/attention/undo", { undo: "1", digest: read("SELECT left FROM undoable WHERE id = 1") })
    assert.deepStrictEqual([late.status, /was sent for it since/.test(late.text)], [409, true])
    const invoice = await get(`/documents/${encodeURIComponent("books/invoice/INV-2")}`)
    assert.match(invoice, /action="\/payments\/ask"[\s\S]*value="bank\/payment\/1"[\s\S]*It is for another invoice/)
    const nowhere = await post("/payments/ask", { payment: "bank/payment/nowhere" })
    assert.deepStrictEqual(
      [nowhere.status, /no payment bank\/payment\/nowhere is known/.test(nowhere.text)],
      [422, true]
    )
    const undone = await post("/payments/undo", { payment: "bank/payment/1" })
    assert.deepStrictEqual([undone.status, undone.to], [303, "/attention?said=undone&undo=2"])
    await reported("-300.60")
    const page = await get("/attention")
    assert.notInclude(page, "Undo")
    assert.include(page, "bank/payment/1")
    const again = await post("/payments/undo", { payment: "bank/payment/1" })
    assert.deepStrictEqual([again.status, again.to], [303, "/attention?said=handled"])
    // What is said for good is listed, forgotten, and remembered again.
    const item = read("SELECT id FROM attention WHERE subject = 'bank/payment/1' AND closed IS NULL")
    const bench = await get(`/attention/${item}`)
    assert.include(bench, "Somebody Else always pays for Brightwater Foods Ltd")
    const always = (customer: string) => post(`/attention/${item}/always`, { customer })
    assert.include((await always("Nobody Ltd")).to, "said=handled")
    assert.include((await always("Brightwater Foods Ltd")).to, "said=payerKnown&undo=3")
    const payer = { connection: "bank", payer: "Somebody Else", customer: "Brightwater Foods Ltd" }
    assert.include(await get("/attention"), "Always pays for")
    const forgotten = await post("/payments/forget", payer)
    assert.strictEqual(forgotten.to, "/attention?said=payerForgotten&undo=4")
    assert.notInclude(await get("/attention"), "Always pays for")
  })
})
