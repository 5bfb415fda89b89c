/**
 * What making documents of a FEC costs for each of its lines, against each row of a CSV file of invoices: both by the connector
 * alone, into pages, without books. A customer's line becomes a document, and two or three others of its entry say what it is.
 */
import { createWriteStream, mkdirSync } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Page } from "../../connectors/Connector.ts"
import { files } from "../../connectors/files/Files.ts"
import { ledger } from "../../connectors/ledger/Ledger.ts"
import { fec, receipt, sale } from "../connectors/ledger/Fec.ts"
import { atMost, type Figure, times } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, run, timed } from "./Process.ts"

/** Lines of an invoice and its payment, and the documents that they become. */
const [LINES, DOCUMENTS] = [5, 2]
const CUSTOMERS = 5000
/** Invoices that are written at once. */
const PIECE = 1000

const write = async (file: string, invoices: number): Promise<void> => {
  const out = createWriteStream(file)
  for (let from = 0; from < invoices; from += PIECE) {
    const entries = Array.from({ length: Math.min(PIECE, invoices - from) }, (_, nth) => {
      const n = from + nth
      const [customer, gross] = [`C${n % CUSTOMERS}`, `${120 + (n % 9000)},00`]
      return [
        sale(`${n}`, "20260305", customer, gross, `R-${n}`, `L${n}`),
        receipt(`${n}`, "20260401", customer, gross, `V-${n}`, `L${n}`)
      ]
    })
    const text = fec(entries.flat())
    if (!out.write(from === 0 ? text : text.slice(text.indexOf("\n") + 1))) await once(out, "drain")
  }
  out.end()
  await once(out, "close")
}

const read = (stream: Stream.Stream<Page<never>, unknown, never>, expected: number): Promise<number> =>
  timed(async () => {
    let documents = 0
    const whole = Stream.runForEach(stream, (page) => Effect.sync(() => void (documents += page.read.length)))
    await Effect.runPromise(whole)
    if (documents !== expected) throw new Error(`${documents} documents were read instead of ${expected}`)
  })

const services = Layer.mergeAll(NodeServices.layer, FetchHttpClient.layer)

/** Side: seconds. */
export const ours = (folder: string, expected: number): Promise<number> =>
  read(
    ledger.pull({ path: ".", terms_days: 30 }, undefined, { folder }).pipe(Stream.provide(services)) as never,
    expected
  )

/** Side: seconds. */
export const csv = (file: string, expected: number): Promise<number> => {
  const { source } = Invoices.config(file, "").connections[0]!
  return read(
    files
      .pull({ invoices: source.invoices } as never, undefined, { folder: "/" })
      .pipe(Stream.provide(services)) as never,
    expected
  )
}

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const rows = 500_000 * scale
  const [ledgers, table] = [join(folder, "fec"), join(folder, "invoices.csv")]
  mkdirSync(ledgers)
  await write(join(ledgers, "123456789FEC20261231.txt"), rows / LINES)
  await Invoices.write(table, rows)
  const both = await inTurns(
    3,
    () => run<number>(import.meta.url, "ours", ledgers, (DOCUMENTS * rows) / LINES),
    () => run<number>(import.meta.url, "csv", table, rows)
  )
  return [
    atMost(
      `import: FEC of ${rows.toLocaleString("en")} lines; as many rows of CSV`,
      3,
      times({ ours: both.ours.map(({ result }) => result), theirs: both.theirs.map(({ result }) => result) })
    )
  ]
}
