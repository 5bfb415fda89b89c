/**
 * Collects the daemon's metrics over many tenants: totals, and for each metric only the tenants with the highest values, so
 * that the number of series does not grow with the number of tenants.
 */
import { Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import type { ManyTenants, TenantEvent, TenantStatus } from "../../sync/library/many/ManyTenants.ts"

/** How many tenants each metric names. */
export const MOST_NAMED = 20

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

const turns = counter("daybook_tenant_turns_total", "Runs of all tenants, by how they ended")
const seconds = Metric.histogram("daybook_tenant_turn_seconds", {
  description: "Duration of runs of all tenants",
  boundaries: [0.1, 0.5, 1, 5, 15, 60, 300, 1800]
})

export const countTurn = ({ event }: TenantEvent): Effect.Effect<void> => {
  if (event.type !== "turn") return Effect.void
  const { event: turn } = event
  if (turn.type !== "ended" && turn.type !== "failed") return Effect.void
  const outcome = turn.type === "failed" ? "failed" : turn.outcome
  return Effect.andThen(
    Metric.update(Metric.withAttributes(turns, { outcome }), 1),
    Metric.update(seconds, turn.millis / 1000)
  )
}

type Line = readonly [labels: string, value: number]

export const gauge = (name: string, help: string, lines: ReadonlyArray<Line>): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...lines.map(([labels, value]) => `${name}${labels} ${value}`)
  ].join("\n")

const sum = (all: ReadonlyArray<TenantStatus>, of: (one: TenantStatus) => number): number =>
  all.reduce((total, one) => total + of(one), 0)

/** The tenants with the highest values. Names are letters, digits, hyphens and underscores, and need no escaping. */
export const top = (all: ReadonlyArray<TenantStatus>, of: (one: TenantStatus) => number): ReadonlyArray<Line> =>
  all
    .filter((one) => of(one) > 0)
    .toSorted((a, b) => of(b) - of(a) || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_NAMED)
    .map((one) => [`{tenant="${one.name}"}`, of(one)])

const figures = [
  ["attention", "Open attention items", (one: TenantStatus) => one.attention],
  ["approvals", "Plans that wait for approval", (one: TenantStatus) => one.approvals],
  ["quarantined", "Records that could not be read", (one: TenantStatus) => one.quarantined],
  ["pending_calls", "Calls without a known result", (one: TenantStatus) => one.pendingCalls],
  ["failures", "Consecutive failures", (one: TenantStatus) => one.failures]
] as const

/** What people should see of all tenants, and of those with the most. Others than these count nothing. */
export const figureLines = (all: ReadonlyArray<TenantStatus>): ReadonlyArray<string> =>
  figures.flatMap(([name, help, of]) => [
    gauge(`daybook_tenants_${name}`, `${help}, of all tenants`, [["", sum(all, of)]]),
    gauge(`daybook_tenant_${name}`, `${help}, of the ${MOST_NAMED} tenants with the most`, top(all, of))
  ])

/** @param now milliseconds since the epoch */
export const gauges = (
  all: ReadonlyArray<TenantStatus>,
  counts: ManyTenants["counts"],
  { elsewhere, now }: { readonly elsewhere: number; readonly now: number }
): string => {
  const states = Map.groupBy(all, ({ state }) => state)
  const late = all.reduce(
    (most, { next, state }) => (next === null || state !== "waiting" ? most : Math.max(most, now - next)),
    0
  )
  return [
    gauge(
      "daybook_tenants",
      "Tenants, by what they do",
      (["waiting", "queued", "running", "paused", "in trouble"] as const).map((state) => [
        `{state="${state}"}`,
        states.get(state)?.length ?? 0
      ])
    ),
    gauge("daybook_tenants_open", "State files that are open", [["", counts.open]]),
    gauge("daybook_tenants_open_most", "State files that may be open", [["", counts.mostOpen]]),
    gauge("daybook_tenants_slow", "Runs that wait for slow sources", [["", counts.slow]]),
    gauge("daybook_tenants_elsewhere", "Tenants in the folder that are of other shards", [["", elsewhere]]),
    gauge("daybook_tenants_late_seconds", "How late the tenant is that has waited longest", [["", late / 1000]]),
    ...figureLines(all)
  ].join("\n")
}

/** All metrics in Prometheus format. */
export const text = (status: string): Effect.Effect<string> =>
  Effect.map(PrometheusMetrics.format(), (counted) => `${counted.trimEnd()}\n${status}\n`)
