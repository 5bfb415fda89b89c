/**
 * `daybook drill` as it is run: real processes that are really killed, a service of its own, and the result in the chain of a state
 * file of which nothing else was changed.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { spawnSync } from "node:child_process"
import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { Place } from "../../cli/drill/Place.ts"
import { books, desk, failed, many, ofType, service, useCommand } from "../support/Cli.ts"

useCommand({ alone: true })

/** Every row of the facts that a drill must leave alone. */
const facts = (file: string) => {
  const raw = new Sqlite(file, { readonly: true })
  const all = ["document", "ledger", "claim", "receipt", "bookmark", "state"].map((table) =>
    raw
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => ({ ...(row as object), stamp: "", place: "", clean: "" }))
  )
  const kept = raw.prepare("SELECT deed, about, name, how, digest, outcome FROM decision").all()
  raw.close()
  return { all, kept: kept as ReadonlyArray<Readonly<Record<string, string>>> }
}

describe("daybook drill", { timeout: 300_000 }, () => {
  it("passes, leaves everything as it was, asks nobody, and keeps the result in the chain", async () => {
    const there = await service()
    const here = books(there.url, many(20))
    await here.run("sync")
    const [before, asked] = [facts(here.path("daybook.db")), await there.control("GET", "requests?since=0")]
    here.write("copies/.keep", "")
    // What a drill left that was killed.
    const gone = spawnSync(process.execPath, ["-e", ""]).pid
    here.write(`copies/daybook-trial-${hash("sha256", hostname(), "hex").slice(0, 8)}-${gone}-abcdef/books.db`, "books")
    const ran = await here.runWith({ env: { TMPDIR: here.path("copies") } }, "drill", "--by", "Ada Keeper", "--json")
    assert.strictEqual(ran.status, 0, `${ran.stdout}${ran.stderr}`)
    assert.deepStrictEqual(
      ofType(ran, "drill").map(({ drill, ok }) => `${drill} ${ok}`),
      ["killed true", "service away true", "key revoked true", "backup restored true"]
    )
    // The owner, and of each invoice: itself, its payment, and that it is paid.
    assert.deepInclude(ofType(ran, "summary")[0], { ok: true, lost: [], twice: [], left: 0, calls: 61, acted: 61 })
    assert.deepStrictEqual(await there.control("GET", "requests?since=0"), asked)
    assert.deepStrictEqual(
      readdirSync(here.path("copies")).filter((name) => name.startsWith("daybook")),
      []
    )
    const after = facts(here.path("daybook.db"))
    assert.deepStrictEqual(after.all, before.all)
    assert.strictEqual(after.kept.length, 1)
    const { digest, outcome, ...kept } = after.kept[0]!
    assert.deepStrictEqual(kept, {
      ...{ deed: "daybook drill", about: "killed, service away, key revoked, backup restored" },
      ...{ name: "Ada Keeper", how: "command line" }
    })
    assert.match(digest ?? "", /^[0-9a-f]{64}$/)
    assert.match(outcome ?? "", /^passed: nothing lost, nothing twice of 61 calls; killed \d/)
    assert.strictEqual((await here.run("verify")).status, 0)
  })

  it("shows its service's log, which has the key, to nobody else on the machine", async () => {
    const { folder, path } = desk({})
    const place = await Place.make(folder, { connections: [] })
    try {
      const { service } = JSON.parse(readFileSync(path("daybook.config.json"), "utf8")) as Record<
        string,
        { url: string }
      >
      for (const address of ["requests", "reset", "faults"])
        for (const method of ["GET", "POST"])
          assert.strictEqual((await fetch(`${service?.url}/sandbox/${address}`, { method })).status, 401)
      assert.strictEqual(await place.asked(), 0)
    } finally {
      await place.close()
    }
  })

  it("says where there is nothing to try out", async () => {
    const here = books("http://127.0.0.1:9", {
      "invoices.csv": "Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n",
      "payments.csv": "Ref,Invoice,Date,Amount,Type,Code\n"
    })
    await here.run("pull")
    assert.include(failed(await here.run("drill"), 2), "these books have nothing to send")
  })
})
