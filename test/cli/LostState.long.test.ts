/**
 * A state file that is lost, or new: whatever the service holds of these connections already is found before anything is
 * sent, `reconcile --fix` takes it over, and the run after sends none of it a second time.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { rmSync } from "node:fs"
import { Program } from "../crash/Program.ts"
import { Desk as Shop } from "../orders/Desk.ts"
import { Service as Account } from "../orders/Service.ts"
import { Tale } from "../orders/Tale.ts"
import { books, configuration, type Desk, failed, INVOICES, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

const lose = ({ path }: Desk): void => {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path("daybook.db")}${suffix}`, { force: true })
}

const line = (id: string, issued: string, state: string): string =>
  `${id},Harbour Lane Bakery Ltd,GB,${issued},2026-03-31,100.00,120.00,${state}\n`

const INVOICE = "Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n"

/** What may come first in the books of a seller whose state file is gone. */
const FIRST: ReadonlyArray<readonly [string, string]> = [
  ["one that is new", line("INV-0", "2026-03-01", "Sent")],
  ["one that is void", line("INV-0", "2026-03-01", "Cancelled")],
  ["one that is out of scope", line("INV-0", "2023-03-01", "Sent")],
  ["one that it knows", ""]
]

describe("a lost state file", { timeout: 60_000 }, () => {
  for (const [what, first] of FIRST) {
    it(`is noticed where the first invoice of the books is ${what}, and sends nothing twice`, async () => {
      const there = await service()
      const here = books(there.url)
      await here.run("sync")
      const before = await there.holds()
      lose(here)
      here.write("invoices.csv", INVOICES.replace(INVOICE, INVOICE + first))
      const since = (await there.calls()).length
      for (const ran of await here.runEach(["sync"], ["apply", "--allow-reductions"])) {
        const why = failed(ran, 4)
        assert.match(
          why,
          /the service already has books\/invoice\/INV-[12], which is not in this file.*nothing more is sent/
        )
      }
      assert.deepStrictEqual((await there.calls()).slice(since), [])

      await here.runEach(["reconcile", "--fix"], ["sync"])
      const { "books/invoice/INV-0": added, ...kept } = await there.holds()
      assert.deepStrictEqual(kept, before)
      assert.strictEqual(added !== undefined, what.endsWith("new"))
    })
  }

  it("is noticed where the books have only invoices of another name, by their owner", async () => {
    const there = await service()
    const here = books(there.url)
    await here.run("sync")
    lose(here)
    const settings = configuration(there.url)
    const [connection] = settings.connections
    here.write("daybook.config.json", JSON.stringify({ ...settings, connections: [{ ...connection, id: "ledgers" }] }))
    assert.match(
      failed(await here.run("sync"), 4),
      /it is new, and the service already has transactions of the owner of ledgers \(books\/invoice\/INV-[12]\)/
    )
    // It cannot be put right under that name, and is not taken for right.
    const [fixed, again] = await here.runEach(["reconcile", "--fix"], ["sync"])
    assert.match(fixed!.stdout, /ledgers\/invoice\/INV-1 +the transaction, sent as books\/invoice\/INV-1/)
    assert.include(fixed!.stdout, "rename the connection back to books, run `daybook connections accept")
    failed(again!, 4)
    const names = ["books/invoice/INV-1", "books/invoice/INV-2"]
    assert.deepStrictEqual(Object.keys(await there.holds()).toSorted(), names)
    here.write("daybook.config.json", JSON.stringify(settings))
    const accept = ["connections", "accept", "books"]
    const put = await here.runEach(accept, ["sync"], ["reconcile", "--fix"], ["sync"])
    assert.deepStrictEqual(
      put.map(({ status }) => status),
      [0, 4, 0, 3],
      put.map(({ stderr }) => stderr).join("")
    )
    assert.deepStrictEqual(Object.keys(await there.holds()).toSorted(), names)
  })

  it("is no question where the account has nothing of this owner, and is asked once", async () => {
    const there = await service()
    const here = books(there.url)
    const settings = configuration(there.url)
    const [connection] = settings.connections
    const other = { organisation: { unique_id: "other", name: "Other Ltd", registered: "2024-01-01T00:00:00Z" } }
    const elsewhere = books(there.url, {
      "daybook.config.json": JSON.stringify({ ...settings, connections: [{ ...connection, owner: other }] })
    })
    await elsewhere.run("sync")
    const lists = async () => {
      const journal = await there.control<ReadonlyArray<{ readonly method: string; readonly path: string }>>(
        "GET",
        "requests?since=0"
      )
      return journal.filter(({ method, path }) => method === "GET" && path === "/v1/transactions").length
    }
    const before = await lists()
    assert.strictEqual((await here.run("sync")).status, 3)
    // The list, and each of the two new invoices by its key.
    assert.strictEqual((await lists()) - before, 3)
    here.write("invoices.csv", INVOICES + line("INV-4", "2026-03-05", "Sent"))
    assert.strictEqual((await here.run("sync")).status, 3)
    assert.strictEqual((await lists()) - before, 4)
  })

  it("is noticed for a connection that is added later, whatever the file knows of others", async () => {
    const there = await service()
    const settings = configuration(there.url)
    const [connection] = settings.connections
    const late = {
      ...connection!,
      id: "late",
      source: { ...connection!.source, invoices: { ...connection!.source.invoices, path: "late.csv" } }
    }
    const { payments: _, ...source } = late.source
    const both = JSON.stringify({ ...settings, connections: [connection, { ...late, source }] })
    const files = { "late.csv": INVOICE + line("L-1", "2026-03-01", "Sent") }
    const elsewhere = books(there.url, { ...files, "daybook.config.json": both })
    await elsewhere.run("sync")

    const here = books(there.url, files)
    await here.runEach(["sync"], ["reconcile", "--fix"], ["sync"])
    here.write("daybook.config.json", both)
    here.write("late.csv", INVOICE + line("L-0", "2026-03-01", "Sent") + line("L-1", "2026-03-01", "Sent"))
    const since = (await there.calls()).length
    assert.match(failed(await here.run("sync"), 4), /the service already has late\/invoice\/L-1/)
    assert.deepStrictEqual((await there.calls()).slice(since), [])
    await here.runEach(["reconcile", "--fix"], ["sync"])
    assert.includeMembers(Object.keys(await there.holds()), ["late/invoice/L-0", "late/invoice/L-1"])
  })

  it("is asked about again where the service cannot be read, and nothing is sent until it can", async () => {
    const there = await service()
    const here = books(there.url)
    await here.run("sync")
    lose(here)
    await there.control("POST", "faults", { method: "GET", kind: "status", status: 503 })
    const since = (await there.calls()).length
    assert.strictEqual((await here.run("sync")).status, 1)
    await there.control("DELETE", "faults")
    assert.strictEqual((await here.run("sync")).status, 4)
    assert.deepStrictEqual((await there.calls()).slice(since), [])
    assert.deepStrictEqual(ofType(await here.run("reconcile", "--json"), "summary")[0]!["transactions"], 2)
  })
})

