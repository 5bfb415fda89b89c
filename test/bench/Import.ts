/**
 * What reading a ledger of 1,000,000 invoices from CSV into the books costs, against the importer that a competent
 * user would write by hand (`ByHand.ts`: csv-parse as a stream, better-sqlite3, WAL, batches, each row's columns, raw
 * text and SHA-256).
 *
 * First into an empty state file, then again after one invoice of the file was edited: ours re-reads it and compares
 * documents, the importer compares hashes. Ours is `daybook pull` as people run it, the whole process with its start;
 * of the importer only its work counts. Memory is looked at ten times a second.
 */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { build, watch, type Watched } from "./Command.ts"
import { atMost, type Figure, megabytes, seconds, shown } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, run } from "./Process.ts"

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

const best = (values: ReadonlyArray<number>): number => Math.min(...values)

const BY_HAND = new URL("ByHand.ts", import.meta.url).href

export const figures = async (folder: string, rows = 1_000_000, rounds = 3): Promise<ReadonlyArray<Figure>> => {
  build()
  const [csv, state, table, config] = ["invoices.csv", "books.db", "table.db", "config.json"].map((name) =>
    join(folder, name)
  ) as [string, string, string, string]
  await Invoices.write(csv, rows)
  writeFileSync(config, JSON.stringify(Invoices.config(csv, "http://127.0.0.1:4010")))

  const pull = () => watch("pull", "--config", config, "--state", state, "--json")
  const byHand = async (side: string) => (await run<number>(BY_HAND, side, csv, table)).result
  const bare: Array<number> = []
  const first = await inTurns(
    rounds,
    async () => {
      remove(state)
      const pulled = await pull()
      check(pulled, { added: rows })
      return pulled
    },
    async () => {
      remove(table)
      bare.push(await byHand("bare"))
      remove(table)
      return byHand("load")
    }
  )
  const again = await inTurns(
    rounds,
    async (round) => {
      await Invoices.write(csv, rows, { count: 1, times: round + 1 })
      const pulled = await pull()
      check(pulled, { read: rows, added: 0, changed: 1 })
      return pulled
    },
    () => byHand("compare")
  )
  const quiet = await pull()
  check(quiet, { read: 0 })

  const against = (mine: ReadonlyArray<Watched>, theirs: ReadonlyArray<number>) => {
    const time = best(mine.map((pulled) => pulled.seconds))
    return { ours: seconds(time), baseline: seconds(best(theirs)), ratio: time / best(theirs) }
  }
  const memory = (label: string, mine: ReadonlyArray<Watched>) => {
    const { peak, quarters } = mine.toSorted((a, b) => b.peak - a.peak)[0]!
    return atMost(label, 1, {
      ours: megabytes(peak),
      baseline: megabytes(350),
      ratio: peak / 350,
      note: `most in each quarter of its time: ${quarters.map(megabytes).join(", ")}`
    })
  }
  return [
    atMost(`import: ${rows.toLocaleString("en")} invoices; importer by hand`, 2.5, against(first.ours, first.theirs)),
    shown("import: bare better-sqlite3, rows ready", against(first.ours, bare)),
    memory("import: memory", first.ours),
    atMost("unchanged: one invoice edited; comparing hashes", 2.5, against(again.ours, again.theirs)),
    shown("unchanged: the very same bytes; comparing hashes", against([quiet], again.theirs)),
    memory("unchanged: memory", again.ours)
  ]
}
