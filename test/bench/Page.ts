/**
 * How long the pages take over a year of history: 1,000,000 documents, half of them invoices, nearly all of them paid.
 * Each page is asked for after a write, so that nothing is remembered, against the bare queries of what it shows. What
 * counts is what comes on top of those, as a share of the 100 ms that it may take.
 */
import { createWriteStream } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { Effect, Layer, Redacted } from "effect"
import { decode } from "../../sync/library/config/Configuration.ts"
import { handle } from "../../cli/page/Page.ts"
import { Sessions } from "../../cli/page/Sessions.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import { Client } from "../../core/Client.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { atMost, type Figure, median, seconds } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { run, timed } from "./Process.ts"
import { tellAll } from "./Sent.ts"

const ALLOWED = 0.1
const TURNS = 5

export const configurationOf = (folder: string) => {
  const config = Invoices.config(join(folder, "invoices.csv"), "http://127.0.0.1:9")
  const [first] = config.connections
  const payments = {
    path: join(folder, "payments.csv"),
    columns: { id: "Ref", invoice: "Invoice", date: "Date", amount: "Amount" },
    currency: "GBP"
  }
  const value = { ...config, connections: [{ ...first, source: { ...first!.source, payments } }] }
  return Effect.runPromise(decode(value, { file: "bench", folder, environment: { DAYBOOK_KEY: "none" } }))
}

/** Side: the books, all of which were sent to the service. */
export const build = async (folder: string, state: string, invoices: number): Promise<void> => {
  await Invoices.write(join(folder, "invoices.csv"), invoices)
  const out = createWriteStream(join(folder, "payments.csv"))
  out.write("Ref,Invoice,Date,Amount\n")
  for (let n = 0; n < invoices; n++) {
    // Of twenty invoices one stays open.
    const amount = n % 20 === 0 ? "1.00" : Invoices.grossOf(n)
    const more = out.write(`P-${n},INV-${String(n).padStart(7, "0")},2026-01-05,${amount}\n`)
    if (!more) await once(out, "drain")
  }
  out.end()
  await once(out, "close")
  const { connections } = await configurationOf(folder)
  const program = Effect.gen(function* () {
    const db = yield* Database
    yield* pull(connections[0]!, { folder })
    yield* db.transaction(() => Plan.rememberSettings(db, connections))
    yield* tellAll(connections)
  })
  await Effect.runPromise(
    program.pipe(Effect.provide(Layer.merge(Database.layer({ file: state, mode: "write" }), outside)))
  )
}

const LEDGER = `SELECT currency, sum(books_open), sum(service_open), count(remote) FROM ledger
  WHERE connection = 'books' AND subject < connection || '/order/' GROUP BY currency`
const COUNTS = ["invoice", "payment", "reversal", "credit_note"].map(
  (kind) => `SELECT count(*) FROM document WHERE key > 'books/${kind}/' AND key < 'books/${kind}0' AND deleted = 0`
)
const SENT = "SELECT count(*) FROM ledger WHERE connection = 'books' AND remote IS NOT NULL"
const PAGE = `SELECT d.key, d.body, l.service_open FROM document d LEFT JOIN ledger l ON l.subject = d.key
  WHERE d.key > 'books/invoice/' AND d.key < 'books/invoice0'`
const ONE = "books/invoice/INV-0040000"

