/**
 * The `daybook` command: its options and subcommands, and how errors end it.
 */
import { Cause, Effect } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { messageOf, statusOf } from "../sync/library/Exit.ts"
import { harmless } from "./render/Output.ts"
import { hide } from "../sync/library/Hidden.ts"
import * as CommandContext from "./CommandContext.ts"
import { commandsFor } from "./Commands.ts"
import * as Log from "./daemon/Log.ts"
import { environment } from "./Environment.ts"
import { HandOver } from "../sync/library/ConnectorRegistry.ts"
import { mistakes } from "./render/UsageErrors.ts"
import { given } from "../core/Entry.ts"

const daybook = Command.make("daybook").pipe(
  CommandContext.help(
    "Keeps a deferred-payment and invoice-insurance service in step with a seller's books",
    undefined,
    "daybook demo # Try everything with example data; needs no setup",
    "daybook init invoices.csv payments.csv # A configuration from your exports",
    "daybook sync # Read the sources, send what changed, prove that both agree"
  )
)

/** Runs one command line and returns its exit status; fails with `HandOver` if another module must run it. */
export const run = (args: ReadonlyArray<string>, version: string): Effect.Effect<number, HandOver> =>
  Effect.promise(() => commandsFor(args)).pipe(
    Effect.flatMap((groups) => {
      const command = daybook.pipe(Command.withSubcommands(groups), Command.withGlobalFlags(CommandContext.globals))
      return Command.runWith(command, { version })(args)
    }),
    Effect.as(0),
    Effect.provideService(CommandContext.Version, version),
    Effect.provide([
      environment,
      Log.layer("text", args.includes("--debug"), "stderr"),
      CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
      CliOutput.layerPresenter({
        present: (event) =>
          event._tag === "InvalidInvocation"
            ? Effect.sync(() => complain(args, "UsageError", mistakes(event)))
            : CliOutput.defaultPresenter.present(event)
      })
    ]),
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      return error instanceof HandOver ? Effect.fail(error) : Effect.sync(() => fail(cause, args))
    })
  )

/** Prints an error to standard error, and with `--json` also to standard output. */
const complain = (args: ReadonlyArray<string>, error: string, message: string): void => {
  if (args.includes("--json")) process.stdout.write(`${hide(JSON.stringify({ type: "error", error, message }))}\n`)
  process.stderr.write(harmless(hide(`daybook: ${message}\n`)))
}

const fail = (cause: Cause.Cause<unknown>, args: ReadonlyArray<string>): number => {
  if (Cause.hasInterruptsOnly(cause)) return 1
  const error = Cause.squash(cause)
  const { _tag, errors, status } = (error ?? {}) as {
    readonly _tag?: string
    readonly status?: number
    readonly errors?: ReadonlyArray<unknown>
  }
  if (_tag === "Exit") return given(status, "the exit status")
  // The help that was requested, or the usage error, has already been printed.
  if (_tag === "ShowHelp") return (errors?.length ?? 0) === 0 ? 0 : 2
  complain(args, _tag ?? "Defect", messageOf(error))
  if (args.includes("--debug")) process.stderr.write(hide(`${Cause.pretty(cause)}\n`))
  else if (_tag === undefined)
    process.stderr.write("This is a bug in Daybook. Run again with --debug to see where it happened.\n")
  return statusOf(error)
}
