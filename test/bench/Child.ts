/**
 * The program that a side runs in: calls the function that it was told, answers, and waits to be let go.
 */
import { once } from "node:events"
import type { Answer, Asked } from "./Process.ts"

const answer = (answer: Answer<unknown>) => process.send!(answer)

// The bench has what it wanted, or went away.
process.once("disconnect", () => process.exit())

const [{ args, module, side }] = (await once(process, "message")) as [Asked]

try {
  const sides: Readonly<Record<string, (...args: ReadonlyArray<unknown>) => unknown>> = await import(module)
  const before = process.cpuUsage()
  const result = await sides[side]!(...args)
  const { system, user } = process.cpuUsage(before)
  answer({ result: result ?? null, worked: (system + user) / 1e6, peak: (process.resourceUsage().maxRSS * 1024) / 1e6 })
} catch (cause) {
  answer({ failed: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) })
}
