/** `daybook verify`: walks the chain of what was written, and names what was changed behind Daybook's back. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { grouped, plural } from "../../core/Plural.ts"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import type { Head } from "../../sync/state/chain/Entry.ts"
import { verify as walk } from "../../sync/state/chain/Verify.ts"
import { Database } from "../../sync/state/Database.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"
import { instant } from "../render/Instants.ts"

const known = (text: string): Effect.Effect<Head, UsageError> => {
  const [, entry, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return entry === undefined || hash === undefined
    ? Effect.fail(new UsageError({ why: `--head: "${text}" is not an entry's number, a colon and its hash` }))
    : Effect.succeed({ entry: Number(entry), hash })
}

export const verify = Command.make(
  "verify",
  {
    head: Flags.text(
      "head",
      "NUMBER:HASH",
      "An entry that was written down elsewhere, as NUMBER:HASH; it must be in the chain"
    )
  },
  Effect.fn(function* ({ head }) {
    const out = yield* CommandContext.output
    const state = yield* CommandContext.state("read", "verify")
    const before = Option.isNone(head) ? undefined : yield* known(head.value)
    yield* Effect.gen(function* () {
      const db = yield* Database
      const { at, problems, ...found } = yield* db.snapshot(() => walk(db, before))
      for (const why of problems) yield* out.emit({ type: "problem", why })
      yield* out.emit({
        type: "summary",
        ...found,
        ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
        problems: problems.length + found.more
      })
      const last = found.head === undefined ? "" : `, the last of ${instant(at ?? 0)} UTC`
      yield* out.say(`${plural(found.entries, "entry", "entries")}${last}; ${plural(found.facts, "fact")} compared`)
      if (found.head !== undefined) yield* out.say(`${found.head.entry}:${found.head.hash}`)
      for (const why of problems) yield* out.say(out.style.red(`  ${why}`))
      if (found.more > 0) yield* out.say(`  and ${grouped(found.more)} more`)
      if (problems.length > 0) return yield* new Exit({ status: ATTENTION })
      yield* out.say(out.style.green("Every entry follows the one before, and every fact is what its entry says."))
    }).pipe(Effect.provide(state))
  })
).pipe(
  CommandContext.help(
    "Walk the chain of what was written: each entry's hash contains the one before. Every claim, receipt, decision, document and reading of the service is compared with its entry. Names each entry that was changed, removed or reordered, and each fact that was changed, removed or added with another program. Reads the state file only. Exit status 3: something is not as it was written.",
    "Check that nothing in the state file was changed afterwards",
    "daybook verify # Walk the whole chain",
    "daybook verify --head 1234:3f2a… # Also check an entry that a statement, a backup or an alert of earlier states"
  )
)
