/**
 * The room for webhooks: what each delivery leaves on disk, and what following it asks of the source. Bodies are never
 * believed: one that names a thing the books do not know leaves nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { createHmac } from "node:crypto"
import { decode } from "../../sync/library/config/Configuration.ts"
import { webhooks, webhooksElsewhere } from "../../cli/daemon/Webhooks.ts"
import type { Reply, Request } from "../../cli/daemon/Server.ts"
import type { Connector } from "../../connectors/Connector.ts"
import { SourceError, Unreachable } from "../../connectors/Connector.ts"
import { Client } from "../../core/Client.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Notices from "../../sync/pull/Notices.ts"
import * as WebhookQueue from "../../sync/pull/WebhookQueue.ts"
import { reread } from "../../sync/pull/Refetch.ts"
import { invoice } from "../support/Documents.ts"
import { connection, connector, read } from "../sync/Source.ts"

const SECRET = "whsec_41"
const WORD = "agreed-41"
const owner = { organisation: { unique_id: "acme", registered: "2024-01-01T00:00:00Z" } }
const stripe = { connector: "stripe", key: { env: "STRIPE_KEY" } }
const configuration = (environment: Readonly<Record<string, string>> = { HOOK: SECRET }) =>
  decode(
    {
      service: { url: "http://127.0.0.1:1", key: { env: "KEY" } },
      connections: [
        { id: "shop", source: stripe, owner, webhook: { secret: { env: "HOOK" } } },
        { id: "quiet", source: stripe, owner }
      ]
    },
    { file: "test", folder: ".", environment }
  )

const layer = Layer.fresh(Database.layer({ file: ":memory:", mode: "share" }))

/** The room, and how often it woke the daemon. */
const room = (decoded = configuration()) =>
  Effect.gen(function* () {
    const db = yield* Database
    const given = yield* decoded
    let woken = 0
    const routes = yield* webhooks({
      configuration: Effect.succeed(given),
      wake: Effect.sync(() => void woken++)
    })
    const post = (path: string, body: unknown, headers: Request["headers"] = {}): Effect.Effect<Reply> => {
      const source = path.startsWith("/webhooks/source/")
      const route = routes.find((one) => one.path === (source ? "/webhooks/source/:connection" : path))!
      const text = typeof body === "string" ? body : JSON.stringify(body)
      return route.handle({
        method: "POST",
        path,
        params: source ? { connection: path.split("/").at(-1)! } : {},
        query: new URLSearchParams(),
        headers,
        body: Buffer.from(text),
        local: true,
        from: "127.0.0.1",
        encrypted: false,
        named: true
      })
    }
    const queued = (id: string) => WebhookQueue.waiting(db, id, 100).map(({ about }) => about)
    return { db, post, queued, woken: () => woken }
  })

/** A ledger that knows this document under this identifier. */
const recordSent = (db: Database["Service"], subject: string, remote: string) =>
  db
    .prepare(
      "INSERT INTO ledger (id, subject, connection, remote, held, reason, currency, books_open, service_open) VALUES (NULL, ?, ?, ?, '{}', NULL, 'GBP', 0, 0)"
    )
    .run(subject, subject.split("/")[0]!, remote)

const signed = (body: unknown, secret = SECRET) => {
  const at = Math.floor(Date.now() / 1000)
  const mac = createHmac("sha256", secret)
    .update(`${at}.${JSON.stringify(body)}`)
    .digest("hex")
  return { "stripe-signature": `t=${at},v1=${mac}` }
}
const event = (id: string, invoice: string) => ({
  id,
  type: "invoice.paid",
  data: { object: { object: "invoice", id: invoice } }
})

