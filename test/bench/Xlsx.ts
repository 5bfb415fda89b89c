/**
 * What reading a workbook of invoices into the books costs, against hucre alone, which reads the same rows and drops them.
 * Ours is `daybook pull` as people run it, the whole process with its start; of hucre only its work counts.
 */
import { createReadStream, createWriteStream, rmSync, openAsBlob, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { streamXlsxRows, writeXlsxStream } from "hucre/xlsx"
import { build, watch } from "./Command.ts"
import { atMost, type Figure, shown, times } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, run, timed } from "./Process.ts"

const AMOUNTS = ["Net", "Gross"]

/** Side: the workbook with the rows of a CSV file. */
export const write = async (csv: string, file: string): Promise<void> => {
  const names = Invoices.HEADER.split(",")
  async function* rows() {
    let first = true
    for await (const line of createInterface({ input: createReadStream(csv) })) {
      const cells = [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
      if (!first) yield cells.map((cell, i) => (AMOUNTS.includes(names[i]!) ? Number(cell) : cell))
      first = false
    }
  }
  const columns = names.map((header) => ({ header }))
  const out = Writable.toWeb(createWriteStream(file)) as WritableStream<Uint8Array>
  await writeXlsxStream(rows(), { name: "Invoices", columns }).pipeTo(out)
}

/** Side: hucre alone. Seconds. */
export const alone = (file: string, expected: number): Promise<number> =>
  timed(async () => {
    let rows = -1
    for await (const { values } of streamXlsxRows((await openAsBlob(file)).stream() as ReadableStream<Uint8Array>))
      if (values.length > 0) rows++
    if (rows !== expected) throw new Error(`${rows} rows were read instead of ${expected}`)
  })

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  build()
  const rows = 200_000 * scale
  const [csv, file, config, state] = ["invoices.csv", "invoices.xlsx", "config.json", "books.db"].map((name) =>
    join(folder, name)
  ) as [string, string, string, string]
  await Invoices.write(csv, rows)
  await run(import.meta.url, "write", csv, file)
  writeFileSync(config, JSON.stringify(Invoices.config(file, "http://127.0.0.1:4010")))
  const runs = await inTurns(
    3,
    async () => {
      for (const end of ["", "-wal", "-shm", ".lock"]) rmSync(state + end, { force: true })
      const { seconds, stdout, worked } = await watch("pull", "--config", config, "--state", state, "--json")
      if (!stdout.includes(`"added":${rows},`)) throw new Error(`${rows} invoices were expected: ${stdout}`)
      return { seconds, worked }
    },
    async () => {
      const { result, worked } = await run<number>(import.meta.url, "alone", file, rows)
      return { seconds: result, worked }
    }
  )
  const both = (what: "seconds" | "worked") =>
    times({ ours: runs.ours.map((one) => one[what]), theirs: runs.theirs.map((one) => one[what]) })
  const name = `import: workbook of ${rows.toLocaleString("en")} invoices; hucre alone`
  return [atMost(name, 1.1, both("seconds")), shown(`${name}, processor time`, both("worked"))]
}
