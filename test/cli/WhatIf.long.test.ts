/** `daybook plan --with` and `--as-of`: what another configuration or another day would change, and that nothing is written. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { Daybook } from "../../sync/library/Daybook.ts"
import { WhatIf } from "../../sync/reports/WhatIf.ts"
import {
  books,
  configuration,
  desk,
  type Desk,
  failed,
  INVOICES,
  KEY,
  ofType,
  service,
  useCommand
} from "../support/Cli.ts"
import { coverDesk, day } from "../support/CoverDesk.ts"

useCommand()

type Written = ReturnType<typeof configuration>

/** The state file with its log, as bytes. */
const bytes = (here: Desk) =>
  ["daybook.db", "daybook.db-wal"]
    .map((name) => here.path(name))
    .filter(existsSync)
    .map((path) => readFileSync(path))
    // Whoever reads a file with a log makes an empty one.
    .filter(({ length }) => length > 0)
    .map((content) => createHash("sha256").update(content).digest("hex"))

/** Books that were read, and another configuration beside theirs. */
const beside = async (change: (one: Written) => object, files: Readonly<Record<string, string>> = {}) => {
  const there = await service()
  const here = books(there.url, files)
  const own = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8")) as Written
  here.write("other.json", JSON.stringify(change(own)))
  return { there, here, own }
}

const compare = (here: Desk, ...more: ReadonlyArray<string>) =>
  here.run("plan", "--with", "other.json", "--json", ...more)

const changed = (one: Written, connection: object): object => ({
  ...one,
  connections: [{ ...one.connections[0], ...connection }]
})

/** How many calls the plan under a configuration has, as `daybook plan` itself says after a pull under it. */
const planned = async (here: Desk, config: string) => {
  await here.run("pull", "--config", config)
  return ofType(await here.run("plan", "--config", config, "--json"), "summary")[0]?.["calls"]
}

/** Document, change and rule of each call that differs. */
const calls = (ran: Parameters<typeof ofType>[0]) =>
  ofType(ran, "document").flatMap(({ calls, document }) =>
    (calls as ReadonlyArray<Readonly<Record<string, unknown>>>).map(({ change, operation, rule }) =>
      [document, change, operation, rule].join(" ")
    )
  )

const reads = async (there: Awaited<ReturnType<typeof service>>) =>
  (await there.control<ReadonlyArray<unknown>>("GET", "requests?since=0")).length

