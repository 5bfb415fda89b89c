/**
 * Loaded before a program that is measured: looks at its resident memory ten times a second, and writes what it saw to
 * descriptor 3 when the program ends. Plain JavaScript, so that it adds nothing to what it looks at.
 */
const { writeSync } = process.getBuiltinModule("node:fs")
const samples = []
setInterval(() => samples.push(process.memoryUsage.rss() / 1e6), 100).unref()
process.on("exit", () => {
  writeSync(3, JSON.stringify({ samples, peak: (process.resourceUsage().maxRSS * 1024) / 1e6 }))
})
