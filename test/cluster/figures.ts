/**
 * What replication costs: `node test/cluster/figures.ts` for all of it, or some of `schema`, `ship`, `restore`, `apply`. `schema` compares
 * the ways to keep a shipment on PostgreSQL of which one was chosen.
 */
import Sqlite from "better-sqlite3"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { constants, zstdCompressSync } from "node:zlib"
import { Database } from "../../sync/state/Database.ts"
import { type PgSession, type PgSessions, connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { read, take } from "../../sync/state/replication/postgres/PostgresStore.ts"
import { init } from "../../sync/state/replication/postgres/Schema.ts"
import { restore } from "../../sync/state/replication/Restore.ts"
import { applyRates } from "./Applying.ts"
import { start } from "./Server.ts"

const chosen = process.argv.slice(2)
const wants = (what: string) => chosen.length === 0 || chosen.includes(what)
const server = await start()
const path = mkdtempSync(join(tmpdir(), "daybook-figures-"))
let missed = 0
const say = (figure: string, value: string, held?: boolean) => {
  if (held === false) missed++
  console.log(`${figure.padEnd(64)} ${value.padStart(20)}  ${held === undefined ? "" : held ? "held" : "MISSED"}`)
}
const ms = (value: number) => `${value.toFixed(2)} ms`
const at = (all: ReadonlyArray<number>, share: number) =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? Number.NaN

/** A state file of about so many bytes, with documents like those of invoices. */
const filled = (file: string, bytes: number) =>
  Effect.gen(function* () {
    const db = yield* Database
    for (let n = 0; statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) < bytes; )
      yield* db.transaction(() => {
        for (const end = n + 5000; n < end; n++)
          db.prepare("INSERT INTO changed (subject) VALUES (?)").run(
            `books/invoice/INV-${n}/${(n * 7919) % 99991}/${"Harbour Bakery ".repeat(n % 4)}`
          )
      })
  }).pipe(Effect.provide(Database.layer({ file, mode: "write", command: "figures" }), { local: true }))

const positionOf = ({ ask }: PgSession) =>
  ask<{ n: string }>("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS n").then(([row]) => Number(row?.n))

const PAGES = `WITH fence AS (UPDATE daybook.tenant SET seq = $3 WHERE key = $1 AND epoch = $2 AND seq = $3 - 1 RETURNING key AS id)
  INSERT INTO page SELECT f.id, u.n, substring($5::bytea FROM ((u.i - 1) * 4096)::int + 1 FOR 4096) FROM fence f, unnest($4::int[]) WITH ORDINALITY u(n, i)
  ON CONFLICT (tenant, number) DO UPDATE SET bytes = excluded.bytes RETURNING tenant`
const LOG = `WITH fence AS (UPDATE daybook.tenant SET seq = $3, hash = $5 WHERE key = $1 AND epoch = $2 AND seq = $3 - 1 RETURNING key AS id)
  INSERT INTO daybook.shipment SELECT id, $3, 0, $4 FROM fence RETURNING seq`

const schema = (sessions: PgSessions) =>
  sessions.use(async (session) => {
    const { ask } = session
    await ask(
      "CREATE TABLE page (tenant text, number int, bytes bytea, PRIMARY KEY (tenant, number)) WITH (toast_tuple_target = 8160, fillfactor = 70)"
    )
    await ask("ALTER TABLE page ALTER bytes SET STORAGE MAIN, ALTER bytes SET COMPRESSION lz4")
    const file = readFileSync(join(path, "1.db"))
    const total = file.length >> 12
    const measure = async (kind: string, storage?: string) => {
      if (storage !== undefined) await ask(`ALTER TABLE daybook.shipment ALTER body SET STORAGE ${storage}`)
      await ask("TRUNCATE daybook.shipment, page")
      await ask("UPDATE daybook.tenant SET seq = 0, epoch = 1")
      if (kind === "pages")
        await ask(
          "INSERT INTO page SELECT 't', n, substring($1::bytea FROM (n - 1) * 4096 + 1 FOR 4096) FROM generate_series(1, $2) n",
          [file, total]
        )
      const times: Array<number> = []
      const before = await positionOf(session)
      for (let seq = 1; seq <= 600; seq++) {
        const numbers = [1, ...Array.from({ length: 9 }, (_, n) => 2 + ((seq * 7919 + n * 104729) % (total - 1)))]
        const unique = [...new Set(numbers)]
        const began = performance.now()
        const bytes = Buffer.concat(unique.map((n) => file.subarray((n - 1) << 12, n << 12)))
        if (kind === "pages") await ask(PAGES, ["t", 1, seq, unique, bytes], "pages")
        else
          await ask(
            LOG,
            [
              "t",
              1,
              seq,
              zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
              Buffer.alloc(16)
            ],
            "log"
          )
        if (seq > 100) times.push(performance.now() - began)
      }
      const log = ((await positionOf(session)) - before) / 600 / 1024
      say(
        `${kind}${storage === undefined ? "" : ` ${storage}`}: ten pages, median, p95, PostgreSQL's log`,
        `${ms(at(times, 0.5))} ${ms(at(times, 0.95))} ${log.toFixed(1)} KB`
      )
    }
    for (let n = 0; n < 2; n++) {
      await measure("pages")
      for (const storage of ["MAIN", "EXTERNAL"]) await measure("log", storage)
    }
    await ask("TRUNCATE daybook.shipment")
    await ask("UPDATE daybook.tenant SET seq = 0, epoch = 0")
  })

