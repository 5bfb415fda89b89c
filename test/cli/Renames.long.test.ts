/**
 * A connection's name, its source and its owner: one that changes stops before anything is read or sent, and a person
 * says what is meant. A renamed one keeps its ledger and its keys.
 *
 * Fails where `Bindings.bind` in sync/pull/ConnectorContext.ts, or `Bindings.verify` in sync/plan/Plan.ts, goes.
 */
import { assert, describe, it } from "@effect/vitest"
import { Daybook } from "../../sync/library/Daybook.ts"
import { books, configuration, failed, KEY, ofType, PAYMENTS, service, useCommand } from "../support/Cli.ts"

useCommand()

const QUIET = PAYMENTS.split("\n").slice(0, 3).join("\n")

/** Books that were sent once, whose configuration can be written anew. */
const sent = async () => {
  const there = await service()
  const { connections, service: settings } = configuration(there.url)
  const config = (more: object, ...others: ReadonlyArray<object>) =>
    JSON.stringify({
      service: { ...settings, settle_after: "50 millis" },
      connections: [{ ...connections[0], ...more }, ...others.map((one) => ({ ...connections[0], ...one }))]
    })
  const here = books(there.url, { "payments.csv": QUIET, "daybook.config.json": config({}) })
  assert.strictEqual((await here.run("sync")).status, 0)
  const posts = async () => (await there.calls()).filter(({ method }) => method !== "GET").length
  return { config, here, there, posts, owner: connections[0]!.owner.organisation }
}

