/**
 * How fast a plan is carried out, with every claim on disk before its request leaves. The service is a sandbox in a
 * process of its own, the same for both sides and emptied before each run. A commit takes as long as on a common disk
 * (half a millisecond) or on a quick one, for both sides alike, see `Disk.ts`.
 *
 * With 20 ms of latency (the sandbox holds every answer back so long) no client can make more than 16 calls in the
 * time that one alone takes, which is measured: that is the baseline, or what undici alone makes of it, without a
 * database, where that is less: 64 at a time are 3,200 calls a second, and two cores that are client and service do not
 * make so many whoever asks. Without latency it is a loop written by hand (`Loop.ts`) that sends the very same requests
 * and commits a claim and a receipt for each. Ours also plans, writes the ledger and stands ready to be killed.
 */
import { join } from "node:path"
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
import * as Disk from "./Disk.ts"
import { atMost, type Figure, median, perSecond, rates, seconds, shown } from "./Figure.ts"
import * as Invoices from "./Invoices.ts"
import type { Body } from "./Loop.ts"
import { inTurns, run, serve, timed } from "./Process.ts"

const LATENCY = 0.02
const AT_ONCE = 16

/** Side: the service, until it is stopped. */
export const sandbox = async (): Promise<string> => (await startSandbox({ port: 0 })).url

/** Empties the sandbox, and sets how long it holds answers back. */
export const reset = async (url: string, delay: number): Promise<void> => {
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${url}/sandbox/${path}`, { method: "POST", body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status} to ${path}`)
  }
  await control("reset", {})
  if (delay > 0) await control("faults", { kind: "delay", path: "/v1/", delay_ms: delay * 1000 })
}

const client = (url: string, connections: number) =>
  Client.layer({ url, key: Redacted.make("sandbox-key"), connections })

/** How a run sends, for both sides. */
export interface How {
  readonly atOnce: number
  /** Seconds that the service holds every answer back. */
  readonly delay: number
  /** Seconds that a commit takes. */
  readonly disk: number
}

/** Side: reads the ledger into new books, then carries its plan out. Seconds of the latter. */
export const ours = async (
  folder: string,
  csv: string,
  url: string,
  count: number,
  state: string,
  { atOnce, disk }: How
): Promise<number> => {
  const { connections } = Invoices.configuration(folder, csv, url)
  const database = () => Database.layer({ file: state, mode: "write" })
  await Effect.runPromise(pull(connections[0]!, { folder }).pipe(Effect.provide(Layer.merge(database(), outside))))
  Disk.pause(disk * 1000)
  return timed(async () => {
    const report = await Effect.runPromise(
      Apply.apply(connections, { concurrency: atOnce }).pipe(
        Effect.provide(Layer.merge(database(), client(url, atOnce)))
      )
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
export const alone = async (all: ReadonlyArray<Body>, url: string): Promise<Times> =>
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
  }).pipe(Effect.provide(client(url, AT_ONCE)), Effect.runPromise)

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

/** Seconds that a commit takes on the disks that are simulated: what a common one and a quick one take. */
const DISKS = [0.0005, 0.00005] as const

/** Runs a side so many times as a plan is carried out. Calls a second. */
type Rate = (side: "ours" | "kept" | "made", how: How, ledger: Ledger) => Promise<number>

/** @param share of what is possible that is promised */
const latent = async (rate: Rate, ledger: Ledger, { atOnce, latency, share }: Latent): Promise<Figure> => {
  const how = { atOnce, delay: LATENCY, disk: DISKS[0] }
  const { ours, theirs: alone } = await inTurns(
    3,
    () => rate("ours", how, ledger),
    () => rate("made", how, ledger)
  )
  // It decides nothing here.
  const byHand = await rate("kept", how, ledger)
  const possible = Math.min(atOnce / latency, median(alone))
  const part = (rate: number) => (rate / possible).toFixed(2)
  return atMost(`apply: ${atOnce} at a time; what is possible`, 1 / share, {
    ...rates({ ours, theirs: ours.map(() => possible) }),
    note: `a request alone took ${seconds(latency)}, which allows ${perSecond(atOnce / latency)}; undici alone made ${perSecond(median(alone))}; ours is ${part(median(ours))} of the lesser (${share.toFixed(2)} is promised), the loop by hand ${part(byHand)}`
  })
}

interface Latent {
  readonly atOnce: number
  readonly latency: number
  readonly share: number
}

interface Times {
  readonly make: number
  readonly read: number
}

export const figures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const [few, many] = [await ledger(folder, 1500), await ledger(folder, 3000)]
  const memory = Disk.weightless(folder)
  let file = 0
  const measure = async (url: string): Promise<ReadonlyArray<Figure>> => {
    const rate: Rate = async (side, how, { bodies, count, csv }) => {
      await reset(url, how.delay)
      const state = join(memory.folder, `run-${++file}.db`)
      const sides = {
        ours: () => run<number>(import.meta.url, "ours", folder, csv, url, count, state, how),
        kept: () => run<number>(LOOP, "kept", bodies, url, state, how),
        made: () => run<number>(LOOP, "made", bodies, url, how.atOnce)
      }
      return count / (await sides[side]()).result
    }
    await reset(url, LATENCY)
    const latency = (await run<number>(import.meta.url, "lone", url)).result
    const found = [
      await latent(rate, many, { atOnce: 16, latency, share: 0.93 }),
      await latent(rate, many, { atOnce: 64, latency, share: 0.9 })
    ]
    for (const disk of DISKS) {
      const how = { atOnce: AT_ONCE, delay: 0, disk }
      const runs = await inTurns(
        3,
        () => rate("ours", how, few),
        () => rate("kept", how, few)
      )
      found.push(atMost(`apply: no latency, ${seconds(disk)} a commit; undici loop by hand`, 1 / 1.3, rates(runs)))
    }
    return found
  }
  try {
    return await withSandbox(many, measure)
  } finally {
    memory.remove()
  }
}

/** The client by itself; nothing is promised of it. */
export const clientFigures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  const sent = await ledger(folder, 2500)
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
        ratio: mine / bare,
        runs: ours.map((one, i) => one[what] / theirs[i]![what])
      })
    })
  })
}
