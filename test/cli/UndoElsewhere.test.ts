/** Decisions are taken back over HTTP and by programs as on the page: exactly what was listed, once, and with the right for it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { DaemonServices } from "../../cli/daemon/Main.ts"
import type { Reply, Request } from "../../cli/daemon/Server.ts"
import { interfaceOf } from "../../cli/remote/HttpRoutes.ts"
import * as AttentionActions from "../../sync/apply/AttentionActions.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { type Config, decode } from "../../sync/library/config/Configuration.ts"
import { takingBack } from "../../sync/library/Decisions.ts"
import type { HandleContext } from "../../sync/library/Handle.ts"
import { type Person, shared } from "../../sync/model/Person.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Plans from "../../sync/decisions/Plans.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import { Database } from "../../sync/state/Database.ts"
import { configuration, NOWHERE } from "../support/Cli.ts"

const TOKEN = "approve-0123456789abcdef"
const READER = "read-0123456789abcdef"
const NOW = Date.UTC(2026, 10, 30)
const SUBJECT = "books/invoice/INV-1"

const house = Effect.gen(function* () {
  const tokens = [
    { name: "erp", token: { env: "TOKEN" }, scopes: ["read", "approve"] },
    { name: "reader", token: { env: "READER" }, scopes: ["read"] }
  ]
  const config = { ...configuration(NOWHERE), daemon: { api: { tokens } } } as unknown as Config
  const environment = { SERVICE_KEY: "sk-test", TOKEN, READER }
  const now = yield* decode(config, { file: "daybook.config.json", folder: ".", environment })
  const asked: Array<string> = []
  const services: DaemonServices = {
    url: NOWHERE,
    configuration: Effect.succeed(now),
    daemon: { ask: (id) => Effect.sync(() => void asked.push(id)), wake: Effect.void },
    reread: Effect.void,
    events: Stream.empty
  }
  const answer = yield* interfaceOf(services)
  const ask = (method: string, path: string, body?: object, token = TOKEN) =>
    Effect.map(
      answer({
        method,
        path: `/api/v1${path}`,
        params: {},
        query: new URLSearchParams(),
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
        local: true,
        from: "",
        encrypted: false,
        named: true
      } satisfies Request),
      ({ body: text, status }: Reply) => ({ status, body: JSON.parse(String(text)) })
    )
  return { ask, asked }
})

const item = { rule: "X1", fact: SUBJECT, why: "the service refused it", todo: "correct it" } as never

const memory = Database.layer({ file: ":memory:", mode: "write" })

describe("a decision over HTTP", () => {
  it.effect("is listed, and taken back once by its digest, by whoever may decide", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const { ask, asked } = yield* house
      yield* db.transaction(() => AttentionStore.update(db, SUBJECT, [item], undefined, NOW))
      const [open] = yield* db.read(() => AttentionStore.list(db))
      yield* db.transaction(() => AttentionActions.resolve(db, open!, "seen", NOW))
      const listed = yield* ask("GET", "/decisions", undefined, READER)
      const [{ digest, ...decision }] = listed.body.decisions
      assert.deepStrictEqual(decision, {
        ...{ id: 1, at: "2026-11-30T00:00:00.000Z", connections: ["books"] },
        words: `1 item closed: ${SUBJECT}`
      })
      const undo = (body: object, token = TOKEN) => ask("POST", "/decisions/1/undo", body, token)
      assert.strictEqual((yield* undo({ digest }, READER)).status, 403)
      assert.strictEqual((yield* undo({ digest: "0".repeat(64) })).status, 409)
      assert.deepStrictEqual(yield* db.read(() => AttentionStore.list(db)), [])
      assert.deepStrictEqual(yield* undo({ digest }), { status: 200, body: { id: 1, undone: true } })
      assert.strictEqual((yield* db.read(() => AttentionStore.list(db))).length, 1)
      assert.deepStrictEqual(asked, ["books"])
      assert.match((yield* undo({ digest })).body.message, /already, or is too old/)
      assert.deepStrictEqual((yield* ask("GET", "/decisions")).body, { decisions: [] })
      const recorded = "SELECT deed, connection FROM decision WHERE outcome = 'done'"
      assert.deepStrictEqual(yield* db.read(() => db.prepare(recorded).all()), [
        { deed: "POST /api/v1/decisions/1/undo", connection: "books" }
      ])
    }).pipe(Effect.provide(memory))
  )

  it.effect("about a plan is for those who may decide about plans", () =>
    Effect.gen(function* () {
      const db = yield* Database
      yield* db.transaction(() => {
        Approvals.ask(db, "books", { ...new Tally().summary(), digest: "one" }, NOW)
        const rejected = { connection: "books", digest: "one", decision: "rejected", who: "Ada" } as const
        Plans.decide(db, undefined, rejected, undefined, NOW)
      })
      const of = (person: Person) =>
        takingBack({
          configuration: { connections: [] },
          db,
          given: <A, E>(work: Effect.Effect<A, E, Database>) => Effect.provideService(work, Database, db),
          person,
          wake: () => Effect.die("nothing is planned otherwise")
        } as unknown as HandleContext)
      const [decision] = yield* of(shared("shared password")).undoable()
      const { digest, id } = decision!
      const bookkeeper = { ...shared("shared password"), rights: ["look", "work"] } as const
      const refused = yield* Effect.flip(of(bookkeeper).undo(id, digest))
      assert.strictEqual(refused.message, "decision 1 is about a plan, and you may not decide about plans")
      yield* of(shared("shared password")).undo(id, digest)
      assert.deepStrictEqual((yield* db.read(() => Approvals.of(db, "books")))?.decision, null)
    }).pipe(Effect.provide(memory))
  )
})
