/** The commands about tenants in a real PostgreSQL: what they show, what they ask for, how they end, and what became of earlier ones. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { take } from "../../sync/state/replication/postgres/PostgresStore.ts"
import { configuration, desk, lines, NOWHERE, useCommand } from "../support/Cli.ts"
import { clusterTables } from "../support/ClusterTables.ts"
import { add, opened } from "../support/Replicas.ts"

useCommand()
const url = clusterTables()

const NAMES = ["acme", "globex"]
const AWAY = "postgres://daybook@127.0.0.1:9/daybook"

/** Two tenants, of which something of one was shipped. */
const tenants = Effect.gen(function* () {
  const sessions = yield* connect(url(), 4)
  const ask = (sql: string, values: ReadonlyArray<unknown> = []) => sessions.use((session) => session.ask(sql, values))
  for (const table of ["shipment", "tenant"]) yield* ask(`DELETE FROM daybook.${table}`)
  yield* ask(
    "INSERT INTO daybook.tenant (key, id, settings, due) SELECT t, t, 'sealed', now() FROM unnest($1::text[]) t",
    [NAMES]
  )
  const here = desk()
  const replica = { take: take(sessions, "acme") }
  yield* opened(join(here.folder, "working.db"), replica, (db) => db.transaction(add(db, 1)))
  const run = (...args: ReadonlyArray<string>) => Effect.promise(() => here.run(...args, "--database", url()))
  return { ...here, ask, run }
})

