/** The command's entry point, after the version of Node was checked. */
import { Cause, Console, Effect, Fiber } from "effect"
import { Console as NodeConsole } from "node:console"
import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { setFlagsFromString } from "node:v8"
import { run } from "./Program.ts"
import { HandOver } from "../sync/library/ConnectorRegistry.ts"
import { type ReaderEntry, ReaderThread, WITH_LARGE_FILES } from "../sync/pull/ReaderThread.ts"

/** In the bundle it has a folder of its own; from its source, and in the library, it is beside this file. */
const READERS = ["reading/Reader.js", "Reader.js", "Reader.ts"]

/** What `Reader.ts` knows to read. On one processor a second thread reads no faster; it still examines files. */
const reader = (): ReaderEntry | undefined => {
  const module = READERS.map((name) => new URL(name, import.meta.url)).find((url) => existsSync(url))
  return module === undefined ? undefined : { module, connectors: availableParallelism() === 1 ? [] : WITH_LARGE_FILES }
}

/**
 * Keeps the heaps of all threads small. If the young generation could grow, reading a million rows would need 110 MB more and
 * take 8% less time. The old one may become twice as large as what is in use before it is collected; on a machine with much
 * memory V8 would let it become four times as large, which is 30 MB more for a million rows, and 3% less processor time.
 */
const HEAP = ["--semi-space-growth-factor=1", "--heap-growing-percent=100"]

/**
 * How long stopping may take, and what is left then: a request that never ends, a connector that lets nobody interrupt it.
 * Shorter than the 30 seconds after which supervisors kill. Milliseconds.
 */
const STOPS_MS = 20_000
const LEAVES_MS = 1000

/** Runs `daybook` with the arguments of this process; sets its exit status. */
export const main = async (version: string): Promise<void> => {
  for (const flag of HEAP) setFlagsFromString(flag)
  // Programs read standard output, so whatever a configuration in TypeScript or a connector prints goes to standard error.
  globalThis.console = new NodeConsole(process.stderr)
  const fiber = Effect.runFork(
    run(process.argv.slice(2), version).pipe(
      Effect.provideService(Console.Console, new NodeConsole(process.stdout)),
      Effect.provideService(ReaderThread, reader())
    )
  )
  let leaving: NodeJS.Timeout | undefined
  const leaveAfter = (milliseconds: number) => {
    clearTimeout(leaving)
    leaving = setTimeout(() => process.exit(process.exitCode ?? 130), milliseconds).unref()
  }
  const stop = () => {
    leaveAfter(STOPS_MS)
    Effect.runFork(Fiber.interrupt(fiber))
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  // It is not an error if the reader of a pipe ends (`daybook plan | head`).
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    throw error
  })
  const exit = await Effect.runPromise(Fiber.await(fiber))
  process.off("SIGINT", stop)
  process.off("SIGTERM", stop)
  const error = exit._tag === "Failure" ? Cause.squash(exit.cause) : undefined
  if (error instanceof HandOver) {
    const library = (await import(error.to)) as { readonly main: typeof main }
    return library.main(version)
  }
  // When asked to stop, the daemon sets its own exit status.
  process.exitCode = exit._tag === "Success" ? exit.value : (process.exitCode ?? 130)
  // A standard input or a connection may still be open.
  if (leaving !== undefined) leaveAfter(LEAVES_MS)
}
