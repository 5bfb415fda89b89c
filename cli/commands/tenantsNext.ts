/** `daybook tenants next`: which tenants of a database only workers of the next version run, for an upgrade in groups. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { plural } from "../../core/Plural.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { databaseFlag, namesArgument } from "./tenantsFlags.ts"
import { nextIn } from "./tenantsOfCluster.ts"

export const nextTenants = Command.make(
  "next",
  {
    database: databaseFlag,
    back: Flags.yes("back", "All other workers run them again"),
    names: namesArgument
  },
  Effect.fn(function* ({ back, database, names }) {
    const out = yield* CommandContext.output
    if (names.length === 0) return yield* new UsageError({ why: "name the tenants" })
    yield* nextIn(database, names, !back)
    yield* out.emit({ type: "next", tenants: names, next: !back })
    yield* out.say(
      back
        ? `${plural(names.length, "tenant")}: every worker but those with --next runs them.`
        : `${plural(names.length, "tenant")}: only workers with --next run them, so start one.`
    )
  })
).pipe(
  CommandContext.help(
    "Have tenants of a database run by workers that were started with --next, and by no others: for an upgrade in groups. Give those workers the next version, look at these tenants, name more of them, and end with all workers replaced and --back.",
    "Try the next version with some tenants",
    "daybook tenants next acme globex --database postgres://daybook@db/daybook # And daybook tenants work --next"
  )
)
