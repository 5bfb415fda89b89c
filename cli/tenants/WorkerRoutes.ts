/** What a worker answers: monitoring of all tenants of the database, and their webhooks, which any worker may hear. */
import { Effect } from "effect"
import { passOn } from "../../sync/cluster/ClusterTables.ts"
import type { JobWorker } from "../../sync/engine/Worker.ts"
import { configurationOfKept, type KeptPlace } from "../../sync/library/many/KeptTenants.ts"
import type { TenantsConfiguration } from "../../sync/library/many/TenantsFile.ts"
import { ConfigError } from "../../sync/library/config/Configuration.ts"
import * as Kept from "../../sync/state/replication/postgres/KeptSettings.ts"
import { mayReadFigures } from "../daemon/Health.ts"
import { json, type Reply, type Request, type Route, text } from "../daemon/Server.ts"
import { gauge, MOST_NAMED } from "./TenantMetrics.ts"
import { hookElsewhere } from "./TenantRoutes.ts"

export interface WorkerMainOptions {
  readonly place: KeptPlace
  readonly configuration: TenantsConfiguration
  readonly slots: number
  /** Where monitoring reaches it; undefined: nowhere. */
  readonly listen: { readonly host: string; readonly port: number } | undefined
}

const monitoring = (
  worker: JobWorker,
  { configuration: { daemon, environment }, place, slots }: WorkerMainOptions
): ReadonlyArray<Route> => [
  { method: "GET", path: "/healthz", handle: () => Effect.succeed(json(200, { status: "ok" })) },
  {
    method: "GET",
    path: "/readyz",
    handle: () =>
      Effect.sync(() => {
        const why = worker.trouble
        return why === undefined ? json(200, { status: "ready" }) : json(503, { status: "not ready", why })
      })
  },
  {
    method: "GET",
    path: "/metrics",
    anyName: true,
    handle: (request) =>
      Effect.gen(function* () {
        const token = daemon.metricsToken === undefined ? undefined : environment[daemon.metricsToken]
        if (!mayReadFigures(request, token))
          return text(401, "Metrics are available on this machine only, or with daemon.metrics.token.\n")
        const all = yield* Kept.keptFigures(place.sessions)
        const lines = [
          gauge("daybook_worker_slots", "Runs that this worker may have at the same time", [["", slots]]),
          gauge("daybook_worker_running", "Runs of this worker", [["", worker.running]]),
          gauge("daybook_tenants", "Tenants in the database", [["", all.tenants]]),
          gauge("daybook_tenants_begun", "Those with a job, on whichever worker", [["", all.running]]),
          gauge("daybook_tenants_late_seconds", "How late the tenant is that has waited longest", [
            ["", all.lateMs / 1000]
          ]),
          gauge("daybook_tenants_refused", "Tenants that are held back", [["", all.held.length]]),
          gauge(
            "daybook_tenant_refused",
            `Those that are held back, ${MOST_NAMED} at most`,
            all.held.slice(0, MOST_NAMED).map(([name]) => [`{tenant="${name}"}`, 1])
          )
        ]
        return text(200, `${lines.join("\n")}\n`, { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
      }).pipe(Effect.catch(({ why }) => Effect.succeed(text(503, `${why}\n`))))
  }
]

/** Authenticated by the tenant's configuration, and kept before it is answered: its next run takes it. */
const hook = (place: KeptPlace, request: Request): Effect.Effect<Reply> => {
  const name = request.params["tenant"] ?? ""
  const failed = () => new ConfigError({ file: name, problems: [] })
  return Kept.keptNamed(place.sessions, name).pipe(
    Effect.map((row) =>
      hookElsewhere(
        {
          configuration: () =>
            row === undefined ? undefined : Effect.mapError(configurationOfKept(place, row), failed),
          passOn: (_, notice) =>
            passOn(place.sessions, row?.id ?? "", notice).pipe(
              Effect.map((isKept) => (isKept ? undefined : "too many wait for it")),
              Effect.catch(({ why }) => Effect.succeed(why))
            )
        },
        name,
        request
      )
    ),
    Effect.catch(({ why }) => Effect.succeed(Effect.succeed(text(503, `${why}\n`)))),
    Effect.flatten
  )
}

export const workerRoutes = (worker: JobWorker, options: WorkerMainOptions): ReadonlyArray<Route> => [
  ...monitoring(worker, options),
  {
    method: "POST",
    path: "/t/:tenant/webhooks/*",
    anyName: true,
    handle: (request) => hook(options.place, request)
  }
]
