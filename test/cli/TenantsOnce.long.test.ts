/** `daybook tenants sync --cluster`, as schedulers of others start it: twice at once, beside a daemon, and killed in the middle. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { clusterTables } from "../support/ClusterTables.ts"
import { configuration, desk, KEY, lines, type RunOptions, service, useCommand } from "../support/Cli.ts"
import { until } from "../support/Daemon.ts"

useCommand({ alone: true })
const url = clusterTables()

const INVOICES = 60
const invoices = `Invoice,Buyer,Country,Issued,Due,Net,Gross,State
${Array.from({ length: INVOICES }, (_, n) => `INV-${n + 1},Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,120.00,Sent`).join("\n")}
`

/** A folder with one tenant, whose service answers late, so that something is under way for a while. */
const tenant = async (name: string) => {
  const { calls, control, holds, url: address } = await service()
  const { connections, service: account } = configuration(address)
  const payments = "Ref,Invoice,Date,Amount,Type,Code\n"
  const { folder, runWith } = desk({
    [`tenants/${name}/daybook.config.json`]: JSON.stringify({ service: account, connections }),
    [`tenants/${name}/.env`]: `SERVICE_KEY=${KEY}\n`,
    [`tenants/${name}/invoices.csv`]: invoices,
    [`tenants/${name}/payments.csv`]: payments,
    [`tenants/${name}/daybook.tenant`]: `${name}\n`
  })
  await control("POST", "faults", { kind: "delay", path: "/v1/", delay_ms: 300 })
  const sync = (options: RunOptions = {}) =>
    runWith(options, "tenants", "sync", name, "--tenants", "tenants", "--cluster", url(), "--json")
  const created = async () => (await calls()).filter(({ acted, path }) => acted && /^\/v1\/transactions\/?$/.test(path))
  return { folder, created, holds, sync }
}

const ask = (sql: string, ...values: ReadonlyArray<unknown>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(connect(url(), 1), ({ use }) =>
        use((session) => session.ask<Record<string, unknown>>(sql, values))
      )
    )
  )

describe("daybook tenants sync --cluster", { timeout: 240_000 }, () => {
  it("does each thing once though it is started twice at once, and leaves the tenant to nobody", async () => {
    const { created, holds, sync } = await tenant("twice")
    const both = await Promise.all([sync(), sync()])
    // The other waited until the first had ended, or said that it runs.
    for (const { status, stderr } of both) assert.isTrue(status === 0 || /runs it; try again/.test(stderr), stderr)
    assert.isTrue(both.some(({ status }) => status === 0))
    assert.strictEqual((await created()).length, INVOICES)
    assert.strictEqual(Object.keys(await holds()).length, INVOICES)
    assert.deepStrictEqual(await ask("SELECT owner FROM daybook.tenant WHERE id = 'twice'"), [{ owner: null }])
    const again = await sync()
    assert.deepInclude(lines(again)[0], { type: "tenant", tenant: "twice", sent: 0 })
    assert.strictEqual((await created()).length, INVOICES)
  })

  it("goes on where one was killed, once that one's lease is over, and does nothing twice", async () => {
    const { created, holds, sync } = await tenant("killed")
    let child: ChildProcess | undefined
    const killed = sync({
      onStart: (one) => {
        child = one
      }
    })
    await until("invoices are under way", async () => ((await created()).length >= 3 ? true : undefined))
    child!.kill("SIGKILL")
    assert.strictEqual((await killed).signal, "SIGKILL")
    assert.isBelow((await created()).length, INVOICES)
    const next = await sync()
    assert.strictEqual(next.status, 0, next.stderr)
    assert.strictEqual(Object.keys(await holds()).length, INVOICES)
    assert.strictEqual((await created()).length, INVOICES)
  })

  it("leaves a tenant to the living daemon that has it, and asks that one", async () => {
    const { created, sync } = await tenant("elsewhere")
    const alive = "clock_timestamp() + interval '1 hour'"
    await ask(`INSERT INTO daybook.node (id, name, lease, said) VALUES ('1', 'node-1', ${alive}, '{"knows": 1}')`)
    await ask("INSERT INTO daybook.tenant (key, id, owner) VALUES ('elsewhere', 'elsewhere', '1')")
    const { status, stderr, stdout } = await sync()
    assert.strictEqual(status, 0, stderr)
    assert.include(stdout, '{"type":"asked","tenant":"elsewhere","node":"node-1"}')
    assert.deepStrictEqual(await ask("SELECT asked IS NOT NULL AS asked FROM daybook.tenant WHERE id = 'elsewhere'"), [
      { asked: true }
    ])
    assert.deepStrictEqual(await created(), [])
  })
})
