/**
 * How soon commands answer, against `node -e 0`, which does nothing: every command of which somebody waits for an answer from this
 * machine alone, over a small state file. Whole processes in turns, the median of several after one of each that is not counted. And
 * what a program takes to import the library, against three tenths of a second of processor time.
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundle, build, took } from "./Command.ts"
import { atMost, type Figure, shown, times } from "./Figure.ts"

const ROUNDS = 9

/** Commands by what they may take of the time of `node -e 0`. */
const COMMANDS: ReadonlyArray<readonly [words: string, limit: number]> = [
  ["--version", 4],
  ["--help", 3],
  ["connectors list", 3],
  ["status", 3],
  ["plan", 3],
  ["plan --help", 3],
  ["pull", 3],
  ["attention", 3],
  ["explain A1", 3],
  ["init --help", 3],
  ["tenants --help", 3],
  ["export --help", 3],
  ["verify", 3]
]

const LIBRARY = [
  ["the library", "sync/library/Daybook.js"],
  ["its core", "core/index.js"],
  ["what connectors use", "connectors/index.js"]
] as const

const LIBRARY_SECONDS = 0.3

/** A program that imports a module, and says what that took. */
const IMPORTING = `const before = process.cpuUsage()
await import(process.argv[2])
const { system, user } = process.cpuUsage(before)
console.log((system + user) / 1e6)`

const imported = (folder: string): ReadonlyArray<Figure> => {
  const program = join(folder, "import.mjs")
  writeFileSync(program, IMPORTING)
  return LIBRARY.map(([name, file]) => {
    const module = new URL(`../../dist/lib/${file}`, import.meta.url).href
    const once = () => Number(execFileSync(process.execPath, [program, module], { encoding: "utf8" }))
    const all = Array.from({ length: 5 }, once)
    const measured = times({ ours: all, theirs: all.map(() => LIBRARY_SECONDS) })
    const title = `start: import ${name}, processor time; ${LIBRARY_SECONDS * 1000} ms`
    return name === "the library" ? atMost(title, 1, measured) : shown(title, measured)
  })
}

const CONFIGURATION = {
  service: { url: "http://127.0.0.1:4010", key: { env: "DAYBOOK_KEY" } },
  connections: [
    {
      id: "books",
      source: {
        connector: "files",
        invoices: {
          path: "invoices.csv",
          columns: {
            id: "Id",
            issued: "Issued",
            due: "Due",
            currency: "Currency",
            gross: "Gross",
            customer: "Buyer"
          }
        }
      },
      owner: { organisation: { unique_id: "acme", registered: "2024-01-01T00:00:00Z" } }
    }
  ]
}

const ROWS = ["Id,Issued,Due,Currency,Gross,Buyer", "A1,2026-01-31,2026-03-02,GBP,120.00,Harbour Tea Ltd"]

/** @param folder an empty one of its own */
export const figures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  build()
  writeFileSync(join(folder, "daybook.config.json"), JSON.stringify(CONFIGURATION))
  writeFileSync(join(folder, "invoices.csv"), `${ROWS.join("\n")}\n`)
  took([bundle, "pull"], folder)
  const theirs: Array<number> = []
  const ours = new Map(COMMANDS.map(([words]): [string, Array<number>] => [words, []]))
  for (let round = -1; round < ROUNDS; round++) {
    const nothing = took(["-e", "0"], folder)
    if (round >= 0) theirs.push(nothing)
    for (const [words, taken] of ours) {
      const time = took([bundle, ...words.split(" ")], folder)
      if (round >= 0) taken.push(time)
    }
  }
  const commands = COMMANDS.map(([words, limit]) =>
    atMost(`start: daybook ${words}, node -e 0`, limit, times({ ours: ours.get(words)!, theirs }))
  )
  return [...commands, ...imported(folder)]
}
