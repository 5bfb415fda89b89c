/**
 * The command's entry, once it is known that this Node can run it.
 */
import { Effect, Fiber } from "effect"
import { run } from "./Program.ts"

/** Runs `daybook` with the arguments of this process; sets its exit status. */
export const main = async (version: string): Promise<void> => {
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
  process.exitCode = exit._tag === "Success" ? exit.value : 130
  process.off("SIGINT", stop)
  process.off("SIGTERM", stop)
}