/** Each page, and the queries that it cannot do without. */
const PAGES: Readonly<Record<string, readonly [path: string, queries: ReadonlyArray<string>]>> = {
  today: ["/", [LEDGER]],
  connections: ["/connections", [...COUNTS, SENT]],
  activity: ["/activity", ["SELECT * FROM run ORDER BY id DESC LIMIT 10"]],
  receivables: ["/receivables", ["SELECT * FROM ledger WHERE connection = 'books' AND service_open <> 0"]],
  customers: ["/customers", ["SELECT * FROM ledger WHERE connection = 'books' AND service_open <> 0"]],
  "one customer": ["/customers/7", ["SELECT * FROM customer_invoice WHERE customer = 7"]],
  "month end": ["/months?month=2026-01", ["SELECT * FROM ledger WHERE connection = 'books' AND service_open <> 0"]],
  plans: ["/plans", ["SELECT * FROM approval"]],
  attention: ["/attention", ["SELECT * FROM attention WHERE closed IS NULL"]],
  documents: ["/documents", [`${PAGE} ORDER BY d.key LIMIT 51`]],
  "documents, far in": [
    `/documents?after=${encodeURIComponent(ONE)}`,
    [`${PAGE} AND d.key > '${ONE}' ORDER BY d.key LIMIT 51`]
  ],
  "documents, by a name": [
    "/documents?q=Bakery+%234321",
    [`${PAGE} AND d.body LIKE '%Bakery #4321%' ORDER BY d.key LIMIT 51`]
  ],
  "search, by a whole number": ["/search?q=INV-0040000", [`SELECT * FROM document WHERE key = '${ONE}'`]],
  "search, by a name": [
    "/search?q=Bakery+%234321",
    [
      "SELECT * FROM customer WHERE name LIKE '%Bakery #4321%' LIMIT 6",
      "SELECT key FROM document WHERE key > 'books/payment/' AND key < 'books/payment0' AND body LIKE '%Bakery #4321%' LIMIT 6",
      "SELECT key FROM document WHERE key > 'books/invoice/' AND key < 'books/invoice0' AND key LIKE '%Bakery #4321%' LIMIT 6"
    ]
  ],
  "one document": [
    `/documents/${encodeURIComponent(ONE)}`,
    [`SELECT * FROM document WHERE key = '${ONE}'`, `SELECT * FROM call WHERE subject = '${ONE}'`]
  ]
}

export interface Took {
  readonly page: ReadonlyArray<number>
  readonly bare: ReadonlyArray<number>
}

/** Somebody who is signed in and asks for pages, each after a write of somebody else, so that nothing is remembered. */
export interface Visit {
  /** Its text. */
  readonly look: (path: string) => Promise<string>
  readonly write: () => void
}

export const visiting = async <A>(folder: string, state: string, work: (visit: Visit) => Promise<A>): Promise<A> => {
  const { connections } = await configurationOf(folder)
  const writer = new Sqlite(state)
  const sessions = new Sessions(Redacted.make("not needed"))
  const cookie = sessions.issue(Date.now(), "", { encrypted: false })[0]!.split(";")[0]!
  const around = { connections, folder: ".", environment: {}, file: "daybook.config.json", wake: () => Effect.void }
  const ask = handle(sessions, Effect.succeed(around))
  const client = Client.layer({ url: "http://127.0.0.1:9", key: Redacted.make("none") })
  const program = Effect.gen(function* () {
    const context = yield* Effect.context<Database | Client>()
    const look = async (path: string) => {
      const request = new Request(`http://localhost${path}`, { headers: { cookie } })
      const response = await Effect.runPromise(Effect.provide(ask(request, "127.0.0.1"), context))
      const text = await response.text()
      if (response.status !== 200 || !text.includes("<main")) throw new Error(`${path}: ${response.status} ${text}`)
      return text
    }
    return yield* Effect.promise(() => work({ look, write: () => writer.exec("UPDATE state SET clean = 1 - clean") }))
  })
  const layer = Layer.merge(Database.layer({ file: state, mode: "read" }), client)
  const found = await Effect.runPromise(Effect.provide(program, layer))
  writer.close()
  return found
}

/** Side: seconds, by page. */
export const measure = async (folder: string, state: string): Promise<Readonly<Record<string, Took>>> => {
  const bare = new Sqlite(state, { readonly: true })
  const found = await visiting(folder, state, async ({ look, write }) => {
    const all: Record<string, Took> = {}
    for (const [name, [path, queries]] of Object.entries(PAGES)) {
      const pages: Array<number> = []
      const bares: Array<number> = []
      for (let turn = 0; turn <= TURNS; turn++) {
        write()
        const page = await timed(() => look(path))
        const without = await timed(() => {
          for (const query of queries) bare.prepare(query).all()
        })
        if (turn === 0) continue
        pages.push(page)
        bares.push(without)
      }
      all[name] = { page: pages, bare: bares }
    }
    return all
  })
  bare.close()
  return found
}

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const state = join(folder, "daybook.db")
  await run(import.meta.url, "build", folder, state, 500_000 * scale)
  const { result } = await run<Readonly<Record<string, Took>>>(import.meta.url, "measure", folder, state)
  return Object.entries(result).map(([name, { bare, page }]) =>
    atMost(`page: ${name}, less its bare queries; 100 ms`, 1, {
      ours: seconds(median(page)),
      baseline: seconds(median(bare)),
      ratio: Math.max(0, median(page) - median(bare)) / ALLOWED,
      runs: page.map((one, i) => Math.max(0, one - bare[i]!) / ALLOWED)
    })
  )
}
