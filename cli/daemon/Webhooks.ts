/**
 * Serves the routes for webhooks: `/webhooks/service` for the service, `/webhooks/source/CONNECTION` for sources that have
 * them.
 *
 * A webhook is authenticated as its sender supports, answered once it is in the queue on disk, and processed later. Nothing
 * in the body is trusted: it only says which document to read again, and only a document that the books know.
 */
import { createHash } from "node:crypto"
import { Clock, Effect, Metric } from "effect"
import { parseKey } from "../../connectors/Document.ts"
import { type Connection, isCalled } from "../../sync/model/Connection.ts"
import { Database } from "../../sync/state/Database.ts"
import * as WebhookQueue from "../../sync/pull/WebhookQueue.ts"
import * as Facts from "../../sync/plan/Facts.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { isSame } from "./Health.ts"
import * as Metrics from "./Metrics.ts"
import { type Reply, type Request, type Route, text } from "./Server.ts"

export interface Hooks {
  readonly configuration: Effect.Effect<Configuration>
  /** ConnectionDelivery when there is something to follow. */
  readonly wake: Effect.Effect<void>
}

type Db = Database["Service"]

interface ConnectionDelivery extends WebhookQueue.Delivery {
  readonly connection: string
}

const OK: Reply = { status: 200 }

const counted = (from: string, outcome: string, reply: Reply) =>
  Effect.as(Metric.update(Metric.withAttributes(Metrics.webhooks, { from, outcome }), 1), reply)

/** Stores each thing once; after that the sender need not send it again. */
const keep = (deliveries: ReadonlyArray<ConnectionDelivery>, from: string, { wake }: Hooks) =>
  Effect.gen(function* () {
    const db = yield* Database
    if (deliveries.length === 0) return yield* counted(from, "about nothing", OK)
    const now = yield* Clock.currentTimeMillis
    const fresh = yield* db.commit(() =>
      deliveries.reduce((n, one) => n + WebhookQueue.enqueue(db, one.connection, [one], now), 0)
    )
    if (fresh > 0) yield* wake
    return yield* counted(from, fresh > 0 ? "taken" : "copy", OK)
  }).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        Effect.logError(`a webhook could not be stored: ${error.message}`),
        counted(from, "not kept", text(503, "It could not be stored; send it again later.\n"))
      )
    )
  )

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return undefined
  }
}

type Members = Readonly<Record<string, unknown>>
const members = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {}

const digestOf = (body: Uint8Array): string => createHash("sha256").update(body).digest("base64url")

/** A transaction in the ledger, if both its key and its identifier match. */
const ofTransaction = (db: Db, { id, unique_id }: Members, digest: string): ReadonlyArray<ConnectionDelivery> => {
  if (typeof id !== "string" || typeof unique_id !== "string" || !unique_id.includes("/invoice/")) return []
  if (Facts.remoteId(db, unique_id) !== id) return []
  const { connection } = parseKey(unique_id)
  return [{ connection, about: `service:${unique_id}`, event: `service:${unique_id}`, digest }]
}

/** A payment's notification (DP 6.1): its order if the ledger has it; otherwise, orders that wait are read. */
const ofPayment = (db: Db, order: Members, digest: string, connections: ReadonlyArray<Connection>) => {
  const id = members(order["deferred_payment"])["id"]
  const subjects =
    typeof id !== "string"
      ? []
      : (db
          .prepare("SELECT subject FROM ledger WHERE instr(subject, '/order/') > 0 AND remote = ?")
          .pluck()
          .all(id) as ReadonlyArray<string>)
  if (subjects.length > 0) {
    return subjects.map((subject): ConnectionDelivery => {
      const about = `service:${subject}`
      return { connection: parseKey(subject).connection, about, event: about, digest }
    })
  }
  const waits = db.prepare("SELECT 1 FROM changed WHERE subject > ? AND subject < ? LIMIT 1")
  return connections
    .filter(({ id }) => waits.get(`${id}/order/`, `${id}/order0`) !== undefined)
    .map(({ id }): ConnectionDelivery => ({ connection: id, about: "service:orders", event: "service:orders", digest }))
}

const fromService = (hooks: Hooks) => (request: Request) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { connections, daemon, environment } = yield* hooks.configuration
    if (daemon.authorization !== undefined) {
      const wanted = environment[daemon.authorization] ?? ""
      if (wanted === "" || !isSame(request.headers["authorization"] ?? "", wanted))
        return yield* counted("service", "refused", text(401, "Invalid authorization.\n"))
    }
    const body = members(parse(request.body))
    const order = members(body["data"])["order"]
    const digest = digestOf(request.body)
    const deliveries =
      order === undefined ? ofTransaction(db, body, digest) : ofPayment(db, members(order), digest, connections)
    return yield* keep(deliveries, "service", hooks)
  })

const fromSource = (hooks: Hooks) => (request: Request) =>
  Effect.gen(function* () {
    const { connections, environment } = yield* hooks.configuration
    const connection = connections.find((one) => isCalled(request.params["connection"] ?? "", one))
    const webhook = connection?.connector.webhook
    if (connection === undefined || webhook === undefined || connection.webhook === undefined)
      return text(404, "This connection takes no webhooks.\n")
    const secret = environment[connection.webhook.secret.env] ?? ""
    const { body, headers } = request
    const now = yield* Clock.currentTimeMillis
    if (secret === "" || !webhook.verify({ headers, body }, secret, now))
      return yield* counted(connection.id, "refused", { status: 401 })
    const events = webhook.events({ headers, body }, connection.settings)
    if (events === undefined)
      return yield* counted(connection.id, "not understood", text(400, "Unrecognised payload.\n"))
    const deliveries = events.map(
      ({ about, event }): ConnectionDelivery => ({
        connection: connection.id,
        about: about === undefined ? WebhookQueue.PULL : `source:${about}`,
        event: event
      })
    )
    return yield* keep(deliveries, connection.id, hooks)
  })

export const webhooks = (hooks: Hooks): Effect.Effect<ReadonlyArray<Route>, never, Database> =>
  Effect.map(Effect.context<Database>(), (context) => {
    const route = (
      path: Route["path"],
      handle: (request: Request) => Effect.Effect<Reply, never, Database>
    ): Route => ({
      method: "POST",
      path,
      anyName: true,
      handle: (request) => Effect.provide(handle(request), context)
    })
    return [route("/webhooks/service", fromService(hooks)), route("/webhooks/source/:connection", fromSource(hooks))]
  })
