/**
 * Measures for how long this thread answered nobody: the most processor time that it took between two turns of its event loop, in
 * milliseconds. What others take of the machine meanwhile does not count.
 */
import { Effect } from "effect"

const TICK_MS = 5

export const busyDuring = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    let most = 0
    let before = process.threadCpuUsage()
    const look = () => {
      const { system, user } = process.threadCpuUsage(before)
      most = Math.max(most, (system + user) / 1000)
      before = process.threadCpuUsage()
    }
    const ticking = setInterval(look, TICK_MS)
    const done = yield* Effect.result(work)
    clearInterval(ticking)
    look()
    return { done, busy: most }
  })
