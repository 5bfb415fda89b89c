/**
 * What reading the service takes: `daybook reconcile` (the audit), its independent witness, and what is asked before a first
 * sending, over invoices that were all sent and of which three in five are paid. The baseline is a loop of `fetch` and
 * `JSON.parse` over the same pages. The sandbox is a process of its own and holds nothing back.
 */
import { createReadStream, copyFileSync, createWriteStream, statSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { once } from "node:events"
import Sqlite from "better-sqlite3"
import { Effect, Layer, Redacted, Result } from "effect"
import { Client } from "../../core/Client.ts"
import { files } from "../../connectors/files/Files.ts"
import * as Apply from "../../sync/apply/Apply.ts"
import * as FirstSend from "../../sync/apply/FirstSend.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import { type Configuration, decodeWith } from "../../sync/library/config/Configuration.ts"
import { pull } from "../../sync/pull/Pull.ts"
import * as Audit from "../../sync/reconciliation/Audit.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Witness from "../../sync/witness/Witness.ts"
import { atMost, type Figure, memory, shown, times } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import { inTurns, type Ran, run, serve, timed } from "./Process.ts"

/** Payments of the whole amount on the due date, for three invoices in five. */
export const writePayments = async (csv: string, file: string): Promise<void> => {
  const out = createWriteStream(file)
  let text = "No,Invoice,Day,Amount\n"
  let n = -1
  for await (const line of createInterface({ input: createReadStream(csv) })) {
    if (++n === 0 || n % 5 > 2) continue
    const [, id, due, gross] = /^([^,]*),(?:"[^"]*"|[^,]*),[^,]*,[^,]*,([^,]*),[^,]*,([^,]*),/.exec(line)!
    text += `P${n},${id},${due},${gross}\n`
  }
  out.end(text)
  await once(out, "close")
}

const configuration = (folder: string, url: string): Configuration => {
  const { connections, service } = Invoices.config(join(folder, "invoices.csv"), url)
  const [books] = connections
  const payments = {
    path: join(folder, "payments.csv"),
    columns: { id: "No", invoice: "Invoice", date: "Day", amount: "Amount" },
    currency: "GBP"
  }
  return Result.getOrThrow(
    decodeWith(
      { service, connections: [{ ...books, source: { ...books!.source, payments } }] },
      {
        file: "daybook.config.json",
        folder,
        environment: { DAYBOOK_KEY: "sandbox-key" },
        connectors: new Map([["files", files]])
      }
    )
  )
}

const client = (url: string) => Client.layer({ url, key: Redacted.make("sandbox-key") })

const database = (folder: string, name = "daybook.db") => Database.layer({ file: join(folder, name), mode: "write" })

/** The owner as well; of each paid invoice, its payment and that it is paid. */
const callsOf = (count: number): number => 1 + count + 2 * Math.ceil(count * 0.6)

/** Side: reads the ledger into new books, keeps a copy of them, and sends everything. */
export const send = async (folder: string, url: string, count: number): Promise<void> => {
  await Invoices.write(join(folder, "invoices.csv"), count)
  await writePayments(join(folder, "invoices.csv"), join(folder, "payments.csv"))
  const { connections } = configuration(folder, url)
  await Effect.runPromise(
    pull(connections[0]!, { folder }).pipe(Effect.provide(Layer.merge(database(folder), outside)))
  )
  copyFileSync(join(folder, "daybook.db"), join(folder, "unsent.db"))
  // Opened as a new file, and not refused as a copy of one that is in use.
  const unsent = new Sqlite(join(folder, "unsent.db"))
  unsent.exec("UPDATE state SET place = NULL, clean = 1")
  unsent.close()
  const report = await Effect.runPromise(
    Apply.apply(connections, { concurrency: 16 }).pipe(Effect.provide(Layer.merge(database(folder), client(url))))
  )
  const calls = callsOf(count)
  if (report.done !== calls) throw new Error(`${report.done} of ${calls} calls were done: ${JSON.stringify(report)}`)
}

/** Side: the audit. Seconds. */
export const audit = (folder: string, url: string, count: number): Promise<number> =>
  timed(async () => {
    const { connections } = configuration(folder, url)
    const audited = await Effect.runPromise(
      Audit.audit(connections, { fix: false, settleAfter: 0, onFound: () => Effect.void }).pipe(
        Effect.provide(Layer.merge(database(folder), client(url)))
      )
    )
    if (audited.transactions !== count || audited.differences > 0) throw new Error(JSON.stringify(audited))
  })

/** Side: what a first sending reads of an account that holds only what others sent. Seconds. */
export const first = (folder: string, url: string, _: number, copy: string): Promise<number> => {
  copyFileSync(join(folder, "unsent.db"), copy)
  return timed(async () => {
    const [books] = configuration(folder, url).connections
    const planning = { ...books!.planning, owner: { organisation: { unique_id: "other", registered: "" } } }
    const reason = await Effect.runPromise(
      FirstSend.check([{ id: "books", planning }], [{ id: "books" }], 0).pipe(
        Effect.provide(Layer.merge(Database.layer({ file: copy, mode: "write" }), client(url)))
      )
    )
    if (reason !== undefined) throw new Error(JSON.stringify(reason))
  })
}

/** Side: the independent witness. Seconds. */
export const witness = (folder: string, url: string, count: number): Promise<number> =>
  timed(async () => {
    const { connections } = configuration(folder, url)
    const looked = await Effect.runPromise(
      Witness.look(connections, {
        contextOf: () => Effect.succeed({ folder }),
        onDifference: () => Effect.void,
        onNotChecked: () => Effect.void,
        onFailed: (_, error) => Effect.die(error)
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(outside, client(url))))
    )
    if (looked.transactions !== count || looked.differences > 0) throw new Error(JSON.stringify(looked))
  })

/** Side: the loop, and of each transaction the ledger's row, its document and what is allocated to it, parsed and not looked at. Seconds. */
export const rows = (folder: string, url: string, count: number): Promise<number> => {
  const db = new Sqlite(join(folder, "daybook.db"), { readonly: true })
  const [row, document, allocated] = [
    "SELECT held FROM ledger WHERE subject = +?",
    "SELECT body FROM document WHERE key = +?",
    "SELECT d.body FROM allocation a JOIN document d ON d.id = a.document WHERE a.invoice = +?"
  ].map((sql) => db.prepare(sql).pluck())
  return loop(url, count, (key) => {
    for (const text of [row!.get(key), document!.get(key), ...allocated!.all(key)]) JSON.parse(text as string)
  })
}

/** Side: the loop. Seconds. */
export const bare = (_: string, url: string, count: number): Promise<number> => loop(url, count, () => {})

const loop = (url: string, count: number, look: (key: string) => void): Promise<number> =>
  timed(async () => {
    let read = 0
    for (let next: string | null = "/v1/transactions/?limit=100&offset=0"; next !== null; ) {
      const answer = await fetch(new URL(next, url), { headers: { authorization: "Token sandbox-key" } })
      const page = JSON.parse(await answer.text()) as {
        readonly next: string | null
        readonly results: ReadonlyArray<{ readonly unique_id: string }>
      }
      for (const { unique_id } of page.results) look(unique_id)
      read += page.results.length
      next = page.next === null ? null : `/v1/transactions/?limit=100&offset=${read}`
    }
    if (read !== count) throw new Error(`${read} transactions`)
  })

const ROUNDS = 3

/** What a call may leave behind in the state file, in bytes. */
const BYTES_OF_CALL = 400

/** How much larger the state file is than before anything was sent. */
const left = (folder: string, count: number): Figure => {
  const bytes = statSync(join(folder, "daybook.db")).size - statSync(join(folder, "unsent.db")).size
  const each = bytes / callsOf(count)
  return atMost(`sent: state file of ${callsOf(count).toLocaleString("en")} calls; ${BYTES_OF_CALL} bytes a call`, 1, {
    ours: `${Math.round(each)} bytes`,
    baseline: `${BYTES_OF_CALL} bytes`,
    ratio: each / BYTES_OF_CALL
  })
}

export const figures = async (folder: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const count = 100_000 * scale
  const sandbox = await serve<string>(new URL("Apply.ts", import.meta.url).href, "sandbox")
  const url = sandbox.result
  try {
    await run(import.meta.url, "send", folder, url, count)
    const peaks: Array<number> = []
    /** By the clock, and by processor time. */
    const both = async (what: string, limit: number, side: "audit" | "first" | "witness") => {
      const name = `reading: ${what} of ${count.toLocaleString("en")}; fetch and JSON.parse`
      const { ours, theirs } = await inTurns(
        ROUNDS,
        (round) => run<number>(import.meta.url, side, folder, url, count, join(folder, `first-${round}.db`)),
        () => run<number>(import.meta.url, "bare", folder, url, count)
      )
      if (side === "audit") peaks.push(...ours.map(({ peak }) => peak))
      const all = (of: (one: Ran<number>) => number) => times({ ours: ours.map(of), theirs: theirs.map(of) })
      return [
        atMost(
          name,
          limit,
          all(({ result }) => result)
        ),
        shown(
          `${name}, processor time`,
          all(({ worked }) => worked)
        )
      ]
    }
    const least = async () => {
      const { ours, theirs } = await inTurns(
        ROUNDS,
        () => run<number>(import.meta.url, "audit", folder, url, count),
        () => run<number>(import.meta.url, "rows", folder, url, count)
      )
      return shown(
        `reading: audit of ${count.toLocaleString("en")}; the same pages and rows parsed by hand, processor time`,
        times({ ours: ours.map(({ worked }) => worked), theirs: theirs.map(({ worked }) => worked) })
      )
    }
    return [
      left(folder, count),
      ...(await both("audit", 2, "audit")),
      await least(),
      ...(await both("first sending", 2, "first")),
      ...(await both("witness", 5, "witness")),
      atMost(`reading: audit of ${count.toLocaleString("en")}, memory; 250 MB`, 1, memory(peaks, 250))
    ]
  } finally {
    sandbox.stop()
  }
}
