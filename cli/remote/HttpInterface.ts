/**
 * Defines the daemon's HTTP interface: what the library does, for programs in other languages. Its OpenAPI document is
 * generated from this file, and served at `/api/v1/openapi.json`.
 *
 * Each group requires a token with its scope. Amounts are decimal text, instants ISO 8601 in UTC. Requests can be retried:
 * reading changes nothing, and a decision that was already made is returned as it was made.
 */
import { Context, Schema } from "effect"
import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
  OpenApi
} from "effect/http-api"
import { KINDS } from "../../connectors/Document.ts"
import { MOST, ROWS } from "./Answers.ts"

export const PREFIX = "/api/v1"

/** There is no token, or an unknown one. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()(
  "Unauthorized",
  { message: Schema.String },
  { httpApiStatus: 401 }
) {}

/** The token lacks the scope. */
export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}

/** The connection, document or attention item does not exist. */
export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** It has changed since the caller looked at it. */
export class Conflict extends Schema.TaggedError<Conflict>()(
  "Conflict",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** A parameter or the body is not valid. */
export class Invalid extends Schema.TaggedError<Invalid>()(
  "Invalid",
  { message: Schema.String },
  { httpApiStatus: 422 }
) {}

/** The token's name, with which decisions are recorded. */
export class Caller extends Context.Service<Caller, { readonly name: string }>()("daybook/Caller") {}

const bearer = { security: { bearer: HttpApiSecurity.bearer }, error: [Unauthorized, Forbidden] } as const

export class Reads extends HttpApiMiddleware.Service<Reads, { provides: Caller }>()("daybook/Reads", bearer) {}
export class Plans extends HttpApiMiddleware.Service<Plans, { provides: Caller }>()("daybook/Plans", bearer) {}
export class Decides extends HttpApiMiddleware.Service<Decides, { provides: Caller }>()("daybook/Decides", bearer) {}
export class Connects extends HttpApiMiddleware.Service<Connects, { provides: Caller }>()("daybook/Connects", bearer) {}
export class Explains extends HttpApiMiddleware.Service<Explains>()("daybook/Explains", { error: Invalid }) {}

/** JSON as the library returns it. */
const Body = Schema.Record(Schema.String, Schema.Unknown)

const Whole = Schema.FiniteFromString.check(Schema.isInt())
const limit = Schema.optionalKey(
  Whole.check(Schema.isBetween({ minimum: 1, maximum: MOST })).annotate({
    description: `The most rows to return, 1 to ${MOST}; default ${ROWS}`
  })
)
const connection = Schema.optionalKey(Schema.String.annotate({ description: "A connection's name; default: all" }))

const described = (description: string) => OpenApi.annotations({ description })

const reading = HttpApiGroup.make("read")
  .add(
    HttpApiEndpoint.get("status", "/status", { success: Body }).annotateMerge(
      described("The connections and when they were read, the last runs, and what waits for a person.")
    ),
    HttpApiEndpoint.get("statement", "/statement", { success: Body }).annotateMerge(
      described("Per connection and currency: what is open in the source, in the books and on the service.")
    ),
    HttpApiEndpoint.get("attention", "/attention", {
      query: {
        limit,
        after: Schema.optionalKey(Whole.annotate({ description: "The `next` of the page before" }))
      },
      success: Body
    }).annotateMerge(described("What needs attention, the oldest first.")),
    HttpApiEndpoint.get("documents", "/documents", {
      query: {
        connection,
        kind: Schema.optionalKey(Schema.Literals(KINDS)),
        only: Schema.optionalKey(Schema.Literals(["all", "open", "differs"])),
        text: Schema.optionalKey(
          Schema.String.annotate({
            description: "A part of the number, the reference, the id or the customer's name; or an amount"
          })
        ),
        after: Schema.optionalKey(Schema.String.annotate({ description: "The `next` of the page before" })),
        limit
      },
      success: Body,
      error: NotFound
    }).annotateMerge(described("Documents of one kind, invoices unless another is named, in the order of their keys.")),
    HttpApiEndpoint.get("explain", "/explain", {
      query: { document: Schema.String.annotate({ description: "A number, an id or a key; or a call as `#12`" }) },
      success: Body,
      error: NotFound
    }).annotateMerge(described("The whole story of a document or a call.")),
    HttpApiEndpoint.get("cover", "/cover", { success: Body }).annotateMerge(
      described("Cover per buyer, the month's budget, offers that wait, and deadlines.")
    ),
    HttpApiEndpoint.get("approvals", "/approvals", { success: Body }).annotateMerge(
      described("Plans that wait for approval, and what was decided about the last ones.")
    ),
    HttpApiEndpoint.get("alerts", "/alerts", { success: Body }).annotateMerge(
      described("Current and recent alerts, and messages that did not reach their channel.")
    ),
    HttpApiEndpoint.get("events", "/events", {
      success: HttpApiSchema.StreamSse({ data: Body })
    }).annotateMerge(described("Runs as they begin and end, from now on, as server-sent events."))
  )
  .middleware(Reads)
  .annotateMerge(described("For tokens with the scope `read`."))

const planning = HttpApiGroup.make("plan")
  .add(
    HttpApiEndpoint.get("plan", "/plan", {
      query: { connection, limit },
      success: Body,
      error: NotFound
    }).annotateMerge(described("What the next run would send, with the sums, and what would stop it. Nothing is sent."))
  )
  .middleware(Plans)
  .annotateMerge(described("For tokens with the scope `plan`."))

const item = Whole.annotate({ description: "The attention item's id" })

const deciding = HttpApiGroup.make("approve")
  .add(
    HttpApiEndpoint.post("decide", "/approvals/:connection", {
      params: { connection: Schema.String },
      payload: Schema.Struct({
        digest: Schema.String.annotate({ description: "The complete digest of the reviewed plan" }),
        decision: Schema.Literals(["approved", "rejected"]),
        by: Schema.optionalKey(Schema.String.annotate({ description: "The person; recorded beside the token's name" }))
      }),
      success: Body,
      error: [NotFound, Conflict]
    }).annotateMerge(
      described("Approves or rejects exactly the plan with this digest. An approved one is sent at once.")
    ),
    HttpApiEndpoint.post("sync", "/connections/:connection/sync", {
      params: { connection: Schema.String },
      success: Body.pipe(HttpApiSchema.status(202)),
      error: NotFound
    }).annotateMerge(described("Has the daemon run this connection now; see `events` for how it goes.")),
    HttpApiEndpoint.post("resolve", "/attention/:id/resolve", {
      params: { id: item },
      payload: Schema.Struct({ note: Schema.String.annotate({ description: "What was done, for the record" }) }),
      success: Body,
      error: NotFound
    }).annotateMerge(described("Closes an attention item.")),
    HttpApiEndpoint.post("retry", "/attention/:id/retry", {
      params: { id: item },
      success: Body,
      error: NotFound
    }).annotateMerge(described("Plans its document again, and sends a rejected call again."))
  )
  .middleware(Decides)
  .annotateMerge(described("For tokens with the scope `approve`."))

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

const connecting = HttpApiGroup.make("connect")
  .add(
    HttpApiEndpoint.post("makeLink", "/connect-links", {
      payload: Schema.Struct({
        tenant: Schema.String.annotate({
          description: "Your own id of the customer; names of connections start with it"
        }),
        name: text("The customer's name, where `owner` is left out"),
        owner: Schema.optionalKey(
          Schema.Record(Schema.String, Schema.Unknown).annotate({
            description: "Who owns the documents on the service, as in a connection"
          })
        ),
        connectors: Schema.optionalKey(
          Schema.Array(Schema.String).annotate({ description: "The sources to choose from; default: all" })
        ),
        expires: text("How long it may be opened, like `24h`, which is the default"),
        return_url: text("One of `daemon.connect.return_urls`; default: the first"),
        state: text("Given back with the person, as it is")
      }),
      success: Body.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      described(
        "Makes a link by which a customer connects their own books. Its address is shown in this answer alone. Each request makes another link."
      )
    ),
    HttpApiEndpoint.get("links", "/connect-links", { success: Body }).annotateMerge(
      described("Links that were made, the latest first, and how each stands; their addresses are not kept.")
    )
  )
  .middleware(Connects)
  .annotateMerge(described("For tokens with the scope `connect`."))

export class HttpInterface extends HttpApi.make("daybook")
  .add(reading, planning, deciding, connecting)
  .prefix(PREFIX)
  .middleware(Explains)
  .annotateMerge(
    OpenApi.annotations({
      title: "Daybook",
      version: "1",
      description:
        "What a seller's books say, what the service holds, and what is to be sent. Tokens are named in the configuration, `daemon.api`."
    })
  ) {}
