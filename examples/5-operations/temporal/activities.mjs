// A tenant whose configuration is in PostgreSQL (daybook tenants import) is run once. Temporal may start this twice, give it up and start it again, or lose its worker: Daybook's own
// fence keeps the calls apart, and a run looks up first what became of the one before.
import { ApplicationFailure, Context } from "@temporalio/activity"
import { spawn } from "node:child_process"

/** The command's exit statuses, see `daybook --help`: those that another attempt does not change. */
const LASTING = [2, 4]
const ATTENTION = 3
const HEARTBEAT_MS = 5000

export const syncTenant = async (tenant) => {
  const { cancellationSignal } = Context.current()
  const beat = setInterval(() => Context.current().heartbeat(), HEARTBEAT_MS)
  const args = ["tenants", "sync", tenant, "--database", process.env.DATABASE, "--json"]
  try {
    // When Temporal cancels, the command gets SIGTERM: it ends its calls.
    const child = spawn(process.env.DAYBOOK ?? "daybook", args, { signal: cancellationSignal })
    let [said, wrong] = ["", ""]
    child.stdout.on("data", (text) => {
      said += text
    })
    child.stderr.on("data", (text) => {
      wrong += text
    })
    const status = await new Promise((resolve, reject) => {
      child.once("close", resolve)
      child.once("error", reject)
    })
    if (status !== 0 && status !== ATTENTION)
      throw ApplicationFailure.create({ message: wrong.trim(), nonRetryable: LASTING.includes(status) })
    return JSON.parse(said.trim().split("\n").at(-1))
  } finally {
    clearInterval(beat)
  }
}
