/** A customer who was removed from the database: nothing of it is left anywhere, and who gets its name begins empty. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { useCommand } from "../support/Cli.ts"
import { clusterTables } from "../support/ClusterTables.ts"
import { freePort } from "../support/Servers.ts"
import { ALL_TOKEN, asking, company, COUNT, invoices, PATIENT, until } from "../support/Workers.ts"

useCommand({ alone: true })
const url = clusterTables()
const ask = asking(url)

const TABLES = `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
  WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`

/** The tables of the whole database, those of the engine among them, in which one of these words stands in some column. */
const tablesWith = async (...words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const { name } of await ask(TABLES)) {
    const has = words.map((_, n) => `strpos(x::text, $${n + 1}) > 0`).join(" OR ")
    if ((await ask(`SELECT 1 FROM ${String(name)} x WHERE ${has}`, ...words)).length > 0) found.push(String(name))
  }
  return found.toSorted()
}

/** Files below a folder that are called by it. */
const filesWith = (folder: string, word: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true }).flatMap((one) => (`${one}`.includes(word) ? [`${one}`] : []))
    : []

describe("a customer who was removed from the database", () => {
  it("is in no table, no copy and no queue any more, and another of its name begins empty", PATIENT, async () => {
    const tokens = [{ name: "all", token: { env: "ALL_TOKEN" }, scopes: ["read"] }]
    const names = ["erased", "stays"]
    const { created, env, folder, home, isDone, start, stop, temporary } = await company(url, names, {
      daemon: { api: { tokens } }
    })
    const port = await freePort()
    await start(2, "--listen", `127.0.0.1:${port}`)
    await until("both are sent", () => isDone(2 * COUNT))
    const headers = { authorization: `Bearer ${ALL_TOKEN}` }
    const asked = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text()
    assert.include(await asked("/t/erased/api/v1/documents"), "erased-1")
    const [row] = await ask("SELECT key FROM daybook.tenant WHERE id = 'erased'")
    const key = String(row?.["key"])
    const own = join(folder, ".daybook", "shipped")
    await until("copies of it are kept", () => filesWith(temporary, key).length > 2 && filesWith(own, key).length > 0)
    // In each queue, as if its runs had failed.
    for (const queue of ["run", "long", "next", "held"])
      await ask(
        `INSERT INTO daybook_jobs.job (name, data, singleton_key, start_after)
          VALUES ($1, '{"name": "erased", "due": 1}', $2, now() + interval '1 hour') ON CONFLICT DO NOTHING`,
        queue,
        key
      )
    const before = await tablesWith(key, "erased")
    assert.includeMembers([...before], ["daybook.shipment", "daybook.status", "daybook.tenant"])
    assert.isTrue(before.some((name) => name.startsWith("daybook_jobs.")))
    const said = await home.runWith({ env }, "tenants", "remove", "erased", "--tenants", folder, "--database", url())
    assert.strictEqual(said.status, 0, said.stderr)
    assert.deepStrictEqual(await tablesWith(key, "erased"), ["daybook.tenant"])
    const [left = {}] = await ask("SELECT * FROM daybook.tenant WHERE key = $1", key)
    const { epoch, key: identity, page_size: _, removed, ...others } = left
    assert.deepStrictEqual([identity, removed instanceof Date, Number(epoch) > 0], [key, true, true])
    const isEmpty = (value: unknown) =>
      value === null ||
      value === false ||
      ["", "0", "[]"].includes(typeof value === "object" ? JSON.stringify(value) : `${value as string}`)
    const { hash, ...columns } = others
    assert.strictEqual((hash as Buffer).length, 0)
    assert.deepStrictEqual(
      Object.entries(columns).filter(([, value]) => !isEmpty(value)),
      []
    )
    await until(
      "no copy of it is left",
      () => filesWith(temporary, key).length === 0 && filesWith(own, key).length === 0
    )
    const read = (file: string) => readFileSync(join(folder, "stays", file), "utf8")
    mkdirSync(join(folder, "erased"))
    for (const [file, text] of [
      ["invoices.csv", invoices("fresh", COUNT)],
      ["payments.csv", "Ref,Invoice,Date,Amount,Type,Code\n"],
      ["daybook.config.json", read("daybook.config.json").replaceAll("stays", "another")],
      [".env", read(".env")]
    ] as const)
      writeFileSync(join(folder, "erased", file), text)
    const again = await home.runWith({ env }, "tenants", "import", "erased", "--database", url())
    assert.strictEqual(again.status, 0, again.stderr)
    await until("the other customer's are sent", () => isDone(3 * COUNT))
    const books = await asked("/t/erased/api/v1/documents")
    assert.include(books, "fresh-1")
    assert.notInclude(books, "erased-")
    await stop()
    assert.strictEqual((await created()).length, 3 * COUNT)
    assert.deepStrictEqual(await tablesWith(key), ["daybook.tenant"])
  })
})
