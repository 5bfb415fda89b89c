/**
 * Serves the routes for monitoring: `/healthz` (the process is alive), `/readyz` (it can do its work) and `/metrics`
 * (Prometheus). Metrics are shown to this machine, and to others only with the configured token.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"
import { PrometheusMetrics } from "effect/observability"
import type { Context } from "effect"
import type { Database } from "../../sync/state/Database.ts"
import * as Metrics from "./Metrics.ts"
import { json, type Request, type Route, text } from "./Server.ts"

export interface Health {
  /** Why it is not ready; undefined if it is. */
  readonly trouble: () => string | undefined
  /** The state file, once it is open. */
  readonly state: () => Context.Context<Database> | undefined
  /** The ids of the currently configured connections. */
  readonly connections: Effect.Effect<ReadonlyArray<string>>
  readonly token: () => string | undefined
}

/** Compares two secrets in constant time. */
export const isSame = (given: string, wanted: string): boolean => {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

/** Whether metrics are shown to the sender of this request. */
export const mayReadFigures = ({ headers, local, named }: Request, token: string | undefined): boolean =>
  (token !== undefined && isSame(headers["authorization"] ?? "", `Bearer ${token}`)) || (local && named)

export const health = ({ connections, state, token, trouble }: Health): ReadonlyArray<Route> => [
  { method: "GET", path: "/healthz", handle: () => Effect.succeed(json(200, { status: "ok" })) },
  {
    method: "GET",
    path: "/readyz",

    handle: () =>
      Effect.sync(() => {
        const why = trouble()
        return why === undefined ? json(200, { status: "ready" }) : json(503, { status: "not ready", why })
      })
  },
  {
    method: "GET",
    path: "/metrics",
    anyName: true,
    handle: (request) =>
      Effect.gen(function* () {
        if (!mayReadFigures(request, token()))
          return text(401, "Metrics are available on this machine only, or with daemon.metrics.token.\n")
        const context = state()
        if (context !== undefined) yield* Effect.provide(Metrics.refresh(yield* connections), context)
        return text(200, yield* PrometheusMetrics.format(), {
          "content-type": "text/plain; version=0.0.4; charset=utf-8"
        })
      })
  }
]
