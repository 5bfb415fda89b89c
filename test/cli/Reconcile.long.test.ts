/**
 * `daybook reconcile`: what somebody else did on the service is named, difference by difference, and the ledger is put
 * right when that is asked for; a lost ledger comes back from the service and sends nothing twice.
 */
import { assert, describe, it } from "@effect/vitest"
import { copyFileSync, rmSync } from "node:fs"
import {
  books,
  type Desk,
  failed,
  INVOICES,
  KEY,
  many,
  ofType,
  PAYMENTS,
  type Service,
  service,
  useCommand
} from "../support/Cli.ts"

useCommand()

/** Somebody else at work on the service. */
const someone = (there: Service) => {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${there.url}/v1/${path}`, {
      method,
      headers: { authorization: `Token ${KEY}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    assert.isBelow(answer.status, 300, `${method} ${path}`)
    const text = await answer.text()
    return text === "" ? {} : JSON.parse(text)
  }
  const find = async (key: string) => {
    const { results } = await ask("GET", "transactions?limit=100")
    return results.find((one: { readonly unique_id: string }) => one.unique_id === key)
  }
  return { ask, find }
}

const synced = async (files: Readonly<Record<string, string>> = {}): Promise<{ there: Service; here: Desk }> => {
  const there = await service()
  const here = books(there.url, files)
  await here.run("sync")
  return { there, here }
}

const apart = (ran: Awaited<ReturnType<Desk["run"]>>) =>
  ofType(ran, "difference").map(({ document, ledger, mended, service, what }) => [
    document,
    what,
    ledger,
    service,
    mended
  ])

