/** A tenant with which nodes end is held back on a real PostgreSQL, and one that only ran while its node was killed is not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { announce, free, takeFree } from "../../../sync/cluster/ClusterTables.ts"
import { Membership } from "../../../sync/cluster/Membership.ts"
import { reports } from "../../../sync/cluster/Operations.ts"
import { GIVEN_UP, heldBack, riskOf, tryAgain } from "../../../sync/cluster/Risk.ts"
import { tellOfGivenUp, tellOfHeldBack } from "../../../sync/library/many/OperatorsAlerts.ts"
import { readApart } from "../../../sync/library/many/ReadApart.ts"
import { outside } from "../../../sync/library/ServiceClient.ts"
import { connect } from "../../../sync/state/replication/postgres/PgSessions.ts"
import { clusterTables } from "../../support/ClusterTables.ts"
import { folder } from "../../support/Replicas.ts"
import { json, serve } from "../../support/Serve.ts"

const url = clusterTables()

const tenants = ["poison", "innocent"]

/** Sessions, and a way to let a node take what is free, open it, and die. */
const cluster = Effect.gen(function* () {
  const sessions = yield* connect(url(), 2)
  const clear = ["shipment", "status", "tenant", "node"].map((table) => `DELETE FROM daybook.${table}`)
  yield* sessions.use(async ({ ask }) => {
    for (const one of clear) await ask(one)
  })
  yield* announce(sessions, new Map(tenants.map((name) => [name, name])))
  const living = (work: (node: Membership, taken: ReadonlyArray<string>) => Effect.Effect<void>) =>
    Effect.gen(function* () {
      const node = yield* Membership.join(sessions, { name: "a", leaseMs: 10_000 })
      const taken = yield* takeFree(sessions, node, tenants, 9)
      yield* work(node, taken)
      yield* sessions.use(({ ask }) => ask("UPDATE daybook.node SET buried = true WHERE id = $1", [node.id]))
      return taken
    })
  const later = (interval: string) =>
    sessions.use(({ ask }) => ask("UPDATE daybook.tenant SET tried = tried - $1::interval", [interval]))
  return { sessions, living, later }
})

