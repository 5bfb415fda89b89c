/**
 * What replication costs while calls are made: a plan is carried out 16 calls at a time, at a service that holds each answer back for
 * 20 ms, once with the state file on this machine's disk alone, and once shipped to PostgreSQL. Both sides in turns.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "../../core/Client.ts"
import * as Apply from "../../sync/apply/Apply.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import { pull } from "../../sync/pull/Pull.ts"
import { Database } from "../../sync/state/Database.ts"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { take } from "../../sync/state/replication/postgres/PostgresStore.ts"
import { reset } from "../bench/Apply.ts"
import { median } from "../bench/Figure.ts"
import * as Invoices from "../bench/Invoices.ts"
import { inTurns, run, serve } from "../bench/Process.ts"

const COUNT = 1500
const AT_ONCE = 16
/** Seconds. */
const LATENCY = 0.02

/** Where a tenant is shipped to. */
interface Shipped {
  readonly store: string
  readonly tenant: string
}

const replicaAt = ({ store, tenant }: Shipped) =>
  Effect.gen(function* () {
    const sessions = yield* connect(store, 2)
    yield* sessions.use(({ ask }) => ask("INSERT INTO daybook.tenant (key, id, owner) VALUES ($1, $1, 'me')", [tenant]))
    return { take: take(sessions, tenant) }
  })

/** Side: seconds that it takes to make the calls of this ledger. */
export const applying = (csv: string, url: string, state: string, shipped: Shipped | null): Promise<number> => {
  const folder = fileURLToPath(new URL(".", import.meta.url))
  const { connections } = Invoices.configuration(folder, csv, url)
  const client = Client.layer({ url, key: Redacted.make("sandbox-key") })
  const working = Effect.gen(function* () {
    yield* pull(connections[0]!, { folder })
    const began = performance.now()
    const { done } = yield* Apply.apply(connections, { concurrency: AT_ONCE })
    // One more call made the owner.
    if (done !== COUNT + 1) return yield* Effect.die(`${done} calls were done`)
    return (performance.now() - began) / 1000
  })
  return Effect.gen(function* () {
    const replica = shipped === null ? {} : { replica: yield* replicaAt(shipped) }
    const database = Database.layer({ file: state, mode: "write", command: "figures", ...replica })
    return yield* Effect.provide(working, Layer.mergeAll(database, client, outside))
  }).pipe(Effect.scoped, Effect.runPromise)
}

/** Calls a second of both sides, the medians of so many rounds. */
export const applyRates = async (
  path: string,
  store: string,
  rounds: number
): Promise<{ readonly alone: number; readonly shipped: number }> => {
  const csv = join(path, "apply.csv")
  await Invoices.write(csv, COUNT)
  const { result: url, stop } = await serve<string>(new URL("../bench/Apply.ts", import.meta.url).href, "sandbox")
  let file = 0
  const rate = async (isShipped: boolean) => {
    await reset(url, LATENCY)
    const tenant = `apply${++file}`
    const shipped = isShipped ? { store, tenant } : null
    return (
      COUNT / (await run<number>(import.meta.url, "applying", csv, url, join(path, `${tenant}.db`), shipped)).result
    )
  }
  try {
    await rate(false)
    const { ours, theirs } = await inTurns(
      rounds,
      () => rate(true),
      () => rate(false)
    )
    return { alone: median(theirs), shipped: median(ours) }
  } finally {
    stop()
  }
}
