/** How much of its time this process's one thread has something to do, over the last moment. */
import { performance } from "node:perf_hooks"

/** Over how long it is measured. Milliseconds. */
const MOMENT_MS = 200
/** From this share on, it is the thread that everything waits for. */
const BUSY = 0.9

/** Asks whether it is busy; what was measured less than a moment ago counts. */
export const busyness = (): (() => boolean) => {
  let from = performance.eventLoopUtilization()
  let isBusy = false
  return () => {
    const current = performance.eventLoopUtilization()
    const { active, idle, utilization } = performance.eventLoopUtilization(current, from)
    if (active + idle < MOMENT_MS) return isBusy
    isBusy = utilization >= BUSY
    from = current
    return isBusy
  }
}
