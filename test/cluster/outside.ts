/**
 * `node test/cluster/outside.ts`: what reaches a cluster from outside. Webhooks that reach a node without the tenant must be in the queue
 * of the node that has it, once; the list and the copies of all tenants come from PostgreSQL; each node's page shows all of them, with
 * links that lead to each tenant's own page. Ends with 1 when that is not so.
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
  const headers = { authorization: HOOK_WORD }
  const answers: Array<number> = []
  for (const { url } of [...fleet.daemons, ...fleet.daemons])
    answers.push((await fetch(`${url}/t/${tenant}/webhooks/service`, { method: "POST", headers, body })).status)
  return answers
}

/** How many of the tenants a node's page lists, and how many of their own pages are where its links lead. */
const seenOn = async ({ url }: Daemon): Promise<{ readonly listed: number; readonly reached: number }> => {
  const signIn = async (base: string) => {
    const body = new URLSearchParams({ password: PAGE_PASSWORD, to: "/t/" })
    const answer = await fetch(`${base}/login`, { method: "POST", body, redirect: "manual" })
    return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" }
  }
  const page = await (await fetch(`${url}/t/`, { headers: await signIn(url) })).text()
  const links = [...page.matchAll(/href="([^"]*\/t\/(tenant\d+)\/)"/g)]
  const listed = new Set(links.map(([, , name]) => name)).size
  let reached = 0
  for (const [, link = "", name = ""] of links) {
    const place = new URL(link, url)
    const headers = await signIn(place.origin)
    const there = await fetch(place, { headers, redirect: "manual" })
    if (there.status === 200 && (await there.text()).includes(`/t/${name}/documents`)) reached++
    // The same address on the node that somebody has before him leads there as well.
    const here = await fetch(`${url}/t/${name}/`, { headers: await signIn(url), redirect: "manual" })
    if (place.origin !== new URL(url).origin && here.headers.get("location") !== place.href) reached--
  }
  return { listed, reached }
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
  const seen = await Promise.all(fleet.daemons.map(seenOn))
  console.log(`pages: ${seen.map(({ listed, reached }) => `${listed} listed, ${reached} reached`).join("; ")}`)
  if (seen.some(({ listed, reached }) => listed !== fleet.names.length || reached !== listed))
    failed = "a tenant is missing on a node's page, or is not where its link leads"
} catch (cause) {
  failed = cause instanceof Error ? `${cause.message} ${String(cause.cause ?? "")}` : String(cause)
}
console.log(failed === "" ? "all as it should be" : `FAILED: ${failed}`)
await fleet.end()
process.exit(failed === "" ? 0 : 1)