describe.concurrent("a connection that was renamed in the configuration", () => {
  it("stops, and with `connections rename` keeps its ledger and its keys", { timeout: 60_000 }, async () => {
    const { config, here, posts, there } = await sent()
    const before = await posts()
    here.write("daybook.config.json", config({ id: "ledger" }))
    const stopped = await here.run("sync")
    assert.strictEqual(stopped.status, 4)
    assert.include(stopped.stderr, "connection ledger has the source and owner of books")
    assert.include(stopped.stderr, "run `daybook connections rename books ledger`")
    assert.include(stopped.stderr, "run `daybook connections accept ledger`")
    assert.strictEqual(await posts(), before)

    assert.match(
      failed(await here.run("connections", "rename", "nobody", "ledger"), 2),
      /nothing was read or sent under/
    )
    assert.match(failed(await here.run("connections", "rename", "books", "a/b"), 2), /is not a connection's name/)
    const renamed = await here.run("connections", "rename", "books", "ledger", "--json")
    assert.deepInclude(ofType(renamed, "renamed")[0], { from: "books", to: "ledger", key: "books" })
    const again = await here.run("sync", "--json")
    assert.strictEqual(again.status, 0, again.stderr)
    assert.deepInclude(ofType(again, "summary")[0], { done: 0 })
    assert.strictEqual(await posts(), before, "nothing is sent once more")

    // What is new goes onto the transaction that the service has under the first name.
    here.write("payments.csv", `${QUIET}\nP-9,INV-2,2026-03-25,0.60,,\n`)
    // Where a person reads, it has its name.
    assert.match((await here.run("status")).stdout, /^ledger +\d{4}-/m)
    assert.deepInclude(ofType(await here.run("status", "--json"), "connection")[0], {
      connection: "books",
      name: "ledger"
    })
    const more = await here.run("sync", "--json")
    assert.strictEqual(more.status, 0, more.stderr)
    assert.strictEqual(await posts(), before + 1)
    const compared = await here.run("reconcile", "--json")
    assert.strictEqual(compared.status, 0, compared.stdout)
    assert.deepInclude(ofType(compared, "summary")[0], { transactions: 2, differences: 0 })
    assert.strictEqual((await there.calls()).filter(({ path }) => /transactions\/?$/.test(path)).length, 2)

    // The first name is taken by what was sent under it.
    here.write("daybook.config.json", config({ id: "ledger" }, { id: "books" }))
    assert.match(
      failed(await here.run("pull"), 2),
      /connections\[1\]\.id: calls of ledger were sent under the name books/
    )
    // A second one of the same name cannot be had, and the way back is open.
    here.write("daybook.config.json", config({ id: "books" }))
    assert.strictEqual(
      (await here.run("connections", "rename", "ledger", "books")).stdout,
      "books has its original name again.\n"
    )
    assert.deepInclude(ofType(await here.run("sync", "--json"), "summary")[0], { done: 0 })
  })

  it("is found by either name in a program", { timeout: 60_000 }, async () => {
    const { config, here } = await sent()
    await here.run("connections", "rename", "books", "ledger")
    const daybook = await Daybook.open(JSON.parse(config({ id: "ledger" })), {
      folder: here.folder,
      state: `${here.folder}/daybook.db`,
      environment: { SERVICE_KEY: KEY }
    })
    assert.strictEqual((await daybook.status()).connections[0]!.name, "ledger")
    for (const name of ["ledger", "books"]) assert.strictEqual((await daybook.sync({ connections: [name] })).done, 0)
    assert.strictEqual((await daybook.explain("books/invoice/INV-1")).length, 1)
    await daybook.close()
  })

  it("is given its name in a program, too", { timeout: 60_000 }, async () => {
    const { config, here, posts } = await sent()
    const before = await posts()
    const open = (id: string) =>
      Daybook.open(JSON.parse(config({ id })), {
        folder: here.folder,
        state: here.path("daybook.db"),
        environment: { SERVICE_KEY: KEY }
      })
    const first = await open("ledger")
    const why = (work: Promise<unknown>) => work.then(() => "done", String)
    assert.include(await why(first.sync()), "run `daybook connections rename books ledger`")
    assert.include(
      await why(first.renameConnection("nobody", "ledger")),
      "nothing was read or sent under the name nobody"
    )
    assert.include(await why(first.renameConnection("books", "a/b")), "is not a connection's name")
    assert.strictEqual(await first.renameConnection("books", "ledger"), "books")
    await first.close()
    const second = await open("ledger")
    assert.strictEqual((await second.sync()).done, 0)
    await second.close()
    assert.strictEqual(await posts(), before)

    const other = await open("shop")
    assert.include(await why(other.pull()), "run `daybook connections rename")
    assert.include(await why(other.acceptConnection("books")), 'connection "books" not found; available: shop')
    await other.acceptConnection("shop")
    assert.strictEqual((await other.pull())["shop"]!.added, 5)
    await other.close()
  })

  it("and is another one goes on when a person says so", { timeout: 60_000 }, async () => {
    const { config, here, posts } = await sent()
    const before = await posts()
    here.write("daybook.config.json", config({ id: "shop" }))
    assert.strictEqual((await here.run("pull")).status, 4)
    assert.strictEqual(
      failed(await here.run("connections", "accept", "shopp"), 2),
      'daybook: connection "shopp" not found in daybook.config.json; did you mean "shop"?\n'
    )
    assert.strictEqual((await here.run("connections", "accept", "shop")).status, 0)
    assert.strictEqual((await here.run("sync")).status, 0)
    assert.isAbove(await posts(), before)
    // Beside the old one it is nothing that was renamed, but it reads the same.
    here.write("daybook.config.json", config({ id: "shop" }, {}, { id: "second" }))
    assert.include(failed(await here.run("pull"), 4), "second reads the same for the same owner as shop")
    assert.strictEqual((await here.run("connections", "accept", "second")).status, 0)
    assert.strictEqual((await here.run("pull")).status, 0)
  })
})

describe.concurrent("a connection that gets another owner or source", () => {
  it("stops before it is read or sent, until a person says that it is meant", { timeout: 60_000 }, async () => {
    const { config, here, owner, posts } = await sent()
    const before = await posts()
    const other = { owner: { organisation: { ...owner, unique_id: "other" } } }
    here.write("daybook.config.json", config(other))
    here.write(
      "invoices.csv",
      "Invoice,Buyer,Country,Issued,Due,Net,Gross,State\nX-1,Tern & Sons,GB,2026-03-03,2026-04-02,10.00,12.00,Sent\n"
    )
    for (const words of [["sync"], ["pull"], ["apply"]]) {
      const stopped = await here.run(...words)
      assert.strictEqual(stopped.status, 4, words.join())
      assert.include(
        stopped.stderr,
        "connection books belongs to organisation acme, and the configuration says organisation other"
      )
      assert.include(stopped.stderr, "run `daybook connections accept books`")
    }
    assert.strictEqual(await posts(), before)
    assert.notInclude((await here.run("explain", "X-1")).stdout, "Tern", "it was not read")
    assert.strictEqual((await here.run("connections", "accept", "books")).status, 0)
    assert.strictEqual((await here.run("pull")).status, 0)
  })

  it("whose first owner was a slip gets the right one as long as nothing was sent", { timeout: 60_000 }, async () => {
    const there = await service()
    const here = books(there.url, { "payments.csv": QUIET })
    assert.strictEqual((await here.run("pull")).status, 0)
    const { connections, service: settings } = configuration(there.url)
    const owner = { organisation: { ...connections[0]!.owner.organisation, unique_id: "right" } }
    here.write(
      "daybook.config.json",
      JSON.stringify({ service: settings, connections: [{ ...connections[0], owner }] })
    )
    assert.strictEqual((await here.run("sync")).status, 0)
  })
})
