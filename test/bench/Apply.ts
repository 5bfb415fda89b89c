/**
 * How fast a plan is carried out, 16 invoices at a time, with every claim on disk before its request leaves. The
 * service is a sandbox in a process of its own, the same for both sides and emptied before each run.
 *
 * With 20 ms of latency (the sandbox holds every answer back so long) no client can make more than 16 calls in the
 * time that one alone takes, which is measured: that is the baseline. Without latency it is a loop written by hand (`Loop.ts`) that sends the very same requests and
 * commits a claim and a receipt for each. Ours also plans, writes the ledger and stands ready to be killed.
 */
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { Effect, Layer, Redacted, Stream } from "effect"
import { Pool } from "undici"
import { outside } from "../../sync/library/ServiceClient.ts"
import { Client } from "../../core/Client.ts"
import { startSandbox } from "../../core/sandbox/index.ts"
import type { OrganisationId, TransactionId } from "../../core/wire/Ids.ts"
import * as Apply from "../../sync/apply/Apply.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { atMost, type Figure, median, perSecond, seconds, shown } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import type { Body } from "./Loop.ts"
import { inTurns, run, serve, timed } from "./Process.ts"

const LATENCY = 0.02
const AT_ONCE = 16

/** Side: the service, until it is stopped. */
export const sandbox = async (): Promise<string> => (await startSandbox({ port: 0 })).url

/** Empties the sandbox, and sets how long it holds answers back. */
const reset = async (url: string, delay: number): Promise<void> => {
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${url}/sandbox/${path}`, { method: "POST", body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status} to ${path}`)
  }
  await control("reset", {})
  if (delay > 0) await control("faults", { kind: "delay", path: "/v1/", delay_ms: delay * 1000 })
}

const client = (url: string) => Client.layer({ url, key: Redacted.make("sandbox-key") })

/** Side: reads the ledger into new books, then carries its plan out. Seconds of the latter. */
export const ours = async (folder: string, csv: string, url: string, state: string, count: number): Promise<number> => {
  const { connections } = Invoices.configuration(folder, csv, url)
  const database = () => Database.layer({ file: state, mode: "write" })
  await Effect.runPromise(pull(connections[0]!, { folder }).pipe(Effect.provide(Layer.merge(database(), outside))))
  return timed(async () => {
    const report = await Effect.runPromise(
      Apply.apply(connections, { concurrency: AT_ONCE }).pipe(Effect.provide(Layer.merge(database(), client(url))))
    )
    // One more call made the owner.
    if (report.done !== count + 1) throw new Error(`${report.done} calls were done: ${JSON.stringify(report)}`)
  })
}

/** Side: the bodies of the requests that a plan of this ledger makes, for whoever sends them by hand. */
export const bodies = async (folder: string, csv: string, state: string): Promise<ReadonlyArray<Body>> => {
  const { connections } = Invoices.configuration(folder, csv)
  const program = pull(connections[0]!, { folder }).pipe(Effect.andThen(Stream.runCollect(Plan.stream(connections))))
  const planned = await Effect.runPromise(
    program.pipe(Effect.provide(Layer.merge(Database.layer({ file: state, mode: "write" }), outside)))
  )
  return planned.flatMap(({ calls }) =>
    calls.flatMap((call) => (call.operation === "transactions.create" ? [call.body] : []))
  )
}

/** Side: the core client alone: seconds for as many transactions made, and for each of them read and decoded. */
export const alone = async (
  all: ReadonlyArray<Body>,
  url: string
): Promise<{ readonly make: number; readonly read: number }> =>
  Effect.gen(function* () {
    const client = yield* Client
    const { id: owner } = (yield* client.send("organisations.create", {}, ORGANISATION)).body as {
      readonly id: OrganisationId
    }
    const each = { concurrency: AT_ONCE, discard: true } as const
    const ids: Array<TransactionId> = []
    const make = yield* clocked(
      Effect.forEach(
        all,
        (body) =>
          Effect.map(client.send("transactions.create", {}, { ...body, owner }), (sent) =>
            ids.push((sent.body as { readonly id: TransactionId }).id)
          ),
        each
      )
    )
    const read = yield* clocked(
      Effect.forEach(ids, (transaction_id) => client.transactions.get({ params: { transaction_id }, query: {} }), each)
    )
    return { make, read }
  }).pipe(Effect.provide(client(url)), Effect.runPromise)

const ORGANISATION = { unique_id: "acme", registered: "2024-01-01T00:00:00Z" }

const clocked = <E, R>(work: Effect.Effect<void, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const started = performance.now()
    return Effect.map(work, () => (performance.now() - started) / 1000)
  })

const LOOP = new URL("Loop.ts", import.meta.url).href

