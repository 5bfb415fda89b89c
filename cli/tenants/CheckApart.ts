/**
 * Checks the configuration of a tenant that arrives. A program is run for it, by another process that has none of the
 * operator's environment.
 */
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { configIn } from "../../sync/library/config/ConfigFile.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import type { CheckTenant } from "../../sync/library/many/TenantChanges.ts"

/** What a process needs to start. */
const NEEDED = ["PATH", "SystemRoot", "TMPDIR", "TEMP"]

const PATIENCE_MS = 60_000

export const checkApart: CheckTenant = (folder, read) => {
  const file = configIn(folder)
  if (file === undefined || file.endsWith(".json")) return read
  return Effect.suspend(() => {
    const env = Object.fromEntries(
      NEEDED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
    )
    const checked = spawnSync(process.execPath, [process.argv[1] ?? "", "--config", file, "config", "check"], {
      cwd: folder,
      env,
      encoding: "utf8",
      timeout: PATIENCE_MS
    })
    return checked.status === 0
      ? Effect.void
      : Effect.fail(new UsageError({ why: checked.stderr.trim() || `${file} could not be checked` }))
  })
}
