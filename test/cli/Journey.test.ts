/**
 * The way of a user, from the first read to the second run that has nothing to say: each command as it is typed, what
 * is seen, and the status that it ends with.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { read, utils } from "xlsx"
import { books, failed, INVOICES, KEY, lines, ofType, service, useCommand } from "../support/Cli.ts"
import { copied } from "../support/PdfText.ts"

useCommand()

describe.concurrent("the way of a user", () => {
  it("reads, plans, has the plan approved, sends it, explains it, and has nothing more to say", async () => {
    const there = await service()
    const { folder, path, run } = books(there.url)

    const pull = await run("pull")
    assert.deepStrictEqual([pull.status, pull.stdout], [0, "books: 6 read, 6 documents new\n"])
    assert.strictEqual((await run("pull")).stdout, "books: up to date\n")

    const plan = await run("plan")
    assert.strictEqual(plan.status, 3)
    for (const words of [
      "Invoices to create (2)  420.60 GBP",
      "books/invoice/INV-1  120.00 GBP  T2    new: INV-1 to Harbour Lane Bakery Ltd, issued 2026-03-01, due 2026-03-31",
      "Payments received (2)  220.00 GBP",
      "Invoices to mark as paid (1)",
      "Needs attention (1)",
      "1 invoice: T4: it is void",
      "6 calls for 2 invoices. Nothing was sent. daybook apply sends them.\n"
    ]) {
      assert.include(plan.stdout, words)
    }
    assert.strictEqual((await run("plan", "--detailed-exitcode")).status, 6)
    assert.deepStrictEqual(await there.calls(), [])

    const saved = await run("plan", "--save", "monday.plan")
    assert.include(saved.stdout, "Saved to monday.plan; send it with: daybook apply --plan monday.plan\n")
    assert.strictEqual(readFileSync(path("monday.plan"), "utf8"), (await run("plan", "--json")).stdout)

    const apply = await run("apply", "--plan", "monday.plan")
    assert.strictEqual(apply.status, 3)
    assert.include(
      apply.stdout,
      "Sent 6 calls (1 organisation, 2 invoices created, 2 payments and reversals reported, 1 marked as paid)."
    )
    assert.match(apply.stdout, /books +GBP +2 +not stated +200\.60 +200\.60 +not checked: the source states no balance/)
    assert.include(apply.stdout, "5.00 is allocated to an invoice that was not found in the source")
    assert.strictEqual((await there.calls()).length, 6)
    assert.deepStrictEqual(await there.holds(), {
      "books/invoice/INV-1": {
        number: "INV-1",
        status: "paid",
        gross_amount: "120.00",
        due_date: "2026-03-31",
        paid_date: "2026-03-20",
        payments: ["2026-03-20 120.00 settlement books/payment/P-1/INV-1"]
      },
      "books/invoice/INV-2": {
        number: "INV-2",
        status: "pending",
        gross_amount: "300.60",
        due_date: "2026-04-01",
        paid_date: null,
        payments: ["2026-03-21 100.00 settlement books/payment/P-2/INV-2"]
      }
    })
    assert.strictEqual((await run("plan", "--detailed-exitcode")).status, 0)

    const status = await run("status")
    assert.strictEqual(status.status, 3)
    assert.include(status.stdout, `of ${there.url}`)
    assert.match(status.stdout, /books +\S+ \S+ +3 +3 +0 +0 +2 +0 +0\n/)
    assert.match(status.stdout, /6 calls, done\n/)
    assert.include(status.stdout, "1 item needs attention: daybook attention\n")

    const story = await run("explain", "INV-2")
    assert.strictEqual(story.status, 0)
    for (const words of [
      "invoices.csv:3",
      "INV-2,Brightwater Foods Ltd,GB,2026-03-02,2026-04-01,250.50,300.60,Sent",
      "payments.csv:3",
      "300.60 asked − 100.00 received = 200.60 open (GBP)",
      "POST /v1/transactions  done 201  trns-",
      'request {"owner":"org-',
      "/payments/  done 201  pay-",
      "pending, 1 payment reported"
    ]) {
      assert.include(story.stdout, words)
    }
    assert.include((await run("explain", "#1")).stdout, "POST /v1/organisations  done 201  org-")

    const second = await run("sync")
    assert.strictEqual(second.status, 3)
    assert.include(second.stdout, "Nothing to send.\n")
    assert.strictEqual((await there.calls()).length, 6)

    for (const { stderr } of [pull, plan, saved, apply, status, story, second]) assert.strictEqual(stderr, "")
    assert.isTrue(existsSync(`${folder}/daybook.db`))
  })

  it("shows what needs attention, takes the person's decision, and sends a refused call once more", async () => {
    const there = await service()
    const { run } = books(there.url)
    await there.control("POST", "faults", {
      method: "POST",
      path: "/v1/transactions",
      kind: "status",
      status: 400,
      times: 1
    })
    const first = await run("sync")
    assert.strictEqual(first.status, 3)
    assert.include(first.stdout, "1 call refused by the service.")

    const list = await run("attention")
    assert.strictEqual(list.status, 3)
    assert.strictEqual((await run("attention", "list")).stdout, list.stdout)
    const open = ofType(await run("attention", "list", "--json"), "attention")
    assert.strictEqual(open.length, 2)
    const refused = open.find(({ refused }) => refused === true)!
    const stray = open.find(({ refused }) => refused === false)!
    assert.match(String(refused["why"]), /refused with 400/)

    const show = await run("attention", "show", String(stray["id"]))
    assert.strictEqual(show.status, 0)
    assert.include(show.stdout, "because of books/payment/P-3/INV-9\n")
    assert.include(show.stdout, "→ check the invoice's id in the source")

    const again = await run("sync")
    assert.include(again.stdout, "Nothing to send.")
    const retry = await run("attention", "retry", String(refused["id"]))
    assert.deepStrictEqual(
      [retry.status, retry.stdout],
      [0, "1 item will be planned again; daybook apply sends them.\n"]
    )
    assert.strictEqual((await run("plan", "--detailed-exitcode")).status, 6)
    assert.strictEqual((await run("apply")).status, 3)
    assert.deepStrictEqual(Object.keys(await there.holds()).toSorted(), ["books/invoice/INV-1", "books/invoice/INV-2"])

    const resolve = await run("attention", "resolve", String(stray["id"]), "--note", "they paid twice")
    assert.strictEqual(resolve.status, 0)
    const none = await run("attention")
    assert.deepStrictEqual([none.status, none.stdout], [0, "Nothing needs attention.\n"])
    assert.strictEqual((await run("sync")).status, 0)
    assert.include((await run("explain", "INV-9")).stdout, "they paid twice")
  })

  it("writes the books as a workbook and as CSV", async () => {
    const there = await service()
    const { path, run } = books(there.url)
    await run("sync")
    const workbook = await run("export", "books.xlsx")
    assert.strictEqual(workbook.status, 0)
    assert.include(workbook.stdout, `${path("books.xlsx")}\n`)
    const { SheetNames, Sheets } = read(readFileSync(path("books.xlsx")))
    assert.include(SheetNames, "Invoices")
    assert.strictEqual(utils.sheet_to_json(Sheets["Invoices"]!).length, 3)
    const csv = await run("export", "books.csv", "--json")
    const [line] = lines(csv)
    assert.strictEqual(line?.["type"], "export")
    assert.include(line?.["files"] as ReadonlyArray<string>, path("books.invoices.csv"))
    assert.include(readFileSync(path("books.invoices.csv"), "utf8"), "Brightwater Foods Ltd")
    const statement = await run("export", "statement.pdf", "--customer", "brightwater")
    assert.strictEqual(statement.stdout, `${path("statement.pdf")}\n`)
    assert.includeMembers([...copied(readFileSync(path("statement.pdf")))], ["Invoice INV-2", "-100.00", "200.60 GBP"])
    const account = await run("export", "account.csv", "--customer", "Brightwater Foods Ltd")
    assert.match(readFileSync(account.stdout.trim(), "utf8"), /Payment for INV-2.*-100\.00.*200\.60/)
    assert.include(failed(await run("export", "none.pdf", "--customer", "Harbour"), 2), "nothing is open of")
    assert.include(failed(await run("export", "none.pdf", "--customer", "d"), 2), "is part of several names")
    assert.include(failed(await run("export", "none.pdf", "--customer", "nobody"), 2), '"nobody" not found')
    assert.isFalse(existsSync(path("none.pdf")))
  })

  it("sends only what changed, after a file changed", async () => {
    const there = await service()
    const { run, write } = books(there.url)
    await run("sync")
    const before = (await there.calls()).length
    write("invoices.csv", INVOICES.replace("250.50,300.60", "300.00,360.00"))
    const sync = await run("sync", "--json")
    assert.deepStrictEqual(
      ofType(sync, "receipt").map(({ document, rule }) => [document, rule]),
      [["books/invoice/INV-2", "T6"]]
    )
    assert.strictEqual((await there.calls()).length, before + 1)
  })

  it("shows all of it with nothing but this machine", async () => {
    const { run } = books("http://127.0.0.1:9")
    const first = await run("demo", "--folder", "try it")
    assert.strictEqual(first.status, 0, first.stderr)
    assert.include(first.stdout, "Sent 133 calls")
    assert.include(first.stdout, "try it/books.xlsx: Summary")
    const second = await run("demo", "--folder", "try it")
    assert.include(second.stdout, "Nothing to send.")
  })

  it("checks everything that a run needs, and says what is to be mended", async () => {
    const there = await service()
    const { run, runWith } = books(there.url)
    const well = await run("doctor")
    assert.deepStrictEqual(
      [well.status, well.stdout.split("\n").at(-2)],
      [0, "A run would work; what is not read, or not as it stands, is in 4 notices above."]
    )
    const ill = await runWith({ env: { SERVICE_KEY: undefined } }, "doctor")
    assert.strictEqual(ill.status, 1)
    assert.match(ill.stdout, /BAD {2}key +.*the environment variable SERVICE_KEY is not set/)
    assert.match(ill.stdout, /\n1 problem found\.\n$/)
    const wrong = await runWith({ env: { SERVICE_KEY: "nonsense" } }, "doctor")
    assert.match(wrong.stdout, /BAD {2}service +the service does not accept the key \(401: Invalid token\.\)/)
  })

  it("never shows the key", async () => {
    const there = await service()
    const { path, runEach } = books(there.url)
    const all = await runEach(
      ["sync", "--json"],
      ["explain", "INV-1"],
      ["explain", "INV-1", "--json"],
      ["status", "--json"],
      ["doctor", "--debug"],
      ["export", "b.csv"]
    )
    const said = all.flatMap(({ stderr, stdout }) => [stdout, stderr])
    said.push(readFileSync(path("daybook.db"), "latin1"), readFileSync(path("b.calls.csv"), "utf8"))
    for (const text of said) assert.notInclude(text, KEY)
  })
})
