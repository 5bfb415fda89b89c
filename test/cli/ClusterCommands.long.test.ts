/** The commands about a cluster, on a real PostgreSQL: what they show, what they ask for, and how they end. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { takeFree } from "../../sync/cluster/ClusterTables.ts"
import { Membership } from "../../sync/cluster/Membership.ts"
import { connect, type PgSessions } from "../../sync/state/replication/postgres/PgSessions.ts"
import { take } from "../../sync/state/replication/postgres/PostgresStore.ts"
import { configuration, desk, lines, NOWHERE, useCommand } from "../support/Cli.ts"
import { clusterTables } from "../support/ClusterTables.ts"
import { add, opened } from "../support/Replicas.ts"

useCommand()
const url = clusterTables()

const NAMES = ["acme", "globex"]
const AWAY = "postgres://daybook@127.0.0.1:9/daybook"

/** Two nodes, of which the first has both tenants, and has shipped something of one. */
const nodes = Effect.gen(function* () {
  const sessions = yield* connect(url(), 4)
  const ask = (sql: string, values: ReadonlyArray<unknown> = []) => sessions.use((session) => session.ask(sql, values))
  for (const table of ["shipment", "tenant", "node"]) yield* ask(`DELETE FROM daybook.${table}`)
  yield* ask("INSERT INTO daybook.tenant (key, id) SELECT t, t FROM unnest($1::text[]) t", [NAMES])
  const [first] = yield* Effect.forEach(["node-1", "node-2"], (name) => joined(sessions, name))
  yield* takeFree(sessions, first!, NAMES, 2)
  const here = desk()
  const replica = { take: take(sessions, "acme", first!.id), lease: first! }
  yield* opened(join(here.folder, "working.db"), replica, (db) => db.transaction(add(db, 1)))
  const run = (...args: ReadonlyArray<string>) => Effect.promise(() => here.run(...args, "--cluster", url()))
  return { ...here, ask, run, sessions, first: first! }
})

const joined = (sessions: PgSessions, name: string) =>
  Effect.tap(Membership.join(sessions, { name, leaseMs: 60_000 }), (node) => node.renew({ trouble: null }))

