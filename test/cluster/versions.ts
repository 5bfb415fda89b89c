/**
 * `node test/cluster/versions.ts`: a newer Daybook upgrades the tables while three workers of this version work. If the tables only have
 * more, they go on; if what they use was changed, none of them is ready, and each says what to do.
 *
 * `node test/cluster/versions.ts --other FOLDER`: with an earlier version that has workers, built in a checkout of its own, a rolling upgrade. Its
 * workers begin, with its tables; this version upgrades the tables, and its workers replace the others one by one, while calls are under
 * way. After each of them a worker is killed as well, so that tenants go from either version to the other.
 *
 * Ends with 1 when something of this is not so, or an invoice was created twice or never.
 */
import { existsSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { type Daemon, Fleet, programIn } from "./Fleet.ts"
import { signalAll } from "./Shapes.ts"

/** Workers look at the tables every few seconds. Milliseconds. */
const LOOKS_MS = 6000

const { other } = parseArgs({ options: { other: { type: "string" } } }).values
if (other !== undefined && !existsSync(programIn(other))) {
  console.error(`${other} does not contain a built checkout; run "npm ci && npm run build" there`)
  process.exit(2)
}

const upgraded = async (fleet: Fleet, version: number, least: number) => {
  await fleet.pool.query("UPDATE daybook.format SET version = $1, least = $2", [version, least])
  await sleep(LOOKS_MS)
  return Promise.all(fleet.daemons.map((one) => fleet.ready(one)))
}

const created = ({ acted, expected, posts }: Fleet) => `${acted} of ${expected} created, ${posts} asked`

/** A version that does not exist yet; what was wrong, if anything was. */
const imagined = async (fleet: Fleet): Promise<string> => {
  await fleet.allReady()
  await fleet.pool.query("ALTER TABLE daybook.tenant ADD COLUMN of_a_newer_version text")
  const more = await upgraded(fleet, 99, 1)
  await fleet.more()
  await fleet.done()
  console.log(`tables with more: ${more.filter(({ ready }) => ready).length} of 3 ready, ${created(fleet)}`)
  const changed = await upgraded(fleet, 99, 99)
  console.log(`changed tables: ${changed.filter(({ ready }) => ready).length} of 3 ready (${changed[0]?.why})`)
  if (more.some(({ ready }) => !ready) || fleet.acted !== fleet.expected) return "tables with more were not good enough"
  return changed.some(({ ready, why }) => ready || why?.includes("update Daybook") !== true)
    ? "a worker works with changed tables"
    : ""
}

/** Another takes its place, while calls are under way. */
const replace = async (fleet: Fleet, old: Daemon, signal: "SIGTERM" | "SIGKILL", program: string): Promise<void> => {
  await fleet.more()
  await fleet.busy()
  await fleet.replace(
    old,
    () => (signal === "SIGTERM" ? old.child.kill(signal) : signalAll(old.child, signal)),
    program
  )
  await fleet.done()
  await fleet.allReady()
}

const isWrong = ({ acted, expected, posts }: Fleet) => acted !== expected || posts !== expected

const real = async (fleet: Fleet, older: string): Promise<string> => {
  await fleet.allReady()
  await fleet.more()
  await fleet.done()
  console.log(`three of the other version: ${created(fleet)}`)
  const before = [...fleet.daemons]
  fleet.init()
  await sleep(LOOKS_MS)
  for (const [n, old] of before.entries()) {
    await replace(fleet, old, "SIGTERM", fleet.program)
    const programs = { other: 2 - n, this: n + 1 }
    console.log(`${programs.other} of the other version, ${programs.this} of this: ${created(fleet)}`)
    const victim = fleet.any
    await replace(fleet, victim, "SIGKILL", before.includes(victim) ? older : fleet.program)
    const at = before.indexOf(victim)
    if (at >= 0) before[at] = fleet.daemons.at(-1)!
    console.log(`  one of ${at < 0 ? "this" : "the other"} version killed: ${created(fleet)}`)
    const { damaged, unclaimed } = await fleet.inspect()
    if (damaged > 0 || unclaimed > 0) return `${damaged} damaged, ${unclaimed} calls without a claim`
  }
  return isWrong(fleet) ? "an invoice was created twice or never" : ""
}

const fleet = await Fleet.make(other)
let failed = ""
try {
  failed = other === undefined ? await imagined(fleet) : await real(fleet, programIn(other))
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
console.log(failed === "" ? "all as it should be" : `FAILED: ${failed}`)
await fleet.end(failed !== "")
process.exit(failed === "" ? 0 : 1)
