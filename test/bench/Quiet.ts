/**
 * What `daybook sync` costs when there is nothing new, over books of which the service was sent everything: against a
 * program that opens the same file with better-sqlite3, reads one row and ends; and against the same sync over a
 * hundredth of the documents. Once more with ten connections in one file. Whole processes.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { build as buildCommand, bundle, took } from "./Command.ts"
import { atMost, type Figure, times } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, serve } from "./Process.ts"
import * as Sent from "./Sent.ts"

const ROUNDS = 3

const OPEN = `const db = new (require("better-sqlite3"))(process.argv[1]); db.prepare("SELECT * FROM state").get(); db.close()`

export const figures = async (folder: string, scale: number, shared: string): Promise<ReadonlyArray<Figure>> => {
  buildCommand()
  const [few, many] = [10_000 * scale, 1_000_000 * scale]
  const sandbox = await serve<string>(new URL("Apply.ts", import.meta.url).href, "sandbox")
  try {
    const books = async (rows: number) => {
      const [state, config] = [join(folder, `${rows}.db`), join(folder, `${rows}.json`)]
      const { csv } = await Sent.copy(shared, rows, state)
      writeFileSync(config, JSON.stringify(Invoices.config(csv, sandbox.result)))
      const sync = async () => took([bundle, "sync", "--config", config, "--state", state])
      // The first one remembers the account, and how the file looks long after it was written.
      await sync()
      await sync()
      return { sync, open: async () => took(["-e", OPEN, state]) }
    }
    /** So many connections of a hundred invoices each. */
    const several = async (count: number) => {
      const name = join(folder, `connections-${count}`)
      const all = Array.from({ length: count }, (_, n) => Invoices.config(`${name}-${n}.csv`, sandbox.result))
      for (let n = 0; n < count; n++) await Sent.writeOld(`${name}-${n}.csv`, 100)
      const connections = all.flatMap((one, n) => one.connections.map((its) => ({ ...its, id: `${its.id}${n}` })))
      writeFileSync(`${name}.json`, JSON.stringify({ ...all[0], connections }))
      const sync = async () => took([bundle, "sync", "--config", `${name}.json`, "--state", `${name}.db`])
      for (let n = 0; n < 3; n++) await sync()
      return { sync, open: async () => took(["-e", OPEN, `${name}.db`]) }
    }
    const [large, small, ten] = [await books(many), await books(few), await several(10)]
    const name = `quiet: sync of ${many.toLocaleString("en")} documents, nothing new`
    return [
      atMost(`${name}; opening the file`, 2.5, times(await inTurns(ROUNDS, large.sync, large.open))),
      atMost(`${name}; of ${few.toLocaleString("en")}`, 1.2, times(await inTurns(ROUNDS, large.sync, small.sync))),
      atMost(
        "quiet: sync of 10 connections in one file; opening the file",
        4,
        times(await inTurns(ROUNDS, ten.sync, ten.open))
      )
    ]
  } finally {
    sandbox.stop()
  }
}