describe.concurrent("reconcile", () => {
  it("finds nothing where nothing is apart, and reads only", async () => {
    const { here, there } = await synced(many(3))
    const before = (await there.calls()).length
    const ran = await here.run("reconcile")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(ran.stdout, "Compared 3 transactions and 3 payments of the service with the ledger.\n")
    assert.include(ran.stdout, "The service says what the ledger says.\n")
    assert.strictEqual((await there.calls()).length, before)
  })

  it("names what somebody else changed, deleted, reported and created, and puts the ledger right", async () => {
    const { here, there } = await synced(many(5))
    const { ask, find } = someone(there)
    const [one, two, three] = await Promise.all([1, 2, 3].map((n) => find(`books/invoice/INV-${n}`)))
    const again = await ask("POST", "transactions", {
      owner: one.owner,
      unique_id: "books/invoice/INV-4",
      currency: "GBP",
      net_amount: "1.00"
    })
    await ask("POST", "transactions", { owner: one.owner, unique_id: "theirs", currency: "GBP", net_amount: "1.00" })
    await ask("PATCH", `transactions/${one.id}`, { number: "INV-1-B" })
    await ask("DELETE", `transactions/${two.id}`)
    const payment = await ask("POST", `transactions/${three.id}/payments`, { date: "2026-03-25", amount: "7.00" })

    const looked = await here.run("reconcile", "--json")
    assert.strictEqual(looked.status, 3)
    const found = [
      ["books/invoice/INV-1", "number", "INV-1", "INV-1-B"],
      ["books/invoice/INV-2", "the transaction", two.id, null],
      ["books/invoice/INV-3", `payment ${payment.id}`, null, "7.00 on 2026-03-25"],
      ["books/invoice/INV-4", "a second transaction of the same invoice", null, again.id]
    ]
    const sorted = (all: ReadonlyArray<ReadonlyArray<unknown>>) =>
      all.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
    assert.deepStrictEqual(
      sorted(apart(looked)),
      found.map((one) => [...one, false])
    )
    const [summary] = ofType(looked, "summary")
    assert.include(summary, { transactions: 5, others: 1, differences: 4, mended: 0, calls: 0 })
    assert.strictEqual((await here.run("plan", "--detailed-exitcode")).status, 0, "nothing was changed by looking")

    const shown = await here.run("reconcile")
    assert.match(shown.stdout, /books\/invoice\/INV-1 +number +INV-1 +INV-1-B\n/)
    assert.include(shown.stdout, "→ books/invoice/INV-4: delete the unwanted one on the service")
    assert.include(shown.stdout, "→ books/invoice/INV-3: it has no key of these books")
    assert.include(shown.stdout, "4 differences; --fix puts the ledger right.\n")

    const mended = await here.run("reconcile", "--fix", "--json")
    assert.deepStrictEqual(
      sorted(apart(mended)).map((one) => one[4]),
      [true, true, true, false]
    )
    // The plan closes what is apart: the number as the books have it, and the invoice that was deleted.
    assert.include((await here.run("sync")).stdout, "1 invoice created")
    const holds = await find("books/invoice/INV-1")
    assert.strictEqual(holds.number, "INV-1")
    const after = await here.run("reconcile", "--json")
    assert.deepStrictEqual(
      sorted(apart(after)).map((one) => one[1]),
      [found[3]![1]]
    )
    const items = ofType(await here.run("attention", "--json"), "attention")
    assert.deepStrictEqual(
      items.filter(({ rule }) => rule === "P9").map(({ document, why }) => `${document}: ${why}`),
      [`books/invoice/INV-3: somebody else reported on the service: 7.00 GBP received on 2026-03-25 (${payment.id})`]
    )
  })

  it("brings a lost ledger back, and nothing is sent twice", async () => {
    const { here, there } = await synced()
    const before = await there.holds()
    for (const name of ["daybook.db", "daybook.db-wal", "daybook.db-shm"]) rmSync(here.path(name), { force: true })
    const calls = (await there.calls()).length
    assert.match(
      failed(await here.run("sync"), 4),
      /the service already has books\/invoice\/INV-[12], which is not in this file/
    )
    const mended = await here.run("reconcile", "--fix")
    assert.include(mended.stdout, "the ledger now says what the service says")
    await here.run("sync")
    assert.deepStrictEqual((await there.calls()).slice(calls), [])
    assert.deepStrictEqual(await there.holds(), before)
    const story = await here.run("explain", "INV-2")
    assert.include(story.stdout, "books/payment/P-2/INV-2")
  })

  it("goes before a backup that was put back sends anything, and then nothing is sent twice", async () => {
    const { here, there } = await synced()
    await here.run("backup", "monday.db")
    here.write("invoices.csv", `${INVOICES}INV-9,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent\n`)
    here.write("payments.csv", `${PAYMENTS}P-9,INV-9,2026-03-20,115.00,,\n`)
    assert.include((await here.run("sync")).stdout, "1 invoice created")
    const before = await there.holds()
    for (const name of ["daybook.db", "daybook.db-wal", "daybook.db-shm"]) rmSync(here.path(name), { force: true })
    copyFileSync(here.path("monday.db"), here.path("daybook.db"))

    const calls = (await there.calls()).length
    const refused = failed(await here.run("sync", "--allow-reductions"), 4)
    assert.match(refused, /this state file is behind the service: it is a backup of 20\d\d-.*Z/)
    assert.match(refused, /so that nothing more is sent\. Run `daybook reconcile --fix`/)
    assert.match((await here.run("doctor")).stdout, /state file +this state file is behind the service/)
    // A look at some of it is not enough.
    await here.run("reconcile", "--fix", "--from", "2026-03-02")
    assert.strictEqual((await here.run("apply")).status, 4)

    await here.run("reconcile", "--fix")
    assert.strictEqual((await here.run("sync")).status, 0)
    assert.deepStrictEqual((await there.calls()).slice(calls), [])
    assert.deepStrictEqual(await there.holds(), before)
  })

  it("compares only the days that it is asked for", async () => {
    const { here, there } = await synced()
    const { ask, find } = someone(there)
    await ask("PATCH", `transactions/${(await find("books/invoice/INV-2")).id}`, { number: "other" })
    const none = await here.run("reconcile", "--to", "2026-03-01", "--json")
    assert.deepStrictEqual(apart(none), [])
    assert.include(ofType(none, "summary")[0], { transactions: 1 })
    assert.strictEqual(apart(await here.run("reconcile", "--from", "2026-03-02", "--json")).length, 1)
  })

  it("says what is wrong with a day", async () => {
    const { here } = await synced()
    assert.strictEqual(
      failed(await here.run("reconcile", "--from", "1 March"), 2),
      'daybook: --from: "1 March" is not a YYYY-MM-DD date; write it like 2026-01-31\n'
    )
  })
})