describe("a webhook of the service", () => {
  it.live("about a transaction that the ledger knows leaves one queue entry, whatever the copies", () =>
    Effect.gen(function* () {
      const { db, queued, post, woken } = yield* room()
      recordSent(db, "shop/invoice/in_1", "trns-1")
      const body = { id: "trns-1", unique_id: "shop/invoice/in_1", status: "pending" }
      for (let copy = 0; copy < 5; copy++) assert.strictEqual((yield* post("/webhooks/service", body)).status, 200)
      assert.deepStrictEqual(queued("shop"), ["service:shop/invoice/in_1"])
      assert.strictEqual(woken(), 1)
      yield* post("/webhooks/service", { ...body, status: "paid" })
      assert.deepStrictEqual(WebhookQueue.waiting(db, "shop", 9), [{ about: "service:shop/invoice/in_1", n: 2 }])
      assert.strictEqual(woken(), 2)
    }).pipe(Effect.provide(layer))
  )

  it.live("that names anything else leaves nothing, and is answered all the same", () =>
    Effect.gen(function* () {
      const { db, queued, post, woken } = yield* room()
      recordSent(db, "shop/invoice/in_1", "trns-1")
      for (const body of [
        { id: "trns-2", unique_id: "shop/invoice/in_1" },
        { id: "trns-1", unique_id: "shop/invoice/in_2" },
        { id: "trns-1" },
        { unique_id: "shop/invoice/in_1" },
        { id: 5, unique_id: {} },
        { data: { order: { deferred_payment: { id: "dp-9" } } } },
        { data: { order: null } },
        [],
        "nothing",
        "{",
        `{"data":${"[".repeat(5000)}`
      ])
        assert.strictEqual((yield* post("/webhooks/service", body)).status, 200)
      assert.deepStrictEqual([...queued("shop"), ...queued("quiet"), woken()], [0])
      assert.strictEqual(db.prepare("SELECT count(*) FROM delivery").pluck().get(), 0)
    }).pipe(Effect.provide(layer))
  )

  it.live("about a deferred payment has its order read again, or else the orders that wait", () =>
    Effect.gen(function* () {
      const { db, queued, post } = yield* room()
      recordSent(db, "shop/order/1001", "dp-1")
      const about = (id: string) => ({
        created: "now",
        data: { order: { deferred_payment: { id, status: "accepted" } } }
      })
      yield* post("/webhooks/service", about("dp-1"))
      assert.deepStrictEqual(queued("shop"), ["service:shop/order/1001"])
      db.prepare("INSERT INTO changed (subject) VALUES ('quiet/order/7')").run()
      yield* post("/webhooks/service", about("dp-2"))
      yield* post("/webhooks/service", about("dp-3"))
      assert.deepStrictEqual(queued("shop"), ["service:shop/order/1001"])
      assert.deepStrictEqual(queued("quiet"), ["service:orders"])
    }).pipe(Effect.provide(layer))
  )
})

describe("a webhook of a source", () => {
  it.live("is taken when the source signed it, once; refused when anybody else did, or nobody can tell", () =>
    Effect.gen(function* () {
      const { queued, post } = yield* room()
      const path = "/webhooks/source/shop"
      const paid = event("evt_1", "in_1")
      for (let copy = 0; copy < 3; copy++) assert.strictEqual((yield* post(path, paid, signed(paid))).status, 200)
      assert.deepStrictEqual(queued("shop"), ["source:invoice:in_1"])
      const forged = event("evt_2", "in_2")
      assert.strictEqual((yield* post(path, forged, signed(forged, "guessed"))).status, 401)
      assert.strictEqual((yield* post(path, forged, signed(paid))).status, 401)
      assert.strictEqual((yield* post(path, forged)).status, 401)
      const strange = { hello: 1 }
      assert.strictEqual((yield* post(path, strange, signed(strange))).status, 400)
      assert.strictEqual((yield* post("/webhooks/source/quiet", paid, signed(paid))).status, 401)
      assert.strictEqual((yield* post("/webhooks/source/none", paid, signed(paid))).status, 401)
      assert.deepStrictEqual(queued("shop"), ["source:invoice:in_1"])
      // A secret that is not set is no secret that fits.
      const unset = yield* room(configuration({}))
      assert.strictEqual((yield* unset.post(path, paid, signed(paid, ""))).status, 401)
    }).pipe(Effect.provide(layer))
  )
})

describe("what webhooks point to", () => {
  const outside = Layer.mergeAll(
    layer,
    NodeFileSystem.layer,
    FetchHttpClient.layer,
    // Sources are asked here, and the service never.
    Layer.succeed(Client, {} as Client["Service"])
  )
  const hint = (db: Database["Service"], ...about: ReadonlyArray<string>) =>
    WebhookQueue.enqueue(
      db,
      "books",
      about.map((one) => ({ about: one, event: one })),
      1
    )

  /** A connection whose source notes what it is asked for by id. */
  const books = (answer: () => Connector["webhook"] | undefined): Connection => {
    const webhook = answer()
    return connection({ ...connector(() => Stream.empty), ...(webhook === undefined ? {} : { webhook }) })
  }
  const asking = (asked: Array<ReadonlyArray<string>>, fails: () => boolean = () => false) => ({
    verify: () => true,
    events: () => [],
    reread: (_: unknown, about: ReadonlyArray<string>) => {
      asked.push(about)
      if (fails())
        return Stream.fail(new SourceError({ connector: "memory", reason: new Unreachable({ why: "it is down" }) }))
      return Stream.make({ read: about.map((id, n) => read(invoice({ id }), n)), quarantined: [] })
    }
  })

  it.live("is read again, each once, in batches, and then forgotten", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const ids = Array.from({ length: 450 }, (_, n) => `I${String(n).padStart(3, "0")}`)
      hint(db, ...ids.map((id) => `source:${id}`))
      const asked: Array<ReadonlyArray<string>> = []
      const done = yield* reread(
        books(() => asking(asked)),
        { folder: "." }
      )
      assert.deepInclude(done, { asked: 450, added: 450, heard: 0, pull: false })
      assert.deepStrictEqual(asked.flat().toSorted(), ids)
      assert.deepStrictEqual(
        asked.map(({ length }) => length),
        [200, 200, 50]
      )
      assert.strictEqual(WebhookQueue.count(db), 0)
    }).pipe(Effect.provide(outside))
  )

  it.live("stays to be read when the source is down", () =>
    Effect.gen(function* () {
      const db = yield* Database
      hint(db, "source:A", "source:B")
      const asked: Array<ReadonlyArray<string>> = []
      let down = true
      const there = books(() => asking(asked, () => down))
      const error = yield* Effect.flip(reread(there, { folder: "." }))
      assert.strictEqual(error.message, "memory: cannot be reached: it is down")
      assert.strictEqual(WebhookQueue.count(db), 2)
      down = false
      assert.strictEqual((yield* reread(there, { folder: "." })).asked, 2)
      assert.strictEqual(WebhookQueue.count(db), 0)
    }).pipe(Effect.provide(outside))
  )

  it.live("is a pull where nothing is named, or the connection has no webhooks any more", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const asked: Array<ReadonlyArray<string>> = []
      hint(db, WebhookQueue.PULL)
      assert.isTrue(
        (yield* reread(
          books(() => asking(asked)),
          { folder: "." }
        )).pull
      )
      hint(db, "source:A")
      assert.isTrue(
        (yield* reread(
          books(() => undefined),
          { folder: "." }
        )).pull
      )
      assert.deepStrictEqual([asked.length, WebhookQueue.count(db)], [0, 0])
    }).pipe(Effect.provide(outside))
  )
})