/** Opens a tenant whose content is this file's, in a scope of its own. */
const seeded = (sessions: PgSessions, name: string, file: string) =>
  Effect.gen(function* () {
    yield* sessions.use(({ ask }) =>
      ask("INSERT INTO daybook.tenant (key, id, owner) VALUES ($1, $1, 'me') ON CONFLICT DO NOTHING", [name])
    )
    const replica = { take: take(sessions, name) }
    const scope = Scope.makeUnsafe()
    yield* Effect.gen(function* () {
      const db = yield* Database
      yield* db.read(() => db.raw.exec(`ATTACH '${file}' AS other`))
      yield* db.transaction(() => db.raw.exec("INSERT OR IGNORE INTO changed SELECT * FROM other.changed"))
      // The whole file is kept in place of its first, long log.
      while (
        (yield* sessions.use(({ ask }) => ask("SELECT 1 FROM daybook.tenant WHERE id = $1 AND base > 0", [name])))
          .length === 0 &&
        name === "large"
      )
        yield* Effect.sleep(200)
      const times: Array<number> = []
      const before = yield* sessions.use(positionOf)
      for (let n = 0; n < 400; n++) {
        const began = performance.now()
        yield* db.commit(() =>
          db
            .prepare(
              "UPDATE changed SET n = n + 1 WHERE subject IN (SELECT subject FROM changed WHERE subject > ? LIMIT 12)"
            )
            .run(`books/invoice/INV-${n * 37}`)
        )
        times.push(performance.now() - began)
      }
      const log = ((yield* sessions.use(positionOf)) - before) / 400 / 1024
      if (wants("ship")) {
        say(`${name}: a commit of some ten pages, shipped: median; 2 ms`, ms(at(times, 0.5)), at(times, 0.5) <= 2)
        say(`${name}: PostgreSQL's log for each; 12 KB`, `${log.toFixed(1)} KB`, log <= 12)
      }
    }).pipe(
      Effect.provide(Database.layer({ file: join(path, `${name}.db`), mode: "write", command: "figures", replica }), {
        local: true
      }),
      Scope.provide(scope)
    )
    yield* Scope.close(scope, Exit.void)
  })

const restoring = (sessions: PgSessions, name: string, most: number) =>
  Effect.gen(function* () {
    const copy = join(path, "copy.db")
    const times: Array<number> = []
    const cpu = process.cpuUsage()
    for (let n = 0; n < 5; n++) {
      const began = performance.now()
      yield* restore({ tenant: name, read: (onPart) => read(sessions, name, onPart) }, copy)
      times.push(performance.now() - began)
    }
    const { system, user } = process.cpuUsage(cpu)
    say(`${name}: processor time of this process for each restore`, ms((system + user) / 5000))
    const raw = new Sqlite(copy)
    const whole = raw.pragma("integrity_check", { simple: true }) === "ok"
    raw.close()
    say(
      `restore of ${(statSync(copy).size / 1e6).toFixed(1)} MB: median of 5; ${most} ms`,
      ms(at(times, 0.5)),
      whole && at(times, 0.5) <= most
    )
  })

/** What a commit of nothing much takes here, to compare with. */
const baseline = (sessions: PgSessions) =>
  sessions.use(async ({ ask }) => {
    const times: Array<number> = []
    for (let n = 0; n < 300; n++) {
      const began = performance.now()
      await ask("UPDATE daybook.tenant SET wanted = $1 WHERE id = 't'", [`${n}`], "baseline")
      times.push(performance.now() - began)
    }
    say("PostgreSQL alone: a commit of one row, median", ms(at(times, 0.5)))
  })

const program = Effect.gen(function* () {
  const sessions = yield* connect(server.url, 4)
  yield* init(sessions)
  yield* sessions.use(({ ask }) => ask("INSERT INTO daybook.tenant (key, id, owner) VALUES ('t', 't', 'me')"))
  yield* baseline(sessions)
  yield* filled(join(path, "1.db"), 1_000_000)
  if (wants("schema")) yield* schema(sessions)
  if (wants("ship") || wants("restore")) yield* seeded(sessions, "small", join(path, "1.db"))
  if (wants("restore")) {
    yield* restoring(sessions, "small", 150)
    yield* filled(join(path, "100.db"), 100_000_000)
    yield* seeded(sessions, "large", join(path, "100.db"))
    yield* restoring(sessions, "large", 5000)
  }
})

try {
  await Effect.runPromise(Effect.scoped(program))
  if (wants("apply")) {
    const { alone, shipped } = await applyRates(path, server.url, 3)
    const ratio = shipped / alone
    say(
      "apply at 20 ms, 16 at a time: shipped to alone; 0.85",
      `${shipped.toFixed(0)}/s ${alone.toFixed(0)}/s ${ratio.toFixed(2)}`,
      ratio >= 0.85
    )
  }
} finally {
  server.stop()
  rmSync(path, { recursive: true, force: true })
}
process.exit(missed === 0 ? 0 : 1)
