/**
 * `node test/cluster/outside.ts`: what reaches a cluster from outside. Webhooks that reach a node without the tenant must be in the queue
 * of the node that has it, once; the list and the copies of all tenants come from PostgreSQL. Ends with 1 when that is not so.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import Sqlite from "better-sqlite3"
import { Fleet } from "./Fleet.ts"

const fleet = await Fleet.make()

const until = async (what: string, ask: () => Promise<boolean>) => {
  for (let n = 0; n < 300; n++, await sleep(100)) if (await ask()) return
  throw new Error(`it never came to this: ${what}`)
}

/** Every node hears of the same change of one invoice, twice. */
const hear = async (tenant: string): Promise<ReadonlyArray<number>> => {
  const copy = join(fleet.path, `${tenant}.db`)
  fleet.daybook("tenants", "restore", tenant, copy)
  const raw = new Sqlite(copy)
  const { id, key } = raw
    .prepare("SELECT remote AS id, subject AS key FROM ledger WHERE remote IS NOT NULL LIMIT 1")
    .get() as {
    readonly id: string
    readonly key: string
  }
  raw.close()
  const body = JSON.stringify({ id, unique_id: key, status: "pending" })
  const answers: Array<number> = []
  for (const { url } of [...fleet.daemons, ...fleet.daemons])
    answers.push((await fetch(`${url}/t/${tenant}/webhooks/service`, { method: "POST", body })).status)
  return answers
}

let failed = ""
try {
  await fleet.allReady()
  await fleet.more()
  await fleet.done()
  const tenant = fleet.names[0]!
  const answers = await hear(tenant)
  await until("no webhook waits", async () => (await fleet.pool.query("SELECT 1 FROM daybook.webhook")).rowCount === 0)
  const copy = join(fleet.path, "after.db")
  fleet.daybook("tenants", "restore", tenant, copy)
  const raw = new Sqlite(copy)
  const heard = raw.prepare("SELECT count(*) FROM delivery WHERE event LIKE 'service:%'").pluck().get()
  raw.close()
  console.log(`webhook: answered ${answers.join(" ")}; heard of ${String(heard)} change`)
  if (heard !== 1 || answers.some((status) => status !== 200)) failed = "the webhook is not in the queue once"
  const { status } = await fetch(`${fleet.daemons[0]!.url}/t/nobody/webhooks/service`, { method: "POST", body: "{}" })
  if (status !== 404) failed = `a webhook for nobody was answered with ${status}`
  await until(
    "every node has reported",
    async () =>
      (await fleet.pool.query("SELECT 1 FROM daybook.status WHERE (body->>'succeeded') IS NOT NULL")).rowCount ===
      fleet.names.length
  )
  const list = fleet.daybook("tenants", "list", "--json").trim().split("\n")
  const copies = fleet.daybook(
    "tenants",
    "backup",
    join(fleet.path, "copies"),
    "--tenants",
    join(fleet.path, "tenants")
  )
  console.log(`list: ${list.length} tenants; ${copies.trim().split("\n").at(-1)}`)
  const whole = fleet.names.filter(
    (name) =>
      existsSync(join(fleet.path, "copies", name, "daybook.db")) &&
      existsSync(join(fleet.path, "copies", name, "daybook.config.json"))
  )
  if (list.length !== fleet.names.length || whole.length !== fleet.names.length) failed = "a tenant is missing"
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
console.log(failed === "" ? "all as it should be" : `FAILED: ${failed}`)
await fleet.end()
process.exit(failed === "" ? 0 : 1)
