/** A process that tries what none that reads files of strangers may do. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { answerApart } from "../../connectors/ApartProcess.ts"

const tried = (work: () => unknown): string => {
  try {
    work()
    return "done"
  } catch (cause) {
    const { code, name } = cause as NodeJS.ErrnoException
    return code ?? name
  }
}

answerApart(
  (file: string) => ({
    evaluates: tried(() => new Function("return 1")()),
    writes: tried(() => writeFileSync(file, "")),
    starts: tried(() => execFileSync("true")),
    diesFirst: process.platform === "linux" ? readFileSync("/proc/self/oom_score_adj", "utf8").trim() : "1000"
  }),
  512
)
