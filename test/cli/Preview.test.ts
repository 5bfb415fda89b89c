/** `daybook preview` and what `daybook doctor` says of a source: before anything is stored, and without sending anything. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { subject } from "../../connectors/woocommerce/Sample.ts"
import { books, configuration, desk, INVOICES, lines, ofType, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { serveSource, type SourceServer } from "../support/SourceServer.ts"

useCommand()

const BROKEN = INVOICES.replace("2026-04-02,10.00", "2026-04-31,10.00")

const TEXT = `books: read to its end, 5 documents, 1 record that would be quarantined

Documents (3 of 5)
  invoices.csv:2
    INV-1,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent
    → invoice INV-1 to Harbour Lane Bakery Ltd, gross 120.00 GBP, net 100.00 GBP, issued 2026-03-01, due 2026-03-31, open
  invoices.csv:3
    INV-2,Brightwater Foods Ltd,GB,2026-03-02,2026-04-01,250.50,300.60,Sent
    → invoice INV-2 to Brightwater Foods Ltd, gross 300.60 GBP, net 250.50 GBP, issued 2026-03-02, due 2026-04-01, open
  payments.csv:2
    P-1,INV-1,2026-03-20,120.00,,
    → payment of 2026-03-20: 120.00 on INV-1

Would be quarantined (1)
  invoices.csv:4  Due: "2026-04-31" is not a date written yyyy-MM-dd; set date_format, or correct it
    INV-3,Tern & Sons,GB,2026-03-03,2026-04-31,10.00,12.00,Cancelled

invoices uses id = Invoice, number = Invoice, customer = Buyer, customer_country = Country, issued = Issued, due = Due, net = Net, gross = Gross, status = State (invoices.csv)
invoices: sign of gross: as the amounts are written; state: State; Sent = open; Cancelled = void (invoices.csv)
payments uses id = Ref, invoice = Invoice, date = Date, amount = Amount, type = Type, provider_code = Code (payments.csv)
payments: sign of amount: as the amounts are written; no column says a state (payments.csv)

Totals
Kind     Status  Documents  Amount  Currency
invoice  open            2  420.60  GBP
payment                  2  220.00  GBP
payment                  1    5.00  of its invoice

Nothing was stored and nothing was sent.
`

describe("daybook preview", { timeout: 120_000 }, () => {
  it("shows records beside their documents, what would be quarantined, and sums; and keeps nothing", async () => {
    const there = await service()
    const here = books(there.url, { "invoices.csv": BROKEN })
    const { status, stdout } = await here.run("preview", "books", "--show", "3")
    assert.strictEqual(stdout, TEXT)
    assert.strictEqual(status, 3)
    const json = await here.run("preview", "--json")
    assert.deepStrictEqual(
      lines(json).map(({ type }) => type),
      ["row", "row", "row", "row", "row", "quarantined", "notice", "notice", "notice", "notice", "preview"]
    )
    assert.deepInclude(ofType(json, "preview")[0], { connection: "books", whole: true, documents: 5, quarantined: 1 })
    assert.deepInclude(ofType(json, "quarantined")[0], { origin: "invoices.csv:4", field: "Due" })
    assert.isFalse(existsSync(here.path("daybook.db")))
    assert.deepStrictEqual(await there.calls(), [])
  })

  it("says what is wrong with a connection, and goes on with the others", async () => {
    const there = await service()
    const { connections, service: its } = configuration(there.url)
    const [one] = connections
    const other = {
      ...one!,
      id: "other",
      source: { ...one!.source, payments: { ...one!.source.payments, path: "none.csv" } }
    }
    const here = desk({
      "daybook.config.json": JSON.stringify({ service: its, connections: [other, one] }),
      "invoices.csv": INVOICES,
      "payments.csv": PAYMENTS
    })
    const { status, stderr, stdout } = await here.run("preview", "--show", "0")
    assert.strictEqual(status, 2)
    assert.match(stderr, /^daybook: other: files: .*none\.csv/)
    assert.include(stdout, "books: read to its end, 6 documents")
    assert.strictEqual((await here.run("preview", "none")).status, 2)
    assert.strictEqual((await here.run("preview", "--first", "5000")).status, 2)
  })
})

describe("daybook doctor", { timeout: 120_000 }, () => {
  it("says what files come to, and that a record would be quarantined", async () => {
    const there = await service()
    const here = books(there.url)
    const well = await here.run("doctor")
    assert.strictEqual(well.status, 0, well.stdout)
    assert.match(
      well.stdout,
      /ok {3}source books {3}files: read to its end, 6 documents\n {5}Kind .*\n {5}invoice +open +2 +420\.60 {2}GBP/
    )
    here.write("invoices.csv", BROKEN)
    const ill = await here.run("doctor")
    assert.strictEqual(ill.status, 1)
    assert.include(ill.stdout, "1 record would be quarantined: invoices.csv:4  Due: ")
    const check = ofType(await here.run("doctor", "--json"), "check").find(({ name }) => name === "source books")
    assert.deepInclude(check, { ok: false, quarantined: 1 })
    assert.deepStrictEqual((check!["sums"] as ReadonlyArray<unknown>)[0], {
      kind: "invoice",
      status: "open",
      currency: "GBP",
      documents: 2,
      amount: "420.6"
    })
    assert.isFalse(existsSync(here.path("daybook.db")))
  })
})

describe("a source over HTTP", { timeout: 120_000 }, () => {
  let shop: SourceServer
  beforeAll(async () => {
    shop = await serveSource(subject.open().source!)
  })
  afterAll(() => shop.close())

  it("is read with its key by preview and doctor; a key that is missing or wrong is never well", async () => {
    const there = await service()
    const [{ owner }] = configuration(there.url).connections as [
      ReturnType<typeof configuration>["connections"][number]
    ]
    const here = desk({
      "daybook.config.json": JSON.stringify({
        service: configuration(there.url).service,
        connections: [
          { id: "shop", owner, source: { connector: "woocommerce", ...(subject.settings as object), url: shop.url } }
        ]
      })
    })
    const env = { ...subject.environment }
    const shown = await here.runWith({ env }, "preview", "--show", "3")
    assert.strictEqual(shown.status, 0, shown.stderr)
    assert.include(shown.stdout, "→ order W-71")
    assert.match(shown.stdout, /order +closed +1 +125\.00 {2}GBP/)
    const well = await here.runWith({ env }, "doctor")
    assert.match(well.stdout, /ok {3}source shop {4}woocommerce: read to its end, 8 documents/)

    for (const [key, status] of [
      ["ck_other", 2],
      [undefined, 2]
    ] as const) {
      const wrong = { env: { ...env, WOO_KEY: key } }
      const refused = await here.runWith(wrong, "preview")
      assert.strictEqual(refused.status, status, refused.stderr)
      assert.strictEqual(refused.stdout, "")
      const ill = await here.runWith(wrong, "doctor")
      assert.strictEqual(ill.status, 1)
      assert.match(ill.stdout, /BAD {2}source shop {4}woocommerce: .*(?:credentials|WOO_KEY)/)
    }
    assert.deepStrictEqual(await there.calls(), [])
  })
})
