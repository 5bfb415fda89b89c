/** What PostgreSQL accepts of a tenant, and from whom: nothing of an earlier opening, nothing twice, nothing by halves. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { connect as dial, createServer, type AddressInfo, type Socket } from "node:net"
import { forgetLate, lateOf, seen } from "../../../../sync/cluster/ClusterTables.ts"
import type { LateAnswer } from "../../../../sync/state/replication/LateAnswers.ts"
import { connect, type PgSessions } from "../../../../sync/state/replication/postgres/PgSessions.ts"
import * as Kept from "../../../../sync/state/replication/postgres/KeptSettings.ts"
import { read, take } from "../../../../sync/state/replication/postgres/PostgresStore.ts"
import type { Shipment } from "../../../../sync/state/replication/Shipment.ts"
import { Fenced, StoreAway } from "../../../../sync/state/replication/Store.ts"
import { clusterTables } from "../../../support/ClusterTables.ts"

const url = clusterTables()

let made = 0

/** A tenant that nobody has opened. */
const tenant = Effect.gen(function* () {
  const sessions = yield* connect(url(), 4)
  const name = `tenant${++made}`
  yield* sessions.use(({ ask }) => ask("INSERT INTO daybook.tenant (key, id) VALUES ($1, $1)", [name]))
  return { sessions, name }
})

const shipment = (seq: number, ...parts: ReadonlyArray<string>): Shipment => ({
  seq,
  size: seq,
  pageSize: 4096,
  hash: Buffer.alloc(16, seq),
  parts: parts.map((part) => Buffer.from(part))
})

const base = async function* (...parts: ReadonlyArray<string>) {
  for (const part of parts) yield Buffer.from(part)
}

/** What is stored of a tenant: the number of the last shipment, and the parts, of which the newest comes first. */
const storedOf = (sessions: PgSessions, name: string) =>
  Effect.gen(function* () {
    const parts: Array<string> = []
    const { seq, vault } = yield* read(sessions, name, (part) => parts.push(String(part)))
    return { seq, parts, vault: vault === undefined ? undefined : String(vault) }
  })

/** Passes everything on to a server, until it is cut off without a word: then each side waits for the other. */
const silentProxy = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets: Array<Socket> = []
      const server = createServer((near) => {
        const far = dial(port, "127.0.0.1")
        for (const socket of [near, far]) socket.on("error", () => {})
        near.pipe(far).pipe(near)
        sockets.push(near, far)
      }).listen(0, "127.0.0.1")
      await new Promise((resolve) => server.once("listening", resolve))
      return {
        port: (server.address() as AddressInfo).port,
        vanish: () => {
          for (const socket of sockets) socket.unpipe().pause()
        },
        close: () => {
          for (const socket of sockets) socket.destroy()
          server.close()
        }
      }
    }),
    ({ close }) => Effect.sync(close)
  )

