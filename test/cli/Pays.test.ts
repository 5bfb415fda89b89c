/** A bank's statement that pays the invoices of the books, at the command line; and configurations in which it cannot. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { books, configuration, desk, failed, INVOICES, NOWHERE, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

const BANK = {
  id: "bank",
  source: {
    connector: "files",
    payments: {
      path: "bank.csv",
      columns: { id: "No", date: "Day", amount: "Amount", reference: "Text", customer: "From" },
      currency: "GBP"
    }
  },
  pays: "books"
}

const STATEMENT = `No,Day,Amount,Text,From
1,2026-03-20,120.00,Invoice INV-1,Harbour Lane Bakery
2,2026-03-21,300.60,,BRIGHTWATER FOODS LTD
3,2026-03-22,77.00,thank you,Somebody Else
`

const config = (url: string, bank: object = BANK) => {
  const { connections, service } = configuration(url)
  const { payments: _, ...source } = connections[0]!.source
  return JSON.stringify({
    service: { ...service, settle_after: "200 millis" },
    connections: [{ ...connections[0], source }, bank]
  })
}

describe("a bank's statement that pays the books", () => {
  it("whose payment is corrected: what was reported is taken back as P6, and it is reported anew in its place", async () => {
    const { holds, url } = await service()
    const here = books(url, {
      "daybook.config.json": config(url),
      "bank.csv": STATEMENT.replace(/^3,.*\n/m, "")
    })
    const first = await here.run("sync")
    assert.strictEqual(first.status, 0, first.stdout)
    here.write("bank.csv", STATEMENT.replace(/^3,.*\n/m, "").replace("300.60", "200.60"))
    await here.run("pull")
    const planned = ofType(await here.run("plan", "--json"), "call")
    assert.deepStrictEqual(
      planned.map(({ because, document, rule }) => [document, rule, because]),
      [
        [
          "books/invoice/INV-2",
          "P6",
          "was reported as 300.60 GBP on 2026-03-21, the source now says 200.60 GBP on 2026-03-21, and which invoice that is for is not known yet"
        ]
      ]
    )
    assert.strictEqual((await here.run("sync")).status, 3)
    for (const name of ["bank/payment/2", "2"]) {
      const { status, stdout } = await here.run("explain", name)
      assert.strictEqual(status, 3)
      assert.include(stdout, "Which invoice it is for\n  none yet; the item below says why")
      assert.include(
        stdout,
        "INV-2  300.60  due 2026-04-01  Brightwater Foods Ltd  (books/invoice/INV-2)  of its amount"
      )
      assert.include(
        stdout,
        "M3 200.60 GBP received on 2026-03-21 from BRIGHTWATER FOODS LTD: no reference, and no open"
      )
    }
    const apart = ofType(await here.run("status", "--json"), "completeness")[0]!["differences"]
    assert.deepInclude((apart as ReadonlyArray<object>)[0], {
      document: "books/invoice/INV-2",
      why: "bank/payment/2: 200.60 GBP received on 2026-03-21 from BRIGHTWATER FOODS LTD: no reference, and no open invoice of this payer has this amount; it was reported as 300.60 GBP on 2026-03-21 on INV-2, which is taken back"
    })
    const [item, ...others] = ofType(await here.run("attention", "--json"), "attention")
    assert.deepStrictEqual(others, [])
    assert.deepInclude(item, {
      document: "bank/payment/2",
      rule: "M3",
      why: "200.60 GBP received on 2026-03-21 from BRIGHTWATER FOODS LTD: no reference, and no open invoice of this payer has this amount; it was reported as 300.60 GBP on 2026-03-21 on INV-2, which is taken back",
      todo: "say which invoice it is for: daybook attention resolve NUMBER --invoice INVOICE (more than once for several), or --none; or correct it in the source; INV-2 is marked as paid on the service, which cannot be undone: where it stays open, contact the service's operator"
    })
    await here.run("attention", "resolve", String(item!["id"]), "--invoice", "INV-2")
    assert.deepInclude(ofType(await here.run("plan", "--json"), "call")[0], {
      rule: "P6",
      because:
        "200.60 GBP received on 2026-03-21, allocated to this invoice by hand, in place of 300.60 GBP on 2026-03-21"
    })
    await here.run("sync")
    assert.deepInclude((await holds())["books/invoice/INV-2"], {
      payments: [
        "2026-03-21 -300.60 unknown bank/payment/2#2; was reported as 300.60 GBP on 2026-03-21, the source now says 200.60 GBP on 2026-03-21, and which invoice that is for is not known yet",
        "2026-03-21 200.60 settlement bank/payment/2#3",
        "2026-03-21 300.60 settlement bank/payment/2"
      ]
    })
  })

  it("a choice that takes an invoice from another payment, or pays it twice, is shown before it is made", async () => {
    const { url } = await service()
    const here = books(url, { "daybook.config.json": config(url), "bank.csv": STATEMENT.replace("77.00", "300.60") })
    const id = async () => {
      const [open] = ofType(await here.run("attention", "--json"), "attention")
      return String(open!["id"])
    }
    const choose = async (...more: ReadonlyArray<string>) =>
      here.run("attention", "resolve", await id(), "--invoice", "INV-2", ...more)
    const others = "bank/payment/2, 300.60 GBP of 2026-03-21 from BRIGHTWATER FOODS LTD"
    const asks = "books/invoice/INV-2 asks for 300.60 GBP, and 300.60 GBP was received for it"
    const until = "Nothing was saved; if it is right, run again with --yes"
    await here.run("pull")
    assert.strictEqual(
      failed(await choose(), 4),
      `daybook: ${asks}; it is taken from ${others}, which then needs an invoice of its own. ${until}\n`
    )
    assert.strictEqual((await here.run("sync")).status, 3)
    assert.strictEqual(
      failed(await choose(), 4),
      `daybook: ${asks}; it stays paid by ${others}; 300.60 GBP more than it asks for would be received, which a person has to settle. ${until}\n`
    )
    assert.match((await choose("--yes")).stdout, /^bank\/payment\/3: 300\.60 GBP for books\/invoice\/INV-2\. Saved/)
  })

  it("by reference and by amount; the rest is listed with its candidates, and a choice is remembered", async () => {
    const { holds, url } = await service()
    const here = books(url, { "daybook.config.json": config(url), "bank.csv": STATEMENT })
    const first = await here.run("sync", "--json")
    assert.strictEqual(first.status, 3, first.stderr)
    assert.deepStrictEqual(ofType(first, "payments"), [
      {
        type: "payments",
        connection: "bank",
        pays: "books",
        currency: "GBP",
        payments: 3,
        received: "497.60",
        matched: "420.60",
        payouts: "0.00",
        notForInvoices: "0.00",
        waiting: "0.00",
        differences: [
          {
            document: "bank/payment/3",
            amount: "77.00",
            why: "its reference names no invoice that is known, and no open invoice of this payer has this amount"
          }
        ]
      }
    ])
    assert.deepStrictEqual(
      ofType(await here.run("status", "--json"), "payments").map(({ connection, matched }) => [connection, matched]),
      [["bank", "420.60"]]
    )
    const paid = (number: string, amount: string, day: string, fact: string) => ({
      number,
      status: "paid",
      gross_amount: amount,
      due_date: number === "INV-1" ? "2026-03-31" : "2026-04-01",
      paid_date: day,
      payments: [`${day} ${amount} settlement ${fact}`]
    })
    assert.deepStrictEqual(await holds(), {
      "books/invoice/INV-1": paid("INV-1", "120.00", "2026-03-20", "bank/payment/1"),
      "books/invoice/INV-2": paid("INV-2", "300.60", "2026-03-21", "bank/payment/2")
    })
    here.write("invoices.csv", `${INVOICES}INV-9,Elsewhere Ltd,GB,2026-03-05,2026-03-25,70.00,77.00,Sent\n`)
    const plan = await here.run("pull").then(() => here.run("plan", "--json"))
    const [matter] = ofType(plan, "attention")
    assert.deepInclude(matter, {
      document: "bank/payment/3",
      rule: "M3",
      candidates: [
        { invoice: "books/invoice/INV-9", number: "INV-9", party: "Elsewhere Ltd", due: "2026-03-25", open: "77.00" }
      ]
    })
    const shown = await here.run("attention")
    const id = /^ *(\d+) .*bank\/payment\/3/m.exec(shown.stdout)![1]!
    assert.match((await here.run("attention", "show", id)).stdout, /Open invoices of that amount:\n {2}INV-9 {2}77\.00/)
    assert.include(
      failed(await here.run("attention", "resolve", id, "--invoice", "INV-99"), 2),
      'there is no invoice "INV-99" in books; give its number, its id or its key'
    )
    assert.match(failed(await here.run("attention", "resolve", id), 2), /say what bank\/payment\/3 is for: --invoice/)
    const inPart = await here.run("attention", "resolve", id, "--invoice", "INV-9=70.00")
    assert.match(inPart.stdout, /^bank\/payment\/3: 70\.00 GBP for books\/invoice\/INV-9; 7\.00 GBP is unallocated\./)
    await here.run("match", "payments", "undo", "3")
    const [open] = ofType(await here.run("attention", "--json"), "attention").filter(
      ({ document }) => document === "bank/payment/3"
    )
    const reopened = String(open!["id"])
    const resolved = await here.run("attention", "resolve", reopened, "--invoice", "INV-9")
    assert.strictEqual(
      resolved.stdout,
      "bank/payment/3: 77.00 GBP for books/invoice/INV-9. Saved; daybook apply sends it.\n"
    )
    const last = await here.run("sync")
    assert.strictEqual(last.status, 0, last.stderr + last.stdout)
    assert.include(Object.keys(await holds()), "books/invoice/INV-9")
    assert.strictEqual((await here.run("export", "books.csv")).status, 0)
    const rows = (name: string) => readFileSync(here.path(`books.${name}.csv`), "utf8").split("\r\n")
    assert.match(rows("invoices").find((row) => row.startsWith("books/invoice/INV-9,"))!, /,77\.00,0\.00,77\.00,0\.00,/)
    assert.match(
      rows("payments").find((row) => row.includes("bank/payment/3,"))!,
      /,INV-9,2026-03-22,GBP,77\.00,.*,77\.00,/
    )
    assert.match((await here.run("explain", "INV-9")).stdout, /allocated to this invoice by hand/)

    const standing = await here.run("match", "payments", "--json")
    assert.deepStrictEqual(
      ofType(standing, "choice").map(({ payment, shares }) => [payment, shares]),
      [["bank/payment/3", [{ invoice: "books/invoice/INV-9", amount: "77.00" }]]]
    )
    assert.include(failed(await here.run("match", "payments", "undo", "4"), 2), 'there is no choice for payment "4"')
    const second = await here.run("attention", "resolve", reopened, "--none")
    assert.match(
      failed(second, 2),
      /item \d+ was already closed at 20\d\d-.* UTC: allocated by hand to books\/invoice\/INV-9 \(77\.00\)\. Nothing was changed/
    )
    // It was paid there, and there is no way back from that: a person is told, before and after.
    assert.include(
      failed(await here.run("match", "payments", "undo", "3"), 4),
      "INV-9 is marked as paid on the service, which cannot be undone. Nothing was saved; if it is right, run again with --yes"
    )
    const undone = await here.run("match", "payments", "undo", "3", "--yes")
    assert.strictEqual(
      undone.stdout,
      "Undone: bank/payment/3 is matched by the rules again. The next daybook apply or sync sends the result.\n"
    )
    assert.strictEqual((await here.run("apply")).status, 3)
    const { payments } = (await holds())["books/invoice/INV-9"] as { readonly payments: ReadonlyArray<string> }
    assert.match(payments.join("\n"), /-77\.00 unknown bank\/payment\/3#2/)
    const again = await here.run("attention")
    assert.match(again.stdout, /bank\/payment\/3 +M3/)
    assert.strictEqual((await here.run("match", "payments")).stdout, "No payment was allocated or compared by hand.\n")
  })

  const refusals: ReadonlyArray<readonly [string, object, string]> = [
    [
      "itself",
      { ...BANK, pays: "bank" },
      "connections[1].pays: a connection cannot pay for itself; remove it, or name another connection"
    ],
    ["nobody", { ...BANK, pays: "boks" }, 'connections[1].pays: connection "boks" not found; did you mean "books"?'],
    [
      "and has an owner",
      { ...BANK, owner: { user: { email: "a@b.c", name: "A", registered: "2024-01-01T00:00:00Z" } } },
      "connections[1].owner: its payments are for the invoices of books; write it there and leave it out here"
    ],
    [
      "no days",
      { ...BANK, match: { days: 1000 } },
      "connections[1].match.days: write a number of days, like 30; at most 366"
    ]
  ]
  for (const [what, bank, says] of refusals) {
    it(`pays ${what}: refused`, async () => {
      const here = desk({ "daybook.config.json": config(NOWHERE, bank) })
      assert.strictEqual(failed(await here.run("pull"), 2), `daybook: daybook.config.json: ${says}\n`)
    })
  }

  it("a chain is refused", async () => {
    const { connections, service } = JSON.parse(config(NOWHERE)) as { connections: Array<object>; service: object }
    const chain = JSON.stringify({ service, connections: [...connections, { ...BANK, id: "till", pays: "bank" }] })
    const here = desk({ "daybook.config.json": chain })
    assert.strictEqual(
      failed(await here.run("pull"), 2),
      "daybook: daybook.config.json: connections[2].pays: bank has no invoices to pay, it pays for books itself; name the connection that has the invoices\n"
    )
  })
})
