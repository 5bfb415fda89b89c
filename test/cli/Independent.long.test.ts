/**
 * `daybook reconcile --independent`: sources and service are read afresh, and what differs is named with both amounts, also
 * where books and ledger were tampered with and agree with each other.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { api } from "../support/Checkout.ts"
import { books, configuration, type Desk, desk, failed, ofType, run, service, useCommand } from "../support/Cli.ts"
import { GO_ON } from "../support/GoOn.ts"

useCommand()

const LIMIT = { timeout: 120_000 }

const HEAD = "Invoice,Buyer,Country,Issued,Due,Net,Gross,State,Open balance\n"
const INVOICES = `${HEAD}INV-1,Harbour Tea Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent,40.00
INV-2,Old Mill Bakery,GB,2026-03-01,2026-03-31,100.00,120.00,Sent,120.00
INV-3,Old Mill Bakery,GB,2026-03-02,2026-03-31,50.00,60.00,Cancelled,0.00
`
const PAYMENTS = `Ref,Invoice,Date,Amount,Type,Code
P-1,INV-1,2026-03-20,50.00,,
P-2,INV-1,2026-03-21,30.00,,
`

/** The books of the contract, with a column of balances. */
const open = (url: string, files: Readonly<Record<string, string>> = {}) => {
  const { connections, service } = configuration(url)
  const [first] = connections
  const { columns, ...invoices } = first!.source.invoices
  const source = { ...first!.source, invoices: { ...invoices, columns: { ...columns, balance: "Open balance" } } }
  const config = JSON.stringify({ service, connections: [{ ...first, source }] })
  return desk({ "daybook.config.json": config, "invoices.csv": INVOICES, "payments.csv": PAYMENTS, ...files })
}

/** What it names: document, what, and the amounts. */
const named = (ran: Awaited<ReturnType<Desk["run"]>>) =>
  ofType(ran, "difference").map(({ document, says, service, source, what }) => [document, what, says, source, service])

const independent = (here: Desk, ...more: ReadonlyArray<string>) => here.run("reconcile", "--independent", ...more)

/** Somebody with a hand in the state file. */
const tamper = (here: Desk, change: (db: Sqlite.Database) => void) => {
  const db = new Sqlite(here.path("daybook.db"))
  db.pragma("foreign_keys = OFF")
  change(db)
  db.close()
}

