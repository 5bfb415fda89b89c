/** Reads a configuration in a process of its own first, if a node has ended while it had it open: a program may loop, or exit. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { configIn } from "../config/ConfigFile.ts"
import { ConfigError } from "../config/Configuration.ts"

const PATIENCE_MS = 20_000

/** Fails unless that process ended as it should. */
export const readApart = (folder: string): Effect.Effect<void, ConfigError> => {
  const file = configIn(folder)
  if (file === undefined || file.endsWith(".json")) return Effect.void
  const failed = (why: string) => Effect.fail(new ConfigError({ file, problems: [why] }))
  return Effect.callback<void, ConfigError>((resume) => {
    const child = spawn(process.execPath, [process.argv[1] ?? "", "--config", file, "config", "check"], {
      cwd: folder,
      stdio: "ignore"
    })
    child.once("error", (cause) => resume(failed(cause.message)))
    child.once("exit", (status, signal) =>
      resume(
        // 1: it is wrong, which is said when it is read here.
        status === 0 || status === 1
          ? Effect.void
          : failed(`reading it ended the process, with ${status === null ? signal : `status ${status}`}`)
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  }).pipe(
    Effect.timeoutOrElse({
      duration: PATIENCE_MS,
      orElse: () => failed(`reading it did not end within ${PATIENCE_MS / 1000} seconds`)
    })
  )
}
