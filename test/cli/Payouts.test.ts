/** `daybook payouts`: a processor, a bank and the books together, from the sale to the bank's line. */
import { assert, describe, it } from "@effect/vitest"
import { subject } from "../../connectors/stripe/Sample.ts"
import { atEnd } from "../support/AtEnd.ts"
import { configuration, desk, INVOICES, ofType, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"
import { serveSource } from "../support/SourceServer.ts"

useCommand()

const BANK = `Ref,Payer,Date,Amount,Text
1,STRIPE PAYMENTS UK LTD,2026-02-17,97.70,1234567890A
2,STRIPE PAYMENTS UK LTD,2026-02-20,12.34,PAYOUT
3,Tax Office,2026-02-28,5.00,refund
`

const ENV = { STRIPE_KEY: "rk_sample", READER: "reader-0123456789abcdef" }

/** Books, Stripe and a bank that pays the books; everything was read. */
const house = async (bank = BANK) => {
  const there = await service()
  const source = await serveSource(subject.open().source!)
  atEnd(source.close)
  const { connections, service: settings } = configuration(there.url)
  const [books] = connections
  const { owner } = books!
  const columns = { id: "Ref", customer: "Payer", date: "Date", amount: "Amount", reference: "Text" }
  const here = desk({
    "invoices.csv": INVOICES,
    "payments.csv": PAYMENTS,
    "bank.csv": bank,
    "daybook.config.json": JSON.stringify({
      service: settings,
      daemon: { api: { tokens: [{ name: "READER", token: { env: "READER" }, scopes: ["read"] }] } },
      connections: [
        books,
        { id: "stripe", owner, source: { connector: "stripe", key: { env: "STRIPE_KEY" }, url: source.url } },
        {
          id: "bank",
          pays: "books",
          source: { connector: "files", payments: { path: "bank.csv", columns, currency: "GBP" } }
        }
      ]
    })
  })
  const run = (...args: ReadonlyArray<string>) => here.runWith({ env: ENV }, ...args)
  const pulled = await run("pull")
  assert.notInclude([1, 2], pulled.status, pulled.stderr)
  return { here, run }
}

describe("payouts", () => {
  it("are shown from the sale to the bank's line, and what no payout explains is named", async () => {
    const { run } = await house()
    const ran = await run("payouts")
    assert.strictEqual(ran.status, 3, ran.stderr)
    for (const line of [
      /^stripe GBP: 2 payouts$/m,
      /^Collected +120\.00$/m,
      /^Refunds +-20\.00$/m,
      /^Chargebacks +-0\.10$/m,
      /^Fees +-2\.20$/m,
      /^Not itemised +50\.00$/m,
      /^= Paid out +147\.70$/m,
      /^At the bank +97\.70$/m,
      /^Failed, back in the balance +50\.00$/m,
      /stripe\/payout\/po_2 +2026-02-13 +50\.00 GBP +failed: it did not arrive/,
      /^1 line of the bank that a processor paid, and no payout explains:\n *bank\/payment\/2 +2026-02-20 +12\.34 GBP$/m
    ])
      assert.match(ran.stdout, line)
    const json = await run("payouts", "stripe", "--json")
    assert.deepInclude(ofType(json, "payout")[0], {
      payout: "stripe/payout/po_1",
      standing: "arrived",
      lines: [{ line: "bank/payment/1", date: "2026-02-17", amount: "97.70" }],
      apart: "0.00",
      notItemised: "0.00",
      why: null
    })
    assert.deepInclude(ofType(json, "summary")[0], { payouts: 2, odd: 0, lines: 1 })
    assert.match((await run("payouts", "strip")).stderr, /did you mean "stripe"\?/)
    assert.match((await run("payouts", "books")).stdout, /No payout of a processor was read\./)
  })

  it("leave matching: only the stranger's money is asked about", async () => {
    const { run } = await house()
    const asked = ofType(await run("attention", "--json"), "attention").map(({ document }) => document)
    assert.deepStrictEqual(
      asked.filter((one) => String(one).startsWith("bank/")),
      ["bank/payment/3"]
    )
    const status = ofType(await run("status", "--json"), "payments")[0]
    assert.deepInclude(status, { received: "115.04", payouts: "110.04", notForInvoices: "0.00" })
    const { stdout } = await run("explain", "bank/payment/1")
    assert.include(stdout, "none: it is stripe/payout/po_1, which a processor paid out")
    assert.include((await run("explain", "po_1")).stdout, "payout of 2026-02-13, paid: 97.70 GBP")
  })

  it("are answered over HTTP", async () => {
    const { here } = await house(BANK.replace("97.70", "95.70"))
    const daemon = await startDaemon(here.folder, { env: ENV })
    const answer = await fetch(`${daemon.url}/api/v1/payouts?limit=1`, {
      headers: { authorization: `Bearer ${ENV.READER}` }
    })
    const { accounts, next, payouts, total } = (await answer.json()) as Readonly<
      Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>
    >
    assert.deepStrictEqual([answer.status, total, typeof next], [200, 2, "string"])
    assert.deepInclude(payouts![0], { payout: "stripe/payout/po_1", apart: "-2.00", why: "short by 2.00 GBP" })
    assert.deepInclude(accounts![0], { paidOut: "147.70", apart: [{ currency: "GBP", amount: "-2.00" }] })
  })
})