/** Side: how long one request takes when it is alone, in seconds: the median of fifty. */
export const lone = async (url: string): Promise<number> => {
  const pool = new Pool(url)
  const times: Array<number> = []
  for (let n = 0; n < 50; n++) {
    times.push(
      await timed(async () => {
        const headers = { authorization: "Token sandbox-key" }
        const { body } = await pool.request({ method: "GET", path: "/v1/transactions/?limit=1", headers })
        await body.text()
      })
    )
  }
  await pool.close()
  return median(times)
}

/** Side: how long one commit takes on this disk, in seconds: the median of a thousand. */
export const commit = (state: string): number => {
  const db = new Sqlite(state)
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = FULL")
  db.exec("CREATE TABLE one (n)")
  const insert = db.prepare("INSERT INTO one VALUES (1)")
  const times = Array.from({ length: 1000 }, () => {
    const started = performance.now()
    insert.run()
    return (performance.now() - started) / 1000
  })
  db.close()
  return median(times)
}

interface Ledger {
  readonly csv: string
  readonly count: number
  /** The requests that it makes. */
  readonly bodies: ReadonlyArray<Body>
}

const ledger = async (folder: string, count: number): Promise<Ledger> => {
  const csv = join(folder, `${count}.csv`)
  await Invoices.write(csv, count)
  const { result } = await run<ReadonlyArray<Body>>(import.meta.url, "bodies", folder, csv, join(folder, `${count}.db`))
  return { csv, count, bodies: result }
}

/** A server that has worked already, for as long as `work` goes on. */
const withSandbox = async <A>({ bodies }: Ledger, work: (url: string) => Promise<A>): Promise<A> => {
  const { result: url, stop } = await serve<string>(import.meta.url, "sandbox")
  try {
    await run(LOOP, "bare", bodies, url)
    return await work(url)
  } finally {
    stop()
  }
}

export const figures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const [few, many] = [await ledger(folder, 4000), await ledger(folder, 10_000)]
  let file = 0
  const state = () => join(folder, `run-${++file}.db`)
  return withSandbox(many, async (url) => {
    const both = (rounds: number, delay: number, { bodies, count, csv }: Ledger) => {
      const rate = async (module: string, side: string, ...args: ReadonlyArray<unknown>) => {
        await reset(url, delay)
        return count / (await run<number>(module, side, ...args)).result
      }
      return inTurns(
        rounds,
        () => rate(import.meta.url, "ours", folder, csv, url, state(), count),
        () => rate(LOOP, "kept", bodies, url, state())
      )
    }
    await reset(url, LATENCY)
    const latency = (await run<number>(import.meta.url, "lone", url)).result
    const slow = await both(3, LATENCY, few)
    const fast = await both(5, 0, many)
    const disk = (await run<number>(import.meta.url, "commit", state())).result
    const possible = AT_ONCE / latency
    // The loop pays two commits a call, ours hardly any: from this cost of a commit on, ours is ahead.
    const even = (quick: number, hand: number) => disk + (1 / quick - 1 / hand) / 2
    const [slowly, quickly, byHand] = [median(slow.ours), median(fast.ours), median(fast.theirs)]
    return [
      atMost(`apply: ${AT_ONCE} at a time; ${AT_ONCE}/latency`, 1 / 0.85, {
        ours: perSecond(slowly),
        baseline: perSecond(possible),
        ratio: possible / slowly,
        note: `a request alone took ${seconds(latency)}; ours is ${(slowly / possible).toFixed(2)} of what is possible, the loop by hand ${(median(slow.theirs) / possible).toFixed(2)}`
      }),
      atMost("apply: no latency; undici loop by hand", 1, {
        ours: perSecond(quickly),
        baseline: perSecond(byHand),
        ratio: byHand / quickly,
        note: `a commit takes ${seconds(disk)} on this disk; the loop makes two for each call, ours shares them: ahead where one takes about ${seconds(Math.max(0, even(quickly, byHand)))} or more`
      })
    ]
  })
}

/** The client by itself; nothing is promised of it. */
export const clientFigures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  interface Times {
    readonly make: number
    readonly read: number
  }
  const sent = await ledger(folder, 10_000)
  return withSandbox(sent, async (url) => {
    const side = (module: string, name: string) => async () => {
      await reset(url, 0)
      return (await run<Times>(module, name, sent.bodies, url)).result
    }
    const { ours, theirs } = await inTurns(3, side(import.meta.url, "alone"), side(LOOP, "bare"))
    return (["make", "read"] as const).map((what) => {
      const [mine, bare] = [median(ours.map((one) => one[what])), median(theirs.map((one) => one[what]))]
      return shown(`client: ${what === "make" ? "POST, as apply sends" : "GET, decoded"}; bare undici`, {
        ours: perSecond(sent.count / mine),
        baseline: perSecond(sent.count / bare),
        ratio: mine / bare
      })
    })
  })
}
