/**
 * `node test/cluster/outside.ts`: what reaches workers from outside. Webhooks that reach any of them must be in the queue of the tenant,
 * once; the list and the copies of all tenants come from PostgreSQL; each worker's page shows all of them, with the page of each, to who
 * signed in at one. Ends with 1 when that is not so.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import Sqlite from "better-sqlite3"
import { type Daemon, Fleet, HOOK_WORD, PAGE_PASSWORD } from "./Fleet.ts"

const fleet = await Fleet.make()

const until = async (what: string, ask: () => Promise<boolean>) => {
  for (let n = 0; n < 300; n++, await sleep(100)) if (await ask()) return
  throw new Error(`it never came to this: ${what}`)
}

/** Every worker hears of the same change of one invoice, twice. */
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
  const headers = { authorization: HOOK_WORD }
  const answers: Array<number> = []
  for (const { url } of [...fleet.daemons, ...fleet.daemons])
    answers.push((await fetch(`${url}/t/${tenant}/webhooks/service`, { method: "POST", headers, body })).status)
  return answers
}

/** Who signed in at one of them is signed in at all. */
const signIn = async (base: string) => {
  const body = new URLSearchParams({ password: PAGE_PASSWORD, to: "/t/" })
  const answer = await fetch(`${base}/login`, { method: "POST", body, redirect: "manual" })
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" }
}

/** How many of the tenants a worker's page lists, and how many of their own pages it has. */
const seenOn = async ({ url }: Daemon, headers: Record<string, string>) => {
  const page = await (await fetch(`${url}/t/`, { headers })).text()
  const listed = new Set([...page.matchAll(/href="\/t\/(tenant\d+)\/"/g)].map(([, name]) => name))
  let reached = 0
  for (const name of listed) {
    const there = await fetch(`${url}/t/${name}/`, { headers, redirect: "manual" })
    if (there.status === 200 && (await there.text()).includes(`/t/${name}/documents`)) reached++
  }
  return { listed: listed.size, reached }
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
  for (const name of ["nobody", tenant]) {
    const { status } = await fetch(`${fleet.daemons[0]!.url}/t/${name}/webhooks/service`, {
      method: "POST",
      body: "{}"
    })
    if (status !== 401) failed = `a webhook of a stranger for ${name} was answered with ${status}`
  }
  await until(
    "every tenant has run",
    async () =>
      (await fleet.pool.query("SELECT 1 FROM daybook.status WHERE (body->>'succeeded') IS NOT NULL")).rowCount ===
      fleet.names.length
  )
  const list = fleet.daybook("tenants", "list", "--json").trim().split("\n")
  const copies = fleet.daybook("tenants", "backup", join(fleet.path, "copies"))
  console.log(`list: ${list.length} tenants; ${copies.trim().split("\n").at(-1)}`)
  const whole = fleet.names.filter(
    (name) =>
      existsSync(join(fleet.path, "copies", name, "daybook.db")) &&
      existsSync(join(fleet.path, "copies", name, "daybook.config.json"))
  )
  if (list.length !== fleet.names.length || whole.length !== fleet.names.length) failed = "a tenant is missing"
  const headers = await signIn(fleet.daemons[0]!.url)
  const seen = await Promise.all(fleet.daemons.map((one) => seenOn(one, headers)))
  console.log(`pages: ${seen.map(({ listed, reached }) => `${listed} listed, ${reached} reached`).join("; ")}`)
  if (seen.some(({ listed, reached }) => listed !== fleet.names.length || reached !== listed))
    failed = "a tenant is missing on a worker's page"
} catch (cause) {
  failed = cause instanceof Error ? `${cause.message} ${String(cause.cause ?? "")}` : String(cause)
}
console.log(failed === "" ? "all as it should be" : `FAILED: ${failed}`)
await fleet.end()
process.exit(failed === "" ? 0 : 1)
