/**
 * What reading a ledger of invoices from CSV into the books costs, against the importer that a competent
 * user would write by hand (`ByHand.ts`: csv-parse as a stream, better-sqlite3, WAL, batches, each row's columns, raw
 * text and SHA-256).
 *
 * First into an empty state file, then again after one invoice of the file was edited: ours re-reads it and compares
 * documents, the importer compares hashes. Ours is `daybook pull` as people run it, the whole process with its start;
 * of the importer only its work counts. Memory is looked at ten times a second.
 */
import { rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build, watch, type Watched } from "./Command.ts"
import { atMost, type Figure, megabytes, memory, shown, times } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, type Ran, run } from "./Process.ts"

const ROUNDS = 3

const remove = (file: string): void => {
  for (const end of ["", "-wal", "-shm", ".lock"]) rmSync(file + end, { force: true })
}

/** That a pull took in what it should have; else its figure would mean nothing. */
const check = ({ stdout }: Watched, expected: { readonly [count: string]: number }): void => {
  const said = stdout.split("\n").find((line) => line.includes('"type":"pull"')) ?? "{}"
  const seen = JSON.parse(said) as Readonly<Record<string, unknown>>
  for (const [count, number] of Object.entries(expected)) {
    if (seen[count] !== number) throw new Error(`${count}: ${number} invoices were expected, and the pull says ${said}`)
  }
}

const BY_HAND = new URL("ByHand.ts", import.meta.url).href

/** Megabytes that a state file of a million of these rows may have, and those that a pull may have in memory. */
const [STATE, MEMORY] = [250, 250]

/** Seconds that a pull may take of a file that is as it was, whatever its size. */
const UNCHANGED = 0.3

interface Pulled extends Watched {
  /** Of the state file, in megabytes. */
  readonly state: number
}

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  build()
  const rows = 1_000_000 * scale
  const [csv, state, table, config] = ["invoices.csv", "books.db", "table.db", "config.json"].map((name) =>
    join(folder, name)
  ) as [string, string, string, string]
  await Invoices.write(csv, rows)
  writeFileSync(config, JSON.stringify(Invoices.config(csv, "http://127.0.0.1:4010")))

  const pull = async (expected: { readonly [count: string]: number }): Promise<Pulled> => {
    const pulled = await watch("pull", "--config", config, "--state", state, "--json")
    check(pulled, expected)
    return { ...pulled, state: statSync(state).size / 1e6 }
  }
  const byHand = (side: string) => run<number>(BY_HAND, side, csv, table)
  const first = await inTurns(
    ROUNDS,
    () => {
      remove(state)
      return pull({ added: rows })
    },
    () => {
      remove(table)
      return byHand("load")
    }
  )
  const again = await inTurns(
    ROUNDS,
    async (round) => {
      await Invoices.write(csv, rows, { count: 1, times: round + 1 })
      return pull({ read: rows, added: 0, changed: 1 })
    },
    () => byHand("compare")
  )
  const quiet: Array<number> = []
  for (let round = 0; round < ROUNDS; round++) quiet.push((await pull({ read: 0 })).seconds)

  type Both = { readonly ours: ReadonlyArray<Pulled>; readonly theirs: ReadonlyArray<Ran<number>> }
  const took = ({ ours, theirs }: Both) =>
    times({ ours: ours.map(({ seconds }) => seconds), theirs: theirs.map(({ result }) => result) })
  const worked = ({ ours, theirs }: Both) =>
    times({ ours: ours.map((one) => one.worked), theirs: theirs.map((one) => one.worked) })
  const peaks = (runs: ReadonlyArray<Pulled>) => {
    const { quarters } = runs.toSorted((a, b) => b.peak - a.peak)[0]!
    return {
      ...memory(
        runs.map(({ peak }) => peak),
        MEMORY
      ),
      note: `most in each quarter of its time: ${quarters.map(megabytes).join(", ")}`
    }
  }
  const many = rows.toLocaleString("en")
  return [
    atMost(`import: ${many} invoices; importer by hand`, 1, took(first)),
    shown(`import: ${many} invoices; importer by hand, processor time`, worked(first)),
    atMost(
      `import: state file of ${many} invoices; ${STATE} MB a million`,
      1,
      memory(
        first.ours.map((one) => one.state),
        STATE * scale
      )
    ),
    atMost(`import: memory, ${many} invoices`, 1, peaks(first.ours)),
    atMost(`unchanged: one of ${many} invoices edited; comparing hashes`, 1, took(again)),
    atMost(`unchanged: the very same bytes; ${UNCHANGED * 1000} ms`, 1, {
      ...times({ ours: quiet, theirs: quiet.map(() => UNCHANGED) })
    }),
    atMost(`unchanged: memory, ${many} invoices`, 1, peaks(again.ours))
  ]
}
