/**
 * A column that a later export has and the ones before had not, of which it is known that it changes what amounts mean: whatever
 * reads the file says so each time and sends nothing of it, and both ways out that are named lead out.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { desk, service, useCommand } from "../support/Cli.ts"

useCommand()

const HEAD = "Invoice Number,Customer,Invoice Date,Due Date,Total,Currency"
const row = (n: number) => `INV-${n},Alder,2026-09-0${n},2026-10-0${n},100.00,EUR`
const FIRST = `${HEAD}\n${row(1)}\n${row(2)}\n`
const LATER = `${HEAD},Status\n${row(1)},Paid\n${row(2)},Sent\n${row(3)},Sent\n`

const begun = async () => {
  const { url } = await service()
  const here = desk({ "a.csv": FIRST })
  const init = await here.run("init", "a.csv", "--yes", "--service", url, "--name", "Acme")
  assert.strictEqual(init.status, 0, init.stderr)
  assert.strictEqual((await here.run("sync", "--yes")).status, 0)
  here.write("a.csv", LATER)
  const set = (more: object, columns: object = {}) => {
    const config = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8")) as {
      connections: [{ source: { invoices: { columns: object } } }]
    }
    const { invoices } = config.connections[0].source
    Object.assign(invoices, more, { columns: { ...invoices.columns, ...columns } })
    here.write("daybook.config.json", JSON.stringify(config))
  }
  return { here, set }
}

describe.concurrent("a later column of states", { timeout: 300_000 }, () => {
  it("stops whatever would send of its file, again and again; preview and doctor name it", async () => {
    const { here } = await begun()
    for (const command of [["pull"], ["sync", "--yes"], ["sync", "--yes"]]) {
      const { status, stderr, stdout } = await here.run(...command)
      if (command[0] === "sync") assert.match(stdout, /Nothing to send/)
      assert.strictEqual(status, 2, stderr)
      assert.match(stderr, /a\.csv has a column not there before: "Status".*source\.invoices\.unused as "any"/s)
    }
    for (const [command, status] of [
      ["preview", 2],
      ["doctor", 1]
    ] as const) {
      const found = await here.run(command)
      assert.match(found.stdout + found.stderr, /a\.csv has a column not there before: "Status"/)
      assert.strictEqual(found.status, status)
    }
  })

  it("is named by preview and doctor before anything is pulled, and so is one that is gone", async () => {
    const { here } = await begun()
    here.write("a.csv", FIRST.replace("Currency", "Currency,Rep").replaceAll(",EUR", ",EUR,Ann"))
    assert.strictEqual((await here.run("pull")).status, 0)
    here.write("a.csv", FIRST.replace("Currency", "Currency,Seller").replaceAll(",EUR", ",EUR,Ann"))
    for (const command of ["preview", "doctor"]) {
      const { stdout } = await here.run(command)
      assert.match(stdout, /it no longer has 1 column that was there before: "Rep"/)
      assert.match(stdout, /it has a column not there before and not read: "Seller"/)
    }
    // A pull says it once, and then it is known.
    assert.match((await here.run("pull")).stdout, /no longer has 1 column/)
    for (const command of ["preview", "doctor"]) assert.notMatch((await here.run(command)).stdout, /there before/)
  })

  it("is read once it is named", async () => {
    const { here, set } = await begun()
    set({ statuses: { Paid: "paid", Sent: "open" } }, { status: "Status" })
    const { stdout } = await here.run("sync", "--yes")
    assert.match(stdout, /INV-3|1 invoice created/)
    assert.match(stdout, /200\.00/)
  })

  it("is left out once somebody says so", async () => {
    const { here, set } = await begun()
    set({ unused: { Status: "any" } })
    const { status, stderr, stdout } = await here.run("sync", "--yes")
    assert.strictEqual(status, 0, stderr)
    assert.match(stdout, /300\.00/)
  })
})
