/**
 * Serves the routes for webhooks: `/webhooks/service` for the service, `/webhooks/source/CONNECTION` for sources that have
 * them.
 *
 * A webhook is authenticated as its sender supports, answered once it is in the queue on disk, and processed later. Nothing
 * in the body is trusted: it only says which document to read again, and only a document that the books know.
 */
import { createHash } from "node:crypto"
import { Clock, Effect, Metric } from "effect"
import { type Connection, isCalled } from "../../sync/model/Connection.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Notices from "../../sync/pull/Notices.ts"
import * as WebhookQueue from "../../sync/pull/WebhookQueue.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { isSame } from "./Health.ts"
import * as Metrics from "./Metrics.ts"
import { type Reply, type Request, type Route, text } from "./Server.ts"

export interface Hooks {
  readonly configuration: Effect.Effect<Configuration>
  /** Called when there is something to follow. */
  readonly wake: Effect.Effect<void>
}

interface Heeded extends Pick<Hooks, "configuration"> {
  /** Of one of many tenants: the same answer to strangers, whether it exists, needs that the service says who it is. */
  readonly amongMany?: boolean
}

/** What was heard: who said it, and what to keep; or the answer to what is nobody's webhook. */
interface Heard {
  readonly from: string
  readonly notice: Notices.WebhookNotice | undefined
}

const SERVICE = "/webhooks/service"

const OK: Reply = { status: 200 }

/** The same for every unauthenticated webhook, whatever there is at its address. */
export const UNAUTHENTICATED: Reply = text(401, "Unauthenticated.\n")

const counted = (from: string, outcome: string, reply: Reply) =>
  Effect.as(Metric.update(Metric.withAttributes(Metrics.webhooks, { from, outcome }), 1), reply)

const notKept = (from: string, why: string) =>
  Effect.andThen(
    Effect.logError(`a webhook could not be stored: ${why}`),
    counted(from, "not kept", text(503, "It could not be stored; send it again later.\n"))
  )

/** Stores each thing once; after that the sender need not send it again. */
const keep = ({ from, notice }: Heard, { configuration, wake }: Hooks) =>
  Effect.gen(function* () {
    const db = yield* Database
    if (notice === undefined) return yield* counted(from, "about nothing", OK)
    const { connections } = yield* configuration
    const now = yield* Clock.currentTimeMillis
    const { about, fresh } = yield* db.commit(() => Notices.enqueue(db, notice, connections, now))
    if (fresh > 0) yield* wake
    return yield* counted(from, about === 0 ? "about nothing" : fresh > 0 ? "taken" : "copy", OK)
  }).pipe(Effect.catch((error) => notKept(from, error.message)))

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

const aboutTransaction = ({ id, unique_id: key }: Members, digest: string): Notices.WebhookNotice | undefined =>
  typeof id === "string" && typeof key === "string" && key.includes("/invoice/")
    ? { type: "transaction", id, key, digest }
    : undefined

const aboutPayment = (order: Members, digest: string): Notices.WebhookNotice => {
  const id = members(order["deferred_payment"])["id"]
  return { type: "payment", ...(typeof id === "string" ? { id } : {}), digest }
}

type Hear = (configuration: Configuration, request: Request, amongMany: boolean) => Effect.Effect<Heard | Reply>

/** Configurations that do not say what the service sends: each is told once. */
const told = new Set<string>()

const tell = ({ file }: Configuration): Effect.Effect<void> =>
  told.has(file)
    ? Effect.void
    : Effect.andThen(
        Effect.sync(() => void told.add(file)),
        Effect.logWarning(
          `${file}: the service's webhooks are refused, because daemon.webhooks.authorization is not set, which every tenant needs for them`
        )
      )

const isOfService = ({ daemon, environment }: Configuration, { headers }: Request, amongMany: boolean): boolean => {
  if (daemon.authorization === undefined) return !amongMany
  const wanted = environment[daemon.authorization] ?? ""
  return wanted !== "" && isSame(headers["authorization"] ?? "", wanted)
}

