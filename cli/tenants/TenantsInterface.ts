/**
 * Defines and handles the HTTP interface of all tenants, for the tokens that are valid for every tenant: list, sync, pause,
 * resume and remove them. Its OpenAPI document is at `/api/v1/openapi.json`; each tenant's own interface is below `/t/NAME`.
 *
 * No tenant is added here: a configuration can name any variable of the daemon's environment and any file of its machine, so
 * only somebody on the machine may add one.
 */
import { Effect, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { messageOf } from "../../sync/library/Exit.ts"
import * as Changes from "../../sync/library/many/TenantChanges.ts"
import { dated } from "../../sync/library/Plain.ts"
import type { Handler } from "../daemon/Server.ts"
import { Caller, Conflict, Decides, Explains, needs, NotFound, Reads } from "../remote/Access.ts"
import { integer, flag, list, maybe, instant, record, orNull, string } from "../../sync/model/reports/Fields.ts"
import { answeringWith, authorising } from "../remote/HttpRoutes.ts"
import { PREFIX } from "../remote/HttpInterface.ts"
import { limit, optionalText, searchText } from "../remote/Parameters.ts"
import { type AllOptions, type Deed, done, everywhere } from "./TenantDeeds.ts"
import { found, type Only, ONLY, paged } from "./TenantSearch.ts"
import type { TenantStatus } from "../../sync/library/many/ManyTenants.ts"

const Tenant = record("Tenant", {
  name: string,
  state: Schema.Literals(["paused", "running", "queued", "in trouble", "waiting"]),
  attention: integer,
  approvals: integer,
  quarantined: integer,
  pendingCalls: integer,
  failures: integer,
  succeeded: orNull(instant),
  message: orNull(string),
  next: orNull(instant),
  paused: maybe(Schema.Struct({ since: string, by: string, why: maybe(string) })),
  trouble: maybe(string)
})

const one = { params: { tenant: Schema.String.annotate({ description: "The tenant's name" }) } }
const error = [NotFound, Conflict] as const

const seeing = HttpApiGroup.make("tenants")
  .add(
    HttpApiEndpoint.get("tenants", "/tenants", {
      query: {
        q: searchText("A part of the name"),
        only: Schema.optionalKey(Schema.Literals(Object.keys(ONLY) as ReadonlyArray<Only>)),
        after: optionalText("The `next` of the page before"),
        limit
      },
      success: Schema.Struct({
        tenants: list(Tenant),
        next: maybe(string),
        missing: maybe(string).annotateKey({ description: "Why tenants are missing" })
      })
    }).annotateMerge(needs("read", "The tenants with what needs attention, by name."))
  )
  .middleware(Reads)

const changing = HttpApiGroup.make("tenantChanges")
  .add(
    HttpApiEndpoint.post("sync", "/tenants/:tenant/sync", {
      ...one,
      success: Schema.Struct({ tenant: string, sync: flag }).pipe(HttpApiSchema.status(202)),
      error
    }).annotateMerge(needs("approve", "Runs a tenant as soon as it has its turn.")),
    HttpApiEndpoint.post("pause", "/tenants/:tenant/pause", {
      ...one,
      success: Schema.Struct({ tenant: string, pause: flag }),
      error
    }).annotateMerge(needs("approve", "Pauses a tenant: no new run starts. A run in progress continues to its end.")),
    HttpApiEndpoint.post("resume", "/tenants/:tenant/resume", {
      ...one,
      success: Schema.Struct({ tenant: string, resume: flag }),
      error
    }).annotateMerge(needs("approve", "Resumes the runs of a paused tenant.")),
    HttpApiEndpoint.post("remove", "/tenants/:tenant/remove", {
      ...one,
      success: Schema.Struct({ tenant: string, removed: flag }),
      error
    }).annotateMerge(
      needs(
        "approve",
        "Removes a tenant once no run has it. Its folder is kept on the daemon's machine. Not in a database."
      )
    )
  )
  .middleware(Decides)

export class TenantsInterface extends HttpApi.make("tenants")
  .add(seeing, changing)
  .prefix(PREFIX)
  .middleware(Explains)
  .annotateMerge(
    OpenApi.annotations({
      title: "Daybook: all tenants",
      version: "1",
      description: "For tokens of daybook.tenants.json. Each tenant's own interface is at /t/NAME/api/v1."
    })
  ) {}

/** As JSON. */
const rowOf = (row: TenantStatus) => dated(row, "succeeded", "next")

const tenantsRoom = (options: AllOptions) =>
  HttpApiBuilder.group(TenantsInterface, "tenants", (handlers) =>
    Effect.succeed(
      handlers.handleAll({
        tenants: ({ query: { after = "", limit, only, q = "" } }) =>
          Effect.map(everywhere(options), ({ missing, tenants }) => {
            const search = { search: q, after, ...(only === undefined ? {} : { only }) }
            const { rows, ...rest } = paged(found(tenants, search), after, limit)
            return { tenants: rows.map(rowOf), ...rest, ...(missing === undefined ? {} : { missing }) }
          })
      })
    )
  )

/** What prevents it, as an answer. */
const prevented =
  ({ all }: AllOptions, tenant: string) =>
  <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, NotFound | Conflict> =>
    Effect.mapError(work, (error) => {
      const message = messageOf(error)
      return all.status(tenant) === undefined ? new NotFound({ message }) : new Conflict({ message })
    })

const changesRoom = (options: AllOptions) =>
  HttpApiBuilder.group(TenantsInterface, "tenantChanges", (handlers) => {
    const carryOut = (tenant: string, deed: Deed) =>
      Effect.flatMap(Caller, ({ name }) => prevented(options, tenant)(done(options, tenant, deed, name)))
    return Effect.succeed(
      handlers.handleAll({
        sync: ({ params: { tenant } }) => Effect.as(carryOut(tenant, "sync"), { tenant, sync: true }),
        pause: ({ params: { tenant } }) => Effect.as(carryOut(tenant, "pause"), { tenant, pause: true }),
        resume: ({ params: { tenant } }) => Effect.as(carryOut(tenant, "resume"), { tenant, resume: true }),
        remove: ({ params: { tenant } }) =>
          Effect.gen(function* () {
            if (options.kept !== undefined)
              return yield* new Conflict({ message: "Tenants in PostgreSQL are not removed over HTTP." })
            const { name } = yield* Caller
            yield* prevented(options, tenant)(Changes.remove(options.files.folder, tenant, name))
            // Forgets it at once; otherwise the next scan does.
            yield* Effect.ignore(options.files.scan)
            return { tenant, removed: true }
          })
      })
    )
  })

/** Answers requests to the interface of all tenants. */
export const tenantsInterface = (options: AllOptions): Handler =>
  answeringWith(
    HttpApiBuilder.layer(TenantsInterface, { openapiPath: `${PREFIX}/openapi.json` }).pipe(
      Layer.provide(
        Layer.mergeAll(tenantsRoom(options), changesRoom(options)).pipe(
          Layer.provide(authorising(Effect.succeed(options.tokens)))
        )
      ),
      Layer.provide(HttpServer.layerServices)
    )
  )
