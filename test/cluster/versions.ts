/**
 * `node test/cluster/versions.ts`: a newer Daybook upgrades the tables while three daemons of this version work. If the tables only have
 * more, they go on; if what they use was changed, none of them is ready, and each says what to do. Ends with 1 when that is not so.
 */
import { Fleet, LEASE_MS } from "./Fleet.ts"
import { setTimeout as sleep } from "node:timers/promises"

const fleet = await Fleet.make()
let failed = ""
const upgraded = async (version: number, least: number) => {
  await fleet.pool.query("UPDATE daybook.format SET version = $1, least = $2", [version, least])
  await sleep(LEASE_MS)
  return Promise.all(fleet.daemons.map((one) => fleet.ready(one)))
}
try {
  await fleet.allReady()
  await fleet.pool.query("ALTER TABLE daybook.tenant ADD COLUMN of_a_newer_version text")
  const more = await upgraded(99, 1)
  await fleet.more()
  await fleet.done()
  console.log(
    `tables with more: ${more.filter(({ ready }) => ready).length} of 3 ready, ${fleet.acted} of ${fleet.expected} created`
  )
  const changed = await upgraded(99, 99)
  console.log(`changed tables: ${changed.filter(({ ready }) => ready).length} of 3 ready (${changed[0]?.why})`)
  if (more.some(({ ready }) => !ready) || fleet.acted !== fleet.expected)
    failed = "tables with more were not good enough"
  if (changed.some(({ ready, why }) => ready || why?.includes("update Daybook") !== true))
    failed = "a node works with changed tables"
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
console.log(failed === "" ? "all as it should be" : `FAILED: ${failed}`)
await fleet.end()
process.exit(failed === "" ? 0 : 1)
