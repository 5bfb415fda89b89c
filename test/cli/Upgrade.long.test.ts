/**
 * `plan --by` and `tenants plan --by`: what another version of Daybook would plan from the same books. The other version here is this one,
 * with a line of its plan left out and an amount changed.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { books, desk, failed, KEY, ofType, program, service, useCommand } from "../support/Cli.ts"

useCommand({ alone: true })

const NEXT = () => `import { spawnSync } from "node:child_process"
const ran = spawnSync(process.execPath, [${JSON.stringify(program())}, ...process.argv.slice(2)], { encoding: "utf8" })
process.stderr.write(ran.stderr)
for (const text of ran.stdout.split("\\n").filter((one) => one !== "")) {
  const line = JSON.parse(text)
  if (line.document === "books/invoice/INV-2") continue
  if (line.document === "books/invoice/INV-1" && line.body?.gross_amount !== undefined) line.body.gross_amount = "119.99"
  console.log(JSON.stringify(line))
}
process.exitCode = ran.status
`

describe("the plan of another version", { timeout: 120_000 }, () => {
  it("is compared from the same books; nothing is written and nobody is asked", async () => {
    const there = await service()
    const here = books(there.url, { "next.mjs": NEXT() })
    assert.strictEqual((await here.run("pull")).status, 0)
    const before = readFileSync(here.path("daybook.db"))
    const same = await here.run("plan", "--by", program(), "--json", "--detailed-exitcode")
    assert.strictEqual(same.status, 0, same.stderr)
    assert.deepInclude(ofType(same, "summary")[0], { differ: 0 })
    const ran = await here.run("plan", "--by", "next.mjs", "--json", "--detailed-exitcode")
    assert.strictEqual(ran.status, 6, ran.stderr)
    const differ = ofType(ran, "document").map(({ calls, document }) => [
      document,
      (calls as ReadonlyArray<{ readonly change: string; readonly fields: ReadonlyArray<unknown> }>).map(
        ({ change, fields }) => [change, fields]
      )
    ])
    const changed = differ.find(([document]) => document === "books/invoice/INV-1")?.[1] as ReadonlyArray<unknown>
    assert.deepInclude(changed, ["different", [{ field: "gross_amount", today: "120.00", other: "119.99" }]])
    const left = differ.find(([document]) => document === "books/invoice/INV-2")?.[1] as ReadonlyArray<[string]>
    assert.isAbove(left.length, 0)
    assert.isTrue(left.every(([change]) => change === "only today"))
    assert.strictEqual(differ.length, 2)
    assert.match(
      (await here.run("plan", "--by", "next.mjs")).stdout,
      /2 documents of the other plan differ from today's/
    )
    assert.deepStrictEqual(readFileSync(here.path("daybook.db")), before)
    assert.deepStrictEqual(await there.calls(), [])
    assert.include(failed(await here.run("plan", "--by", "nowhere.js"), 2), "nowhere.js was not found")
    here.write("broken.mjs", 'console.error("daybook: no"); process.exitCode = 1\n')
    assert.include(failed(await here.run("plan", "--by", "broken.mjs"), 2), "makes no plan: daybook: no")
    for (const [name, text] of [
      ["silent.mjs", ""],
      ["part.mjs", 'console.log(JSON.stringify({ type: "call", document: "books/invoice/INV-1" }))\n'],
      ["null.mjs", "console.log(null)\n"]
    ] as const) {
      here.write(name, text)
      assert.match(failed(await here.run("plan", "--by", name), 2), /makes no plan: it prints none/)
    }
    here.write("no-program", "")
    const from = Date.now()
    assert.include(failed(await here.run("plan", "--by", "no-program"), 2), "EACCES")
    assert.isBelow(Date.now() - from, 60_000, "nothing keeps the command from ending")
    assert.include(failed(await here.run("plan", "--by", "next.mjs", "--as-of", "2026-10-31"), 2), "give it alone")
  })

  it("is compared for every tenant, with what its secrets are", async () => {
    const there = await service()
    const own = books(there.url)
    const here = desk({ "next.mjs": NEXT() })
    for (const name of ["acme", "globex"]) {
      for (const file of ["daybook.config.json", "invoices.csv", "payments.csv"])
        here.write(`tenants/${name}/${file}`, readFileSync(own.path(file), "utf8"))
      here.write(`tenants/${name}/.env`, `SERVICE_KEY=${KEY}\n`)
      const at = ["--config", `tenants/${name}/daybook.config.json`, "--state", `tenants/${name}/daybook.db`]
      assert.strictEqual((await here.run("pull", ...at)).status, 0)
    }
    const ran = await here.run("tenants", "plan", "--by", "next.mjs", "--json")
    assert.strictEqual(ran.status, 0, ran.stderr)
    assert.deepStrictEqual(
      ofType(ran, "tenant").map(({ differ, outcome, tenant }) => [tenant, outcome, differ]),
      [
        ["acme", "differs", 2],
        ["globex", "differs", 2]
      ]
    )
    const text = (await here.run("tenants", "plan", "--by", program())).stdout
    assert.include(text, "2 tenants under the other version: 2 the same, 0 differ.")
  })
})
