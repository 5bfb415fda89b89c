/**
 * A record that could not be read is found wherever one looks for its document: pull, plan, explain, status, the page's
 * search, and the exit status of what reads and sends say the same.
 */
import { assert, describe, it } from "@effect/vitest"
import { books, INVOICES, ofType, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { shownOn } from "../support/Shown.ts"

useCommand()

const SETTLED = PAYMENTS.replace("P-3,INV-9,2026-03-22,5.00,,\n", "")

interface Case {
  readonly what: string
  readonly files: Readonly<Record<string, string>>
  /** By what a person looks for it; the names that lead to the document, and those that lead there as well. */
  readonly names: ReadonlyArray<string>
  readonly key: string
  readonly origin: string
  readonly why: string
}

const CASES: ReadonlyArray<Case> = [
  {
    what: "an invoice that was never read",
    files: { "invoices.csv": `${INVOICES}INV-9,Tern & Sons,GB,2026-03-33,2026-04-02,10.00,12.00,Sent\n` },
    names: ["INV-9", "books/invoice/INV-9", "invoices.csv:5"],
    key: "books/invoice/INV-9",
    origin: "invoices.csv:5",
    why: '"2026-03-33" is not a date'
  },
  {
    what: "an invoice whose latest version cannot be read",
    files: { "invoices.csv": INVOICES.replace("2026-04-01,250.50,300.60", "2026-04-31,350.50,420.60") },
    names: ["INV-2", "books/invoice/INV-2", "invoices.csv:3"],
    key: "books/invoice/INV-2",
    origin: "invoices.csv:3",
    why: '"2026-04-31" is not a date'
  },
  {
    what: "a payment that could not be read",
    files: { "payments.csv": `${SETTLED}P-4,INV-2,2026-03-99,50.00,,\n` },
    names: ["P-4", "books/payment/P-4", "books/payment/P-4/INV-2", "payments.csv:4"],
    key: "books/payment/P-4",
    origin: "payments.csv:4",
    why: '"2026-03-99" is not a date'
  }
]

describe("a record that could not be read", { timeout: 120_000 }, () => {
  for (const { files, key, names, origin, what, why } of CASES)
    it(`${what}: every place says where it stands and what is wrong`, async () => {
      const there = await service()
      const here = books(there.url, { "payments.csv": SETTLED })
      assert.strictEqual((await here.run("sync")).status, 0)
      for (const [name, text] of Object.entries(files)) here.write(name, text)
      const isNamed = (stdout: string, where: string) => {
        assert.include(stdout, origin, where)
        assert.include(stdout.replaceAll("&quot;", '"'), why, where)
      }
      for (const command of [["pull"], ["sync"], ["apply"]]) {
        const ran = await here.run(...command)
        assert.strictEqual(ran.status, 3, command.join(" "))
        if (command[0] !== "apply") isNamed(ran.stdout, command.join(" "))
      }
      for (const command of [["plan"], ["status"], ["sync", "--dry-run"]]) {
        const ran = await here.run(...command)
        assert.strictEqual(ran.status, 3, command.join(" "))
        isNamed(ran.stdout, command.join(" "))
      }
      assert.strictEqual((await here.run("reconcile")).status, 3)
      assert.deepInclude(ofType(await here.run("plan", "--json"), "quarantined")[0], { origin })
      for (const name of names) {
        const explained = await here.run("explain", name)
        assert.strictEqual(explained.status, 3, name)
        isNamed(explained.stdout, `explain ${name}`)
        assert.include(explained.stdout, "nothing is sent for it")
        const story = ofType(await here.run("explain", name, "--json"), "story")[0]!
        assert.strictEqual(story["key"], key)
        assert.deepInclude((story["quarantined"] as ReadonlyArray<object>)[0], { origin })
        const planned = await here.run("plan", "--target", name)
        assert.strictEqual(planned.status, 3, planned.stderr)
        isNamed(planned.stdout, `plan --target ${name}`)
        assert.notInclude(planned.stdout, "up to date")
      }
      assert.notInclude((await here.run("status")).stdout, "\nNothing needs attention")
      isNamed(await shownOn(here, ["documents"], `q=${names[0]}`), "the page's search")
      isNamed(await shownOn(here, ["documents", key]), "the page's story")
    })

  it("is shown with the invoice that is named in it, and with no other", async () => {
    const there = await service()
    const here = books(there.url, { "payments.csv": `${SETTLED}P-4,INV-2,2026-03-99,50.00,,\n` })
    await here.run("sync")
    for (const command of [["explain"], ["plan", "--target"]]) {
      const [named, other] = [await here.run(...command, "INV-2"), await here.run(...command, "INV-1")]
      assert.include(named.stdout, "payments.csv:4")
      assert.notInclude(other.stdout, "payments.csv:4")
      assert.deepStrictEqual([named.status, other.status], [3, 0])
    }
    const [story] = ofType(await here.run("explain", "INV-2", "--json"), "story")
    assert.deepInclude((story!["named"] as ReadonlyArray<object>)[0], { origin: "payments.csv:4", id: "P-4" })
  })
})
