/**
 * Marks the functions that frequently used commands call, so that V8 compiles them together with their file.
 *
 * Node keeps what V8 compiled of a file (`enableCompileCache` in `dist/daybook.js`), but only what was compiled when the file
 * was loaded. Functions that run later, nearly all, would be parsed and compiled again by each command: more than a fifth of
 * the processor time of `daybook status`. V8 compiles a function at once if its expression is in parentheses. Marking all
 * functions would make the cache several times as large and take longer to read, so the commands are run once, on the
 * demo's files, to see which they call.
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"

const EXAMPLE = fileURLToPath(new URL("../examples/1-demo", import.meta.url))

/** In this order: the first makes the state file. */
const RUNS = [["pull"], ["status"], ["plan"], ["attention"], ["plan", "--help"], ["connectors", "list"], ["--help"]]

/** Reads a source in the thread that reads large files, as `ReadingThread.ts` does. */
const READING = `const { Worker } = process.getBuiltinModule("node:worker_threads")
const [, module, workerData] = process.argv
const thread = new Worker(module, { workerData: JSON.parse(workerData) })
thread.on("message", (said) => {
  if (said.type === "failed") throw new Error(JSON.stringify(said.error))
  thread.postMessage("go on")
})`

/** The same source as the commands read. */
const sourceOf = (books) => {
  const [{ id, source }] = JSON.parse(readFileSync(join(books, "daybook.config.json"), "utf8")).connections
  const { connector, ...settings } = source
  return { connector, connection: id, settings, folder: books }
}

/** What V8 reports of these runs: for each script, its functions with how often each part of them ran. */
const covered = (dist) => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-build-"))
  try {
    const books = join(folder, "books")
    const reports = join(folder, "reports")
    cpSync(EXAMPLE, books, { recursive: true })
    const env = { ...process.env, NODE_V8_COVERAGE: reports, NODE_DISABLE_COMPILE_CACHE: "1" }
    const commands = RUNS.map((run) => [join(dist, "daybook.js"), ...run])
    for (const run of [
      ...commands,
      ["-e", READING, join(dist, "reading", "Reader.js"), JSON.stringify(sourceOf(books))]
    ]) {
      const { status, stderr } = spawnSync(process.execPath, run, {
        cwd: books,
        env,
        encoding: "utf8",
        stdio: ["ignore", "ignore", "pipe"]
      })
      // The demo has a row that needs attention.
      if (status !== 0 && status !== 3) throw new Error(`node ${run.join(" ")} ended with ${status}: ${stderr}`)
    }
    return readdirSync(reports).flatMap((name) => JSON.parse(readFileSync(join(reports, name), "utf8")).result)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The functions that ran, as `[start, end]`, by the path of their file in `dist`. */
const called = (dist) => {
  const found = new Map()
  for (const { functions, url } of covered(dist)) {
    if (!url.startsWith("file:")) continue
    const path = fileURLToPath(url)
    if (!path.startsWith(dist + sep)) continue
    const ranges = found.get(path) ?? new Map()
    found.set(path, ranges)
    for (const {
      ranges: [whole]
    } of functions) {
      const { count, endOffset, startOffset } = whole
      // A range that begins the file is the file itself.
      if (count > 0 && startOffset > 0) ranges.set(`${startOffset}-${endOffset}`, [startOffset, endOffset])
    }
  }
  return found
}

const ARROW = /^(?:async )?[\w$]+=>|^\(/
const FUNCTION = /^(?:async )?function\b/
/** What stands before an expression, and never before a declaration or a method. */
const BEFORE = /(?:[=(,:?[|&>!]|\b(?:return|yield) ?)$/
const DECLARATION = /^((?:async )?function\*?) ?([\w$]+)/
/** A package in the older format, as the bundler writes it: a method that is called when the package is first used. */
const PACKAGE = /^"[^"]+"(?=\(exports\b)/

/** Replaces `length` characters at the beginning of a function by `put`, and adds `end` after it. */
const markOf = (text, start, end, isNested) => {
  const code = text.slice(start, end)
  if (BEFORE.test(text.slice(Math.max(0, start - 8), start)) && (ARROW.test(code) || FUNCTION.test(code)))
    return { start, length: 0, put: "(", end, close: ")" }
  const name = PACKAGE.exec(code)?.[0]
  if (name !== undefined) return { start, length: name.length, put: `${name}:(function`, end, close: ")" }
  const [declared, word, as] = DECLARATION.exec(code) ?? []
  // Declarations are set before anything runs: as variables, they move to the beginning of the file.
  if (declared !== undefined && !isNested && /[;}\n]/.test(text[start - 1]))
    return { start, length: declared.length, put: `var ${as}=(${word}`, end, close: ");", moves: true }
  return undefined
}

/** Puts these functions of a file in parentheses. */
const marked = (text, ranges) => {
  const isNested = ([start, end]) => ranges.some(([from, to]) => from < start && end <= to)
  const marks = ranges.map((range) => markOf(text, ...range, isNested(range))).filter((mark) => mark !== undefined)
  const edits = marks
    .flatMap(({ close, end, length, put, start }) => [
      { at: end, length: 0, put: close, isEnd: true },
      { at: start, length, put, isEnd: false }
    ])
    // Where one function ends and the next begins, the end comes first.
    .sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd))
  const edited = (from, to) => {
    let written = ""
    let done = from
    for (const { at, isEnd, length, put } of edits) {
      if (isEnd ? at <= from || at > to : at < from || at >= to) continue
      written += text.slice(done, at) + put
      done = at + length
    }
    return written + text.slice(done, to)
  }
  const moved = marks.filter(({ moves }) => moves).sort((a, b) => a.start - b.start)
  const rest = [0, ...moved.map(({ end }) => end)].map((from, n) => edited(from, moved[n]?.start ?? text.length))
  return [...moved.map(({ end, start }) => edited(start, end)), ...rest].join("")
}

/** Marks what the commands in `dist` call. Without the demo's files, as in a container's build, nothing is marked. */
export const eager = (dist) => {
  if (!existsSync(EXAMPLE)) return
  for (const [path, ranges] of called(dist))
    writeFileSync(path, marked(readFileSync(path, "utf8"), [...ranges.values()]))
}
