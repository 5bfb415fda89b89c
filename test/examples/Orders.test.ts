/**
 * The fourth example: two orders of a shop in files, bought with deferred payment on the sandbox, and one by telephone that
 * is created there: nothing before the payment is accepted, every parcel once, and a statement that agrees.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { api, checkout } from "../support/Checkout.ts"
import { desk, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

const EXAMPLE = new URL("../../examples/4-orders/", import.meta.url)
const FILES = ["orders", "parcels", "cancellations", "returns", "telephone", "telephone-parcels"].map(
  (name) => `${name}.csv`
)

/** Only the connection that a test is about. */
const example = (url: string, connection: string) => {
  const read = (name: string) => readFileSync(new URL(name, EXAMPLE), "utf8")
  const config = JSON.parse(read("daybook.config.json"))
  config.connections = config.connections.filter(({ id }: { readonly id: string }) => id === connection)
  config.service = { ...config.service, url, settle_after: "200 millis" }
  const files = Object.fromEntries(FILES.map((name) => [name, read(name)]))
  return desk({ "daybook.config.json": JSON.stringify(config), ...files })
}

describe("a shop's orders", () => {
  it("are sent parcel by parcel, once the payment is accepted", { timeout: 60_000 }, async () => {
    const shop = await service()
    const first = await checkout(shop, "1041", 10_000, "accepted")
    const second = await checkout(shop, "1042", 45_000, "pending_review")
    const here = example(shop.url, "shop")

    assert.strictEqual((await here.run("pull")).status, 0)
    const planned = (await here.run("plan")).stdout
    assert.include(planned, "Captures (2)  297.22 GBP")
    // The chair came back before its parcel was charged.
    assert.include(planned, "Voids (1)  27.78 GBP")
    const ran = await here.run("sync", "--json")
    assert.strictEqual(ran.status, 0, ran.stderr)
    const [statement] = ofType(ran, "orders")
    assert.deepInclude(statement, {
      connection: "shop",
      currency: "GBP",
      orders: 2,
      authorised: "550.00",
      captured: "72.22",
      voided: "27.78",
      open: "450.00",
      refunded: "0.00",
      differences: [],
      pending: 1
    })

    await shop.control("PUT", `deferred_payments/${second}/status`, { status: "accepted" })
    assert.deepInclude(ofType(await here.run("sync", "--json"), "orders")[0], { captured: "297.22", open: "225.00" })
    const calls = (await shop.calls()).length
    assert.strictEqual((await here.run("sync")).status, 0)
    assert.strictEqual((await shop.calls()).length, calls, "a further run changes nothing")

    const explained = (await here.run("explain", "1041")).stdout
    assert.include(explained, "100.00 authorised = 72.22 captured + 27.78 voided + 0.00 expired + 0.00 open (GBP)")
    assert.include(explained, `POST /v1/payment/deferred_payments/${first}/capture`)
    assert.include(explained, "72.22 GBP is owed for what left (72.22 GBP in all, 0.00 GBP for what is still to leave)")
    assert.strictEqual((await here.run("export", "books.csv")).status, 0)
    const [heading = "", ...sheet] = readFileSync(here.path("books.orders.csv"), "utf8").split("\r\n")
    assert.match(heading, /,Tracking$/)
    assert.match(sheet[0]!, /^shop,1041,.*,"DPD 15501, DPD 15502"$/)
    assert.match(sheet[1]!, /^shop,1042,.*,$/)
    assert.include(
      readFileSync(here.path("books.completeness.csv"), "utf8"),
      "550.00 authorised = 297.22 captured + 27.78 voided + 0.00 expired + 225.00 open; 0.00 refunded"
    )
  })

  it("a capture by hand: the command says so, and takes it over when a person resolves it", {
    timeout: 60_000
  }, async () => {
    const shop = await service()
    const id = await checkout(shop, "1041", 10_000, "accepted")
    await api(shop.url, "POST", `/v1/payment/deferred_payments/${id}/capture`, { amount: 10_000 })
    const here = example(shop.url, "shop")
    const ran = await here.run("sync", "--json")
    assert.strictEqual(ran.status, 3)
    const matter = ofType(ran, "attention").find(({ why }) => String(why).startsWith("others captured 100.00 GBP"))
    assert.include(String(matter!["todo"]), "daybook attention resolve")
    const resolved = await here.run("attention", "resolve", String(matter!["id"]), "--answer", "it was for this order")
    assert.match(resolved.stdout, /The answer is kept for shop\/order\/1041/)
    // The goods in the books come to less: the rest goes back.
    const [statement] = ofType(await here.run("sync", "--json"), "orders")
    assert.deepInclude(statement, { captured: "100.00", refunded: "27.78", charged: "72.22", differences: [] })
  })

  it("are created where the service does not know them, and captured once their buyer has taken a plan", {
    timeout: 60_000
  }, async () => {
    const shop = await service()
    const here = example(shop.url, "telephone")
    assert.strictEqual((await here.run("pull")).status, 0)
    const planned = (await here.run("plan")).stdout
    assert.include(planned, "Buyers to send (4)")
    assert.include(planned, "Orders to create (1)  320.00 GBP")
    assert.include(planned, "6 calls for 1 order and 1 buyer.")
    assert.strictEqual((await here.run("sync")).status, 0)

    const status = (await here.run("status")).stdout
    assert.include(status, "Orders without an accepted plan: 1 offered")
    const explained = (await here.run("explain", "2001")).stdout
    assert.match(explained, /Pay in 30 days: offered/)
    assert.notInclude(explained, "/pay/", "the way into the checkout is nobody else's")
    assert.include(
      (await here.run("explain", "telephone/buyer/orders@harbourlane.example")).stdout,
      "PATCH /v1/organisations/"
    )

    const { offer, plan } = /(?<offer>off[a-z]*-\w+).*(?<plan>ppln-\w+)/s.exec(explained)!.groups as Record<
      string,
      string
    >
    await shop.control("POST", `offers/${offer}/plans/${plan}/accept`, { status: "accepted" })
    const [statement] = ofType(await here.run("sync", "--json"), "orders")
    assert.match((await here.run("explain", "2001")).stdout, /3 instalments: accepted/)
    assert.deepInclude(statement, { authorised: "320.00", captured: "200.00", open: "120.00", differences: [] })
    assert.deepInclude(ofType(await here.run("status", "--json"), "orders")[0], { captured: "200.00" })
  })
})
