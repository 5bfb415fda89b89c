/** `daybook connections`: a person's decision on a connection with a new name, source or owner. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import * as Bookmarks from "../../sync/books/Bookmarks.ts"
import * as SourceBindings from "../../sync/plan/SourceBindings.ts"
import { isId } from "../../sync/library/config/Configuration.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import * as CommandContext from "../CommandContext.ts"

const named = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description), Argument.withMetavar(name.toUpperCase()))

const usable = (name: string) =>
  isId(name)
    ? Effect.void
    : Effect.fail(
        new UsageError({ why: `${JSON.stringify(name)} is not a connection's name; use letters, digits, "-" and "_"` })
      )

const rename = Command.make(
  "rename",
  { from: named("from", "The old name"), to: named("to", "The new name, as in the configuration") },
  Effect.fn(function* ({ from, to }) {
    const out = yield* CommandContext.output
    yield* usable(to)
    yield* CommandContext.inState("decide", "connections rename", function* (db) {
      const done = yield* db.transaction(() => SourceBindings.rename(db, from, to))
      if ("why" in done) return yield* new UsageError(done)
      yield* out.emit({ type: "renamed", from, to, key: done.key })
      yield* out.say(
        done.key === to
          ? `${to} has its original name again.`
          : `${to} keeps what was read and sent as ${from}. Its documents are still called ${done.key}/…, here and on the service.`
      )
    })
  })
).pipe(
  CommandContext.help(
    "Rename a connection and keep its ledger. Rename it here and in the configuration, in either order.",
    "Rename a connection and keep its ledger",
    "daybook connections rename books ledger # Rename books to ledger"
  )
)

const accept = Command.make(
  "accept",
  { name: named("name", "The connection's id in the configuration") },
  Effect.fn(function* ({ name }) {
    const out = yield* CommandContext.output
    yield* usable(name)
    const configuration = yield* CommandContext.configuration
    const connection = yield* CommandContext.connectionOf(configuration, name)
    yield* CommandContext.inState("decide", "connections accept", function* (db) {
      yield* db.transaction(() => SourceBindings.accept(db, connection))
      yield* out.emit({ type: "accepted", connection: name })
      yield* out.say(`${name} will be bound to its configured source and owner when it is next read or sent.`)
    })
  })
).pipe(
  CommandContext.help(
    "Confirm that a connection's new source or owner is intended, or that a connection that looks renamed is a new one. Documents that the new source does not have are then deleted on the service, within the guards.",
    "Confirm a connection's new source or owner",
    "daybook connections accept books # The connection now reads another organisation's books"
  )
)

const without = Command.make(
  "without",
  { name: named("name", "A connection that is no longer in the configuration") },
  Effect.fn(function* ({ name }) {
    const out = yield* CommandContext.output
    yield* usable(name)
    yield* CommandContext.inState("decide", "connections without", function* (db) {
      const done = yield* db.transaction(() => Bookmarks.giveUp(db, name))
      if (!done)
        return yield* new UsageError({
          why: `nothing waits for ${name}: it is configured, it pays for no other connection, or it was read to its end`
        })
      yield* out.emit({ type: "without", connection: name })
      yield* out.say(`Nothing waits for ${name} any more. What it paid stays as it was read.`)
    })
  })
).pipe(
  CommandContext.help(
    "Go on without a connection that is not configured any more and was not read to its end",
    undefined,
    "daybook connections without bank # Invoices no longer wait for bank to be marked as paid"
  )
)

export const connections = Command.make("connections").pipe(
  CommandContext.help("Rename connections, and accept a new source or owner"),
  Command.withSubcommands([rename, accept, without])
)
