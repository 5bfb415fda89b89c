/** What a person uploaded or entered through a link, and did not confirm, goes away when their session ends, while the daemon runs. */
import Sqlite from "better-sqlite3"
import { existsSync, readdirSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { useCommand } from "../support/Cli.ts"
import { until } from "../support/Daemon.ts"
import { platform, type Platform, visitor } from "./Desk.ts"

useCommand()

const CSV = "Invoice,Buyer,Country,Issued,Due,Currency,Gross\nINV-1,Harbour,GB,2026-10-01,2026-10-31,GBP,1.00\n"

const uploadsIn = ({ here }: Platform): ReadonlyArray<string> =>
  existsSync(here.path("connected"))
    ? readdirSync(here.path("connected"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".csv"))
    : []

const sealedIn = ({ here }: Platform): number => {
  if (!existsSync(here.path("daybook.db.vault"))) return 0
  const vault = new Sqlite(here.path("daybook.db.vault"), { readonly: true })
  try {
    return vault.prepare("SELECT count(*) FROM sealed").pluck().get() as number
  } finally {
    vault.close()
  }
}

const endAll = ({ here }: Platform): void => {
  const db = new Sqlite(here.path("daybook.db"))
  db.pragma("busy_timeout = 5000")
  db.prepare("UPDATE connect_link SET ends = 1000 WHERE ends IS NOT NULL").run()
  db.close()
}

const KEYS = { url: "https://93.184.215.14", key: "ck_1", secret: "cs_1" }

describe("a session that ended", { timeout: 120_000 }, () => {
  it("leaves no file and no sealed key behind, also of a source that was chosen before", async () => {
    const one = await platform()
    const [uploads, seals] = [await visitor(one, "uploads"), await visitor(one, "seals")]
    assert.strictEqual(await uploads.post("source", { connector: "files" }), 303)
    assert.strictEqual(await uploads.post("upload", {}, CSV), 303)
    assert.strictEqual(uploadsIn(one).length, 1)
    // The choice is made again without going back first.
    assert.strictEqual(await uploads.post("source", { connector: "woocommerce" }), 303)
    assert.deepStrictEqual(uploadsIn(one), [])
    assert.strictEqual(await uploads.post("source", { connector: "files" }), 303)
    assert.strictEqual(await uploads.post("upload", {}, CSV), 303)
    assert.strictEqual(await seals.post("source", { connector: "woocommerce" }), 303)
    assert.strictEqual(await seals.post("settings", KEYS), 303)
    assert.deepStrictEqual([uploadsIn(one).length, sealedIn(one)], [1, 1])
    endAll(one)
    await until("what was left is deleted", () => uploadsIn(one).length + sealedIn(one) === 0 || undefined)
    assert.include(await uploads.page(), "nothing that was not confirmed is kept")
  })
})
