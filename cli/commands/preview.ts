/**
 * `daybook preview`: shows the first records of each source beside the documents that they become. Stores and sends nothing.
 */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ATTENTION, Exit, messageOf, statusOf, UsageError } from "../../sync/library/Exit.ts"
import { plain } from "../../sync/library/Plain.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { nameOf } from "../../sync/model/Connection.ts"
import * as Preview from "../../sync/pull/Preview.ts"
import * as CommandContext from "../CommandContext.ts"
import type { Output } from "../render/Output.ts"
import * as View from "../render/PreviewView.ts"

export const preview = Command.make(
  "preview",
  {
    connection: Argument.String("connection").pipe(
      Argument.withDescription("The connection to read; default: all"),
      Argument.optional
    ),
    show: Flag.Int("show").pipe(
      Flag.withDescription(`How many documents to show (${Preview.SHOWN})`),
      Flag.withMetavar("NUMBER"),
      Flag.withDefault(Preview.SHOWN)
    ),
    first: Flag.Int("first").pipe(
      Flag.withDescription(`How many records to read of each file or list (${Preview.FIRST}, the most)`),
      Flag.withMetavar("NUMBER"),
      Flag.withDefault(Preview.FIRST)
    )
  },
  Effect.fn(function* ({ connection: named, first, show }) {
    const out = yield* CommandContext.output
    if (first < 1 || first > Preview.FIRST)
      return yield* new UsageError({ why: `--first: ${first} is not a number from 1 to ${Preview.FIRST}` })
    if (show < 0) return yield* new UsageError({ why: `--show: ${show} is less than nothing` })
    const configuration = yield* CommandContext.configuration
    const state = Option.getOrElse(yield* CommandContext.stateFile, () => CommandContext.DEFAULT_STATE)
    const connections = Option.isNone(named)
      ? configuration.connections
      : [yield* CommandContext.connectionOf(configuration, named.value)]
    let status = 0
    for (const [at, connection] of connections.entries()) {
      const name = nameOf(connection)
      yield* out.tick(`${name}: reading its first records`)
      const found = yield* Effect.result(
        Preview.preview(configuration, connection, state, { first, show }).pipe(Effect.provide(ServiceClient.outside))
      )
      yield* out.clear
      if (found._tag === "Failure") {
        const message = `${name}: ${messageOf(found.failure)}`
        yield* out.emit({ type: "error", connection: connection.id, error: found.failure._tag, message })
        yield* out.complain(`daybook: ${message}`)
        status = Math.max(status === ATTENTION ? 0 : status, statusOf(found.failure))
      } else {
        yield* emit(out, connection.id, found.success)
        yield* out.say(`${at === 0 ? "" : "\n"}${View.previewText(name, found.success, out)}`)
        if (found.success.quarantined.length > 0 && status === 0) status = ATTENTION
      }
    }
    if (status > 0) yield* new Exit({ status })
  })
).pipe(
  CommandContext.help(
    "Read the first records of each source, with its key, and show them beside the documents that they become, what would be quarantined, and their totals by kind and currency. Nothing is stored and nothing is sent.",
    "Show the first records of a source and their documents",
    "daybook preview # Before the first pull, to check that columns are read correctly",
    "daybook preview books --show 5 # Five documents of one connection",
    "daybook preview --json # Every record that would be quarantined, and the totals"
  )
)

const emit = (
  out: Output,
  connection: string,
  { documents, notices, quarantined, rows, sums, whole }: Preview.Preview
) =>
  Effect.gen(function* () {
    for (const row of rows) yield* out.emit({ type: "row", connection, ...plain(row) })
    for (const one of quarantined) yield* out.emit({ type: "quarantined", connection, ...one })
    for (const one of notices) yield* out.emit({ type: "notice", connection, ...one })
    const count = quarantined.length
    yield* out.emit({ type: "preview", connection, whole, documents, quarantined: count, sums: sums.map(plain) })
  })
