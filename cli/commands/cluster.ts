/** `daybook cluster`: shows the nodes that share tenants, from outside. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { grouped, plural } from "../../core/Plural.ts"
import { askRun, clusterError, sessionsOf, type NodeStatus, status as statusOf } from "../../sync/cluster/Operations.ts"
import { Exit, UsageError } from "../../sync/library/Exit.ts"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { init as makeTables } from "../../sync/state/replication/postgres/Schema.ts"
import * as CommandContext from "../CommandContext.ts"
import { instant } from "../render/Instants.ts"
import { headings, table } from "../render/Table.ts"
import { clusterProblem } from "../tenants/ClusterUrl.ts"
import * as Flags from "../Flags.ts"

const urlFlag = Flags.needed("cluster", "URL", "The cluster's PostgreSQL")

const urlOf = (url: string): Effect.Effect<string, UsageError> => {
  const wrong = clusterProblem(url)
  return wrong === undefined ? Effect.succeed(url) : Effect.fail(new UsageError({ why: wrong }))
}

const init = Command.make(
  "init",
  { cluster: urlFlag },
  Effect.fn(function* ({ cluster }) {
    const out = yield* CommandContext.output
    const url = yield* urlOf(cluster)
    const { initEngine } = yield* Effect.promise(() => import("../../sync/engine/PgBoss.ts"))
    const making = Effect.flatMap(connect(url, 1), (sessions) => Effect.tap(makeTables(sessions), initEngine(sessions)))
    const { from, to } = yield* Effect.scoped(making).pipe(Effect.mapError(clusterError))
    yield* out.emit({ type: "tables", from, to })
    yield* out.say(
      from === to
        ? `The tables are of format ${to} already.`
        : from === 0
          ? `The tables are made (format ${to}).`
          : `The tables are of format ${to} now; they were of format ${from}.`
    )
  })
).pipe(
  CommandContext.help(
    "Create the tables of a cluster in the schema daybook, or upgrade them to this version. Needs a role that may create a schema; nodes need less.",
    "Create or upgrade the tables of a cluster",
    "daybook cluster init --cluster postgres://admin@db/daybook # Once, and after an upgrade"
  )
)

const READY = "ready"
const ONE_RUN = "one run"

const condition = ({ draining, left, said }: NodeStatus): string =>
  left < 0 ? "silent" : said?.isOneRun === true ? ONE_RUN : draining ? "draining" : (said?.trouble ?? READY)

const status = Command.make(
  "status",
  { cluster: urlFlag },
  Effect.fn(function* ({ cluster }) {
    const out = yield* CommandContext.output
    const url = yield* urlOf(cluster)
    const { nobodys, nodes, tenants } = yield* Effect.scoped(Effect.flatMap(sessionsOf(url), statusOf)).pipe(
      Effect.mapError(clusterError)
    )
    for (const node of nodes) yield* out.emit({ type: "node", ...node, began: node.began.toISOString() })
    yield* out.emit({ type: "cluster", nodes: nodes.length, tenants, nobodys })
    const columns = headings(
      "Node, Since, >Tenants, >Open, >Running, >Waiting, >Oldest due, >Canary, >Loop blocked, >Lease left, State"
    )
    const cells = nodes.map((node) => [
      node.name,
      instant(node.began.getTime()),
      grouped(node.tenants),
      grouped(node.said?.open ?? 0),
      grouped(node.said?.running ?? 0),
      grouped(node.said?.waiting ?? 0),
      `${grouped(Math.round((node.said?.lateMs ?? 0) / 1000))} s`,
      `${grouped(Math.round((node.said?.canaryMs ?? 0) / 1000))} s`,
      `${grouped(node.said?.delayMs ?? 0)} ms`,
      `${grouped(Math.round(node.left / 1000))} s`,
      condition(node)
    ])
    if (nodes.length > 0) yield* out.say(table(columns, cells, out))
    yield* out.say(
      `${plural(nodes.length, "node")}, ${plural(tenants, "tenant")}${nobodys > 0 ? `, ${grouped(nobodys)} without a living node` : ""}`
    )
    const refused = Object.entries(
      Object.assign({}, ...nodes.map(({ said }) => said?.refused)) as Record<string, string>
    )
    for (const [tenant, why] of refused) {
      yield* out.emit({ type: "refused", tenant, why })
      yield* out.say(`${tenant} does not run: ${why}`)
    }
    if (nobodys > 0 || refused.length > 0 || nodes.some((node) => ![READY, ONE_RUN].includes(condition(node))))
      return yield* new Exit({ status: 1 })
  })
).pipe(
  CommandContext.help(
    "Show the nodes of a cluster: how long each lease is valid, how many tenants each has and runs, how long its oldest due tenant has waited, the age of its canary's last answer, whether a tenant has no node, and which do not run. Exit status 1: a node is not ready, or a tenant has no node or does not run.",
    "Show the nodes, and tenants without a node",
    "daybook cluster status --cluster postgres://daybook@db/daybook # For people and monitoring"
  )
)

const namesArgument = Argument.String("name").pipe(
  Argument.withDescription("The tenants"),
  Argument.withMetavar("NAME"),
  Argument.variadic({ min: 1 })
)

/** Leaves a request for the nodes that have these tenants. */
const requesting = (what: "asked" | "reconcile", sentence: string) =>
  Effect.fn(function* ({ cluster, names }: { readonly cluster: string; readonly names: ReadonlyArray<string> }) {
    const out = yield* CommandContext.output
    const url = yield* urlOf(cluster)
    const asking = (sessions: Effect.Success<ReturnType<typeof sessionsOf>>) =>
      Effect.filter(names, (name) => Effect.map(askRun(sessions, name, what), (isKnown) => !isKnown))
    const unknown = yield* Effect.scoped(Effect.flatMap(sessionsOf(url), asking)).pipe(Effect.mapError(clusterError))
    for (const name of names.filter((one) => !unknown.includes(one))) {
      yield* out.emit({ type: "asked", tenant: name })
      yield* out.say(`${name}: ${sentence}`)
    }
    if (unknown.length > 0)
      return yield* new UsageError({
        why: `the cluster has no tenant ${unknown.map((name) => JSON.stringify(name)).join(", ")}`
      })
  })

const sync = Command.make(
  "sync",
  { cluster: urlFlag, names: namesArgument },
  requesting("asked", "its node runs it as soon as it has its turn")
).pipe(
  CommandContext.help(
    "Sync these tenants now, on their nodes.",
    "Sync tenants of a cluster now",
    "daybook cluster sync acme --cluster postgres://daybook@db/daybook # On whichever node it is"
  )
)

const reconcile = Command.make(
  "reconcile",
  { cluster: urlFlag, names: namesArgument },
  requesting("reconcile", "its node reads the service, puts the ledger right, and then runs it")
).pipe(
  CommandContext.help(
    "Run `daybook reconcile --fix` for these tenants on their nodes. Needed after PostgreSQL was restored from a backup, when a tenant is behind the service.",
    "Correct ledgers by reading the service",
    "daybook cluster reconcile acme --cluster postgres://daybook@db/daybook # After PostgreSQL was restored from a backup"
  )
)

export const cluster = Command.make("cluster").pipe(
  CommandContext.help("Nodes that share tenants through PostgreSQL", "Nodes that share tenants"),
  Command.withSubcommands([init, status, sync, reconcile])
)