describe.concurrent("daybook plan --with", () => {
  it("names what only one plan sends, with the rule, in both directions; writes nothing and asks nobody", async () => {
    const { here, there } = await beside((one) => changed(one, { scope: { issued_after: "2026-03-02" } }))
    await here.run("pull")
    const [before, asked] = [bytes(here), await reads(there)]
    const ran = await compare(here)
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.deepStrictEqual(calls(ran), [
      "books/invoice/INV-1 only today transactions.create T1",
      "books/invoice/INV-1 only today transactions.createPayment T1",
      "books/invoice/INV-1 only today transactions.paid T1"
    ])
    const [document] = ofType(ran, "document")
    assert.deepStrictEqual(document?.["reason"], {
      today: null,
      other: "T1: issued 2026-03-01, before the scope begins (2026-03-02)"
    })
    assert.deepInclude(ofType(ran, "summary")[0], { differ: 1, same: 3, calls: { today: 6, other: 3 } })
    here.write("copies/others.txt", "")
    const inOwn = await here.runWith({ env: { TMPDIR: here.path("copies") } }, "plan", "--with", "other.json", "--json")
    assert.strictEqual(inOwn.stdout, ran.stdout)
    assert.deepStrictEqual(readdirSync(here.path("copies")), ["others.txt"])
    assert.deepStrictEqual(bytes(here), before)
    assert.strictEqual(await reads(there), asked)
    assert.strictEqual(await planned(here, "other.json"), 3)
    assert.strictEqual(await planned(here, "daybook.config.json"), 6)
    // The other way round.
    const back = await here.run("plan", "--config", "other.json", "--with", "daybook.config.json", "--json")
    assert.deepStrictEqual(
      calls(back),
      calls(ran).map((one) => one.replace("only today", "only other"))
    )
    assert.strictEqual((await compare(here, "--detailed-exitcode")).status, 6)
  })

  it("says nothing about the same configuration, before and after the plan was sent", async () => {
    const { here } = await beside((one) => one)
    await here.run("pull")
    for (const sent of [false, true]) {
      if (sent) await here.run("sync")
      const ran = await compare(here, "--detailed-exitcode")
      assert.strictEqual(ran.status, 0, ran.stderr)
      assert.deepStrictEqual(ofType(ran, "document"), [])
      assert.deepStrictEqual(ofType(ran, "not covered"), [])
    }
  })

  it("names each field that would be sent otherwise", async () => {
    const { here } = await beside((one) => changed(one, { creditor: { name: "Acme Trading Ltd", country: "GB" } }))
    await here.run("pull")
    const [document] = ofType(await compare(here), "document")
    const [call] = document!["calls"] as ReadonlyArray<Readonly<Record<string, unknown>>>
    assert.deepInclude(call, { change: "different", operation: "transactions.create", rule: "T2" })
    assert.deepInclude(call?.["fields"], { field: "creditor_name", today: null, other: "Acme Trading Ltd" })
    const shown = await here.run("plan", "--with", "other.json")
    assert.match(shown.stdout, /^In both, but different \(2\)$/m)
    assert.match(shown.stdout, /creditor_name nothing →/)
    assert.match(shown.stdout, /^Nothing was sent, and nothing was written to the state file\.$/m)
  })

  it("matches payments again where a connection pays under other settings", async () => {
    const columns = { id: "No", date: "Day", amount: "Amount", customer: "From" }
    const bank = {
      id: "bank",
      pays: "books",
      source: { connector: "files", payments: { path: "bank.csv", columns, currency: "GBP" } }
    }
    const there = await service()
    const { connections, service: settings } = configuration(there.url)
    const { payments: _, ...source } = connections[0]!.source
    const whole = (match: object) =>
      JSON.stringify({
        service: settings,
        connections: [
          { ...connections[0], source },
          { ...bank, ...match }
        ]
      })
    const here = desk({
      "daybook.config.json": whole({}),
      "other.json": whole({ match: { fee: "1.00" } }),
      "invoices.csv":
        "Invoice,Buyer,Country,Issued,Due,Net,Gross,State\nINV-1,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent\n",
      "bank.csv": "No,Day,Amount,From\n1,2026-03-20,119.50,Harbour Lane Bakery Ltd\n"
    })
    const pulled = await here.run("pull")
    assert.notInclude([1, 2], pulled.status, pulled.stderr)
    const before = bytes(here)
    const ran = await compare(here)
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.include(calls(ran).join("\n"), "books/invoice/INV-1 only other transactions.createPayment P1")
    const [payment] = ofType(ran, "document").filter(({ document }) => document === "bank/payment/1")
    assert.deepInclude((payment!["attention"] as ReadonlyArray<object>)[0], { change: "only today", rule: "M3" })
    assert.deepStrictEqual(bytes(here), before)
    assert.deepStrictEqual(ofType(ran, "not covered"), [])
    const { calls: both } = ofType(ran, "summary")[0] as { readonly calls: object }
    const today = await planned(here, "daybook.config.json")
    assert.deepStrictEqual(both, { today, other: await planned(here, "other.json") })
  })

  it("says plainly what it does not cover: added, removed, mapped otherwise, refused", async () => {
    const { here, there } = await beside((one) => {
      const [books] = one.connections
      const { columns, ...invoices } = books!.source.invoices
      const source = { ...books!.source, invoices: { ...invoices, columns: { ...columns, gross: "Net" } } }
      return {
        ...one,
        connections: [
          { ...books, source },
          { ...books, id: "shop", source: { ...source, payments: undefined } }
        ]
      }
    })
    await here.run("pull")
    const said = ofType(await compare(here), "not covered").map(({ why }) => String(why))
    assert.match(said[0] ?? "", /^books: its source is set otherwise \(invoices\): its books were read with today's/)
    assert.match(said.join("\n"), /^shop(:| is added: its source has not been read)/m)

    const own = configuration(there.url)
    here.write("other.json", JSON.stringify({ ...own, connections: [{ ...own.connections[0], id: "new" }] }))
    const moved = ofType(await compare(here), "not covered").map(({ why }) => String(why))
    assert.match(moved.join("\n"), /^books is removed: what the service has of it stays there/m)
    assert.match(
      moved.join("\n"),
      /^new: nothing of it is compared, because it would be refused: connection new has the source/m
    )
  })

  it("reads what is mapped otherwise under the settings of each, into copies, if a person wants that", async () => {
    const mapped = (path: string) => (one: ReturnType<typeof configuration>) => {
      const [books] = one.connections
      const { columns, ...invoices } = books!.source.invoices
      const source = { ...books!.source, invoices: { ...invoices, path, columns: { ...columns, gross: "Net" } } }
      return { ...one, connections: [{ ...books, source }] }
    }
    const { here, there } = await beside(mapped("invoices.csv"))
    await here.run("sync")
    const asked = (await there.calls()).length
    const before = readFileSync(here.path("daybook.db"))
    const ran = await compare(here, "--read")
    assert.deepStrictEqual(ofType(ran, "not covered"), [])
    const documents = ofType(ran, "document")
    assert.include(
      documents.map(({ document }) => document),
      "books/invoice/INV-1"
    )
    assert.match(JSON.stringify(documents), /"change":"only other"/)
    assert.deepStrictEqual(readFileSync(here.path("daybook.db")), before)
    assert.strictEqual((await there.calls()).length, asked)
    here.write("other.json", JSON.stringify(mapped("nowhere.csv")(configuration(there.url))))
    const failing = ofType(await compare(here, "--read"), "not covered").map(({ why }) => String(why))
    assert.match(failing.join("\n"), /^books: its source could not be read; .*nowhere\.csv/m)
    assert.match(failed(await here.run("plan", "--read"), 2), /--read goes with --with FILE/)
  })

  it("refuses another service, a part of a plan, and what is no day", async () => {
    const { here } = await beside((one) => ({ ...one, service: { ...one.service, url: "http://127.0.0.1:9" } }))
    await here.run("sync")
    assert.match(failed(await compare(here), 4), /it belongs to .* and the configuration names http:\/\/127/)
    assert.match(failed(await here.run("plan", "--with", "other.json", "--save", "a.plan"), 2), /leave out --save/)
    assert.match(failed(await here.run("plan", "--as-of", "2026-02-30"), 2), /"2026-02-30" is not a day/)
  })

  it("names what would stop only one of the plans", async () => {
    const { here } = await beside((one) => changed(one, { first_sync: "ask", guards: { allow: ["G7"] } }), {
      "invoices.csv": INVOICES.replace("2026-04-01", "2046-04-01")
    })
    await here.run("pull")
    const stops = ofType(await compare(here, "--detailed-exitcode"), "guard")
    assert.deepStrictEqual(
      stops.map(({ change, connection, guard }) => [change, connection, guard]),
      [
        ["only today", "books", "G7"],
        ["only other", "books", "first sync"]
      ]
    )
    const { status, stdout } = await here.run("plan", "--with", "other.json", "--detailed-exitcode")
    assert.strictEqual(status, 6)
    assert.match(stdout, /^Only in today's plan \(1\)\n.*\n +books +G7 +stopped: /m)
  })

  it("shows a tenant that shares a state file its own documents only", async () => {
    const { here, own } = await beside((one) => one)
    const open = (id: string) =>
      Daybook.open({ ...own, connections: [{ ...own.connections[0], id }] } as never, {
        folder: here.folder,
        state: here.path("shared.db"),
        environment: { SERVICE_KEY: KEY },
        shared: true
      })
    const [one, two] = [await open("one"), await open("two")]
    try {
      await one.pull()
      await two.acceptConnection("two")
      await two.pull()
      const scope = { currencies: ["EUR"] }
      const report = await one.whatIf({
        with: { ...own, connections: [{ ...own.connections[0], id: "one", scope }] } as never
      })
      assert.isAbove(report.documents.length, 1)
      assert.notInclude(JSON.stringify(report), "two")
      const unchanged = { ...own, connections: [{ ...own.connections[0], id: "one" }] }
      assert.deepStrictEqual((await one.whatIf({ with: unchanged as never })).documents, [])
    } finally {
      await one.close()
      await two.close()
    }
  })

  it("answers the library as its schema says", async () => {
    const { here, own } = await beside((one) => one)
    await here.run("pull")
    const daybook = await Daybook.open(own as never, {
      folder: here.folder,
      state: here.path("daybook.db"),
      environment: { SERVICE_KEY: KEY }
    })
    try {
      const other = changed(own, { scope: { currencies: ["EUR"] } })
      const report = await daybook.whatIf({ with: other as never })
      assert.deepStrictEqual(Schema.decodeUnknownSync(WhatIf, { onExcessProperty: "error" })(report), report)
      assert.deepStrictEqual(report.documents.map(({ document }) => document).slice(0, 2), [
        "books/invoice/INV-1",
        "books/invoice/INV-2"
      ])
      assert.deepStrictEqual(
        report.rules.find(({ rule }) => rule === "T1"),
        {
          rule: "T1",
          onlyToday: 5,
          onlyOther: 0,
          different: 0
        }
      )
      // The owner is created with the first invoice only.
      assert.include(
        report.documents.map(({ document }) => document),
        "books/owner"
      )
    } finally {
      await daybook.close()
    }
  })
})

describe.concurrent("daybook plan --as-of", () => {
  it("shows what is due by another day: offers that end, and what a person is reminded of", async () => {
    const { does } = await coverDesk()
    await does("sync")
    const ran = await does("plan", "--as-of", day(200), "--json")
    assert.strictEqual(ran.status, 0, ran.stderr)
    const rules = new Set(ofType(ran, "rule").map(({ rule }) => rule))
    assert.isTrue(rules.has("Q5"), [...rules].join(" "))
    assert.match(String(ofType(ran, "not covered")[0]?.["why"]), /both plans are made from the books as they are now$/)
    const today = await does("plan", "--as-of", day(0), "--json")
    assert.deepStrictEqual(ofType(today, "document"), [])
  })
})