describe("a tenant with which its node ends", () => {
  it.live("is held back for a growing time, and then for good, while the others go on; a person brings it back", () =>
    Effect.gen(function* () {
      const { later, living, sessions } = yield* cluster
      const tried: Array<number> = []
      const dies = living((node, taken) =>
        Effect.gen(function* () {
          for (const one of taken) {
            const risk = riskOf(sessions, one, node.id)
            const tries = yield* risk.begins
            yield* risk.runs
            if (one === "poison") tried.push(tries)
            else yield* risk.ends
          }
        })
      )
      assert.sameMembers([...(yield* dies)], tenants)
      assert.sameMembers([...(yield* dies)], tenants)
      assert.sameMembers([...(yield* dies)], ["innocent"])
      assert.deepStrictEqual([...(yield* free(sessions, { name: "b" }, tenants))], ["innocent"])
      yield* later("11 minutes")
      assert.sameMembers([...(yield* dies)], tenants)
      yield* later("11 minutes")
      assert.sameMembers([...(yield* dies)], ["innocent"])
      yield* later("2 hours")
      assert.sameMembers([...(yield* dies)], tenants)
      yield* later("1 year")
      assert.sameMembers([...(yield* dies)], ["innocent"])
      assert.deepStrictEqual(tried, [1, 2, 3, GIVEN_UP])
      assert.deepStrictEqual(
        (yield* reports(sessions)).map(({ tenant, tries }) => [tenant, tries]),
        [
          ["innocent", 0],
          ["poison", GIVEN_UP]
        ]
      )
      assert.deepStrictEqual([...(yield* heldBack(sessions))], [{ tenant: "poison", tries: GIVEN_UP }])
      assert.isTrue(yield* tryAgain(sessions, "poison"))
      assert.isFalse(yield* tryAgain(sessions, "innocent"))
      assert.sameMembers([...(yield* dies)], tenants)
    })
  )

  it.live("is told of to who operates it, by one node, once it was accepted, and again when it may run", () =>
    Effect.gen(function* () {
      const { living, sessions } = yield* cluster
      for (let n = 0; n < 2; n++)
        yield* living((node, taken) => Effect.forEach(taken, (one) => riskOf(sessions, one, node.id).begins))
      yield* sessions.use(({ ask }) => ask("UPDATE daybook.tenant SET tries = 0 WHERE id = 'innocent'"))
      const nodes = yield* Effect.forEach(["a", "b"], (name) => Membership.join(sessions, { name, leaseMs: 10_000 }))
      const [first, second] = nodes.map(({ id }) => id).toSorted() as [string, string]
      const received: Array<string> = []
      let status = 503
      const { url: address } = yield* serve(({ body }, response) => {
        if (status === 200) received.push(body)
        json(response, status, {})
      })
      const alerts = { channels: { ops: { webhook: { url: address, secret: { env: "ALERT_SECRET" } } } } }
      const tell = (node: string) =>
        tellOfHeldBack(sessions, node, { alerts, environment: { ALERT_SECRET: "s" } }).pipe(Effect.provide(outside))
      assert.isFalse(yield* tell(first))
      status = 200
      assert.isTrue(yield* tell(second), "there is nothing to tell for it")
      assert.deepStrictEqual(received, [])
      assert.isTrue(yield* tell(first))
      assert.isTrue(yield* tell(first))
      const said = () => received.flatMap((text) => JSON.parse(text).alerts as ReadonlyArray<Record<string, unknown>>)
      assert.strictEqual(said().length, 1)
      assert.deepInclude(said()[0], { kind: "tenant", what: "began", title: "poison does not run" })
      assert.include(String(said()[0]?.["words"]), "2 nodes ended while they had it open")
      yield* tryAgain(sessions, "poison")
      yield* tell(first)
      yield* tell(first)
      assert.strictEqual(said().length, 2)
      assert.deepInclude(said()[1], { what: "over", title: "poison may run again" })
      const channels = { alerts, environment: { ALERT_SECRET: "s" } }
      assert.isTrue(yield* Effect.provide(tellOfGivenUp(channels, "acme", "its process ended"), outside))
      assert.deepInclude(said()[2], { what: "began", title: "acme does not run", words: "its process ended." })
      status = 503
      assert.isFalse(yield* Effect.provide(tellOfGivenUp(channels, "acme", "its process ended"), outside))
    })
  )

  it.live("is not counted by a node that no longer owns it", () =>
    Effect.gen(function* () {
      const { living, sessions } = yield* cluster
      let former = ""
      yield* living(({ id }) => Effect.sync(() => void (former = id)))
      yield* living((node) => Effect.asVoid(riskOf(sessions, "poison", node.id).begins))
      yield* riskOf(sessions, "poison", former).ends
      yield* riskOf(sessions, "poison", former).begins
      assert.strictEqual((yield* reports(sessions)).find(({ tenant }) => tenant === "poison")?.tries, 1)
    })
  )

  it.live("is read by another process first, which may end instead", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const program = join(path, "daybook")
      const before = process.argv[1] ?? ""
      yield* Effect.addFinalizer(() => Effect.sync(() => void (process.argv[1] = before)))
      process.argv[1] = program
      writeFileSync(join(path, "daybook.config.ts"), "process.exit(9)\n")
      for (const [status, isRefused] of [
        [0, false],
        [1, false],
        [9, true]
      ] as const) {
        writeFileSync(program, `process.exit(${status})\n`)
        chmodSync(program, 0o700)
        assert.strictEqual(Exit.isFailure(yield* Effect.exit(readApart(path))), isRefused, `${status}`)
      }
    })
  )
})
