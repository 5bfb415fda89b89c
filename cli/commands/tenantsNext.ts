/** `daybook tenants next`: which tenants of a database only workers of the next version run, for an upgrade in groups. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { plural } from "../../core/Plural.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { setNext } from "../../sync/state/replication/postgres/KeptSettings.ts"
import * as CommandContext from "../CommandContext.ts"
import { readable, withKept } from "./tenantsInDatabase.ts"
import { databaseFlag, namesArgument } from "./tenantsFlags.ts"

export const next = Command.make(
  "next",
  {
    database: databaseFlag,
    back: Flag.Boolean("back").pipe(Flag.withDescription("All other workers run them again")),
    names: namesArgument
  },
  Effect.fn(function* ({ back, database, names }) {
    const out = yield* CommandContext.output
    if (names.length === 0) return yield* new UsageError({ why: "name the tenants" })
    const count = yield* withKept(database, names, ({ sessions }) => readable(setNext(sessions, names, !back)))
    yield* out.emit({ type: "next", tenants: count, next: !back })
    yield* out.say(
      back
        ? `${plural(count, "tenant")}: every worker but those with --next runs them.`
        : `${plural(count, "tenant")}: only workers with --next run them, so start one.`
    )
  })
).pipe(
  CommandContext.help(
    "Have tenants of a database run by workers that were started with --next, and by no others: for an upgrade in groups. Give those workers the next version, look at these tenants, name more of them, and end with all workers replaced and --back.",
    "Try the next version with some tenants",
    "daybook tenants next acme globex --database postgres://daybook@db/daybook # And daybook tenants work --next"
  )
)
