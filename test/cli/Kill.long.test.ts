/**
 * A run that is stopped, politely or not, at any moment: run again it ends where it would have ended, every fact is on
 * the service once, and there is nothing more to send.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import type { ChildProcess } from "node:child_process"
import { existsSync } from "node:fs"
import type { Journal } from "../../core/sandbox/index.ts"
import { books, configuration, lines, type Service, service, useCommand } from "../support/Cli.ts"

useCommand()

const INVOICES = 40
/** The owner, and of each invoice: itself, its payment, and that it is paid. */
const CALLS = 1 + 3 * INVOICES
const KILLS = 10
/** Invoices in work at once. */
const LANES = 3

const numbers = Array.from({ length: INVOICES }, (_, i) => i + 1)
const files = {
  "invoices.csv": `Invoice,Buyer,Country,Issued,Due,Net,Gross,State\n${numbers.map((i) => `INV-${i},Harbour Lane Bakery Ltd,GB,2026-03-01,2026-03-31,100.00,${120 + i}.00,Sent\n`).join("")}`,
  "payments.csv": `Ref,Invoice,Date,Amount,Type,Code\n${numbers.map((i) => `P-${i},INV-${i},2026-03-20,${120 + i}.00,,\n`).join("")}`
}

const world = async () => {
  const there = await service()
  const settings = configuration(there.url)
  const slow = { ...settings, service: { ...settings.service, concurrency: LANES, settle_after: "150 millis" } }
  const here = books(there.url, { ...files, "daybook.config.json": JSON.stringify(slow) })
  for (const method of ["POST", "PUT"]) {
    await there.control("POST", "faults", { method, path: "/v1", kind: "delay", delay_ms: 8 })
  }
  return { there, here }
}

/** A sequence that can be had again: `KILL_SEED=7`. */
const seed = Number(process.env["KILL_SEED"] ?? Math.floor(Math.random() * 1e6))
const random = (() => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
})()

/** Calls in the state file whose outcome is not known; none while there are no tables yet. */
const pendingCalls = (file: string): number => {
  if (!existsSync(file)) return 0
  const db = new Sqlite(file, { readonly: true })
  try {
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'call'").get() === undefined) return 0
    return db.prepare("SELECT count(*) FROM call WHERE outcome IS NULL").pluck().get() as number
  } finally {
    db.close()
  }
}

/** Waits until the service was asked `more` times, or the process is gone. */
const asked = async (there: Service, more: number, child: ChildProcess): Promise<void> => {
  const before = (await there.control<ReadonlyArray<Journal>>("GET", "requests")).length
  // Only what came since is asked for: the whole of it, so often, costs more than the run that is watched.
  while (child.exitCode === null && child.signalCode === null && (await there.calls(before)).length < more)
    await new Promise((resolve) => setTimeout(resolve, 4))
}

describe(`a run that is stopped in the middle (seed ${seed})`, () => {
  it("ends, when it is run again, where it would have ended", { timeout: 120_000 }, async () => {
    const plain = await world()
    assert.strictEqual((await plain.here.run("sync")).status, 0)
    const expected = await plain.there.holds()
    assert.strictEqual((await plain.there.calls()).length, CALLS)

    const { here, there } = await world()
    let hits = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const signal = random(2) === 0 ? "SIGTERM" : "SIGKILL"
      let watch: Promise<void> | undefined
      const onStart = (child: ChildProcess) => {
        watch = asked(there, random(9), child).then(() => void child.kill(signal))
      }
      const ran = await here.runWith({ onStart }, "sync")
      await watch
      const at = `kill ${kill} with ${signal}, status ${ran.status}: ${ran.stderr}`
      if (ran.status === 0) continue
      hits++
      if (ran.signal === null) {
        assert.strictEqual(ran.status, 130, at)
        assert.match(ran.stderr, /^(daybook: stopped\. What was read and sent is kept; run again for the rest\.\n)?$/)
      } else assert.strictEqual(ran.signal, signal, at)
      // Whatever was under way is known to be: the calls in flight, and as many claimed to follow them if the program was killed.
      const ahead = ran.signal === null ? 0 : LANES
      assert.isAtMost(pendingCalls(here.path("daybook.db")), LANES + ahead, at)
    }
    assert.isAtLeast(hits, KILLS - 2, "the kills came too late")

    const last = await here.run("sync", "--json")
    assert.strictEqual(last.status, 0, last.stdout)
    assert.deepStrictEqual(await there.holds(), expected)
    const sent = (await there.calls()).length
    const again = await here.run("sync", "--json")
    assert.strictEqual(
      JSON.stringify(lines(again).at(-1)),
      '{"type":"summary","done":0,"failed":0,"attention":0,"unknown":0,"recovered":0,"quarantined":0}'
    )
    assert.strictEqual((await there.calls()).length, sent, "a further run makes no call")
  })
})