describe("a tenant on PostgreSQL", () => {
  it.live("accepts nothing from an earlier opening: no shipment, no whole file, no secrets", () =>
    Effect.gen(function* () {
      const { name, sessions } = yield* tenant
      const first = yield* take(sessions, name)
      yield* first.ship(shipment(1, "one"))
      yield* first.ship(shipment(2, "two"))
      yield* first.keepVault(Buffer.from("token 1"))
      yield* first.check
      const second = yield* take(sessions, name)
      const before = yield* storedOf(sessions, name)
      assert.deepStrictEqual(before, { seq: 2, parts: ["two", "one"], vault: "token 1" })
      for (const late of [
        first.ship(shipment(3, "late")),
        first.ship(shipment(3, "late", "in two parts")),
        first.rebase(2, base("late")),
        // All parts were stored before.
        first.rebase(2, base()),
        first.keepVault(Buffer.from("late")),
        first.check
      ])
        assert.instanceOf(yield* Effect.flip(late as Effect.Effect<unknown, Fenced | StoreAway>), Fenced)
      assert.deepStrictEqual(yield* storedOf(sessions, name), before)
      yield* second.ship(shipment(3, "three"))
      // What it wanted to ship has the number of what is there.
      assert.instanceOf(yield* Effect.flip(first.ship(shipment(3, "late"))), Fenced)
      assert.deepStrictEqual((yield* storedOf(sessions, name)).parts, ["three", "two", "one"])
    })
  )

  it.live("takes what an earlier opening heard late, and forgets of it what was taken in", () =>
    Effect.gen(function* () {
      const { name, sessions } = yield* tenant
      const first = yield* take(sessions, name)
      yield* take(sessions, name)
      const [one, two] = ["A", "B"].map((remote) => ({ call: 1, remote, subject: "books/invoice/1" })) as [
        LateAnswer,
        LateAnswer
      ]
      yield* first.late([one])
      assert.strictEqual((yield* seen(sessions, name))[0]?.late, true)
      const late = yield* lateOf(sessions, name)
      assert.deepStrictEqual(late, [one])
      yield* first.late([two])
      yield* forgetLate(sessions, name, late)
      assert.deepStrictEqual(yield* lateOf(sessions, name), [two])
      yield* forgetLate(sessions, name, [two])
      assert.strictEqual((yield* seen(sessions, name))[0]?.late, false)
    })
  )

  it.live("counts a shipment once that is sent again, and takes none after one that is missing", () =>
    Effect.gen(function* () {
      const { name, sessions } = yield* tenant
      const tenure = yield* take(sessions, name)
      for (const one of [shipment(1, "one"), shipment(2, "in", "two parts")]) {
        yield* tenure.ship(one)
        yield* tenure.ship(one)
      }
      const missing = yield* Effect.flip(tenure.ship(shipment(4, "four")))
      assert.include(missing.why, "it was restored from a backup")
      assert.deepStrictEqual((yield* storedOf(sessions, name)).parts, ["two parts", "in", "one"])
    })
  )

  it.live("confirms with a write that it is still its opener's, because only a write's answer waits for standbys", () =>
    Effect.gen(function* () {
      const { name, sessions } = yield* tenant
      const tenure = yield* take(sessions, name)
      const written = sessions.use(({ ask }) => ask("SELECT xmin::text FROM daybook.tenant WHERE key = $1", [name]))
      const before = yield* written
      yield* tenure.check
      assert.notDeepEqual(yield* written, before)
      yield* take(sessions, name)
      assert.instanceOf(yield* Effect.flip(tenure.check), Fenced)
    })
  )

  it.live("settles with a write what may be stored already, because only a write's answer waits for standbys", () =>
    Effect.gen(function* () {
      const { name, sessions } = yield* tenant
      const tenure = yield* take(sessions, name)
      yield* tenure.ship(shipment(1, "one"))
      const written = sessions.use(({ ask }) => ask("SELECT xmin::text FROM daybook.tenant WHERE key = $1", [name]))
      const before = yield* written
      yield* tenure.ship(shipment(1, "one"))
      assert.notDeepEqual(yield* written, before)
    })
  )

  it.live("goes on without prepared statements once a pooler turned out to be in between", () =>
    Effect.gen(function* () {
      const sessions = yield* connect(url(), 1)
      const one = sessions.use(({ ask }) => ask<{ n: number }>("SELECT 1 AS n", [], "one"))
      assert.deepStrictEqual(yield* one, [{ n: 1 }])
      // What the next transaction would find in another session of the pooler.
      yield* sessions.use(({ ask }) => ask("DEALLOCATE ALL"))
      assert.instanceOf(yield* Effect.flip(one), StoreAway)
      for (let n = 0; n < 3; n++) {
        assert.deepStrictEqual(yield* one, [{ n: 1 }])
        yield* sessions.use(({ ask }) => ask("DEALLOCATE ALL"))
      }
    })
  )

  it.live("limits the time of a statement, though it says so only once it is connected", () =>
    Effect.gen(function* () {
      const sessions = yield* connect(url(), 1, 1234)
      const [row] = yield* sessions.use(({ ask }) => ask<{ statement_timeout: string }>("SHOW statement_timeout"))
      assert.strictEqual(row?.statement_timeout, "1234ms")
    })
  )

  it.live("keeps nothing of a shipment of several parts that was cut off between them", () =>
    Effect.gen(function* () {
      const { name, sessions } = yield* tenant
      const tenure = yield* take(sessions, name)
      yield* tenure.ship(shipment(1, "one"))
      const cutOff = { ...shipment(2, "first", "second"), parts: [Buffer.from("first"), null as never] }
      assert.instanceOf(yield* Effect.flip(tenure.ship(cutOff)), StoreAway)
      assert.deepInclude(yield* storedOf(sessions, name), { seq: 1, parts: ["one"] })
      yield* tenure.ship(shipment(2, "first", "second"))
      assert.deepInclude(yield* storedOf(sessions, name), { seq: 2, parts: ["second", "first", "one"] })
    })
  )

  it.live("is read as of one moment, though the log is replaced by the whole file meanwhile", () =>
    Effect.gen(function* () {
      const { name, sessions } = yield* tenant
      const tenure = yield* take(sessions, name)
      for (const [seq, part] of ["one", "two", "three"].entries()) yield* tenure.ship(shipment(seq + 1, part))
      // One that was cut off, of which parts are left.
      const broken = async function* () {
        yield* base("left", "over")
        throw new Error("cut off")
      }
      assert.isTrue(Exit.isFailure(yield* Effect.exit(tenure.rebase(2, broken()))))
      assert.deepStrictEqual((yield* storedOf(sessions, name)).parts, ["three", "two", "one"])
      let replaced = 0
      const between: PgSessions = {
        ...sessions,
        transaction: (work) =>
          sessions.transaction((session) =>
            work({
              ...session,
              copy: async (list, onRow) => {
                if (list.includes("FROM daybook.shipment") && replaced === 0)
                  replaced = await Effect.runPromise(tenure.rebase(2, base("whole")))
                return session.copy(list, onRow)
              }
            })
          )
      }
      assert.deepStrictEqual((yield* storedOf(between, name)).parts, ["three", "two", "one"])
      assert.strictEqual(replaced, "whole".length)
      assert.deepStrictEqual((yield* storedOf(sessions, name)).parts, ["three", "whole"])
    })
  )

  it.live("loses no configuration that was imported while a run was open that changes another part of it", () =>
    Effect.gen(function* () {
      const { name: id, sessions } = yield* tenant
      yield* Kept.keep(sessions, { id, sealed: "as it was" })
      const { epoch } = yield* take(sessions, id)
      yield* Kept.change(sessions, { id, epoch, before: "as it was", sealed: "changed on the page" })
      yield* Kept.keep(sessions, { id, sealed: "imported" })
      const late = Kept.change(sessions, { id, epoch, before: "changed on the page", sealed: "changed again" })
      assert.include((yield* Effect.flip(late)).why, "has replaced its configuration; change it again")
      assert.strictEqual((yield* Kept.keptOf(sessions, id))?.sealed, "imported")
    })
  )

  it.live("is given up in a bounded time when its server vanishes without a word", () =>
    Effect.gen(function* () {
      const proxy = yield* silentProxy(Number(new URL(url()).port))
      const through = new URL(url())
      through.port = `${proxy.port}`
      const sessions = yield* connect(through.href, 1, 100)
      yield* sessions.use(({ ask }) => ask("SELECT 1"))
      proxy.vanish()
      const error = yield* Effect.flip(sessions.use(({ ask }) => ask("SELECT 1")).pipe(Effect.timeout("20 seconds")))
      assert.instanceOf(error, StoreAway)
      assert.include((error as StoreAway).why, "it does not answer")
    })
  )
})