describe("a lost state file where orders are created", () => {
  const key = "sk-lost-orders"
  let program: Program
  let sandbox: Awaited<ReturnType<Program["sandbox"]>>
  beforeAll(async () => {
    program = new Program()
    sandbox = await program.sandbox([key, `${key}-2`, `${key}-3`])
  }, 60_000)
  afterAll(async () => {
    await sandbox.end()
    program.close()
  })

  /** Two orders, one of which was paid for; both with their offer. */
  const sold = async (key: string) => {
    const desk = new Shop(program, { key, url: sandbox.url })
    const account = new Account(sandbox.url, key)
    const tale = new Tale(key, desk, account)
    desk.settings({ create: { category: "/home" } })
    tale.addOrder({ id: "A" })
    tale.addOrder({ id: "B" })
    desk.write(tale.orders, tale.facts)
    assert.strictEqual((await desk.sync()).status, 0)
    const [paid] = await account.orders(tale.orders[1]!.number)
    const offer = await account.ask("GET", `/v1/payment/offers/${String(paid!["payment_offer"])}`)
    const payment = await account.take(offer)
    const once = async () => {
      for (const { number } of tale.orders) assert.strictEqual((await account.orders(number)).length, 1, number)
      assert.strictEqual(await account.acted("POST", "/v1/payment/offers"), 2)
    }
    return { account, desk, once, payment, tale }
  }

  it("creates none of them again, pending or paid for, and goes on with what was sold", {
    timeout: 60_000
  }, async () => {
    const { account, desk, once, payment, tale } = await sold(key)
    desk.loseState()
    assert.strictEqual((await desk.sync()).status, 4)
    await once()
    const { said } = await desk.run("reconcile", "--fix", "--json")
    assert.match(said, /"what":"the order","ledger":null,"service":"order-/)
    assert.match(said, /"what":"its offer","ledger":null,"service":"off/)
    const order = tale.orders[1]!
    tale.fact("parcel", { chairs: 2 }, { order: order.id })
    desk.write(tale.orders, tale.facts)
    const synced = await desk.sync()
    assert.deepStrictEqual([synced.status, synced.attention], [0, []], synced.said)
    await once()
    assert.include(await account.figures(payment), { captured: 3333, voided: 0 })
    assert.strictEqual((await desk.sync()).status, 0)
    await once()
  })

  it("finds those of a connection that had another name in the lost file, and takes them over", {
    timeout: 60_000
  }, async () => {
    const { desk, once, tale } = await sold(`${key}-2`)
    desk.loseState()
    desk.connection = "shop-two"
    desk.write(tale.orders, tale.facts)
    const { said, status } = await desk.sync()
    assert.strictEqual(status, 4)
    assert.match(said, /which connection shop created/)
    await desk.run("reconcile", "--fix", "--json")
    assert.strictEqual((await desk.sync()).status, 0)
    await once()
  })

  it("captures nothing again of what the lost file had captured", { timeout: 60_000 }, async () => {
    const { account, desk, once, payment, tale } = await sold(`${key}-3`)
    tale.fact("parcel", { chairs: 2 }, { order: tale.orders[1]!.id })
    desk.write(tale.orders, tale.facts)
    await desk.sync()
    assert.include(await account.figures(payment), { captured: 3333 })
    desk.loseState()
    assert.strictEqual((await desk.sync()).status, 4)
    await desk.run("reconcile", "--fix")
    tale.fact("parcel", { chairs: 1 }, { order: tale.orders[1]!.id })
    desk.write(tale.orders, tale.facts)
    await desk.sync()
    await once()
    assert.include(await account.figures(payment), { captured: 3333 + 1667 })
  })
})
