/**
 * What matching 1,000,000 payments of one connection with 1,000,000 invoices of another costs, against reading both into
 * the books. A third of the payments carry the invoice's id, a third its number in their text, a third only an amount and
 * a payer. Then what ten payments more cost, with all of that in the books and with a tenth of it, and the memory.
 */
import { once } from "node:events"
import { createReadStream, copyFileSync, createWriteStream, rmSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setFlagsFromString } from "node:v8"
import { Effect, Layer, Result } from "effect"
import { type Configuration, decodeWith } from "../../sync/library/config/Configuration.ts"
import * as Files from "../../connectors/files/Files.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Matching from "../../sync/matching/Run.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { atMost, type Figure, median, memory, shown, times } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, run } from "./Process.ts"

/** Payments that come later at a time, and how often. */
const MORE = 10
const TIMES = 3

/** A payment on the due date of the invoice with that number, from the file that `Invoices.write` makes. */
const write = async (csv: string, file: string, count: number): Promise<void> => {
  const out = createWriteStream(file)
  let text = "No,Invoice,Day,Amount,Text,From\n"
  let n = -1
  for await (const line of createInterface({ input: createReadStream(csv) })) {
    if (++n === 0) continue
    if (n > count) break
    const [, id, name, due, gross] = /^([^,]*),("[^"]*"|[^,]*),[^,]*,[^,]*,([^,]*),[^,]*,([^,]*),/.exec(line)!
    const how = n % 3
    text += `P${n},${how === 0 ? id : ""},${due},${gross},${how === 1 ? `"thanks, ${id}"` : "standing order"},${name}\n`
    if (text.length < 1 << 20) continue
    if (!out.write(text)) await once(out, "drain")
    text = ""
  }
  out.end(text)
  await once(out, "close")
}

const configuration = (folder: string, csv: string, payments: string): Configuration => {
  const { connections, service } = Invoices.config(csv, "http://127.0.0.1:4010")
  const bank = {
    id: "bank",
    source: {
      connector: "files",
      payments: {
        path: payments,
        columns: { id: "No", invoice: "Invoice", date: "Day", amount: "Amount", reference: "Text", customer: "From" },
        currency: "GBP"
      }
    },
    pays: "books"
  }
  return Result.getOrThrow(
    decodeWith(
      { service, connections: [...connections, bank] },
      { file: "daybook.config.json", folder, environment: {}, connectors: new Map([["files", Files.files]]) }
    )
  )
}

interface Times {
  readonly read: number
  readonly match: number
  /** Processor time of the two. */
  readonly worked: { readonly read: number; readonly match: number }
  readonly more: number
}

/** Side: the two files, written by a process of its own, so that its memory is not counted. */
export const files = async (folder: string, rows: number): Promise<void> => {
  const csv = join(folder, `${rows}-invoices.csv`)
  await Invoices.write(csv, rows)
  for (let n = 0; n <= TIMES; n++) await write(csv, join(folder, `${rows}-bank-${n}.csv`), rows - MORE * (TIMES - n))
}

/** Side: reads both, matches them, then ten payments more, a few times over. Seconds. */
export const match = async (folder: string, rows: number): Promise<Times> => {
  const [csv, payments, state] = ["invoices.csv", "bank.csv", "match.db"].map((name) =>
    join(folder, `${rows}-${name}`)
  ) as [string, string, string]
  const { connections } = configuration(folder, csv, payments)
  for (const end of ["", "-wal", "-shm", ".lock"]) rmSync(state + end, { force: true })
  copyFileSync(join(folder, `${rows}-bank-0.csv`), payments)
  // As the command sets it, see cli/main.ts.
  for (const flag of ["--semi-space-growth-factor=1", "--heap-growing-percent=100"]) setFlagsFromString(flag)
  const clock = () => performance.now() / 1000
  const working = () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  }
  const program = Effect.gen(function* () {
    const db = yield* Database
    const both = Effect.forEach(connections, (connection) =>
      Effect.andThen(
        db.transaction(() => Matching.rememberSettings(db, connection)),
        pull(connection, { folder })
      )
    )
    const started = clock()
    const begun = working()
    yield* both
    const read = clock() - started
    const reading = working() - begun
    yield* Matching.run
    const match = clock() - started - read
    const worked = { read: reading, match: working() - begun - reading }
    const lacking = () => db.prepare("SELECT count(*) FROM matching WHERE matched <> amount").pluck().get() as number
    if (lacking() > rows / 100) throw new Error(`${lacking()} of ${rows} payments were not matched`)
    const more: Array<number> = []
    for (let n = 1; n <= TIMES; n++) {
      copyFileSync(join(folder, `${rows}-bank-${n}.csv`), payments)
      yield* both
      const again = clock()
      yield* Matching.run
      more.push(clock() - again)
    }
    return { read, match, worked, more: median(more) }
  })
  return Effect.runPromise(
    program.pipe(Effect.provide(Layer.merge(Database.layer({ file: state, mode: "write" }), outside)))
  )
}

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const [few, many] = [100_000 * scale, 1_000_000 * scale]
  const rounds = async (rows: number) => {
    await run(import.meta.url, "files", folder, rows)
    return () => run<Times>(import.meta.url, "match", folder, rows)
  }
  const { ours: large, theirs: small } = await inTurns(3, await rounds(many), await rounds(few))
  const of = `at ${many.toLocaleString("en")} and ${few.toLocaleString("en")}`
  const all = (runs: typeof large, what: "read" | "match" | "more") => runs.map(({ result }) => result[what])
  const peaks = large.map(({ peak }) => peak)
  return [
    atMost(
      `match: ${many.toLocaleString("en")} payments; reading both`,
      1,
      times({ ours: all(large, "match"), theirs: all(large, "read") })
    ),
    shown(
      `match: ${many.toLocaleString("en")} payments; reading both, processor time`,
      times({
        ours: large.map(({ result }) => result.worked.match),
        theirs: large.map(({ result }) => result.worked.read)
      })
    ),
    atMost(`match: ${MORE} payments more, ${of}`, 3, times({ ours: all(large, "more"), theirs: all(small, "more") })),
    atMost(`match: memory at ${many.toLocaleString("en")}; 350 MB`, 1, memory(peaks, 350))
  ]
}
