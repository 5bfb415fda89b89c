/**
 * How soon commands answer, against `node -e 0`, which does nothing: `--version`, and three that read their modules, one of
 * them the help alone and two a small state file. Whole processes in turns, the median of 15 after one of each that is not
 * counted.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundle, build, took } from "./Command.ts"
import { atMost, type Figure, times } from "./Figure.ts"

const ROUNDS = 9

/** Commands by what they may take of the time of `node -e 0`. */
const COMMANDS: ReadonlyArray<readonly [words: string, limit: number]> = [
  ["--version", 4],
  ["--help", 3],
  ["connectors list", 3],
  ["status", 3],
  ["plan --help", 3],
  ["attention", 3]
]

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
  return COMMANDS.map(([words, limit]) =>
    atMost(`start: daybook ${words}, node -e 0`, limit, times({ ours: ours.get(words)!, theirs }))
  )
}
