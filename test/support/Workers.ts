/** Workers over tenants of a database, for tests: a company whose tenants were imported, and what its database says. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { initEngine } from "../../sync/engine/PgBoss.ts"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { configuration, desk, KEY, service } from "./Cli.ts"

const SEAL = Buffer.alloc(32, 7).toString("base64")
const row = (name: string, n: number) =>
  `${name}-${n},Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent`
export const invoices = (name: string, count: number) =>
  `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${Array.from({ length: count }, (_, n) => row(name, n + 1)).join("\n")}\n`

/** Each is another customer of the same account. */
const ownerOf = (name: string) => ({
  organisation: { unique_id: name, name: `Tenant ${name}`, registered: "2024-01-01T00:00:00Z" }
})

export const COUNT = 20
/** As `daybook.tenants.json` may name them. */
export const PAGE_PASSWORD = "correct horse battery"
export const ALL_TOKEN = "a-token-of-all-tenants"
export const HOOK_WORD = "agreed with the service"
/** Each starts a dozen processes. */
export const PATIENT = { timeout: 900_000 }

export const until = async (what: string, is: () => boolean | Promise<boolean>, seconds = 300) => {
  const last = performance.now() + seconds * 1000
  while (!(await is())) {
    if (performance.now() > last) throw new Error(`it never came to this: ${what}`)
    await pause(100)
  }
}

const using = <A>(
  url: string,
  work: (sessions: Effect.Success<ReturnType<typeof connect>>) => Effect.Effect<A, unknown>
) => Effect.runPromise(Effect.scoped(Effect.flatMap(connect(url, 2), work)))

/** Asks the database. */
export const asking =
  (url: () => string) =>
  (sql: string, ...values: ReadonlyArray<unknown>) =>
    using(url(), ({ use }) => use((session) => session.ask<Record<string, unknown>>(sql, values)))

/** The processes that a process has started. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((name) => {
    try {
      const parent = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) \S+ /s, "") : ""
      return Number.parseInt(parent, 10) === pid ? [Number(name)] : []
    } catch {
      return []
    }
  })

/** Tenants that were imported, and workers. */
export const company = async (url: () => string, names: ReadonlyArray<string>, settings: object = {}) => {
  const ask = asking(url)
  await using(url(), initEngine)
  await ask("UPDATE daybook.tenant SET due = NULL, asked = NULL")
  const { calls, control, holds, url: address } = await service()
  const { connections, service: account } = configuration(address)
  const files = Object.fromEntries(
    names.flatMap((name) => [
      [
        `tenants/${name}/daybook.config.json`,
        JSON.stringify({
          service: { ...account, key: { env: "OWN_KEY" }, settle_after: "1 second" },
          daemon: { webhooks: { authorization: { env: "HOOK_WORD" } } },
          connections: connections.map((one) => ({ ...one, every: "10 seconds", owner: ownerOf(name) }))
        })
      ],
      [`tenants/${name}/.env`, `OWN_KEY=${KEY}\nHOOK_WORD=${HOOK_WORD}\n`],
      [`tenants/${name}/invoices.csv`, invoices(name, COUNT)],
      [`tenants/${name}/payments.csv`, "Ref,Invoice,Date,Amount,Type,Code\n"]
    ])
  )
  const home = desk({ ...files, "tenants/daybook.tenants.json": JSON.stringify(settings) })
  const tenants = join(home.folder, "tenants")
  const temporary = desk().folder
  const env = { DAYBOOK_SEAL: SEAL, OWN_KEY: undefined, PAGE_PASSWORD, ALL_TOKEN, TMPDIR: temporary }
  const at = ["--database", url()]
  const moved = await home.runWith({ env }, "tenants", "import", ...names, ...at)
  assert.strictEqual(moved.status, 0, moved.stderr)
  const workers: Array<{ readonly child: ChildProcess; readonly done: Promise<unknown> }> = []
  const start = async (slots: number, ...more: ReadonlyArray<string>) => {
    let child: ChildProcess | undefined
    const args = ["tenants", "work", ...at, "--slots", String(slots), "--files", tenants, "--log", "json", ...more]
    const done = home.runWith({ env, onStart: (one) => void (child = one) }, ...args)
    const worker = { child: child!, done }
    workers.push(worker)
    return worker
  }
  const stop = async () => {
    for (const { child } of workers) child.kill("SIGCONT")
    for (const { child } of workers) child.kill("SIGTERM")
    await Promise.all(workers.map(({ done }) => done))
  }
  const created = async () => (await calls()).filter(({ acted, path }) => acted && /^\/v1\/transactions\/?$/.test(path))
  const isDone = async (count: number) => (await created()).length >= count
  const late = () => control("POST", "faults", { kind: "delay", path: "/v1/", delay_ms: 300 })
  return { created, env, folder: tenants, holds, home, isDone, late, start, stop, temporary }
}
