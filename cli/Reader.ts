/**
 * What a thread begins with that reads a source, or what is not connected yet, or makes pages. A thread does not have the cache of compiled
 * code of the one that starts it, so it opens the cache itself before it loads the rest.
 */
import { enableCompileCache } from "node:module"
import { workerData } from "node:worker_threads"

enableCompileCache()
const { examines, pages } = workerData as { readonly examines?: boolean; readonly pages?: boolean }
if (pages === true) {
  const { answerPages } = await import("./page/AnswerPages.ts")
  answerPages()
} else if (examines === true) {
  await import("../sync/library/AnswerInThread.ts")
} else {
  const { readSource } = await import("./ReadSource.ts")
  await readSource()
}