/** Between the command and the service, and in what the service answers it changes something. */
const between = async (url: string) => {
  let change = (text: string) => text
  const server = createServer((request, response) => {
    const body: Array<Buffer> = []
    request.on("data", (chunk) => void body.push(chunk))
    request.on("end", async () => {
      const { authorization = "", "content-type": type } = request.headers
      const headers = { authorization, ...(type === undefined ? {} : { "content-type": type }) }
      const sent = body.length === 0 ? {} : { body: Buffer.concat(body) }
      const answer = await fetch(`${url}${request.url}`, { method: request.method!, headers, ...sent })
      const text = change(await answer.text())
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(text)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (how: typeof change) => void (change = how),
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

describe("the independent witness", LIMIT, () => {
  it("agrees where source and service are the same, changes nothing, and leaves nothing behind", async () => {
    const there = await service()
    const here = open(there.url, { "temporary/none": "" })
    assert.strictEqual((await here.run("sync")).status, 0)
    const calls = (await there.calls()).length
    const ran = await run(here.folder, ["reconcile", "--independent"], { env: { TMPDIR: here.path("temporary") } })
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(ran.stdout, "Read 5 documents from the sources and 2 transactions from the service.")
    assert.match(ran.stdout, /books +GBP +2 +160\.00 +160\.00 +160\.00 +agree\n/)
    assert.include(ran.stdout, "No differences.")
    assert.strictEqual((await there.calls()).length, calls)
    assert.deepStrictEqual(readdirSync(here.path("temporary")), ["none"])
    const [sums] = ofType(await independent(here, "--json"), "open_amounts")
    assert.deepInclude(sums, { invoices: 2, source_says: "160.00", source: "160.00", service: "160.00", not_stated: 0 })
  })

  it("says agree only where the source states its balances", async () => {
    const here = books((await service()).url)
    await here.run("sync")
    const { stdout } = await independent(here)
    assert.match(stdout, /books +GBP +2 +not stated .* source and service are the same; the source states no balance/)
  })

  it("names a payment that was deleted from the books before it was sent, though the plan has nothing more to do", async () => {
    const here = open((await service()).url)
    await here.run("pull")
    tamper(here, (db) => {
      db.prepare("DELETE FROM allocation WHERE document = (SELECT id FROM document WHERE key LIKE '%P-2/INV-1')").run()
      db.prepare("DELETE FROM document WHERE key LIKE '%P-2/INV-1'").run()
    })
    await here.run("apply")
    assert.include((await here.run("plan")).stdout, "Nothing to send")
    const ran = await independent(here, "--json")
    assert.strictEqual(ran.status, 3)
    assert.deepStrictEqual(named(ran), [
      ["books/invoice/INV-1", "open", undefined, "40.00 GBP", "70.00 GBP"],
      ["books/invoice/INV-1", "books/payment/P-2/INV-1", undefined, "30.00 GBP", "nothing"]
    ])
    assert.include(ofType(ran, "summary")[0], { differences: 2, not_checked: 0 })
    const { stdout } = await independent(here)
    assert.match(stdout, /books +GBP +2 +160\.00 +160\.00 +190\.00 +1 invoice with a difference/)
    assert.match(stdout, /books\/invoice\/INV-1 +open +– +40\.00 GBP +70\.00 GBP/)
  })

  it("names an invoice that was deleted from the books", async () => {
    const here = open((await service()).url)
    await here.run("pull")
    tamper(here, (db) => {
      db.prepare("DELETE FROM document WHERE key = 'books/invoice/INV-2'").run()
      db.prepare("DELETE FROM changed WHERE subject = 'books/invoice/INV-2'").run()
    })
    await here.run("apply")
    assert.deepStrictEqual(named(await independent(here, "--json")), [
      ["books/invoice/INV-2", "the invoice", undefined, "120.00 GBP open", "nothing"]
    ])
  })

  it("has nothing to name where the ledger lost a payment: it is found before it is sent again", async () => {
    const here = open((await service()).url)
    await here.run("sync")
    tamper(here, (db) => {
      const key = "books/invoice/INV-1"
      const held = JSON.parse(String(db.prepare("SELECT held FROM ledger WHERE subject = ?").pluck().get(key)))
      held.p = held.p.filter(([fact]: readonly [string]) => !fact.includes("P-2"))
      db.prepare("UPDATE ledger SET held = ?, service_open = 7000 WHERE subject = ?").run(JSON.stringify(held), key)
      db.prepare("INSERT INTO changed (subject) VALUES (?)").run(key)
    })
    const synced = await here.run("sync")
    assert.strictEqual(synced.status, 4)
    assert.match(
      synced.stderr,
      /the service has books\/payment\/P-2\/INV-1 on books\/invoice\/INV-1, which this file did not/
    )
    await here.runEach(["reconcile", "--fix"], ["sync"])
    assert.deepStrictEqual(named(await independent(here, "--json")), [])
  })

  it("names a payment that was altered on the service", async () => {
    const there = await service()
    const middle = await between(there.url)
    const here = open(middle.url)
    assert.strictEqual((await here.run("sync")).status, 0)
    middle.lie((text) => text.replaceAll('"50.00"', '"5.00"'))
    assert.strictEqual((await here.run("sync")).status, 0)
    const ran = await independent(here, "--json")
    middle.close()
    assert.deepStrictEqual(named(ran), [
      ["books/invoice/INV-1", "open", undefined, "40.00 GBP", "85.00 GBP"],
      ["books/invoice/INV-1", "books/payment/P-1/INV-1", undefined, "50.00 GBP", "5.00 GBP"]
    ])
  })

  it("names days that are apart: of an invoice, and of a payment whose amount is right", async () => {
    const there = await service()
    const middle = await between(there.url)
    const here = open(middle.url)
    await here.run("sync")
    middle.lie((text) => text.replaceAll("2026-03-31", "2026-04-01").replaceAll("2026-03-20", "2026-03-22"))
    const ran = await independent(here, "--json")
    middle.close()
    assert.strictEqual(ran.status, 3)
    assert.deepStrictEqual(named(ran), [
      ["books/invoice/INV-1", "the due date", undefined, "2026-03-31", "2026-04-01"],
      ["books/invoice/INV-1", "books/payment/P-1/INV-1, its day", undefined, "2026-03-20", "2026-03-22"],
      ["books/invoice/INV-2", "the due date", undefined, "2026-03-31", "2026-04-01"]
    ])
  })

  it("names what somebody sent by hand: a payment twice, one without a key, a second transaction", async () => {
    const there = await service()
    const here = open(there.url)
    await here.run("sync")
    const ask = (method: string, path: string, body?: unknown) => api(there.url, method, `/v1/${path}`, body)
    const { results } = await ask("GET", "transactions?limit=100")
    const [one, two] = ["INV-1", "INV-2"].map((id) =>
      (results as ReadonlyArray<Record<string, unknown>>).find((each) => each["unique_id"] === `books/invoice/${id}`)
    )
    const again = { date: "2026-03-21", amount: "30.00", details: "books/payment/P-2/INV-1" }
    await ask("POST", `transactions/${one!["id"]}/payments`, again)
    await ask("POST", `transactions/${two!["id"]}/payments`, { date: "2026-03-21", amount: "7.00" })
    const second = { owner: two!["owner"], unique_id: "books/invoice/INV-2", currency: "GBP", net_amount: "1.00" }
    await ask("POST", "transactions", second)
    const found = named(await independent(here, "--json"))
    const all = found.map((one) => one.map((part) => (String(part).startsWith("trns-") ? "its id, …" : part)))
    assert.deepInclude(all, ["books/invoice/INV-1", "books/payment/P-2/INV-1", undefined, "30.00 GBP", "60.00 GBP"])
    assert.deepInclude(all, ["books/invoice/INV-1", "open", undefined, "40.00 GBP", "10.00 GBP"])
    assert.isTrue(found.some(([, what]) => what === "a second transaction of the same invoice"))
    assert.isTrue(
      found.some(([document, , , , service]) => document === "books/invoice/INV-2" && service === "7.00 GBP")
    )
  })

  it("names both amounts where the source itself says another balance than was read", async () => {
    const here = open((await service()).url, { "payments.csv": PAYMENTS.replace(/P-2.*\n/, "") })
    await here.run("sync")
    const ran = await independent(here, "--json")
    assert.strictEqual(ran.status, 3)
    assert.deepStrictEqual(named(ran), [["books/invoice/INV-1", "open", "40.00 GBP", "70.00 GBP", undefined]])
  })

  it("reads the source afresh: what changed since the last sync is a difference", async () => {
    const here = open((await service()).url)
    await here.run("sync")
    here.write("invoices.csv", INVOICES.replace("120.00,Sent,120.00", "120.00,Cancelled,0.00"))
    assert.deepStrictEqual(named(await independent(here, "--json")), [
      ["books/invoice/INV-2", "the invoice", undefined, "void", "120.00 GBP"]
    ])
  })

  it("checks nothing of a record that cannot be read, and ends with 3; of a source that cannot, with its error", async () => {
    const here = open((await service()).url)
    await here.run("sync")
    here.write(
      "invoices.csv",
      INVOICES.replace("2026-03-31,100.00,120.00,Sent,120.00", "soon,100.00,120.00,Sent,120.00")
    )
    const ran = await independent(here, "--json")
    assert.strictEqual(ran.status, 3)
    assert.deepStrictEqual(named(ran), [])
    assert.deepInclude(ofType(ran, "not_checked")[0], { document: "books/invoice/INV-2" })
    assert.include(String(ofType(ran, "quarantined")[0]!["why"]), "soon")
    assert.include(
      (await independent(here)).stdout,
      "books/invoice/INV-2: its record, or one about it, could not be read"
    )
    rmSync(here.path("invoices.csv"))
    const failing = await independent(here, "--json")
    assert.isAbove(failing.status!, 0)
    assert.notStrictEqual(failing.status, 3)
    assert.include(String(ofType(failing, "error")[0]!["message"]), "invoices.csv")
    assert.deepStrictEqual(ofType(failing, "open_amounts"), [])
  })

  it("says which payment is for an invoice that the source does not have", async () => {
    const here = open((await service()).url, { "payments.csv": `${PAYMENTS}P-9,INV-9,2026-03-22,75.00,,\n` })
    await here.run("sync")
    const why = "books/payment/P-9/INV-9 (75.00) is for this invoice, which the source does not have"
    const ran = await independent(here, "--json")
    assert.deepInclude(ofType(ran, "not_checked"), {
      type: "not_checked",
      document: "books/invoice/INV-9",
      fact: "books/payment/P-9/INV-9",
      why
    })
    assert.include((await independent(here)).stdout, `books/invoice/INV-9: ${why}`)
  })

  it("looks at everything and corrects nothing", async () => {
    const here = open((await service()).url)
    for (const flag of [["--fix"], ["--from", "2026-01-01"]])
      assert.strictEqual(
        failed(await independent(here, ...flag), 2),
        "daybook: --independent looks at everything and corrects nothing; leave out --fix, --from and --to\n"
      )
  })
})

const BANK = `No,Day,Amount,Text,From
1,2026-03-20,40.00,Invoice INV-1,Harbour Tea Ltd
2,2026-03-21,120.00,Invoice INV-2,Old Mill Bakery
`

describe("the independent witness of payments from elsewhere", LIMIT, () => {
  it("agrees, and names one that is not there, or is there with another amount", async () => {
    const there = await service()
    const here = open(there.url, { "bank.csv": BANK })
    const columns = { id: "No", date: "Day", amount: "Amount", reference: "Text", customer: "From" }
    const payments = { path: "bank.csv", columns, currency: "GBP" }
    const config = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8"))
    config.connections.push({ id: "bank", source: { connector: "files", payments }, pays: "books" })
    here.write("daybook.config.json", JSON.stringify(config))
    const synced = await here.run("sync", ...GO_ON)
    assert.strictEqual(synced.status, 0, synced.stdout + synced.stderr)
    const agreed = await independent(here)
    assert.strictEqual(agreed.status, 0, agreed.stdout)
    here.write("bank.csv", `${BANK.replace("40.00", "30.00")}`)
    const apart = named(await independent(here, "--json"))
    assert.deepInclude(apart, ["bank/payment/1", "on the service", undefined, "30.00 GBP", "40.00 GBP"])
    here.write("bank.csv", BANK.replace(/^2,.*\n/m, ""))
    const gone = named(await independent(here, "--json"))
    here.write("bank.csv", BANK.replace("2,2026-03-21", "2,2026-03-23"))
    const later = named(await independent(here, "--json"))
    assert.deepStrictEqual(later, [
      ["books/invoice/INV-2", "bank/payment/2, its day", undefined, "2026-03-23", "2026-03-21"]
    ])
    assert.deepStrictEqual(gone, [
      ["books/invoice/INV-2", "bank/payment/2", undefined, "nothing", "120.00 GBP on books/invoice/INV-2"]
    ])
  })
})