describe("a delivery that cannot be kept", () => {
  it.effect("because the disk is full is not taken for kept: it is asked for again, and taken once there is room", () =>
    Effect.gen(function* () {
      const { db, queued, post, woken } = yield* room()
      recordSent(db, "shop/invoice/1", "trns-1")
      const delivery = { id: "trns-1", unique_id: "shop/invoice/1", status: "paid" }
      db.raw.exec(
        "CREATE TRIGGER full BEFORE INSERT ON webhook_queue BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
      )
      const refused = yield* post("/webhooks/service", delivery)
      assert.strictEqual(refused.status, 503)
      assert.match(String(refused.body), /could not be stored; send it again/)
      assert.deepStrictEqual([queued("shop"), woken()], [[], 0])
      db.raw.exec("DROP TRIGGER full")
      assert.strictEqual((yield* post("/webhooks/service", delivery)).status, 200)
      assert.deepStrictEqual([queued("shop"), woken()], [["service:shop/invoice/1"], 1])
    }).pipe(Effect.provide(layer))
  )
})

describe("a webhook that reaches a node without the tenant", () => {
  it.live("is authenticated there, and counts once for the node that has it", () =>
    Effect.gen(function* () {
      const plain = yield* configuration({ HOOK: SECRET, WORD })
      const given = { ...plain, daemon: { ...plain.daemon, authorization: "WORD" } }
      const passed: Array<Notices.WebhookNotice> = []
      let trouble: string | undefined
      const routes = yield* webhooksElsewhere(given, (notice) =>
        Effect.sync(() => {
          if (trouble === undefined) passed.push(JSON.parse(JSON.stringify(notice)))
          return trouble
        })
      )
      const post = (body: object, headers: Request["headers"]) =>
        Effect.map(
          routes
            .find(
              ({ path }) =>
                path ===
                (headers["stripe-signature"] === undefined ? "/webhooks/service" : "/webhooks/source/:connection")
            )!
            .handle({
              method: "POST",
              path: "",
              params: { connection: "shop" },
              query: new URLSearchParams(),
              headers,
              body: Buffer.from(JSON.stringify(body)),
              local: false,
              from: "192.0.2.1",
              encrypted: false,
              named: true
            }),
          ({ status }) => status
        )
      const paid = event("evt_1", "in_1")
      assert.strictEqual(yield* post(paid, signed(paid, "another secret")), 401)
      assert.strictEqual(yield* post({ id: "trns-1" }, {}), 401)
      assert.strictEqual(yield* post({ id: "trns-1" }, { authorization: WORD }), 200)
      trouble = "PostgreSQL does not answer"
      assert.strictEqual(yield* post(paid, signed(paid)), 503)
      assert.lengthOf(passed, 0)
      trouble = undefined
      assert.strictEqual(yield* post(paid, signed(paid)), 200)
      assert.strictEqual(yield* post({ id: "trns-1", unique_id: "shop/invoice/in_1" }, { authorization: WORD }), 200)
      const db = yield* Database
      recordSent(db, "shop/invoice/in_1", "trns-1")
      const enqueue = Effect.forEach([...passed, ...passed, { ...passed[1]!, id: "trns-9" }], (notice) =>
        db.commit(() => Notices.enqueue(db, notice as Notices.WebhookNotice, given.connections, 1))
      )
      assert.deepStrictEqual(
        (yield* enqueue).map(({ fresh }) => fresh),
        [1, 1, 0, 0, 0]
      )
      assert.deepStrictEqual(
        WebhookQueue.waiting(db, "shop", 9).map(({ about }) => about),
        ["service:shop/invoice/in_1", "source:invoice:in_1"]
      )
    }).pipe(Effect.provide(layer))
  )
})
