/**
 * What a thread begins with that reads large files. A thread does not have the cache of compiled code of the one that starts
 * it, so it opens the cache itself before it loads the rest.
 */
import { enableCompileCache } from "node:module"

enableCompileCache()
const { readFiles } = await import("./ReadFiles.ts")
await readFiles()
