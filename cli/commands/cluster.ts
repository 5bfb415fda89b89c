/** `daybook cluster`: the tables of tenants in PostgreSQL, and how they do, from outside. */
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { grouped, plural } from "../../core/Plural.ts"
import { askRun, clusterError, sessionsOf } from "../../sync/cluster/Operations.ts"
import { Exit, UsageError } from "../../sync/library/Exit.ts"
import { keptFigures } from "../../sync/state/replication/postgres/KeptSettings.ts"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { init as makeTables } from "../../sync/state/replication/postgres/Schema.ts"
import * as CommandContext from "../CommandContext.ts"
import { clusterProblem } from "../tenants/ClusterUrl.ts"
import * as Flags from "../Flags.ts"

const urlFlag = Flags.needed("cluster", "URL", "The PostgreSQL of the tenants").pipe(Flag.withAlias("database"))

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
    "Create the tables of tenants in the schema daybook, and those of the queue of their runs, or upgrade them to this version. Needs a role that may create a schema; workers need less.",
    "Create or upgrade the tables of tenants in PostgreSQL",
    "daybook cluster init --cluster postgres://admin@db/daybook # Once, and after an upgrade"
  )
)

/** Workers take what is due within seconds. Milliseconds. */
export const LATE_MS = 600_000

const status = Command.make(
  "status",
  { cluster: urlFlag },
  Effect.fn(function* ({ cluster }) {
    const out = yield* CommandContext.output
    const url = yield* urlOf(cluster)
    const { held, lateMs, running, tenants } = yield* Effect.scoped(Effect.flatMap(sessionsOf(url), keptFigures)).pipe(
      Effect.mapError(clusterError)
    )
    yield* out.emit({ type: "cluster", tenants, running, lateMs: Math.round(lateMs), held: held.length })
    yield* out.say(
      `${plural(tenants, "tenant")}, ${grouped(running)} with a job; the one that is due for longest has waited ${grouped(Math.round(lateMs / 1000))} s`
    )
    for (const [tenant, why] of held) {
      yield* out.emit({ type: "refused", tenant, why })
      yield* out.say(`${tenant} is held back: ${why}`)
    }
    if (lateMs > LATE_MS) yield* out.say("No worker takes it: start one (daybook tenants work)")
    if (held.length > 0 || lateMs > LATE_MS) return yield* new Exit({ status: 1 })
  })
).pipe(
  CommandContext.help(
    "Show how many tenants PostgreSQL has, how many of them have a job, how long the one that is due for longest has waited, and which are held back. Exit status 1: one is held back, or was due for ten minutes.",
    "Show whether tenants run when they are due",
    "daybook cluster status --cluster postgres://daybook@db/daybook # For people and monitoring"
  )
)

const namesArgument = Argument.String("name").pipe(
  Argument.withDescription("The tenants"),
  Argument.withMetavar("NAME"),
  Argument.variadic({ min: 1 })
)

/** Leaves a request for the workers. */
const requesting = (what: "run" | "reconcile", sentence: string) =>
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
        why: `the database has no tenant ${unknown.map((name) => JSON.stringify(name)).join(", ")}`
      })
  })

const sync = Command.make(
  "sync",
  { cluster: urlFlag, names: namesArgument },
  requesting("run", "a worker runs it as soon as it has a slot")
).pipe(
  CommandContext.help(
    "Have workers sync these tenants now.",
    "Have tenants synced now",
    "daybook cluster sync acme --cluster postgres://daybook@db/daybook # On whichever worker has a slot"
  )
)

const reconcile = Command.make(
  "reconcile",
  { cluster: urlFlag, names: namesArgument },
  requesting("reconcile", "its next run reads the service and puts the ledger right first")
).pipe(
  CommandContext.help(
    "Have workers run these tenants now, and `daybook reconcile --fix` before anything is sent for them. Needed after PostgreSQL was restored from a backup, when a tenant is behind the service.",
    "Correct ledgers by reading the service",
    "daybook cluster reconcile acme --cluster postgres://daybook@db/daybook # After PostgreSQL was restored from a backup"
  )
)

export const cluster = Command.make("cluster").pipe(
  CommandContext.help("The tenants that workers run from PostgreSQL", "Tenants that workers run from PostgreSQL"),
  Command.withSubcommands([init, status, sync, reconcile])
)
