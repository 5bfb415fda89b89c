/** The command's entry, once it is known that this Node can run it. */
import { Cause, Effect, Fiber } from "effect"
import { setFlagsFromString } from "node:v8"
import { run } from "./Program.ts"
import { HandOver } from "../sync/library/ConnectorRegistry.ts"

/** Runs `daybook` with the arguments of this process; sets its exit status. */
export const main = async (version: string): Promise<void> => {
  // The heap's young generation stays as small as it is now. Left to grow, it takes 110 MB more when a million rows
  // are read, for 8% less time.
  setFlagsFromString("--semi-space-growth-factor=1")
  const fiber = Effect.runFork(run(process.argv.slice(2), version))
  const stop = () => Effect.runFork(Fiber.interrupt(fiber))
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
  // A reader that goes away (`daybook plan | head`) is no error.
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
  // The daemon sets its own exit status when it was asked to stop.
  process.exitCode = exit._tag === "Success" ? exit.value : (process.exitCode ?? 130)
}