describe("the commands about a cluster", () => {
  it.live("show its nodes and tenants, and end with 1 if something is wrong", () =>
    Effect.gen(function* () {
      const { ask, first, run } = yield* nodes
      const well = yield* run("cluster", "status")
      assert.strictEqual(well.status, 0, well.stderr)
      assert.match(well.stdout, /node-1 .* 2 .* ready\nnode-2 .* 0 .* ready\n2 nodes, 2 tenants\n$/)
      const where = yield* run("tenants", "where", "acme")
      assert.match(where.stdout, /^Tenant +Node +Wanted on +Openings +Shipments .*\nacme +node-1 .*\n1 tenant\n$/)
      yield* ask("UPDATE daybook.node SET lease = clock_timestamp() - interval '5 s' WHERE id = $1", [first.id])
      const silent = yield* run("cluster", "status")
      assert.strictEqual(silent.status, 1)
      assert.match(silent.stdout, /node-1 .* -\d+ s +silent\n/)
      assert.include(silent.stdout, "2 without a living node")
    })
  )

  it.live("move a tenant, and copy what is kept of it", () =>
    Effect.gen(function* () {
      const { ask, folder, run } = yield* nodes
      const moved = yield* run("tenants", "move", "acme", "--to", "node-2")
      assert.strictEqual(moved.status, 0, moved.stderr)
      assert.include(moved.stdout, "acme moves to node-2 as soon as no run of it is in progress")
      assert.deepStrictEqual(yield* ask("SELECT wanted FROM daybook.tenant WHERE id = 'acme'"), [{ wanted: "node-2" }])
      yield* run("tenants", "move", "acme", "--to", "any")
      assert.deepStrictEqual(yield* ask("SELECT wanted FROM daybook.tenant WHERE id = 'acme'"), [{ wanted: null }])
      const restored = yield* run("tenants", "restore", "acme", "copy.db")
      assert.strictEqual(restored.status, 0, restored.stderr)
      const raw = new Sqlite(join(folder, "copy.db"), { readonly: true })
      assert.strictEqual(raw.prepare("SELECT count(*) FROM changed").pluck().get(), 1)
      assert.include(String(raw.prepare("SELECT behind FROM state").pluck().get()), "a copy of what the cluster kept")
      raw.close()
    })
  )

  it.live("say what does not run, and let it be tried again", () =>
    Effect.gen(function* () {
      const { ask, first, run } = yield* nodes
      yield* first.renew({ trouble: null, refused: { globex: "it is a copy of acme" } })
      const status = yield* run("cluster", "status")
      assert.strictEqual(status.status, 1)
      assert.include(status.stdout, "globex does not run: it is a copy of acme")
      yield* ask("UPDATE daybook.tenant SET tries = 4, owner = NULL WHERE id = 'globex'")
      const listed = yield* run("tenants", "list")
      assert.include(listed.stdout, "in trouble")
      assert.include((yield* run("tenants", "resume", "globex")).stdout, "globex is tried again")
      assert.include((yield* run("tenants", "resume", "acme")).stdout, "acme was not held back")
      assert.deepStrictEqual(yield* ask("SELECT tries FROM daybook.tenant WHERE id = 'globex'"), [{ tries: 0 }])
    })
  )

  it.live(
    "remove a tenant whose folder is there, and one whose folder was deleted by hand, and erase what is kept",
    () =>
      Effect.gen(function* () {
        const { ask, folder, run } = yield* nodes
        const all = join(folder, "tenants")
        for (const name of NAMES) mkdirSync(join(all, name), { recursive: true })
        writeFileSync(join(all, "acme", "daybook.tenant"), "acme")
        writeFileSync(join(all, "globex", "daybook.tenant"), "another")
        const removed = yield* run("tenants", "remove", "acme")
        assert.strictEqual(removed.status, 0, removed.stderr)
        assert.include(removed.stdout, "What the cluster kept of it is copied to there, and erased.")
        const [kept = ""] = readdirSync(join(all, ".daybook", "removed"))
        assert.isTrue(existsSync(join(all, ".daybook", "removed", kept, "daybook.db")))
        assert.deepStrictEqual(yield* ask("SELECT * FROM daybook.shipment"), [])
        const other = yield* run("tenants", "remove", "globex")
        assert.include(other.stdout, "is another tenant's, and stays")
        assert.isTrue(existsSync(join(all, "globex")))
        assert.deepStrictEqual(yield* ask("SELECT id FROM daybook.tenant WHERE removed IS NULL"), [])
        assert.strictEqual((yield* run("tenants", "remove", "acme")).status, 2)
      })
  )

  it.live("say what is wrong: 2 for what was asked, 1 for what did not work", () =>
    Effect.gen(function* () {
      const { folder, run } = yield* nodes
      const cases: ReadonlyArray<readonly [string, number, string]> = [
        ["tenants where nobody", 2, 'the cluster has no tenant "nobody"'],
        ["tenants restore nobody copy.db", 2, 'the cluster has no tenant "nobody"'],
        ["cluster sync nobody", 2, 'the cluster has no tenant "nobody"'],
        ["tenants move acme --to node-3", 2, 'the cluster has no node "node-3"; its nodes: node-1, node-2'],
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

  it.live("make no state file in the folder of a tenant that is in a cluster", () =>
    Effect.gen(function* () {
      const { folder, run } = desk()
      const place = join(folder, "tenants", "acme")
      mkdirSync(place, { recursive: true })
      writeFileSync(join(place, "daybook.config.json"), JSON.stringify(configuration(NOWHERE)))
      writeFileSync(join(place, "daybook.shipped"), "0000000000000001 00000000000000000000000000000000\n")
      const listed = yield* Effect.promise(() => run("tenants", "list"))
      assert.include(listed.stdout, "In a cluster, so that only --cluster URL shows their state: 1\n")
      assert.strictEqual(lines(yield* Effect.promise(() => run("tenants", "list", "--json"))).length, 1)
      const synced = yield* Effect.promise(() => run("tenants", "sync", "acme"))
      assert.strictEqual(synced.status, 1)
      assert.include(synced.stderr, "the state of this tenant is in a cluster")
      assert.isFalse(existsSync(join(place, "daybook.db")))
    })
  )
})
