/** Machines, clocks and sources that misbehave, by name: what is kept, and what the user is told. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Cause, Effect } from "effect"
import { existsSync, statSync } from "node:fs"
import { samples } from "../support/Samples.ts"
import { fold, run, type Stage, type Subject } from "../../connectors/testing/Subject.ts"
import type { Fault } from "../../core/sandbox/server/Faults.ts"
import { Database } from "../../sync/state/Database.ts"
import { books, lines, many, NOWHERE, useCommand } from "../support/Cli.ts"
import { inWorld, open, paidInvoices, report } from "../sync/InWorld.ts"
import { violations } from "../sync/Invariants.ts"
import { World } from "../sync/World.ts"

useCommand()

const HOUR = 3_600_000

describe("the state file", () => {
  it("is busy: another program writes into it, and that is what is said", { timeout: 30_000 }, async () => {
    const world = new World()
    try {
      world.documents = paidInvoices(1)
      report(await world.sync())
      const other = new Sqlite(world.file)
      other.exec("BEGIN IMMEDIATE")
      const exit = await world.life(Effect.map(Database, () => "opened"))
      other.exec("ROLLBACK")
      other.close()
      assert.include(
        exit._tag === "Failure" ? Cause.pretty(exit.cause) : "",
        "daybook.db: another process is using it; wait until it ends and run again"
      )
      assert.deepStrictEqual(await violations(world), [])
    } finally {
      world.close()
    }
  })
})

describe("a program that is asked to end (SIGTERM)", () => {
  it("while it pages through a source: keeps whole pages, says so, and reads the rest next time", async () => {
    const { path, runWith, run } = books(NOWHERE, many(20_000))
    const ended = await runWith(
      {
        onStart: (child) => {
          // Beyond what the tables of a new file take.
          const wal = path("daybook.db-wal")
          const timer = setInterval(() => {
            if (!existsSync(wal) || statSync(wal).size < 2_000_000) return
            clearInterval(timer)
            child.kill("SIGTERM")
          }, 1)
          child.on("close", () => clearInterval(timer))
        }
      },
      "pull"
    )
    assert.strictEqual(ended.status, 130)
    assert.strictEqual(ended.stderr, "daybook: stopped. What was read is kept; run again to read the rest.\n")
    const count = () => {
      const db = new Sqlite(path("daybook.db"), { readonly: true })
      const n = db.prepare("SELECT count(*) FROM document").pluck().get() as number
      db.close()
      return n
    }
    const kept = count()
    assert.isAbove(kept, 0)
    assert.isBelow(kept, 40_000)
    const rest = await run("pull", "--json")
    assert.strictEqual(rest.status, 0, rest.stderr)
    assert.strictEqual(count(), 40_000)
    assert.isAtMost(Number(lines(rest)[0]!["added"]), 40_000 - kept)
  })
})

/** Until when the service fails, in requests. */
const burst = (length: number, fault: Omit<Fault, "id">) => {
  let left = length
  return () => (left-- > 0 ? fault : undefined)
}

describe("a service that answers 5xx", () => {
  for (const length of [2, 7, 25]) {
    it(`to ${length} requests in a row: what is not known is found out, and nothing is sent twice`, async () => {
      await inWorld({ fault: burst(length, { kind: "status", status: 503 }) }, async (world) => {
        world.documents = paidInvoices(3)
        const first = report(await world.sync({ concurrency: 2 }))
        for (let n = 0; n < 8; n++) await world.sync({ concurrency: 2 })
        assert.deepStrictEqual(await violations(world), [])
        assert.strictEqual(world.service.transaction.size, 3)
        if (length === 25) assert.isDefined(first.stopped ?? (first.unknown > 0 ? true : undefined))
      })()
    })
  }
})

describe("a clock", () => {
  for (const [words, by] of [
    ["forward", 30 * HOUR],
    ["back", -30 * HOUR]
  ] as const) {
    it(`that was set ${words} by more than a day between two runs: nothing is lost, twice, or waited for`, async () => {
      const faults = { on: true }
      await inWorld({ fault: () => (faults.on ? { kind: "lose_response" } : undefined) }, async (world) => {
        world.documents = paidInvoices(2)
        world.killAt = 12
        await world.sync()
        world.killAt = undefined
        faults.on = false
        world.clock.set(world.clock.currentTimeMillisUnsafe() + by)
        const before = world.clock.currentTimeMillisUnsafe()
        report(await world.sync())
        assert.isAtMost(world.clock.currentTimeMillisUnsafe() - before, HOUR / 60)
        assert.deepStrictEqual(await violations(world), [])
      })()
    })
  }

  it(
    "that goes back in the middle of a month's end shifts no day that is sent",
    inWorld({}, async (world) => {
      world.clock.set(Date.UTC(2026, 1, 28, 23, 59, 59))
      world.documents = paidInvoices(1)
      report(await world.sync())
      const [one] = world.service.transaction.values()
      assert.deepStrictEqual(
        [one!["issue_date"], one!["due_date"], one!["paid_date"]],
        ["2026-01-01", "2026-01-31", "2026-01-10"]
      )
      assert.deepStrictEqual(
        open(world, "SELECT DISTINCT date(answered / 1000, 'unixepoch') AS day FROM call").map(({ day }) => day),
        ["2026-02-28"]
      )
    })
  )
})

const staged = async <A>(subject: Subject, work: (stage: Stage) => Promise<A>): Promise<A> => {
  const stage = subject.open()
  try {
    return await work(stage)
  } finally {
    stage.close?.()
  }
}

describe("a source", () => {
  it("whose records have no time to go by (null) loses none of them, and stops nothing", async () => {
    for (const load of Object.values(samples)) {
      const { subject } = await load()
      const should = await staged(subject, (stage) => run(subject, stage))
      await staged(subject, async (stage) => {
        for (const { records, stamp } of Object.values(stage.source?.lists ?? {})) stamp?.(records[0], null)
        const { error, pages } = await run(subject, stage)
        assert.isUndefined(error, subject.connector.name)
        const [is, all] = [fold(pages), fold(should.pages)]
        const unreadable = pages.flatMap(({ quarantined }) => quarantined)
        for (const name of all.keys())
          assert.isTrue(is.has(name) || unreadable.length > 0, `${subject.connector.name} lost ${name}`)
      })
    }
  })

  it("that is asked for another tenant's books says what to check, and shows no secret", async () => {
    const { subject } = await samples["xero"]!()
    const { error } = await staged(subject, (stage) =>
      run(subject, stage, {
        bend: {
          instead: ({ path }) =>
            path === subject.oauth!.path
              ? undefined
              : new Response('{"Title":"Forbidden","Status":403,"Detail":"AuthenticationUnsuccessful"}', {
                  status: 403
                })
        }
      })
    )
    assert.include(error?.message, "check tenant: this authorisation knows other organisations only")
    for (const secret of Object.values(subject.environment!)) assert.notInclude(JSON.stringify(error), secret)
  })

  it("that keeps its changes for a month only is read whole when the bookmark is older", async () => {
    const { subject } = await samples["stripe"]!()
    const all = await staged(subject, (stage) => run(subject, stage))
    const after = JSON.stringify({ since: Date.parse("2026-01-15T00:00:00Z") / 1000, all: true })
    const again = await staged(subject, (stage) => run(subject, stage, { after }))
    assert.deepStrictEqual([...fold(again.pages).keys()].toSorted(), [...fold(all.pages).keys()].toSorted())
  })
})
