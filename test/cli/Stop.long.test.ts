/**
 * A daemon that is told to stop, or killed, while it sends: every call is finished or on record, the next daemon begins
 * with what was cut off, and in the end every fact is on the service once.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { books, configuration, many, service, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"

useCommand()

const INVOICES = 30
/** The owner, and of each invoice: itself, its payment, and that it is paid. */
const CALLS = 1 + 3 * INVOICES
const LANES = 3

const world = async () => {
  const there = await service()
  const { connections, service: settings } = configuration(there.url)
  const slow = { ...settings, concurrency: LANES, settle_after: "150 millis" }
  const config = { service: slow, connections: [{ ...connections[0]!, every: "1 hour" }] }
  const here = books(there.url, { ...many(INVOICES), "daybook.config.json": JSON.stringify(config) })
  for (const method of ["POST", "PUT"])
    await there.control("POST", "faults", { method, path: "/v1", kind: "delay", delay_ms: 15 })
  return { there, here }
}

const pendingCalls = (file: string): number => {
  const db = new Sqlite(file, { readonly: true })
  try {
    return db.prepare("SELECT count(*) FROM claim WHERE has_receipt = 0").pluck().get() as number
  } finally {
    db.close()
  }
}

describe("a daemon that ends while it sends", () => {
  for (const [signal, ends] of [
    ["SIGTERM", [0, null]],
    ["SIGKILL", [null, "SIGKILL"]]
  ] as const) {
    it(`by ${signal}: the next one begins with what was cut off, and nothing is sent twice`, async () => {
      const { here, there } = await world()
      for (const more of [5, 40]) {
        const daemon = await startDaemon(here.folder)
        await until("it sends", async () => ((await there.calls()).length >= more ? true : undefined))
        const begun = performance.now()
        assert.deepStrictEqual(await daemon.stop(signal), ends)
        assert.isBelow(performance.now() - begun, 5000, "it ends soon")
        assert.isBelow((await there.calls()).length, CALLS, "it ended before the end")
        // A killed daemon leaves the calls in flight, and as many claimed to follow them.
        const ahead = signal === "SIGKILL" ? LANES : 0
        assert.isAtMost(pendingCalls(here.path("daybook.db")), LANES + ahead)
        assert.isFalse(daemon.said().some(({ outcome }) => outcome !== undefined))
      }
      const last = await startDaemon(here.folder)
      // At once, although its schedule says in an hour.
      assert.strictEqual((await last.says(({ outcome }) => outcome !== undefined)).outcome, "done")
      assert.deepStrictEqual(await last.stop(), [0, null])
      const holds = await there.holds()
      assert.strictEqual(Object.keys(holds).length, INVOICES)
      for (const one of Object.values(holds) as ReadonlyArray<{
        readonly status: string
        readonly payments: unknown
      }>) {
        assert.strictEqual(one.status, "paid")
        assert.strictEqual((one.payments as ReadonlyArray<string>).length, 1)
      }
      assert.strictEqual(pendingCalls(here.path("daybook.db")), 0)
      const again = await here.run("sync", "--json")
      assert.match(again.stdout, /"type":"summary","done":0,"failed":0,"attention":0,"unknown":0,"recovered":0/)
    })
  }
})
