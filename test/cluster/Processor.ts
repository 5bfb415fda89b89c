/** Processor time by what the system says of processes (proc(5)). */
import { readFileSync } from "node:fs"

/** Of a second, as Linux counts it for programs on all of its usual machines. */
const TICKS = 100

/** Milliseconds that a process has used, with all below it, also those that have ended. */
export const processorOf = (pid: number): number => {
  try {
    const [, , ...words] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/\(.*\)/s, "()")
      .split(" ")
    const ticks = words.slice(11, 15).reduce((sum, word) => sum + Number(word), 0)
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean)
    return (ticks * 1000) / TICKS + below.reduce((sum, one) => sum + processorOf(Number(one)), 0)
  } catch {
    return 0
  }
}
