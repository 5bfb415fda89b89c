/**
 * `node test/cluster/real.ts 300 300`: three workers with so many tenants, for so many seconds, at the rate of ten thousand tenants that are
 * due every 15 minutes; the other rows of ten thousand are there, and later due. In the first half nothing is new: how late runs begin, and
 * what they and PostgreSQL cost. Then all are asked for at the same instant. Then every tenant gets an invoice more, and a worker is killed
 * with its slots, and another one started. Ends with 1 when runs begin too late, an invoice was created twice or never, or a file is damaged.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Fleet } from "./Fleet.ts"
import { processorOf } from "./Processor.ts"
import { signalAll } from "./Shapes.ts"

const [tenants = 300, seconds = 300] = process.argv.slice(2).map(Number)
const ALL = 10_000
/** Ten seconds at least, which is how often a connection may run. */
const PERIOD_MS = 1000 * Math.max(10, Math.round((tenants * 900) / ALL))
/** Seconds. */
const MOST_LATE = { steady: 60, atOnce: 180 }

/** Each opening is noted with how long its tenant was due, in seconds. */
const NOTES = [
  "CREATE TABLE public.opening (late float8)",
  `CREATE FUNCTION public.noted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO public.opening VALUES (extract(epoch FROM NEW.opened - least(OLD.due, OLD.asked))); RETURN NULL; END $$`,
  `CREATE TRIGGER noted AFTER UPDATE OF epoch ON daybook.tenant FOR EACH ROW
     WHEN (OLD.epoch < NEW.epoch) EXECUTE FUNCTION public.noted()`
]
const LATER = `INSERT INTO daybook.tenant (key, id, due) SELECT 'later' || n, 'later' || n, now() + interval '1 day'
  FROM generate_series(1, $1) n`

const fleet = await Fleet.make(undefined, { tenants, perRound: 1, every: `${PERIOD_MS / 1000} seconds`, slots: 4 })

const openings = async () => {
  const { rows } = await fleet.pool.query(
    "WITH all_of AS (DELETE FROM public.opening RETURNING late) SELECT late FROM all_of"
  )
  const late: ReadonlyArray<number> = rows.map(({ late }) => Number(late)).toSorted((a, b) => a - b)
  const at = (share: number) => late[Math.floor((late.length - 1) * share)] ?? Number.NaN
  return { runs: late.length, median: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) }
}

const said = ({ runs, ...late }: Awaited<ReturnType<typeof openings>>) => ({
  runs,
  lateSeconds: Object.fromEntries(Object.entries(late).map(([name, one]) => [name, Number(one.toFixed(2))]))
})

const workersUsed = () => fleet.daemons.reduce((sum, { child }) => sum + processorOf(child.pid ?? 0), 0)

/** Nothing is new. */
const steady = async (millis: number) => {
  await openings()
  const before = { workers: workersUsed(), postgres: fleet.server.processor(), at: performance.now() }
  await sleep(millis)
  const took = performance.now() - before.at
  const late = await openings()
  return {
    late,
    said: {
      ...said(late),
      perSecond: Number(((late.runs * 1000) / took).toFixed(1)),
      workersMsPerRun: Number(((workersUsed() - before.workers) / late.runs).toFixed(1)),
      postgresShareOfCore: Number(((fleet.server.processor() - before.postgres) / took).toFixed(3))
    }
  }
}

/** All are asked for at the same instant. */
const atOnce = async () => {
  await openings()
  await fleet.pool.query("UPDATE daybook.tenant SET asked = clock_timestamp() WHERE settings IS NOT NULL")
  for (;;) {
    await sleep(500)
    const { rows } = await fleet.pool.query(
      "SELECT count(asked)::int + count(queued)::int AS waiting FROM daybook.tenant"
    )
    if (rows[0].waiting < tenants / 10) return openings()
  }
}

/** Invoices come, and a worker is killed with its slots. */
const disturbed = async () => {
  fleet.write()
  await sleep(PERIOD_MS / 2)
  const victim = fleet.any
  signalAll(victim.child, "SIGKILL")
  fleet.forget(victim)
  await sleep(PERIOD_MS / 2)
  await fleet.start()
  await fleet.done()
  const { damaged, unclaimed } = await fleet.inspect()
  return { created: fleet.acted, twice: fleet.acted - fleet.expected, damaged, unclaimed }
}

let failed = ""
try {
  await fleet.allReady()
  await fleet.more()
  await fleet.done()
  for (const one of NOTES) await fleet.pool.query(one)
  await fleet.pool.query(LATER, [Math.max(0, ALL - tenants)])
  const quiet = await steady(seconds * 1000)
  console.log({ tenants, everySeconds: PERIOD_MS / 1000, ...quiet.said })
  const all = await atOnce()
  console.log({ atOnce: tenants, ...said(all) })
  const kept = await disturbed()
  console.log(kept)
  const least = ((seconds * 1000) / PERIOD_MS) * 0.8 * tenants
  if (quiet.late.runs < least) failed = `only ${quiet.late.runs} runs, and not ${least}`
  if (!(quiet.late.p95 < MOST_LATE.steady && all.most < MOST_LATE.atOnce)) failed = "too late"
  if (kept.twice + kept.damaged + kept.unclaimed > 0) failed = "created twice, or without a claim, or damaged"
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
if (failed !== "") console.log(failed)
await fleet.end(failed !== "")
process.exit(failed === "" ? 0 : 1)
