/**
 * `daybook match debtors`: who is not known, whom it might be, and a choice that is remembered for every later invoice.
 */
import { assert, describe, it } from "@effect/vitest"
import { books, failed, KEY, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

const INVOICES = `Invoice,Buyer,Country,Issued,Due,Net,Gross,State
INV-1,Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent
INV-2,Brightwater,GB,2026-03-02,2026-04-01,250.50,300.60,Sent
INV-3,Brightwater,GB,2026-03-03,2026-04-02,10.00,12.00,Sent
INV-4,Nobody At All,GB,2026-03-03,2026-04-02,10.00,12.00,Sent
INV-5,Somewhere Ltd,,2026-03-03,2026-04-02,10.00,12.00,Sent
`

const synced = async () => {
  const there = await service()
  const here = books(there.url, { "invoices.csv": INVOICES, "payments.csv": "Ref,Invoice,Date,Amount,Type,Code\n" })
  await here.run("sync")
  const debtors = async (): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${there.url}/v1/transactions?limit=100`, { headers: { authorization: `Token ${KEY}` } })
    const { results } = (await answer.json()) as { results: ReadonlyArray<Readonly<Record<string, string>>> }
    return Object.fromEntries(results.map(({ debtor, number }) => [number, debtor]))
  }
  return { there, here, debtors }
}

describe.concurrent("match", () => {
  it("lists whom the service could not match, with the likeliest company", async () => {
    const { here } = await synced()
    const ran = await here.run("match", "debtors")
    assert.strictEqual(ran.status, 3, ran.stderr)
    assert.match(ran.stdout, /Brightwater +GB +2 +312\.60 GBP +Brightwater Foods Ltd, .*\(co-1001\)/)
    assert.match(ran.stdout, /Nobody At All +GB +1 +12\.00 GBP +none found\n/)
    assert.match(ran.stdout, /Somewhere Ltd +1 +12\.00 GBP +none: its country is not known\n/)
    assert.notInclude(ran.stdout, "Harbour Lane")
    const json = await here.run("match", "debtors", "--json")
    const [first] = ofType(json, "debtor")
    assert.deepInclude(first, { name: "Brightwater", invoices: 2, open: ["312.60 GBP"], company: null })
    assert.include((await here.run("match", "debtors", "show", "brightwater")).stdout, "co-1001  Brightwater Foods Ltd")
  })

  it("waits for nobody where no company of that name is known", async () => {
    const there = await service()
    const invoices = INVOICES.split("\n").filter((line) => !/Brightwater|Somewhere/.test(line))
    const here = books(there.url, {
      "invoices.csv": invoices.join("\n"),
      "payments.csv": "Ref,Invoice,Date,Amount,Type,Code\n"
    })
    await here.run("sync")
    const ran = await here.run("match", "debtors", "list")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.match(ran.stdout, /Nobody At All +GB +1 +12\.00 GBP +none found\n/)
  })

  it("remembers a choice for the invoices there are and for later ones, until it is taken back", async () => {
    const { debtors, here, there } = await synced()
    const chosen = await here.run("match", "debtors", "choose", "Brightwater", "co-1001")
    assert.strictEqual(
      chosen.stdout,
      "Brightwater is Brightwater Foods Ltd (co-1001) from now on. 2 invoices will be updated by the next daybook apply or sync.\n",
      chosen.stderr
    )
    here.write("invoices.csv", `${INVOICES}INV-6,Brightwater,GB,2026-03-05,2026-04-02,10.00,12.00,Sent\n`)
    const calls = (await there.calls()).length
    assert.include((await here.run("sync")).stdout, "(1 invoice created, 2 debtors matched)")
    assert.strictEqual((await there.calls()).length - calls, 3)
    assert.deepInclude(await debtors(), { "INV-2": "co-1001", "INV-3": "co-1001", "INV-6": "co-1001", "INV-4": null })
    assert.match(
      (await here.run("match", "debtors", "list", "--chosen")).stdout,
      /Brightwater +GB +books +co-1001 +3\n/
    )
    assert.notInclude((await here.run("match", "debtors")).stdout, "Brightwater")
    assert.include(
      (await here.run("match", "debtors", "forget", "Brightwater")).stdout,
      "The company chosen for Brightwater was removed"
    )
    assert.strictEqual(
      failed(await here.run("match", "debtors", "forget", "Nobody At All"), 2).includes("nothing to undo"),
      true
    )
  })

  it("says what is wrong with a name or a company", async () => {
    const { here } = await synced()
    assert.strictEqual(
      failed(await here.run("match", "debtors", "choose", "Brightwatr", "co-1001"), 2),
      'daybook: there is no debtor "Brightwatr" without a company; did you mean "Brightwater"?\n'
    )
    assert.include(
      failed(await here.run("match", "debtors", "choose", "Brightwater", "1001"), 2),
      "is not a company id"
    )
    assert.strictEqual(
      failed(await here.run("match", "debtors", "choose", "Brightwater", "co-999999"), 2),
      "daybook: the service has no company co-999999\n"
    )
  })
})
