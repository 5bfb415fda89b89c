/** Serves the tools from a state file, on standard input and output. */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import { Cause, Effect, Exit, Fiber, Layer, PlatformError, Queue, Stdio, Stream } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import { hide } from "../../sync/library/Hidden.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Answers from "./Answers.ts"
import { INSTRUCTIONS, tools } from "./Tools.ts"

export interface AssistantOptions {
  readonly version: string
  /** The state file. */
  readonly state: string
  readonly configuration: Configuration
}

/** Lines that may wait. */
const ROOM = 64

const { stdout } = process

/**
 * Keeps standard output for the protocol: whatever a configuration in TypeScript or a connector writes to `process.stdout` from now
 * on goes to standard error.
 */
export const keepForProtocol = Effect.sync(() => {
  Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr })
})

const protocol: Stdio.Stdio["stdout"] = ({ endOnDone = false } = {}) =>
  NodeSink.fromWritable({
    evaluate: () => stdout,
    endOnDone,
    onError: (cause) => PlatformError.systemError({ module: "Stdio", method: "stdout", _tag: "Unknown", cause })
  })

/**
 * Standard input, one line after the other: whoever reads it begins again after a line that is not a message, and must find the
 * next one, whatever came together.
 */
const linesApart = Layer.effect(
  Stdio.Stdio,
  Effect.gen(function* () {
    const stdio = yield* Stdio.Stdio
    const lines = yield* Queue.bounded<string, PlatformError.PlatformError | Cause.Done>(ROOM)
    yield* stdio.stdin.pipe(Stream.decodeText(), Stream.splitLines, Stream.runIntoQueue(lines), Effect.forkScoped)
    const encoder = new TextEncoder()
    const next = Effect.map(Queue.take(lines), (line) => encoder.encode(`${line}\n`))
    return { ...stdio, stdout: protocol, stdin: Stream.fromEffectRepeat(next) }
  })
)

/** Serves until standard input ends. */
export const serve = ({ configuration, state, version }: AssistantOptions) => {
  /** Opens the state file for each question, in case it was moved or restored meanwhile. */
  const answered = (work: Effect.Effect<object, unknown, Database>) =>
    work.pipe(
      Effect.provide(Database.layer({ file: state, mode: "read", command: "daybook mcp" }), { local: true }),
      Effect.map((answer) => JSON.parse(hide(JSON.stringify(answer))) as Answers.AnswerJson),
      Effect.catchCause((cause) => Effect.fail({ error: hide(messageOf(Cause.squash(cause))) }))
    )
  const handlers = tools.toLayer({
    status: () => answered(Answers.status(configuration)),
    attention: ({ limit }) => answered(Answers.attention(limit)),
    plan: ({ connection, limit }) => answered(Answers.plan(configuration, connection, limit)),
    explain: ({ document }) => answered(Answers.explain(configuration, document)),
    search: (wanted) => answered(Answers.search(configuration, wanted)),
    cover: () => answered(Answers.cover(configuration)),
    draft: (wanted) => answered(Answers.draft(configuration, wanted)),
    apply: () => answered(Answers.apply)
  })
  const registrations = McpServer.toolkit(tools).pipe(Layer.provide(handlers))
  const server = McpServer.layerStdio({
    name: "daybook",
    version,
    instructions: INSTRUCTIONS,
    protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2026_07_28],
    registrations
  }).pipe(Layer.provide(linesApart.pipe(Layer.provide(NodeStdio.layer))), Layer.launch)
  // It interrupts its own fiber when standard input ends.
  return Effect.forkChild(server).pipe(
    Effect.flatMap(Fiber.await),
    Effect.flatMap((exit) =>
      Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? Effect.failCause(exit.cause) : Effect.void
    )
  )
}
