/**
 * Provides what every command shares: the global options, the output, and access to its configuration, its state file and its
 * service.
 */
import { Context, Effect, identity, type Layer, Option } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"
import * as SourceBindings from "../sync/plan/SourceBindings.ts"
import { Database, type Db, type OpenOptions, type StateError } from "../sync/state/Database.ts"
import { unknownConnection } from "../sync/library/UnknownConnection.ts"
import { type Connection, isCalled, nameOf } from "../sync/model/Connection.ts"
import type { Configuration } from "../sync/library/config/Configuration.ts"
import { UsageError } from "../sync/library/Exit.ts"
import * as Output from "./render/Output.ts"

const yes = <const Name extends string>(name: Name, description: string) =>
  GlobalFlag.Setting(name)({
    flag: Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)
  })

/**
 * The help of a command.
 *
 * @param short its line in the list of commands, if that is another text
 * @param examples each as `COMMAND # WHAT IT DOES`
 */
export const help =
  (long: string, short?: string, ...examples: ReadonlyArray<string>) =>
  <Name extends string, Input, Context, E, R>(
    command: Command.Command<Name, Input, Context, E, R>
  ): Command.Command<Name, Input, Context, E, R> =>
    command.pipe(
      Command.withDescription(long),
      short === undefined ? identity : Command.withShortDescription(short),
      Command.withExamples(
        examples.map((one) => {
          const [command = "", description = ""] = one.split(" # ")
          return { command, description }
        })
      )
    )

export const DEFAULT_STATE = "daybook.db"

const Config = GlobalFlag.Setting("config")({
  flag: Flag.optional(
    Flag.String("config").pipe(
      Flag.withDescription("Configuration file (default: daybook.config.ts or .json in this folder)"),
      Flag.withMetavar("FILE")
    )
  )
})
const State = GlobalFlag.Setting("state")({
  flag: Flag.optional(
    Flag.String("state").pipe(
      Flag.withDescription("State file (default: daybook.db in this folder)"),
      Flag.withMetavar("FILE")
    )
  )
})
const Json = yes("json", "One JSON object per line on standard output, and nothing else there")
const Quiet = yes("quiet", "Print problems only")
const Debug = yes("debug", "Show where an error came from")
const NoColor = yes("no-color", "Plain text (also: NO_COLOR in the environment)")

/** Options that are followed by a value. */
export const withValue = [Config, State] as const

export const globals = [Config, State, Json, Quiet, Debug, NoColor] as const

const set = (name: string): boolean => (process.env[name] ?? "") !== ""

/** The output of this command. */
export const output = Effect.gen(function* () {
  const json = yield* Json
  const quiet = yield* Quiet
  const plain = yield* NoColor
  return Output.make({
    json,
    quiet,
    color: !json && !plain && !set("NO_COLOR") && (process.stdout.isTTY === true || set("FORCE_COLOR")),
    progress: process.stderr.isTTY === true,
    width: process.stdout.isTTY === true ? Math.max(60, process.stdout.columns) : Number(process.env["COLUMNS"] ?? 120)
  })
})

/** Loaded lazily, together with the code that reads it: half of the commands need no configuration. */
export const configurationIn = (file: string | undefined) =>
  Effect.gen(function* () {
    const { load } = yield* Effect.promise(() => import("../sync/library/config/ConfigFile.ts"))
    const { renamed } = yield* Effect.promise(() => import("../sync/library/config/Renames.ts"))
    const read = yield* load(file)
    return yield* renamed(
      read,
      Option.getOrElse(yield* State, () => DEFAULT_STATE)
    )
  })

/** The configuration of the command line. */
export const configuration = Effect.flatMap(Config, (file) => configurationIn(Option.getOrUndefined(file)))

/** The connection with this name; otherwise an error that lists the possible ones. */
export const connectionOf = (
  { connections, file }: Configuration,
  name: string
): Effect.Effect<Connection, UsageError> => {
  const found = connections.find((one) => isCalled(name, one))
  if (found !== undefined) return Effect.succeed(found)
  return Effect.fail(new UsageError({ why: unknownConnection(name, connections.map(nameOf), ` in ${file}`) }))
}

/** The prefix of a connection's keys, by the name that people use. */
export const keyOf = (name: string) =>
  Effect.map(State, (file) => SourceBindings.names(Option.getOrElse(file, () => DEFAULT_STATE)).get(name) ?? name)

/** This program's version, as `--version` prints it. */
export const Version = Context.Reference("daybook/Version", { defaultValue: () => "0" })

/** The state file from the command line, if given. */
export const stateFile = State

/** The configuration file from the command line, if given. */
export const configFile = Config

/** Whether errors are shown with their stacks. */
export const debug = Debug

/** How long a person's decision waits for a daemon's run that has the state file. Milliseconds. */
const PATIENCE_MS = 20_000

/**
 * Opens the state file for as long as the command runs.
 *
 * @param mode `decide` writes only a person's decision, so it waits for a run that will end soon
 */
export const state = (
  mode: OpenOptions["mode"] | "decide",
  command: string
): Effect.Effect<Layer.Layer<Database, StateError>, never, "effect/cli/GlobalFlag/state"> =>
  Effect.map(State, (named) =>
    Database.layer({
      file: Option.getOrElse(named, () => DEFAULT_STATE),
      command: `daybook ${command}`,
      ...(mode === "decide" ? { mode: "write", patience: PATIENCE_MS } : { mode })
    })
  )

/** Works with the state file, which is open for as long. */
export const inState = <Step extends Effect.Effect<unknown, unknown, unknown>, A>(
  mode: OpenOptions["mode"] | "decide",
  command: string,
  work: (db: Db) => Generator<Step, A, never>
) =>
  Effect.flatMap(state(mode, command), (file) =>
    Effect.provide(
      Effect.flatMap(Database, (db) => Effect.gen(() => work(db))),
      file
    )
  )