const isOfSource = (
  { connector, webhook }: Connection,
  { environment }: Configuration,
  { body, headers }: Request,
  now: number
): boolean => {
  const secret = webhook === undefined ? "" : (environment[webhook.secret.env] ?? "")
  return secret !== "" && connector.webhook?.verify({ headers, body }, secret, now) === true
}

/** Whether it was sent by who knows a secret of a tenant: only then is it worth opening the state file, which knows the names. */
export const isWebhook = (configuration: Configuration, request: Request, now: number): boolean =>
  request.path === SERVICE
    ? isOfService(configuration, request, true)
    : configuration.connections.some((one) => isOfSource(one, configuration, request, now))

const fromService: Hear = (configuration, request, amongMany) => {
  if (configuration.daemon.authorization === undefined && amongMany)
    return Effect.andThen(tell(configuration), counted("service", "refused", UNAUTHENTICATED))
  if (!isOfService(configuration, request, amongMany)) return counted("service", "refused", UNAUTHENTICATED)
  const body = members(parse(request.body))
  const order = members(body["data"])["order"]
  const digest = digestOf(request.body)
  const notice = order === undefined ? aboutTransaction(body, digest) : aboutPayment(members(order), digest)
  return Effect.succeed({ from: "service", notice })
}

const fromSource: Hear = (configuration, request) =>
  Effect.gen(function* () {
    const connection = configuration.connections.find((one) => isCalled(request.params["connection"] ?? "", one))
    const webhook = connection?.connector.webhook
    if (connection === undefined || webhook === undefined || connection.webhook === undefined)
      return yield* counted("unknown", "refused", UNAUTHENTICATED)
    if (!isOfSource(connection, configuration, request, yield* Clock.currentTimeMillis))
      return yield* counted(connection.id, "refused", UNAUTHENTICATED)
    const events = webhook.events(request, connection.settings)
    if (events === undefined)
      return yield* counted(connection.id, "not understood", text(400, "Unrecognised payload.\n"))
    const deliveries = events.map(({ about, event }) => ({
      about: about === undefined ? WebhookQueue.PULL : `source:${about}`,
      event
    }))
    const notice = { type: "source", connection: connection.id, deliveries } as const
    return { from: connection.id, notice: deliveries.length === 0 ? undefined : notice }
  })

const HEARD = [
  [SERVICE, fromService],
  ["/webhooks/source/:connection", fromSource]
] as const

const routesOf = <R>(
  { amongMany = false, configuration }: Heeded,
  kept: (heard: Heard) => Effect.Effect<Reply, never, R>
): Effect.Effect<ReadonlyArray<Route>, never, R> =>
  Effect.map(Effect.context<R>(), (context) =>
    HEARD.map(([path, hear]): Route => {
      const handle = (request: Request) =>
        Effect.flatMap(
          Effect.flatMap(configuration, (one) => hear(one, request, amongMany)),
          (heard) => ("status" in heard ? Effect.succeed(heard) : kept(heard))
        )
      return { method: "POST", path, anyName: true, handle: (request) => Effect.provide(handle(request), context) }
    })
  )

export const webhooks = (hooks: Hooks): Effect.Effect<ReadonlyArray<Route>, never, Database> =>
  routesOf(hooks, (heard) => keep(heard, hooks))

/**
 * The same for a tenant that is not opened here.
 *
 * @param pass keeps a notice for who runs it; returns why it could not
 */
export const webhooksElsewhere = (
  configuration: Configuration,
  pass: (notice: Notices.WebhookNotice) => Effect.Effect<string | undefined>
): Effect.Effect<ReadonlyArray<Route>> =>
  routesOf({ amongMany: true, configuration: Effect.succeed(configuration) }, ({ from, notice }) =>
    notice === undefined
      ? counted(from, "about nothing", OK)
      : Effect.flatMap(pass(notice), (why) => (why === undefined ? counted(from, "passed on", OK) : notKept(from, why)))
  )
