/** What a process begins with that `Apart.ts` asks: it answers, and ends with its parent or when it takes too much memory. */
import { writeFileSync } from "node:fs"
import { Worker } from "node:worker_threads"
import type { ApartAnswer } from "./Apart.ts"

/** Another thread watches: this one may be busy for as long as it likes. */
const watch = (mostMb: number): string =>
  `setInterval(() => {
    if (process.ppid !== ${process.ppid} || process.memoryUsage.rss() > ${mostMb * 2 ** 20}) process.kill(process.pid, "SIGKILL")
  }, 20)`

/** @param mostMb how much memory it may have, in megabytes */
export const answerApart = <Q>(answer: (question: Q) => unknown, mostMb: number): void => {
  new Worker(watch(mostMb), { eval: true }).unref()
  try {
    // Where memory runs out, Linux ends this process and not the one that answers others (proc(5), oom_score_adj).
    writeFileSync("/proc/self/oom_score_adj", "1000")
  } catch {
    // Elsewhere.
  }
  process.on("message", async (question: Q) => {
    let said: ApartAnswer
    try {
      said = { value: await answer(question) }
    } catch (cause) {
      const { code, message } = cause as { readonly code?: string; readonly message: string }
      said = { message, ...(code === undefined ? {} : { code }) }
    }
    process.send?.(said)
  })
}
