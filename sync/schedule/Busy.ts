/** Measures how busy this process's only thread has recently been. */
import { performance } from "node:perf_hooks"

/** The period of the measurement. Milliseconds. */
const MOMENT_MS = 200
/** From this share on, the thread is the bottleneck. */
const BUSY = 0.9

/** Returns a function that says whether it is busy; a measurement less than a period old is reused. */
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
