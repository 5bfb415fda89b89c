/** The command's entry point, after the version of Node was checked. */
import { Cause, Effect, Fiber } from "effect"
import { setFlagsFromString } from "node:v8"
import { run } from "./Program.ts"
import { HandOver } from "../sync/library/ConnectorRegistry.ts"

/** Runs `daybook` with the arguments of this process; sets its exit status. */
export const main = async (version: string): Promise<void> => {
  // Keeps the young generation of the heap small. If it could grow, reading a million rows would need 110 MB more and take 8%
  // less time.
  setFlagsFromString("--semi-space-growth-factor=1")
  const fiber = Effect.runFork(run(process.argv.slice(2), version))
  const stop = () => Effect.runFork(Fiber.interrupt(fiber))
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
}
