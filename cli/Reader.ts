/**
 * What a thread begins with that reads large files, or examines files that are not connected yet. A thread does not have the
 * cache of compiled code of the one that starts it, so it opens the cache itself before it loads the rest.
 */
import { enableCompileCache } from "node:module"
import { workerData } from "node:worker_threads"

enableCompileCache()
if ((workerData as { readonly examines?: boolean }).examines === true) {
  const { examineFiles } = await import("./ExamineFiles.ts")
  examineFiles()
} else {
  const { readFiles } = await import("./ReadFiles.ts")
  await readFiles()
}
