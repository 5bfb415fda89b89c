/** What a worker answers: monitoring of all tenants of the database, their webhooks, and their pages, whoever runs them. */
import { Clock, Effect } from "effect"
import { passOn } from "../../sync/cluster/ClusterTables.ts"
import type { JobWorker } from "../../sync/engine/Worker.ts"
import { askRun, reports, tryAgain } from "../../sync/cluster/Operations.ts"
import type { KeptPlace } from "../../sync/library/many/KeptTenants.ts"
import { keptStatus } from "../../sync/library/many/KeptStatus.ts"
import type { ReadTenants } from "../../sync/library/many/ReadTenants.ts"
import type { TenantsConfiguration } from "../../sync/library/many/TenantsFile.ts"
import * as Kept from "../../sync/state/replication/postgres/KeptSettings.ts"
import type { StoreAway } from "../../sync/state/replication/Store.ts"
import { mayReadFigures } from "../daemon/Health.ts"
import { json, type Reply, type Request, type Route, text } from "../daemon/Server.ts"
import { tokensOf } from "../daemon/Tokens.ts"
import { allRoutes } from "./AllRoutes.ts"
import type { KeptSignIns } from "./KeptSignIns.ts"
import { passed } from "./PassedRequests.ts"
import type { KeptDeeds } from "./TenantDeeds.ts"
import { figureLines, gauge, MOST_NAMED } from "./TenantMetrics.ts"
import { hookElsewhere, tenantRoutes } from "./TenantRoutes.ts"

export interface WorkerMainOptions {
  readonly place: KeptPlace
  readonly configuration: TenantsConfiguration
  readonly slots: number
  /** Whether it runs those tenants alone that are the next version's. */
  readonly isNext: boolean
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
        const troubled = yield* reports(place.sessions, true)
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
          ),
          ...figureLines(troubled.map(keptStatus))
        ]
        return text(200, `${lines.join("\n")}\n`, { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
      }).pipe(Effect.catch(({ why }) => Effect.succeed(text(503, `${why}\n`))))
  }
]

/** Authenticated by the tenant's configuration, and kept before it is answered: its next run takes it. */
const hook = ({ place, reads }: Shown, request: Request): Effect.Effect<Reply> =>
  Effect.gen(function* () {
    const name = request.params["tenant"] ?? ""
    const row = yield* reads.find(name)
    const keeping = (notice: unknown) =>
      passOn(place.sessions, row?.id ?? "", notice).pipe(
        Effect.map((isKept) => (isKept ? undefined : "too many wait for it")),
        Effect.catch(({ why }) => Effect.succeed(why))
      )
    return yield* hookElsewhere({ configuration: reads.all.configuration(name), passOn: keeping }, request)
  }).pipe(Effect.catch(away))

const away = ({ why }: StoreAway): Effect.Effect<Reply> => Effect.succeed(text(503, `${why}\n`))

/** What the pages of tenants need. */
interface Shown {
  readonly place: KeptPlace
  readonly reads: ReadTenants
}

/** With what the database says now: of who is signed in, and of the tenant. */
const upToDate =
  ({ reads }: Shown, { around }: KeptSignIns) =>
  ({ handle, knows, ...route }: Route): Route => {
    const before = <A>(request: Request, work: (request: Request) => Effect.Effect<A>): Effect.Effect<A, StoreAway> => {
      const { headers, params, path } = request
      // Strangers make no work.
      const isKnown = (headers["cookie"] ?? headers["authorization"]) !== undefined || path.startsWith("/login")
      if (!isKnown) return work(request)
      const { tenant } = params
      return around(tenant === undefined ? work(request) : Effect.flatMap(reads.find(tenant), () => work(request)))
    }
    return {
      ...route,
      ...(knows === undefined
        ? {}
        : { knows: (request: Request) => Effect.catch(before(request, knows), () => Effect.succeed(false)) }),
      handle: (request: Request) => Effect.catch(before(request, handle), away)
    }
  }

/** The list of all tenants of the database. */
const listed = ({ sessions }: KeptPlace): KeptDeeds => ({
  list: Effect.map(reports(sessions), (all) => all.flatMap((one) => (one.kept === null ? [] : [keptStatus(one)]))),
  done: (tenant, deed, by) => {
    if (deed === "sync") return askRun(sessions, tenant)
    if (deed === "resume") return tryAgain(sessions, tenant)
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Kept.pauseKept(sessions, tenant, { since: new Date(now).toISOString(), by })
    )
  }
})

/** @param url its own address */
export const pagesOf = (shown: Shown, signIns: KeptSignIns, configuration: TenantsConfiguration, url: string) => {
  const { place, reads } = shown
  const { sessions } = signIns
  const folder = place.files ?? "."
  const tokens = tokensOf({ ...configuration, folder })
  const files = { folder, scan: Effect.void, elsewhere: () => [], follow: Effect.never }
  const pass = (request: Request) =>
    Effect.flatMap(reads.find(request.params["tenant"] ?? ""), (row) =>
      row === undefined ? Effect.succeed(text(404, "No tenant has this name.\n")) : passed(place, row, request)
    ).pipe(Effect.catch(away))
  // Its runs are elsewhere.
  const quiet: Route = { method: "GET", path: "/t/:tenant/live", handle: () => Effect.succeed({ status: 204 }) }
  const isTheirs = ({ path }: Route) => !path.includes("/webhooks/")
  return [
    ...allRoutes({ all: reads.all, files, sessions, tokens, kept: listed(place) }),
    ...tenantRoutes({ all: reads.all, url, sessions, tokens, pass }).filter(isTheirs),
    quiet
  ].map(upToDate(shown, signIns))
}

/** What needs nobody to sign in. */
export const workerRoutes = (worker: JobWorker, shown: Shown, options: WorkerMainOptions): ReadonlyArray<Route> => [
  ...monitoring(worker, options),
  {
    method: "POST",
    path: "/t/:tenant/webhooks/*",
    anyName: true,
    handle: (request) => hook(shown, request)
  }
]