describe("the commands about tenants in PostgreSQL", () => {
  it.live("show whether they run when they are due, and end with 1 if one does not", () =>
    Effect.gen(function* () {
      const { ask, run } = yield* tenants
      const well = yield* run("cluster", "status")
      assert.strictEqual(well.status, 0, well.stderr)
      assert.match(well.stdout, /^2 tenants, 0 with a job; the one that is due for longest has waited \d+ s\n$/)
      const where = yield* run("tenants", "where", "acme")
      assert.match(where.stdout, /^Tenant +Openings +Shipments +Last shipment\nacme +1 +\d+ .*\n1 tenant\n$/)
      yield* ask("UPDATE daybook.tenant SET due = now() - interval '20 minutes' WHERE id = 'acme'")
      const late = yield* run("cluster", "status")
      assert.strictEqual(late.status, 1)
      assert.include(late.stdout, "No worker takes it: start one (daybook tenants work)")
      // Its job waits for a slot, and then has begun.
      yield* ask("UPDATE daybook.tenant SET queued = now() - interval '19 minutes', opened = NULL WHERE id = 'acme'")
      assert.include((yield* run("cluster", "status")).stdout, "No worker takes it")
      yield* ask("UPDATE daybook.tenant SET opened = now() - interval '18 minutes' WHERE id = 'acme'")
      assert.strictEqual((yield* run("cluster", "status")).status, 0)
      yield* ask("UPDATE daybook.tenant SET due = NULL, queued = NULL, held = 'it ended its process' WHERE id = 'acme'")
      const held = yield* run("cluster", "status")
      assert.strictEqual(held.status, 1)
      assert.include(held.stdout, "acme is held back: it ended its process")
      assert.include((yield* run("tenants", "list")).stdout, "in trouble")
      assert.include((yield* run("tenants", "resume", "acme")).stdout, "acme runs again")
      assert.include((yield* run("tenants", "resume", "globex")).stdout, "globex was neither held back nor paused")
      assert.strictEqual((yield* run("cluster", "status")).status, 0)
    })
  )

  it.live("ask for a run, and for one that reads the service first", () =>
    Effect.gen(function* () {
      const { ask, run } = yield* tenants
      assert.include((yield* run("cluster", "sync", "acme")).stdout, "acme: a worker runs it as soon as it has a slot")
      assert.include((yield* run("cluster", "reconcile", "globex")).stdout, "its next run reads the service")
      assert.deepStrictEqual(
        yield* ask("SELECT asked IS NOT NULL AS asked, reconcile IS NOT NULL AS reads FROM daybook.tenant ORDER BY id"),
        [
          { asked: true, reads: false },
          { asked: true, reads: true }
        ]
      )
    })
  )

  it.live("have some tenants run by workers of the next version, and by all others again", () =>
    Effect.gen(function* () {
      const { ask, run } = yield* tenants
      const next = ask("SELECT id FROM daybook.tenant WHERE next ORDER BY id")
      assert.include((yield* run("tenants", "next", "acme")).stdout, "1 tenant: only workers with --next run them")
      assert.deepStrictEqual(yield* next, [{ id: "acme" }])
      const back = yield* run("tenants", "next", "acme", "globex", "--back")
      assert.include(back.stdout, "2 tenants: every worker but those with --next runs them")
      assert.deepStrictEqual(yield* next, [])
      assert.include((yield* run("tenants", "next", "nobody")).stderr, "no configuration of nobody")
      assert.include((yield* run("tenants", "next")).stderr, "name the tenants")
    })
  )

  it.live("copy what is kept of a tenant", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* tenants
      const restored = yield* run("tenants", "restore", "acme", "copy.db")
      assert.strictEqual(restored.status, 0, restored.stderr)
      const raw = new Sqlite(join(folder, "copy.db"), { readonly: true })
      assert.strictEqual(raw.prepare("SELECT count(*) FROM changed").pluck().get(), 1)
      assert.include(String(raw.prepare("SELECT behind FROM state").pluck().get()), "a copy of what PostgreSQL kept")
      raw.close()
    })
  )

  it.live(
    "remove a tenant whose folder is there, and one whose folder was deleted by hand, and erase what is kept",
    () =>
      Effect.gen(function* () {
        const { ask, folder, run, run: here } = yield* tenants
        const all = join(folder, "tenants")
        for (const name of NAMES) mkdirSync(join(all, name), { recursive: true })
        writeFileSync(join(all, "acme", "daybook.tenant"), "acme")
        writeFileSync(join(all, "acme", "daybook.shipped"), "0000000000000001 00000000000000000000000000000000\n")
        writeFileSync(join(all, "globex", "daybook.tenant"), "another")
        const removed = yield* run("tenants", "remove", "acme")
        assert.strictEqual(removed.status, 0, removed.stderr)
        assert.include(removed.stdout, "What the database kept of it is copied to there, and erased.")
        const [kept = ""] = readdirSync(join(all, ".daybook", "removed"))
        assert.isTrue(existsSync(join(all, ".daybook", "removed", kept, "daybook.db")))
        assert.deepStrictEqual(yield* ask("SELECT * FROM daybook.shipment"), [])
        const other = yield* here("tenants", "remove", "globex")
        assert.include(other.stdout, "is another tenant's, and stays")
        assert.isTrue(existsSync(join(all, "globex")))
        assert.deepStrictEqual(yield* ask("SELECT id FROM daybook.tenant WHERE removed IS NULL"), [])
        assert.strictEqual((yield* run("tenants", "remove", "acme")).status, 2)
      })
  )

  it.live("say what is wrong: 2 for what was asked, 1 for what did not work", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* tenants
      const cases: ReadonlyArray<readonly [string, number, string]> = [
        ["tenants where nobody", 2, 'the database has no tenant "nobody"'],
        ["tenants restore nobody copy.db", 2, 'the database has no tenant "nobody"'],
        ["cluster sync nobody", 2, 'the database has no tenant "nobody"'],
        ["tenants list --shard 1/2", 2, "--shard cannot be combined with --cluster"],
        ["tenants restore globex copy.db", 1, `state file ${join(folder, "copy.db")}: nothing was ever kept of globex`]
      ]
      for (const [command, status, message] of cases) {
        const ran = yield* run(...command.split(" "))
        assert.deepStrictEqual([ran.status, ran.stderr], [status, `daybook: ${message}\n`], command)
      }
      for (const command of ["cluster status", "tenants where", "tenants list"]) {
        const ran = yield* Effect.promise(() => desk().run(...command.split(" "), "--cluster", AWAY))
        assert.strictEqual(ran.status, 1, command)
        assert.match(ran.stderr, /^daybook: the cluster cannot be used: PostgreSQL: .*ECONNREFUSED.*\n$/)
      }
    })
  )

  it.live("make no state file in the folder of a tenant that is in PostgreSQL, and do not remove it there alone", () =>
    Effect.gen(function* () {
      const { folder, run } = desk()
      const place = join(folder, "tenants", "acme")
      mkdirSync(place, { recursive: true })
      writeFileSync(join(place, "daybook.config.json"), JSON.stringify(configuration(NOWHERE)))
      writeFileSync(join(place, "daybook.shipped"), "0000000000000001 00000000000000000000000000000000\n")
      const listed = yield* Effect.promise(() => run("tenants", "list"))
      assert.include(listed.stdout, "In PostgreSQL, so that only --database URL shows their state: 1\n")
      assert.strictEqual(lines(yield* Effect.promise(() => run("tenants", "list", "--json"))).length, 1)
      const synced = yield* Effect.promise(() => run("tenants", "sync", "acme"))
      assert.strictEqual(synced.status, 1)
      assert.include(synced.stderr, "the state of this tenant is in PostgreSQL")
      assert.isFalse(existsSync(join(place, "daybook.db")))
      const removed = yield* Effect.promise(() => run("tenants", "remove", "acme"))
      assert.strictEqual(removed.status, 2)
      assert.include(removed.stderr, "daybook tenants remove acme --database URL erases them there as well")
      assert.isTrue(existsSync(place))
    })
  )

  it.live("say to who starts them as earlier versions were what takes its place", () =>
    Effect.gen(function* () {
      const { folder, run } = desk()
      mkdirSync(join(folder, "tenants", "acme"), { recursive: true })
      const cases: ReadonlyArray<readonly [string, string]> = [
        [
          "daemon --tenants tenants --cluster URL --node node-1 --lease 5s --page https://node-1.example.com",
          "Then daybook tenants work --database URL --files tenants, on each machine"
        ],
        ["tenants sync acme --cluster URL", "Then daybook tenants sync acme --database URL runs each once"],
        ["tenants sync --all --cluster URL", "Then daybook tenants sync --all --database URL runs each once"],
        ["tenants move acme --to node-2 --cluster URL", "Then any worker runs any of them"]
      ]
      for (const [command, then] of cases) {
        const ran = yield* Effect.promise(() => run(...command.split(" ")))
        assert.strictEqual(ran.status, 2, command)
        assert.include(ran.stderr, "daybook cluster init --cluster URL")
        assert.include(ran.stderr, "daybook tenants import --all --tenants tenants --database URL")
        assert.include(ran.stderr, then)
      }
    })
  )
})
