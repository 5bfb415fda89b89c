/**
 * Loaded before a program that is measured: looks at its resident memory ten times a second, and writes what it saw, and its processor time, to
 * descriptor 3 when the program ends. Plain JavaScript, so that it adds nothing to what it looks at. The program's other
 * threads load it as well; what it sees is of all of them.
 */
const { writeSync } = process.getBuiltinModule("node:fs")
const look = () => {
  const samples = []
  setInterval(() => samples.push(process.memoryUsage.rss() / 1e6), 100).unref()
  process.on("exit", () => {
    const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
    const worked = (systemCPUTime + userCPUTime) / 1e6
    writeSync(3, JSON.stringify({ samples, peak: (maxRSS * 1024) / 1e6, worked }))
  })
}
if (process.getBuiltinModule("node:worker_threads").isMainThread) look()
