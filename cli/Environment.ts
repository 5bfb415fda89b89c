/** Provides Node's services to commands: files, paths, standard streams, and a terminal for prompts. */
import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { Effect, Layer, type Scope, Terminal } from "effect"
import { TerminalCapabilities } from "effect/cli"

/**
 * Created for each prompt: initialising standard input takes a quarter of Node's own start-up time, and few commands need
 * it.
 */
const asked = <A, E>(use: (terminal: Terminal.Terminal) => Effect.Effect<A, E, Scope.Scope>) =>
  Effect.flatMap(NodeTerminal.make(), use)

const terminal = Layer.succeed(
  Terminal.Terminal,
  Terminal.make({
    columns: Effect.scoped(asked(({ columns }) => columns)),
    rows: Effect.scoped(asked(({ rows }) => rows)),
    size: asked(({ size }) => size),
    readInput: asked(({ readInput }) => readInput),
    readLine: Effect.scoped(asked(({ readLine }) => readLine)),
    display: (text) => Effect.scoped(asked(({ display }) => display(text)))
  })
)

const set = (name: string): boolean => (process.env[name] ?? "") !== ""

/** Like Effect's own, except that standard input is only initialised by prompts. */
const capabilities = Layer.sync(TerminalCapabilities.TerminalCapabilities, () => {
  const isTerminal = process.stdout.isTTY === true
  const isDumb = process.env["TERM"] === "dumb"
  const isForced = set("FORCE_COLOR") && !/^(0|false)$/i.test(process.env["FORCE_COLOR"] ?? "")
  return {
    canColor: !isDumb && !set("NO_COLOR") && (isForced || isTerminal),
    canAnimate: !isDumb && isTerminal,
    get canPrompt() {
      return !isDumb && isTerminal && process.stdin.isTTY === true
    }
  }
})

export const environment = NodeChildProcessSpawner.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeStdio.layer, terminal, capabilities))
)
